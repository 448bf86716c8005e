/**
 * A fleet in trouble: one fault after the other, while clerks sell and pay. The airline's books, the journals and what
 * clerks heard must agree. `node test/campaigns/load/outages.ts [--seconds 10] [--only WORD] [--strict]`
 * Linux, as root or with a sudo that asks no password: it mounts small disks that it fills.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mcpCaller } from '../../support/mcp-http.ts';
import { isOpen } from '../support/acts.ts';
import { paymentsIn } from '../support/fleet-at-work.ts';
import { seenWithin } from '../support/pace.ts';
import { conclude } from '../support/report.ts';
import { pairOf } from '../support/trip.ts';
import { putClerksToWork, type Sale, signedInCaller } from './support/clerks-in-trouble.ts';
import { type Fault, faultsOf } from './support/outage-faults.ts';
import { openTroubledFleet, type Row } from './support/troubled-fleet.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    strict: { type: 'boolean' },
  },
});
/** A fault lasts so long, and longer until it is noticed. */
const MS = Math.min(600, Number(values.seconds)) * 1000;
const NOTICED_MS = 15_000;
const LOOK_MS = 100;
const FLEET_CLERKS = 6;
const ALONE_CLERKS = 2;

const names = Array.from({ length: FLEET_CLERKS + ALONE_CLERKS + 2 }, (_, n) => `clerk-${n}`);
const fleet = await openTroubledFleet(names);
const all = names.map((name, n) => {
  const isAlone = n % 5 === 4;
  const url = isAlone ? fleet.aloneUrl : fleet.url;
  return { isAlone, caller: signedInCaller(`${url}/mcp`, () => fleet.issuer.token(name, `${url}/mcp`)) };
});
/** One at each address only looks whether all is well. */
const probes = [false, true].flatMap((alone) => all.filter(({ isAlone }) => isAlone === alone).slice(0, 1));
const pair = await pairOf(all[0]?.caller ?? raise('no caller'));
const clerks = putClerksToWork(
  all.filter((one) => !probes.includes(one)).map(({ caller }) => caller),
  pair,
);
const members = [fleet.first, fleet.second, fleet.alone];

interface Seen {
  readonly fault: Fault;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Seconds. */
  readonly toldAfter: number;
  readonly normalAfter: number;
  /** Whether old keys are refused and new ones accepted, where keys change. */
  readonly keysAreRight: boolean;
}

async function play(fault: Fault): Promise<Seen> {
  clerks.under(fault.name);
  let toldAfter = fault.sick.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  const old = await fleet.issuer.token('clerk-0', `${fleet.url}/mcp`);
  const from = Date.now();
  await fault.begin();
  const began = performance.now();
  const telling = (async () => {
    while (toldAfter === Number.POSITIVE_INFINITY && performance.now() - began < MS + NOTICED_MS) {
      const statuses = await Promise.all(fault.sick.map((member) => member.ready()));
      if (statuses.every((status) => status !== 200)) toldAfter = (performance.now() - began) / 1000;
      else await wait(LOOK_MS);
    }
  })();
  await wait(MS / 2);
  await fault.half?.();
  const keysAreRight = fault.changesKeys === undefined || (await knowsOnlyNewKeys(old));
  await wait(MS / 2);
  await telling;
  await fault.end();
  const over = performance.now();
  await seenWithin(60_000, LOOK_MS, isWell, (well) => well);
  const normalAfter = (performance.now() - over) / 1000;
  await wait(1_000);
  process.stderr.write(`  ${fault.name}: noticed ${toldAfter.toFixed(1)} s, normal ${normalAfter.toFixed(1)} s\n`);
  return { fault, from, to: Date.now(), toldAfter, normalAfter, keysAreRight };
}

/** Each instance is ready, and a call at each address succeeds. */
async function isWell(): Promise<boolean> {
  const statuses = await Promise.all(members.map((member) => member.ready()));
  if (statuses.some((status) => status !== 200)) return false;
  const calls = await Promise.all(probes.map(({ caller }) => caller.call('list_bookings', {})));
  return calls.every(({ outcome }) => outcome === 'ok');
}

/** Right after a change: a token with the new key is accepted by each instance at its first call, one with the old key is not. */
async function knowsOnlyNewKeys(old: string): Promise<boolean> {
  const fresh = await fleet.issuer.token('clerk-0', `${fleet.url}/mcp`);
  const statuses: number[] = [];
  for (const { port } of [fleet.first, fleet.second]) {
    for (const token of [fresh, old]) {
      const caller = mcpCaller(`http://127.0.0.1:${port}/mcp`, token);
      statuses.push((await caller.call('list_bookings', {})).status);
      caller.close();
    }
  }
  return statuses.join() === '200,401,200,401';
}

/** Waits until nothing is open in the journals. */
async function settled(): Promise<readonly Row[]> {
  await fleet.lapse();
  return seenWithin(60_000, 200, fleet.journal, (rows) => !rows.some(({ state }) => isOpen(state)));
}

const faults = faultsOf(fleet).filter(({ name }) => name.includes(values.only));
const seen: Seen[] = [];
for (const fault of faults) seen.push(await play(fault));
await clerks.end();
const journal = await settled();
const books = paymentsIn(fleet.books);

const timesPaid = (locator: string) => books.filter((paid) => paid === locator).length;
const isDone = (locator: string) =>
  journal.some((row) => row.tool === 'pay_booking' && row.locator === locator && row.state === 'succeeded');
/** Reported and not made, or made and not in the journal, or the reverse. */
const isLost = ({ locator, told }: Sale) =>
  (told && timesPaid(locator) === 0) || isDone(locator) !== timesPaid(locator) > 0;
/** Holds that began then and whose answer was lost. */
const lostHolds = ({ from, to }: Seen) =>
  journal.filter(({ tool, state, created_at }) => {
    return (
      tool === 'create_booking' && state === 'needs_person' && Number(created_at) >= from && Number(created_at) < to
    );
  }).length;
const salesOf = ({ name }: Fault) => clerks.sales.filter((sale) => sale.fault === name);
const callsOf = ({ name }: Fault) => [...(clerks.outcomes.get(name) ?? [])];

for (const fault of faults) process.stderr.write(`  ${fault.name}: ${callsOf(fault).join(' ')}\n`);
const row = (cells: readonly (string | number)[]) =>
  `  ${cells.map((cell, n) => (n === 0 ? String(cell).padEnd(36) : String(cell).padStart(9))).join('')}\n`;
process.stdout.write(row(['fault', 'calls', 'payments', 'double', 'lost', 'holds', 'told, s', 'normal, s']));
for (const one of seen) {
  const { fault, toldAfter, normalAfter } = one;
  const sales = salesOf(fault);
  const calls = callsOf(fault).reduce((sum, [, count]) => sum + count, 0);
  const paid = sales.filter(({ locator }) => timesPaid(locator) > 0).length;
  const double = sales.filter(({ locator }) => timesPaid(locator) > 1).length;
  const told = fault.sick.length === 0 ? '-' : toldAfter.toFixed(1);
  process.stdout.write(
    row([fault.name, calls, paid, double, sales.filter(isLost).length, lostHolds(one), told, normalAfter.toFixed(1)]),
  );
}
const known = new Set(clerks.sales.map(({ locator }) => locator));
conclude(
  `${faults.length} faults of ${MS / 1000} s while ${FLEET_CLERKS + ALONE_CLERKS} clerks sell`,
  [
    { what: 'payments in the books of the airline', value: new Set(books).size, atLeast: faults.length },
    { what: 'paid twice', value: books.length - new Set(books).size, atMost: 0 },
    {
      what: 'lost: told, journal and books differ',
      value: clerks.sales.filter(isLost).length + books.filter((locator) => !known.has(locator ?? '')).length,
      atMost: 0,
    },
    {
      what: 'holds whose answer was lost while PostgreSQL was away',
      value: seen.filter(({ fault }) => fault.losesNoHold).reduce((sum, one) => sum + lostHolds(one), 0),
      atMost: 0,
    },
    {
      what: 'left open in the journals',
      value: journal.filter(({ state }) => isOpen(state)).length,
      atMost: 0,
    },
    {
      what: 'faults that /readyz did not tell',
      value: seen.filter((s) => s.toldAfter === Number.POSITIVE_INFINITY).length,
      atMost: 0,
    },
    {
      what: 'key changes that were not followed at once',
      value: seen.filter((s) => !s.keysAreRight).length,
      atMost: 0,
    },
    {
      what: 'longest until all is normal again',
      value: Math.max(...seen.map(({ normalAfter }) => normalAfter)),
      unit: 's',
      atMost: 10,
      evenBusy: { atMost: 30 },
    },
  ],
  values.strict === true,
);
for (const { caller } of all) caller.close();
await fleet.close();

function raise(message: string): never {
  throw new Error(message);
}
