/** Plays the month of one airline, in a thread of its own: bookings, mishaps by seed, and clerks who change bookings in between. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Finding } from '../../../src/domain/booking/finding.ts';
import { hash53, seededRandom } from '../../../src/sandbox/seeded-random.ts';
import { type Disturbable, type Mishap, type MishapKind, planMishaps } from '../../../src/sandbox/start.ts';
import { type Case, DAY, HOUR, latest } from './cases.ts';
import { type Desk, openDesk, type Read } from './desk.ts';

export interface Wanted {
  readonly dialect: 'rail' | 'airline';
  readonly bookings: number;
  readonly disturbed: number;
  readonly days: number;
  readonly readsPerHour: number;
  readonly seed: number;
}

export interface Act {
  readonly tool: string;
  readonly locator: string;
  readonly at: number;
}

export interface Played {
  readonly dialect: string;
  readonly bookings: number;
  readonly cases: readonly Case[];
  readonly findings: readonly Finding[];
  readonly acts: readonly Act[];
  readonly reads: readonly Read[];
  readonly end: number;
  /** Mishaps that the airline could not let happen. */
  readonly refused: readonly string[];
  /** Changes at the airline that neither stock nor an operation made. */
  readonly strayWrites: number;
  readonly failures: readonly string[];
}

const START = Date.parse('2026-12-01T06:00:00Z');
/** All bookings are read once before anything happens to them. */
const QUIET = 12 * HOUR;
/** Nothing happens in the last days: what does is still to be read. */
const TAIL = 3 * DAY;
/** Names are fixed three days before the departure, and a mishap moves that by one. */
const NAMES = 5 * DAY;
/** Every so many bookings have an operation of our own. */
const ACTS = 0.4;

type Group = readonly [on: 'paid' | 'hold' | 'refund', kind: MishapKind];
const PAID = (
  [
    'delay',
    'retime',
    'renumber',
    'cancel',
    'equipment',
    'class-lost',
    'coupon-closed',
    'no-show',
    'passenger-gone',
  ] as const
).map((kind): Group => ['paid', kind]);
const HOLDS = (['price', 'deadline', 'delay', 'cancel'] as const).map((kind): Group => ['hold', kind]);
const REFUNDS = (['refund-pending', 'refund-paid'] as const).map((kind): Group => ['refund', kind]);
const GROUPS = {
  rail: [...PAID, ['paid', 'deadline'] as Group, ...HOLDS, ...REFUNDS],
  // It shows no time limits of a paid booking.
  airline: [...PAID, ...HOLDS, ...REFUNDS],
};

async function play({ dialect, bookings, disturbed, days, readsPerHour, seed }: Wanted): Promise<Played> {
  const desk = await openDesk(dialect, { start: START, readsPerHour, seed });
  const end = START + days * DAY;
  const draw = (what: string, of: string | number) => seededRandom(seed, what, String(of));
  const events: { at: number; run(): Promise<void> }[] = [];
  const plan = (at: number, run: () => Promise<void>) => {
    events.push({ at, run });
    events.sort((a, b) => a.at - b.at);
  };
  const between = (what: string, of: string | number, until: number) =>
    Math.floor(START + QUIET + draw(what, of) * (until - START - QUIET));

  const cases: Case[] = [];
  const acts: Act[] = [];
  const refused: string[] = [];
  /** Bookings that one mishap is kept for. */
  const kept = new Set<string>();
  let [strayWrites, writes] = [0, desk.writes()];
  const ours = async <T>(work: () => T | Promise<T>): Promise<T> => {
    strayWrites += desk.writes() - writes;
    const result = await work();
    writes = desk.writes();
    return result;
  };
  /** Something happened to it that may not have been read yet. */
  const waits = (locator: string) => cases.some((one) => one.locator === locator && latest(one) + DAY > desk.now());

  const disturb = async (mishap: Mishap): Promise<boolean> => {
    const known = new Map(desk.disturbable().map((one) => [one.locator, one]));
    try {
      const { touched } = await ours(() => desk.disturb(mishap));
      for (const locator of touched) {
        const { departs = [], payBy, held = false } = known.get(locator) ?? {};
        // A hold has no seats to show.
        if (mishap.kind === 'equipment' && held) continue;
        const goals = [...departs, ...(payBy === undefined ? [] : [payBy])];
        cases.push({ kind: mishap.kind, locator, held, at: desk.now(), goals });
      }
      return true;
    } catch {
      return false;
    }
  };
  const act = async (locator: string, how: string | number): Promise<boolean> => {
    const tool = await ours(() => desk.act(locator, how));
    if (tool !== undefined) acts.push({ tool, locator, at: desk.now() });
    return tool !== undefined;
  };

  /** One of those that nothing has happened to, a third of the time each shortly before its departure. */
  const candidates = (of: number, kind: MishapKind): readonly Disturbable[] => {
    const used = new Set([...kept, ...cases.map(({ locator }) => locator)]);
    const free = desk
      .disturbable()
      .filter(({ locator, held, departs, travelers }) => {
        const ahead = (departs[0] ?? 0) - desk.now();
        return (
          !held &&
          !used.has(locator) &&
          ahead > (kind === 'deadline' ? NAMES : 6 * HOUR) &&
          (kind !== 'passenger-gone' || travelers > 1)
        );
      })
      .toSorted((a, b) => hash53(seed, 'who', a.locator) - hash53(seed, 'who', b.locator));
    const within = [24, 72, Number.POSITIVE_INFINITY][Math.floor(draw('soon', of) * 3)] ?? 0;
    const soon = free.filter(({ departs }) => (departs[0] ?? 0) - desk.now() < within * HOUR);
    return [...soon, ...free];
  };
  const disturbOne = async (of: number, kind: MishapKind) => {
    for (const booking of candidates(of, kind).slice(0, 5)) {
      const [planned] = planMishaps(seed, [booking], { count: 1, from: desk.now(), days: 1, kinds: [kind] });
      if (planned !== undefined && (await disturb(planned.mishap))) return;
    }
    refused.push(kind);
  };
  const disturbHold = async (of: number, kind: MishapKind) => {
    const locator = await ours(() => desk.book(true));
    const hold = desk.disturbable().find((one) => one.locator === locator);
    if (hold?.payBy === undefined) throw new Error(`${locator} is no hold`);
    const span = Math.min(hold.payBy, hold.departs[0] ?? 0) - desk.now() - 3 * HOUR;
    plan(Math.floor(desk.now() + HOUR + draw('hold', of) * (span - HOUR)), async () => {
      const [planned] = planMishaps(seed, [hold], { count: 1, from: desk.now(), days: 1, kinds: [kind] });
      if (planned === undefined || !(await disturb(planned.mishap))) refused.push(`${kind} (hold)`);
    });
  };
  /** The refund of an operation of ours waits, and is found late or once it is paid out. */
  const disturbRefund = async (of: number, kind: MishapKind) => {
    for (const { locator } of candidates(of, kind).slice(0, 5)) {
      const [{ departs = [] } = {}] = desk.disturbable().filter((one) => one.locator === locator);
      kept.add(locator);
      await ours(() => desk.disturb({ kind: 'refund-pending', locator }));
      if (!(await act(locator, draw('refund', of) < 0.5 ? 'cancel_booking (paid)' : 'cancel_passenger'))) continue;
      if (kind === 'refund-paid') plan(desk.now() + 2 * DAY, async () => void (await disturb({ kind, locator })));
      else cases.push({ kind, locator, held: false, at: desk.now(), goals: departs });
      return;
    }
    refused.push(kind);
  };

  const groups = GROUPS[dialect];
  const tasks = Array.from({ length: disturbed }, (_, i) => groups[i % groups.length] as Group);
  // Half as many again are left alone.
  const holds = tasks.filter(([on]) => on === 'hold').length;
  const quietHolds = Math.ceil(holds / 2);
  const locators: string[] = [];
  for (let i = 0; i < bookings - holds - quietHolds; i++) locators.push(await ours(() => desk.book(false)));
  for (const [i, [on, kind]] of tasks.entries()) {
    const isLate = kind === 'refund-pending';
    const at = between('at', i, isLate ? end - REFUND_ROOM : end - TAIL - (on === 'paid' ? 0 : TAIL));
    const run = { paid: disturbOne, hold: disturbHold, refund: disturbRefund }[on];
    plan(at, () => run(i, kind));
  }
  for (let i = 0; i < quietHolds; i++)
    plan(between('quiet', i, end - TAIL), async () => void (await ours(() => desk.book(true))));
  for (const locator of locators.filter((one) => draw('acts', one) < ACTS)) {
    const later = async () => {
      if (kept.has(locator)) return;
      if (waits(locator)) plan(desk.now() + DAY, later);
      else await act(locator, draw('act', locator));
    };
    plan(between('when', locator, end - DAY), later);
  }

  await runUntil(desk, end, events);
  strayWrites += desk.writes() - writes;
  const findings = await desk.findings();
  await desk.close();
  const failures = desk.failures.map((one) => `${String(one)} ${(one as Error)?.stack ?? ''}`);
  return { ...{ dialect, bookings, cases, findings, acts, end, refused, strayWrites, failures }, reads: desk.reads };
}

/** An awaited refund is found after 14 days, and read daily. */
const REFUND_ROOM = 17 * DAY;

async function runUntil(desk: Desk, end: number, events: { at: number; run(): Promise<void> }[]): Promise<void> {
  let wake = START;
  while (desk.now() < end) {
    const next = events[0];
    if (next !== undefined && next.at <= Math.min(wake, end)) {
      events.shift();
      desk.set(Math.max(desk.now(), next.at));
      await next.run();
      // The watcher may have more to do since.
      wake = desk.now();
      continue;
    }
    desk.set(Math.max(desk.now(), Math.min(wake, end)));
    wake = await desk.watch();
  }
}

parentPort?.postMessage(await play(workerData as Wanted));
