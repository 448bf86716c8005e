/**
 * Bookings are watched for a month by a simulated clock, at airlines of both dialects that disturb a fifth of them, renumber
 * passengers and segments, and leave fields out. Clerks change bookings in between. Exit 1 if a disturbance is not found
 * within its reading interval, anything else is reported, a reading exceeds the budget, or the watcher writes.
 *
 * usage: node test/campaigns/watching/run.ts [--bookings 160] [--disturbed 32] [--days 30] [--reads 60] [--seed 1]
 */
import { parseArgs } from 'node:util';
import type { Finding, FindingKind } from '../../../src/domain/booking/finding.ts';
import { seededRandom } from '../../../src/sandbox/seeded-random.ts';
import { type Happened, type MishapKind, planMishaps } from '../../../src/sandbox/start.ts';
import { conclude, type Figure, percentile } from '../load/support/proof.ts';
import { DAY, type Desk, HOUR, openDesk } from './desk.ts';

const { values } = parseArgs({
  options: {
    bookings: { type: 'string', default: '160' },
    disturbed: { type: 'string', default: '32' },
    days: { type: 'string', default: '30' },
    /** An hour, for each dialect. */
    reads: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
const [BOOKINGS, DISTURBED, DAYS] = [Number(values.bookings), Number(values.disturbed), Number(values.days)];
const [READS, SEED] = [Number(values.reads), Number(values.seed)];
const START = Date.parse('2026-12-01T06:00:00Z');
/** All bookings are read once before anything happens to them. */
const QUIET = 12 * HOUR;
const ACTS = 0.4;

/** What each mishap must be found as, and what may come with it. */
const EXPECTED: Readonly<Record<MishapKind, readonly FindingKind[]>> = {
  delay: ['retimed'],
  retime: ['retimed'],
  renumber: ['number_changed'],
  cancel: ['segment_cancelled'],
  equipment: ['seat_changed'],
  'class-lost': ['class_changed'],
  'coupon-closed': ['coupon_closed'],
  'no-show': ['no_show'],
  'passenger-gone': ['passenger_gone'],
  price: ['price_changed'],
  deadline: ['deadline_moved'],
  'refund-pending': ['refund_pending'],
  'refund-paid': ['refund_arrived'],
};
const ALSO: Partial<Record<MishapKind, readonly FindingKind[]>> = { 'class-lost': ['seat_changed'] };

/** A mishap as one booking sees it. */
interface Case {
  readonly kind: MishapKind;
  readonly locator: string;
  readonly at: number;
  /** Departures and the limit to pay at that time, ms epoch. */
  readonly goals: readonly number[];
}

/** Hourly within 24 hours of a departure or limit, twice a day within 72, else daily. */
function latest({ at, goals }: Case): number {
  const paces = [
    [24, 1],
    [72, 12],
    [Number.POSITIVE_INFINITY, 24],
  ] as const;
  const ahead = goals.filter((goal) => goal > at);
  return Math.min(...ahead.flatMap((goal) => paces.map(([h, every]) => Math.max(at, goal - h * HOUR) + every * HOUR)));
}

interface Played {
  readonly dialect: string;
  readonly desk: Desk;
  readonly cases: readonly Case[];
  readonly findings: readonly Finding[];
  readonly acts: readonly { readonly tool: string; readonly locator: string; readonly at: number }[];
  /** Changes at the airline that neither stock nor an operation made. */
  readonly strayWrites: number;
}

async function play(dialect: 'rail' | 'airline', bookings: number, disturbed: number): Promise<Played> {
  const desk = await openDesk(dialect, { start: START, readsPerHour: READS, seed: SEED });
  const locators: string[] = [];
  for (let i = 0; i < bookings; i++) locators.push(await desk.book(false));
  const end = START + DAYS * DAY;
  const plan = planMishaps(SEED, desk.disturbable(), {
    ...{ count: disturbed, from: START + QUIET, days: DAYS - 1 },
    // The airline dialect shows no time limits of a paid booking.
    kinds: (Object.keys(EXPECTED) as MishapKind[]).filter((kind) => dialect === 'rail' || kind !== 'deadline'),
  });
  const draw = (what: string, of: string) => seededRandom(SEED, what, of);
  const wanted = locators
    .filter((locator) => draw('acts', locator) < ACTS)
    .map((locator) => ({ locator, at: Math.floor(START + QUIET + draw('when', locator) * (DAYS - 2) * DAY) }));
  const holds = Array.from({ length: Math.ceil(bookings / 10) }, (_, i) => START + QUIET + (i + 0.5) * 2 * DAY);
  const events: { at: number; run(): Promise<void> }[] = [];
  const cases: Case[] = [];
  const acts: { tool: string; locator: string; at: number }[] = [];
  let [strayWrites, writes] = [0, desk.writes()];
  const ours = async <T>(work: () => Promise<T>): Promise<T> => {
    strayWrites += desk.writes() - writes;
    const result = await work();
    writes = desk.writes();
    return result;
  };
  const disturb = async (mishap: Parameters<Desk['disturb']>[0]) => {
    const known = new Map(desk.disturbable().map((one) => [one.locator, one]));
    let happened: Happened;
    try {
      happened = await ours(async () => desk.disturb(mishap));
    } catch {
      return;
    }
    for (const locator of happened.touched) {
      const { departs = [], payBy } = known.get(locator) ?? {};
      const goals = [...departs, ...(payBy === undefined ? [] : [payBy])];
      cases.push({ kind: mishap.kind, locator, at: desk.now(), goals });
    }
  };
  for (const { at, mishap } of plan) events.push({ at, run: () => disturb(mishap) });
  for (const { locator, at } of wanted) {
    events.push({
      at,
      async run() {
        const waits = cases.some((one) => one.locator === locator && latest(one) + DAY > desk.now());
        if (waits) return;
        const tool = await ours(() => desk.act(locator, draw('act', locator)));
        if (tool !== undefined) acts.push({ tool, locator, at: desk.now() });
      },
    });
  }
  for (const at of holds) {
    events.push({
      at,
      async run() {
        const locator = await ours(() => desk.book(true));
        const one = desk.disturbable().find((it) => it.locator === locator);
        const left = (one?.payBy ?? 0) - desk.now();
        const kind = draw('hold', locator) < 0.5 ? 'price' : 'deadline';
        if (left > 2.5 * HOUR && draw('disturbed', locator) < 0.5)
          events.push({ at: desk.now() + HOUR / 2, run: () => disturb({ kind, locator }) });
      },
    });
  }
  let wake = START;
  while (desk.now() < end) {
    events.sort((a, b) => a.at - b.at);
    const next = events[0];
    if (next !== undefined && next.at <= wake) {
      events.shift();
      desk.set(Math.max(desk.now(), next.at));
      await next.run();
      continue;
    }
    desk.set(Math.max(desk.now(), Math.min(wake, end)));
    wake = await desk.watch();
  }
  strayWrites += desk.writes() - writes;
  const findings = await desk.findings();
  await desk.close();
  return { dialect, desk, cases, findings, acts, strayWrites };
}

interface Judged {
  readonly kind: MishapKind;
  readonly found: boolean;
  readonly inTime: boolean;
  /** Its departure or limit came before its next reading. */
  readonly over: boolean;
  readonly hours: number;
}

function judge({ desk, cases, findings, acts }: Played, problems: string[]): readonly Judged[] {
  return cases.map((one): Judged => {
    const { kind, locator, at, goals } = one;
    const reads = desk.reads.filter((read) => read.locator === locator && read.at >= at);
    const by = latest(one);
    const whole = reads.find(({ stripped }) => !stripped);
    const own = findings.findLast(
      (it) => it.locator === locator && it.seenAt >= at && EXPECTED[kind].includes(it.kind),
    );
    const over = whole === undefined && (Math.max(...goals) <= (reads[0]?.at ?? by) || by > desk.now());
    const acted = acts.some((act) => act.locator === locator && act.at >= at && act.at <= (whole?.at ?? by));
    const found = own !== undefined;
    const inTime = found && (reads[0]?.at ?? Number.POSITIVE_INFINITY) <= by && own.seenAt <= (whole?.at ?? 0);
    if (!inTime && !over)
      problems.push(
        `${locator} ${kind} at ${new Date(at).toISOString()}: ${found ? `found ${((own.seenAt - at) / HOUR).toFixed(1)} h later` : 'not found'}, due by ${new Date(by).toISOString()}, read ${new Date(reads[0]?.at ?? 0).toISOString()}${acted ? ', after an operation' : ''}; ${findings
          .filter((it) => it.locator === locator)
          .map((it) => it.kind)
          .join()}`,
      );
    return { kind, found, inTime, over, hours: ((own?.seenAt ?? at) - at) / HOUR };
  });
}

/** Findings that no mishap of that booking accounts for. */
function strays({ cases, findings, acts }: Played): readonly string[] {
  return findings
    .filter(({ locator, kind, seenAt }) => {
      // The airline dialect pays no refund out by itself, which is found after 14 days.
      const waits = acts.some((act) => act.locator === locator && seenAt - act.at >= 14 * DAY);
      if (kind === 'refund_pending' && waits) return false;
      const own = cases.filter((one) => one.locator === locator && one.at <= seenAt);
      return !own.some((one) => [...EXPECTED[one.kind], ...(ALSO[one.kind] ?? [])].includes(kind));
    })
    .map((one) => {
      const did = acts
        .filter(({ locator }) => locator === one.locator)
        .map(({ tool, at }) => `${tool} ${new Date(at).toISOString()}`);
      const had = cases
        .filter(({ locator }) => locator === one.locator)
        .map(({ kind, at }) => `${kind} ${new Date(at).toISOString()}`);
      return `${one.locator} ${one.kind} ${new Date(one.seenAt).toISOString()} ${JSON.stringify(one.before)} ${JSON.stringify(one.after)} ${JSON.stringify(one.deadlines)}; acts ${did.join()}; mishaps ${had.join()}`;
    });
}

function mostInAnHour(reads: Desk['reads']): number {
  let [first, most] = [0, 0];
  reads.forEach(({ at }, i) => {
    while ((reads[first]?.at ?? at) <= at - HOUR) first += 1;
    most = Math.max(most, i - first + 1);
  });
  return most;
}

const began = performance.now();
const played: Played[] = [];
for (const dialect of ['rail', 'airline'] as const) {
  played.push(await play(dialect, Math.ceil(BOOKINGS / 2), Math.ceil(DISTURBED / 2)));
}
const problems: string[] = [];
const judged = played.flatMap((one) => judge(one, problems));
const table = [...Map.groupBy(judged, ({ kind }) => kind)].map(([kind, all]) => {
  const due = all.filter(({ over }) => !over);
  const hours = due.map((one) => one.hours);
  return [
    ...[kind.padEnd(16), String(due.length).padStart(9), String(due.filter(({ found }) => found).length).padStart(7)],
    ...[String(due.filter(({ inTime }) => inTime).length).padStart(9)],
    ...[
      percentile(hours, 0.5).toFixed(1).padStart(10),
      Math.max(0, ...hours)
        .toFixed(1)
        .padStart(10),
    ],
  ].join(' ');
});
process.stdout.write(
  `${['mishap          ', 'bookings', 'found', 'in time', 'median h', 'longest h'].join('   ')}\n${table.join('\n')}\n`,
);
const stray = played.flatMap(strays);
const due = judged.filter(({ over }) => !over);
const reads = played.flatMap(({ desk }) => desk.reads);
const figures: Figure[] = [
  { what: 'disturbed bookings', value: due.length, atLeast: DISTURBED * 0.8 },
  { what: 'not found within the reading interval', value: due.filter(({ inTime }) => !inTime).length, atMost: 0 },
  { what: 'false findings', value: stray.length, atMost: 0 },
  {
    what: 'operations of our own in between',
    value: played.reduce((sum, { acts }) => sum + acts.length, 0),
    atLeast: 5,
  },
  { what: 'readings', value: reads.length },
  {
    what: 'readings with other pointers and order',
    value: reads.filter(({ renumbered }) => renumbered).length,
    atLeast: 1,
  },
  { what: 'readings with fields left out', value: reads.filter(({ stripped }) => stripped).length, atLeast: 1 },
  {
    what: 'most readings in an hour',
    value: Math.max(...played.map(({ desk }) => mostInAnHour(desk.reads))),
    atMost: READS,
  },
  {
    what: 'writes to the airline by watching',
    value: played.reduce((sum, one) => sum + one.strayWrites, 0),
    atMost: 0,
  },
  { what: 'failures inside', value: played.flatMap(({ desk }) => desk.failures).length, atMost: 0 },
  { what: 'the whole run', value: (performance.now() - began) / 1000, unit: 's' },
];
for (const line of [...problems, ...stray].slice(0, values.verbose ? 500 : 20)) process.stdout.write(`  ${line}\n`);
for (const { desk } of played)
  for (const error of desk.failures.slice(0, 3))
    process.stdout.write(`  ${String(error)} ${(error as Error)?.stack ?? ''}\n`);
conclude(`${BOOKINGS} bookings, ${DAYS} days, ${READS} readings an hour`, figures, false);
