/**
 * Hours in small: callers of every kind, an airline that keeps failing in every way it can, and at the end the books
 * compared and the process looked at. `node test/campaigns/load/soak.ts` takes three minutes, `--minutes 30` the real thing; `--strict` also holds it to its times.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { orderFault, type SandboxFaultKind } from '../../../src/sandbox/faults/orders.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { McpCaller } from '../../support/mcp-http.ts';
import { payArgs } from '../support/acts.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import { conclude, quantile } from '../support/report.ts';
import { ledgerOf, openStage, sandboxProcess } from '../support/stage.ts';
import { hold, type Pair, pairOf, searchArgs } from '../support/trip.ts';
import { type Floor, type Sample, slopeOf, steady } from './support/samples.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    callers: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    strict: { type: 'boolean' },
  },
});
const MINUTES = Math.min(60, Number(values.minutes));
/** Long enough to separate a slope from noise. */
const LONG = MINUTES >= 20;
const CALLERS = Math.min(200, Number(values.callers));
/** Between two calls of one caller, milliseconds. */
const PAUSE_MS = 400;
/** A fault is ordered so often, milliseconds. */
const FAULT_MS = 700;
const SAMPLE_MS = 2_000;
/** All that nobody holds is collected so often, milliseconds, and what is left is looked at. */
const COLLECT_MS = 10_000;

const FAULTS: readonly SandboxFaultKind[] = [
  'commit-then-lose',
  'commit-then-5xx',
  'commit-then-truncated',
  'commit-then-html',
  'late-commit',
  'lose-before',
  '5xx-before',
  'throttled',
  'unauthorized',
  'empty-body',
  'wrong-locator',
  'slow-drip',
];
const MESSAGES = [
  'OTA_ReadRQ',
  'OTA_AirLowFareSearchRQ',
  'OTA_AirBookRQ',
  'OTA_AirDemandTicketRQ',
  'OTA_AirBookModifyRQ',
  'routes',
];

/** The same run again, as far as chance decides it. */
const chance = new Chance(Number(values.seed));

const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await sandboxProcess(books);
const stage = await openStage(sandbox.settings, {
  NODE_OPTIONS: `--expose-gc --import=${new URL('./support/collect.ts', import.meta.url).href}`,
  FARECLERK_LOG_LEVEL: 'fatal',
  FARECLERK_ANSWER_SECONDS: '1',
  FARECLERK_SETTLE_SECONDS: '12',
});
const callers = await Promise.all(Array.from({ length: CALLERS }, (_, n) => stage.caller(`caller-${n}`)));
const pair = await pairOf(callers[0] as McpCaller);

const outcomes = new Map<string, number>();
const paid = new Set<string>();
const until = performance.now() + MINUTES * 60_000;
const isOver = () => performance.now() > until;

async function act(caller: McpCaller, name: string, args: object) {
  const called = await caller.call(name, args);
  const key = `${name} ${called.outcome}`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
  return called;
}

/** Books, pays with the two calls of echo, gives a seat back now and then, and looks around in between. */
async function live(caller: McpCaller, where: Pair): Promise<void> {
  let locator: string | undefined;
  while (!isOver()) {
    await wait(PAUSE_MS * (0.5 + chance.next()));
    const what = chance.next();
    if (what < 0.3 || locator === undefined) {
      await act(caller, 'search_fares', searchArgs(where, 12 + Math.floor(chance.next() * 60)));
      if (what < 0.12 || locator === undefined)
        locator = (await hold(caller, where, 12 + Math.floor(chance.next() * 60))) ?? locator;
    } else if (what < 0.75) await act(caller, 'read_booking', { locator });
    else if (what < 0.8) await act(caller, 'list_bookings', {});
    else if (what < 0.95) await commit(caller, 'pay_booking', payArgs(locator), locator);
    else await commit(caller, 'cancel_segment', { locator, all: true }, undefined);
  }
}

async function commit(caller: McpCaller, name: string, args: object, pays: string | undefined): Promise<void> {
  const asked = await act(caller, name, args);
  const id: string | undefined = asked.structured.approval?.id;
  if (asked.outcome !== 'approval_required' || id === undefined) return;
  for (let tries = 0; tries < 3; tries++) {
    const { outcome } = await act(caller, name, { ...args, approval_id: id });
    if (pays !== undefined && /done$/.test(outcome)) paid.add(pays);
    if (outcome !== 'pending') return;
  }
}

async function trouble(): Promise<void> {
  while (!isOver()) {
    await wait(FAULT_MS);
    const kind = chance.pick(FAULTS);
    // Byte by byte a reply takes longer than a reading waits, and comes to its end within the time of a send.
    const ms = kind === 'slow-drip' ? 5 : 300;
    orderFault(books, { message: chance.pick(MESSAGES), kind, nth: 1 + Math.floor(chance.next() * 5), ms });
  }
}

async function watch(samples: Sample[]): Promise<void> {
  const began = performance.now();
  while (!isOver()) {
    await wait(SAMPLE_MS);
    const figure = await stage.metrics();
    samples.push({
      minute: (performance.now() - began) / 60_000,
      residentMb: stage.residentMb(),
      handles: stage.handles(),
      // It is looked at every ten milliseconds: what is above that is delay.
      lagMs: figure('nodejs_eventloop_lag_p50_seconds') * 1000 - 10,
      worstLagMs: figure('nodejs_eventloop_lag_p99_seconds') * 1000 - 10,
    });
  }
}

/** Looks at the heap after collections; gives megabytes by the minute. */
async function weigh(floors: Floor[]): Promise<void> {
  const began = performance.now();
  while (!isOver()) {
    await wait(COLLECT_MS);
    process.kill(stage.pid, 'SIGUSR2');
    await wait(300);
    const figure = await stage.metrics();
    floors.push({
      minute: (performance.now() - began) / 60_000,
      heapMb: figure('nodejs_heap_size_used_bytes') / 1e6,
    });
  }
}

const floors: Floor[] = [];
const samples: Sample[] = [];
const calls = callers.map((caller) => live(caller, pair));
await Promise.all([...calls, trouble(), watch(samples), weigh(floors)]);
for (const caller of callers) caller.close();
// What is in doubt is settled by reading; connections that nobody uses any more are closed.
await wait(20_000);
const inDoubt = async () => (await stage.metrics())('fareclerk_operations_in_doubt');
for (let more = 0; more < 100; more++) {
  if (stage.handles() <= stage.idleHandles + 5 && (await inDoubt()) === 0) break;
  await wait(1_000);
}
const ledger = ledgerOf(books);
if ((await inDoubt()) > 0) await tellOfDoubt();
const payments = ledger.filter(({ event }) => event === 'paid').map(({ locator }) => locator);
const twice = payments.length - new Set(payments).size;
const unknown = [...paid].filter((locator) => !payments.includes(locator)).length;
const inside = [...outcomes].filter(([key]) => /E_INTERNAL|http 5|no result|http 0/.test(key));
const half = steady(samples);
const left = steady(floors);
const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
const all = (word: RegExp) =>
  [...outcomes].filter(([key]) => word.test(key)).reduce((sum, [, count]) => sum + count, 0);

for (const [key, count] of [...outcomes].sort()) process.stderr.write(`  ${key}: ${count}\n`);
conclude(
  `${MINUTES} minutes, ${CALLERS} callers, a fault about every ${FAULT_MS} ms`,
  [
    { what: 'calls answered', value: total },
    { what: 'of them refused, failed or not known yet', value: all(/ E_| pending/) },
    {
      what: 'failures inside, or without an answer',
      value: inside.reduce((sum, [, count]) => sum + count, 0),
      atMost: 0,
    },
    { what: 'payments in the books of the airline', value: payments.length, atLeast: 1 },
    { what: 'booked twice', value: twice, atMost: 0 },
    { what: 'told as done and not in the books', value: unknown, atMost: 0 },
    { what: 'still in doubt at the end', value: await inDoubt(), atMost: 0 },
    { what: 'heap after collections, second half: most', value: Math.max(...left.map((f) => f.heapMb)), unit: 'MB' },
    { what: 'memory, second half: most', value: Math.max(...half.map((s) => s.residentMb)), unit: 'MB', atMost: 512 },
    {
      what: 'memory, second half: slope',
      value: slopeOf(half, (s) => s.residentMb, 6),
      unit: 'MB/min',
      ...(LONG && { atMost: 0.5 }),
    },
    {
      what: 'heap after collections, second half: slope',
      value: slopeOf(left, (f) => f.heapMb, 3),
      unit: 'MB/min',
      atMost: LONG ? 0.5 : 5,
    },
    {
      what: 'handles under load, second half: slope',
      value: slopeOf(half, (s) => s.handles, 6),
      unit: '/min',
      ...(LONG && { atMost: 0.5 }),
    },
    { what: 'handles when all have left, over an idle server', value: stage.handles() - stage.idleHandles, atMost: 5 },
    {
      what: 'event loop behind: p50',
      value: quantile(
        half.map((s) => s.lagMs),
        0.5,
      ),
      unit: 'ms',
      atMost: 50,
      timed: true,
    },
    {
      what: 'event loop behind: p99',
      value: quantile(
        half.map((s) => s.worstLagMs),
        0.5,
      ),
      unit: 'ms',
    },
  ],
  values.strict === true,
);
await stage.close();
await sandbox.close();

/** What somebody needs who has to find out why. */
async function tellOfDoubt(): Promise<void> {
  const state = await openSqliteState(`${stage.folder}/state/fareclerk/fareclerk.sqlite`);
  for (const operation of await state.operations.list({ states: ['in_doubt'] })) {
    const done = ledger.filter(({ locator }) => locator === operation.locator).map(({ event }) => event);
    process.stderr.write(`  in doubt: ${JSON.stringify({ ...operation, now: Date.now(), done })}\n`);
  }
  await state.close();
}
