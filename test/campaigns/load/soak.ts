/**
 * Hours in small: callers of every kind, an airline that keeps failing in every way it can, and at the end the books
 * compared and the process looked at. `node test/campaigns/load/soak.ts` takes three minutes, `--minutes 30` the real thing.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { McpCaller } from '../../support/mcp-http.ts';
import type { SandboxFaultKind } from '../../support/sandbox/wire-faults.ts';
import { MODIFY, PAY, payArgs, READ } from '../support/acts.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import { seenWithin } from '../support/pace.ts';
import { conclude, counted, flags, least, most, none, print, quantile, told } from '../support/report.ts';
import { openStage, paymentsIn, troubledSandboxProcess } from '../support/stage.ts';
import { hold, pairOf, searchArgs } from '../support/trip.ts';
import { collecting } from './support/heap.ts';

const { minutes } = flags({ minutes: 3 });
const CALLERS = 20;
/** Long enough to separate a slope from noise. */
const LONG = minutes >= 20;
/** Between two calls of one caller, milliseconds. */
const PAUSE_MS = 400;
/** A fault is ordered so often, milliseconds. */
const FAULT_MS = 700;
const SAMPLE_MS = 2_000;
/** All that nobody holds is collected so often, milliseconds, and what is left is looked at. */
const COLLECT_MS = 10_000;

const FAULTS: readonly SandboxFaultKind[] = [
  ...(['commit-then-lose', 'commit-then-5xx', 'commit-then-truncated', 'commit-then-html', 'late-commit'] as const),
  ...(['lose-before', '5xx-before', 'throttled', 'unauthorized', 'empty-body', 'wrong-locator', 'slow-drip'] as const),
];
const MESSAGES = [READ, 'OTA_AirLowFareSearchRQ', 'OTA_AirBookRQ', PAY, MODIFY, 'routes'];

/** The same run again, as far as chance decides it. */
const chance = new Chance(1);
const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await troubledSandboxProcess(books);
const { settings, heapMb } = collecting();
const stage = await openStage(sandbox.settings, { ...settings, FARECLERK_LOG_LEVEL: 'fatal', REHEARSAL: '12' });
const callers = await Promise.all(Array.from({ length: CALLERS }, (_, n) => stage.caller(`caller-${n}`)));
const pair = await pairOf(callers[0] as McpCaller);
const outcomes: string[] = [];
const paid = new Set<string>();
const until = performance.now() + minutes * 60_000;
const isOver = () => performance.now() > until;

async function act(caller: McpCaller, name: string, args: object) {
  const called = await caller.call(name, args);
  outcomes.push(`${name} ${called.outcome}`);
  return called;
}

/** Books, pays with the two calls of echo, gives a seat back now and then, and looks around in between. */
async function live(caller: McpCaller): Promise<void> {
  let locator: string | undefined;
  while (!isOver()) {
    await wait(PAUSE_MS * (0.5 + chance.next()));
    const what = chance.next();
    if (what < 0.3 || locator === undefined) {
      await act(caller, 'search_fares', searchArgs(pair, 12 + chance.below(60)));
      if (what < 0.12 || locator === undefined) locator = (await hold(caller, pair, 12 + chance.below(60))) ?? locator;
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
    sandbox.order({ message: chance.pick(MESSAGES), kind, nth: chance.between(1, 5), ms });
  }
}

/** Looks at the process every so often; what it sees, with the minute of it. */
async function watched<T extends object>(everyMs: number, look: () => Promise<T>) {
  const began = performance.now();
  const seen: (T & { readonly minute: number })[] = [];
  while (!isOver()) {
    await wait(everyMs);
    seen.push({ ...(await look()), minute: (performance.now() - began) / 60_000 });
  }
  // The second half: caches are full and code is compiled.
  return seen.slice(Math.floor(seen.length / 2));
}

const sampled = watched(SAMPLE_MS, async () => {
  const figure = await stage.metrics();
  // The loop is looked at every ten milliseconds: what is above that is delay.
  const lagMs = figure('nodejs_eventloop_lag_p99_seconds') * 1000 - 10;
  return { residentMb: stage.residentMb(), handles: stage.handles(), lagMs };
});
const weighed = watched(COLLECT_MS, async () => ({ heapMb: await heapMb(stage.pid) }));
await Promise.all([...callers.map(live), trouble()]);
const [samples, floors] = await Promise.all([sampled, weighed]);
for (const caller of callers) caller.close();
// What is in doubt is settled by reading; connections that nobody uses any more are closed.
await wait(20_000);
const inDoubt = async () => (await stage.metrics())('fareclerk_operations_in_doubt');
const handlesLeft = () => stage.handles() - stage.idleHandles;
await seenWithin(100_000, 1_000, async () => handlesLeft() <= 5 && (await inDoubt()) === 0, Boolean);

type Seen<K extends string> = Readonly<Record<K | 'minute', number>>;

/**
 * Growth a minute by least squares. Of each stretch of so many moments the least is taken: what a call holds for a
 * moment is no growth.
 */
function slopeOf<K extends string>(moments: readonly Seen<K>[], figure: K, stretch: number) {
  const points = Array.from({ length: Math.ceil(moments.length / stretch) }, (_, n) => {
    const few = moments.slice(n * stretch, (n + 1) * stretch);
    return { x: mean(few.map(({ minute }) => minute)), y: Math.min(...few.map((moment) => moment[figure])) };
  });
  const [x, y] = [mean(points.map((p) => p.x)), mean(points.map((p) => p.y))];
  const spread = points.reduce((sum, p) => sum + (p.x - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, p) => sum + (p.x - x) * (p.y - y), 0) / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

const payments = await paymentsIn(books);
const matching = (word: RegExp) => outcomes.filter((outcome) => word.test(outcome)).length;
const ifLong = LONG ? 0.5 : Infinity;
// Three minutes are enough for a coarse slope.
const heapGrowth = minutes >= 3 ? Math.min(5, ifLong) : Infinity;
const lags = samples.map(({ lagMs }) => lagMs);
print(counted(outcomes));
conclude(`${minutes} minutes, ${CALLERS} callers, a fault about every ${FAULT_MS} ms`, [
  told('calls answered', outcomes.length),
  told('of them refused, failed or not known yet', matching(/ E_| pending/)),
  least('of them struck by a fault', matching(/ E_AIRLINE_| E_AUTH| pending/), 1),
  none('failures inside, or without an answer', matching(/E_INTERNAL|http 5|no result|http 0/)),
  least('payments in the books of the airline', payments.length, 1),
  none('booked twice', payments.length - new Set(payments).size),
  none('told as done and not in the books', [...paid].filter((locator) => !payments.includes(locator)).length),
  none('still in doubt at the end', await inDoubt()),
  told('heap after collections, second half: most', Math.max(...floors.map((f) => f.heapMb)), 'MB'),
  most('memory, second half: most', Math.max(...samples.map((s) => s.residentMb)), 512, 'MB'),
  most('memory, second half: slope', slopeOf(samples, 'residentMb', 6), ifLong, 'MB/min'),
  most('heap after collections, second half: slope', slopeOf(floors, 'heapMb', 3), heapGrowth, 'MB/min'),
  most('handles under load, second half: slope', slopeOf(samples, 'handles', 6), ifLong, '/min'),
  most('handles when all have left, over an idle server', handlesLeft(), 5),
  told('event loop behind: p99 of a look, half of the looks', quantile(lags, 0.5), 'ms'),
]);
await stage.close();
await sandbox.close();
