/**
 * A fleet in trouble: one fault after the other, while clerks sell and pay. The airline's books, the journals and what
 * clerks heard must agree. `node test/campaigns/load/outages.ts [--seconds 10]`
 * Linux, as root or with a sudo that asks no password: it mounts small disks that it fills.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { mcpCaller } from '../../support/mcp-http.ts';
import { isOpen } from '../support/acts.ts';
import { putToWork, type Sale, signedInCaller } from '../support/clerks-at-work.ts';
import { seenWithin } from '../support/pace.ts';
import { conclude, counted, flags, least, most, none, print } from '../support/report.ts';
import { paymentsIn } from '../support/stage.ts';
import { pairOf } from '../support/trip.ts';
import { type Fault, faultsOf } from './support/outage-faults.ts';
import { openTroubledFleet } from './support/troubled-fleet.ts';

const { seconds } = flags({ seconds: 10 });
/** A fault lasts so long, and longer until it is noticed. */
const MS = seconds * 1000;
const NOTICED_MS = 15_000;
const LOOK_MS = 100;

const fleet = await openTroubledFleet();
const at = (url: string) => (n: number) => signedInCaller(`${url}/mcp`, () => fleet.token(`clerk-${n}`, url));
/** One at each address only looks whether all is well. */
const probes = [at(fleet.url)(0), at(fleet.aloneUrl)(4)] as const;
const sellers = [...[1, 2, 3, 5, 6, 7].map(at(fleet.url)), ...[8, 9].map(at(fleet.aloneUrl))];
const clerks = putToWork(sellers, await pairOf(probes[0]));

type Seen = Awaited<ReturnType<typeof play>>;

async function play(fault: Fault) {
  clerks.under(fault.name);
  const old = await fleet.token('clerk-0', fleet.url);
  const from = Date.now();
  await fault.begin();
  const telling = seenWithin(MS + NOTICED_MS, LOOK_MS, statusesOf(fault.sick), (all) =>
    all.every((one) => one !== 200),
  );
  await wait(MS / 2);
  await fault.half?.();
  const keysAreRight = fault.changesKeys === undefined || (await knowsOnlyNewKeys(old));
  await wait(MS / 2);
  const isTold = (await telling).every((status) => status !== 200);
  await fault.end();
  const over = performance.now();
  await seenWithin(60_000, LOOK_MS, isWell, Boolean);
  const normalAfter = (performance.now() - over) / 1000;
  await wait(1_000);
  return { fault, from, to: Date.now(), isTold, normalAfter, keysAreRight };
}

const statusesOf = (members: Fault['sick']) => () => Promise.all(members.map((member) => member.ready()));

/** Each instance is ready, and a call at each address succeeds. */
async function isWell(): Promise<boolean> {
  if ((await statusesOf(fleet.members)()).some((status) => status !== 200)) return false;
  const calls = await Promise.all(probes.map((probe) => probe.call('list_bookings', {})));
  return calls.every(({ outcome }) => outcome === 'ok');
}

/** Right after a change: a token with the new key is accepted by each instance at its first call, one with the old key is not. */
async function knowsOnlyNewKeys(old: string): Promise<boolean> {
  const fresh = await fleet.token('clerk-0', fleet.url);
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

const faults = faultsOf(fleet);
const seen: Seen[] = [];
for (const fault of faults) seen.push(await play(fault));
await clerks.end();
await fleet.cluster.lapse('fleet');
const journal = await seenWithin(60_000, 200, fleet.journal, (rows) => !rows.some(({ state }) => isOpen(state)));
const books = await paymentsIn(fleet.books);

const timesPaid = (locator: string) => books.filter((paid) => paid === locator).length;
const isDone = (locator: string) =>
  journal.some((row) => row.tool === 'pay_booking' && row.locator === locator && row.state === 'succeeded');
/** Reported and not made, or made and not in the journal, or the reverse. */
const isLost = ({ locator, told }: Sale) =>
  (told && timesPaid(locator) === 0) || isDone(locator) !== timesPaid(locator) > 0;
/** Holds that began then and whose answer was lost. */
const lostHolds = ({ from, to }: Seen) =>
  journal.filter(({ tool, state, created_at: at }) => {
    return tool === 'create_booking' && state === 'needs_person' && Number(at) >= from && Number(at) < to;
  }).length;

for (const one of seen) {
  const { name } = one.fault;
  const sales = clerks.sales.filter(({ under }) => under === name);
  const told = counted(clerks.calls.filter(({ under }) => under === name).map(({ outcome }) => outcome));
  const paid = sales.filter(({ locator }) => timesPaid(locator) > 0).length;
  print(`  ${name}: ${paid} paid, ${lostHolds(one)} holds lost, normal after ${one.normalAfter.toFixed(1)} s; ${told}`);
}
const known = new Set(clerks.sales.map(({ locator }) => locator));
const strangers = books.filter((locator) => !known.has(locator));
const lost = clerks.sales.filter(isLost).length + strangers.length;
const keptHolds = seen.filter(({ fault }) => fault.losesNoHold).reduce((sum, one) => sum + lostHolds(one), 0);
conclude(`${faults.length} faults of ${seconds} s while ${sellers.length} clerks sell`, [
  least('payments in the books of the airline', new Set(books).size, faults.length),
  none('paid twice', books.length - new Set(books).size),
  none('lost: told, journal and books differ', lost),
  none('holds whose answer was lost while PostgreSQL was away', keptHolds),
  none('left open in the journals', journal.filter(({ state }) => isOpen(state)).length),
  none('faults that /readyz did not tell', seen.filter(({ isTold }) => !isTold).length),
  none('key changes that were not followed at once', seen.filter(({ keysAreRight }) => !keysAreRight).length),
  most('longest until all is normal again', Math.max(...seen.map(({ normalAfter }) => normalAfter)), 30, 's'),
]);
for (const caller of [...probes, ...sellers]) caller.close();
await fleet.close();
