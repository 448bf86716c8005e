/** Plays the month of one airline, in a thread of its own: bookings, mishaps by seed, and clerks who change bookings in between. */
import { parentPort, workerData } from 'node:worker_threads';
import { mishapTo } from '../../support/sandbox/mishap-plan.ts';
import { ACTS, type Act } from '../support/acts.ts';
import { draw } from '../support/chance.ts';
import { ALTERATION_KINDS, type Alteration, OF_HOLDS } from './altered.ts';
import { type Case, DAY, HOUR, latest, type Mishap, type MishapKind } from './cases.ts';
import { type Desk, openDesk } from './desk.ts';

type Disturbable = ReturnType<Desk['disturbable']>[number];

export interface Wanted {
  readonly dialect: 'rail' | 'airline';
  readonly bookings: number;
  readonly disturbed: number;
  readonly days: number;
  readonly readsPerHour: number;
  readonly seed: number;
  /** Each alteration happens to a booking of its own, too. */
  readonly alters?: true;
  /** What happens to bookings of their own, one for each script, instead of what the seed draws. */
  readonly scripts?: readonly Script[];
  /** The one kind of mishap that happens. Default: all that the dialect has. */
  readonly only?: MishapKind;
  /** Days until the trips begin. */
  readonly departs?: typeof SCRIPTED_DAYS;
}

/** What happens to a booking, hours after the quiet time: to its first segment, or to the one of that index. */
export interface Script {
  /** The booking is an unpaid hold. */
  readonly held?: true;
  /** A mishap, or an act of ours. */
  readonly steps: readonly (readonly [what: MishapKind | Act['name'], hours: number, segment?: number])[];
}

export type Played = Awaited<ReturnType<typeof play>>;

const START = Date.parse('2026-12-01T06:00:00Z');
/** All bookings are read once before anything happens to them. */
const QUIET = 12 * HOUR;
/** Nothing happens in the last days: what does is still to be read. */
const TAIL = 3 * DAY;
/** Names are fixed three days before the departure, and a mishap moves that by one. */
const NAMES = 5 * DAY;
/** An awaited refund is found after 14 days, and read daily. */
const REFUND_ROOM = 17 * DAY;
/** So many of the bookings have an operation of our own. */
const ACTING = 0.4;

/** Mishaps that strike the whole booking. */
const OF_BOOKING: readonly MishapKind[] = [
  'deadline',
  'price',
  'passenger-gone',
  'refund',
  'refund-pending',
  'refund-paid',
];
/** To departures of scripted bookings: so far ahead, each is read once a day. */
const SCRIPTED_DAYS = { first: 20, last: 45 };
/** How many bookings are tried before a mishap counts as impossible. */
const TRIES = 5;

type Group = readonly [on: 'paid' | 'hold' | 'refund', kind: MishapKind];
const KINDS = [
  ...(['delay', 'retime', 'renumber', 'cancel', 'equipment', 'class-lost', 'coupon-closed'] as const),
  ...(['no-show', 'passenger-gone'] as const),
];
const PAID = KINDS.map((kind): Group => ['paid', kind]);
const HOLDS = (['price', 'deadline', 'delay', 'cancel'] as const).map((kind): Group => ['hold', kind]);
const REFUNDS = (['refund-pending', 'refund-paid'] as const).map((kind): Group => ['refund', kind]);
const GROUPS = {
  rail: [...PAID, ['paid', 'deadline'] as Group, ...HOLDS, ...REFUNDS],
  // It shows no time limits of a paid booking.
  airline: [...PAID, ...HOLDS, ...REFUNDS],
};

function runOf({ segment }: Mishap, booking: Disturbable | undefined): string | undefined {
  return segment === undefined ? undefined : booking?.runs[booking.segments.indexOf(segment)];
}

class Month {
  readonly cases: Case[] = [];
  readonly acts: { readonly tool: string; readonly locator: string; readonly at: number }[] = [];
  /** Bookings that left another one. */
  readonly splits: { readonly locator: string; readonly from: string; readonly at: number }[] = [];
  readonly refused: string[] = [];
  strayWrites = 0;
  readonly #wanted: Wanted;
  readonly #desk: Desk;
  readonly #events: { at: number; run(): Promise<void> }[] = [];
  /** What struck each run of a booking so far, by locator. */
  readonly #struck = new Map<string, ReadonlyMap<string, readonly MishapKind[]>>();
  /** Bookings that one mishap is kept for. */
  readonly #kept = new Set<string>();
  #writes: number;

  constructor(wanted: Wanted, desk: Desk) {
    this.#wanted = wanted;
    this.#desk = desk;
    this.#writes = desk.writes();
  }

  draw(what: string, of: string | number): number {
    return draw(this.#wanted.seed, what, of);
  }

  plan(at: number, run: () => Promise<void>): void {
    this.#events.push({ at, run });
    this.#events.sort((a, b) => a.at - b.at);
  }

  /** Counts what was written at the airline before, as nobody's. */
  async ours<T>(work: () => T | Promise<T>): Promise<T> {
    this.strayWrites += this.#desk.writes() - this.#writes;
    const result = await work();
    this.#writes = this.#desk.writes();
    return result;
  }

  book(held: boolean): Promise<string> {
    return this.ours(() => this.#desk.book(held));
  }

  async disturb(mishap: Mishap): Promise<boolean> {
    const known = new Map(this.#desk.disturbable().map((one) => [one.locator, one]));
    const happened = await this.ours(() => this.#desk.disturb(mishap)).catch(() => undefined);
    if (happened === undefined) return false;
    const run = runOf(mishap, known.get(mishap.locator ?? ''));
    for (const locator of happened.touched) {
      const { departs = [], payBy, held = false, runs = [], seated = [] } = known.get(locator) ?? {};
      // A hold has no seats to show, and a closed coupon none to travel on.
      if (mishap.kind === 'equipment' && !seated[runs.indexOf(run ?? '')]) continue;
      const goals = [...departs, ...(payBy === undefined ? [] : [payBy])];
      const more = {
        ...(payBy !== undefined && { payBy }),
        ...(run !== undefined && this.#strike(locator, run, mishap)),
      };
      this.cases.push({ kind: mishap.kind, locator, held, at: this.#desk.now(), goals, ...more });
    }
    return true;
  }

  /** The run, and what had struck it before. */
  #strike(locator: string, run: string, { kind }: Mishap): Pick<Case, 'run' | 'earlier'> {
    const before = this.#struck.get(locator);
    const earlier = before?.get(run) ?? [];
    this.#struck.set(locator, new Map([...(before ?? []), [run, [...earlier, kind]]]));
    return { run, earlier };
  }

  async act(locator: string, how: string | number): Promise<boolean> {
    const known = new Set(this.#desk.disturbable().map((one) => one.locator));
    const tool = await this.ours(() => this.#desk.act(locator, how));
    if (tool === undefined) return false;
    this.acts.push({ tool, locator, at: this.#desk.now() });
    const struck = this.#struck.get(locator) ?? new Map();
    // Who leaves a booking takes its segments along, as they are.
    for (const { locator: other } of tool === 'split_booking' ? this.#desk.disturbable() : []) {
      if (known.has(other)) continue;
      this.#struck.set(other, struck);
      this.splits.push({ locator: other, from: locator, at: this.#desk.now() });
    }
    return true;
  }

  /** An operation of ours, once nothing is left to be read of the booking. */
  async actLater(locator: string): Promise<void> {
    if (this.#kept.has(locator)) return;
    const now = this.#desk.now();
    const waits = this.cases.some((one) => one.locator === locator && latest(one) + DAY > now);
    if (waits) this.plan(now + DAY, () => this.actLater(locator));
    else await this.act(locator, this.draw('act', locator));
  }

  /** Paid ones that nothing has happened to; two thirds of the time those first that depart soon. */
  #untouched(of: number, kind: MishapKind): readonly Disturbable[] {
    const used = new Set([...this.#kept, ...this.cases.map(({ locator }) => locator)]);
    const who = ({ locator }: Disturbable) => this.draw('who', locator);
    const free = this.#desk
      .disturbable()
      .filter((one) => !one.held && !used.has(one.locator) && this.#isInTime(one, kind))
      .toSorted((a, b) => who(a) - who(b));
    const within = [24, 72, Number.POSITIVE_INFINITY][Math.floor(this.draw('soon', of) * 3)] ?? 0;
    const now = this.#desk.now();
    return [...free.filter(({ departs }) => (departs[0] ?? 0) - now < within * HOUR), ...free];
  }

  #isInTime({ departs, travelers }: Disturbable, kind: MishapKind): boolean {
    const ahead = (departs[0] ?? 0) - this.#desk.now();
    return ahead > (kind === 'deadline' ? NAMES : 6 * HOUR) && (kind !== 'passenger-gone' || travelers > 1);
  }

  async #fresh(held: boolean): Promise<Disturbable> {
    const locator = await this.book(held);
    const booking = this.#desk.disturbable().find((one) => one.locator === locator);
    if (booking === undefined) throw new Error(`${locator} cannot be disturbed`);
    return booking;
  }

  /** Some that nothing has happened to. Late in a month of few bookings there may be none left, so more are made then. */
  async *#candidates(of: number, kind: MishapKind): AsyncGenerator<Disturbable> {
    yield* this.#untouched(of, kind).slice(0, TRIES);
    for (let i = 0; i < TRIES; i++) {
      const fresh = await this.#fresh(false);
      if (this.#isInTime(fresh, kind)) yield fresh;
    }
  }

  #mishap(booking: Disturbable, kind: MishapKind): Mishap | undefined {
    return mishapTo(booking, kind, this.#wanted.seed, this.#desk.now());
  }

  async disturbPaid(of: number, kind: MishapKind): Promise<void> {
    for await (const booking of this.#candidates(of, kind)) {
      const mishap = this.#mishap(booking, kind);
      if (mishap !== undefined && (await this.disturb(mishap))) return;
    }
    this.refused.push(kind);
  }

  async disturbHold(of: number, kind: MishapKind): Promise<void> {
    const hold = await this.#fresh(true);
    if (hold.payBy === undefined) throw new Error(`${hold.locator} is no hold`);
    const now = this.#desk.now();
    const span = Math.min(hold.payBy, hold.departs[0] ?? 0) - now - 3 * HOUR;
    this.plan(Math.floor(now + HOUR + this.draw('hold', of) * (span - HOUR)), async () => {
      // Its train may have been cancelled since: then it happens to another hold.
      for (let i = 0; i < TRIES; i++) {
        const mishap = this.#mishap(i === 0 ? hold : await this.#fresh(true), kind);
        if (mishap !== undefined && (await this.disturb(mishap))) return;
      }
      this.refused.push(`${kind} (hold)`);
    });
  }

  /** None of a cancelled booking, which is read once a day. */
  #departures(locator: string): readonly number[] {
    return this.#desk.disturbable().find((one) => one.locator === locator)?.departs ?? [];
  }

  /** The airline shows a booking of its own otherwise, which none of our operations changes. */
  async alter(of: number, kind: Alteration): Promise<void> {
    const held = OF_HOLDS.has(kind) && (kind === 'other-order' || this.draw('held', of) < 0.5);
    for (let i = 0; i < TRIES; i++) {
      const { locator, departs, payBy, runs } = await this.#fresh(held);
      this.#kept.add(locator);
      if (!(await this.#desk.alter(locator, kind))) continue;
      const goals = [...departs, ...(payBy === undefined ? [] : [payBy])];
      const more = { ...(payBy !== undefined && { payBy }), ...(runs[0] !== undefined && { run: runs[0] }) };
      this.cases.push({ kind, locator, held, at: this.#desk.now(), goals, ...more });
      return;
    }
    this.refused.push(kind);
  }

  /** The refund of an operation of ours waits, and is found late or once it is paid out. */
  async disturbRefund(of: number, kind: MishapKind): Promise<void> {
    for await (const { locator } of this.#candidates(of, kind)) {
      this.#kept.add(locator);
      await this.ours(() => this.#desk.disturb({ kind: 'refund-pending', locator }));
      const how = this.draw('refund', of) < 0.5 ? 'cancel_booking (paid)' : 'cancel_passenger';
      if (!(await this.act(locator, how))) continue;
      const now = this.#desk.now();
      if (kind === 'refund-paid') this.plan(now + 2 * DAY, async () => void (await this.disturb({ kind, locator })));
      else this.cases.push({ kind, locator, held: false, at: now, goals: this.#departures(locator) });
      return;
    }
    this.refused.push(kind);
  }

  /** Returns whether it could happen. */
  #follow(locator: string, what: string, segment: string | undefined): Promise<boolean> {
    if (ACTS.some(({ name }) => name === what)) return this.act(locator, what);
    const kind = what as MishapKind;
    return this.disturb({ kind, locator, ...(!OF_BOOKING.includes(kind) && { segment }) } as Mishap);
  }

  /** Plays scripts on bookings that share no train; returns their locators. */
  async follow(scripts: readonly Script[]): Promise<readonly string[]> {
    const taken = new Set<string | undefined>();
    const locators: string[] = [];
    for (const { held = false, steps } of scripts) {
      const least = Math.max(...steps.map(([, , segment = 0]) => segment)) + 1;
      const isFree = ({ runs }: Disturbable) => runs.length >= least && !runs.some((run) => taken.has(run));
      let booking = await this.#fresh(held);
      while (!isFree(booking)) booking = await this.#fresh(held);
      for (const run of booking.runs) taken.add(run);
      const { locator, segments } = booking;
      locators.push(locator);
      for (const [what, hours, segment = 0] of steps) {
        this.plan(START + QUIET + hours * HOUR, async () => {
          if (!(await this.#follow(locator, what, segments[segment]))) this.refused.push(what);
        });
      }
    }
    return locators;
  }

  async runUntil(end: number): Promise<void> {
    const desk = this.#desk;
    let wake = START;
    while (desk.now() < end) {
      const next = this.#events[0];
      if (next !== undefined && next.at <= Math.min(wake, end)) {
        this.#events.shift();
        desk.set(Math.max(desk.now(), next.at));
        await next.run();
        // The watcher may have more to do since.
        wake = desk.now();
        continue;
      }
      desk.set(Math.max(desk.now(), Math.min(wake, end)));
      wake = await desk.watch();
    }
    await this.ours(() => undefined);
  }
}

async function play(wanted: Wanted) {
  const { dialect, bookings, disturbed, days, readsPerHour, seed, alters, scripts = [], only, departs } = wanted;
  const scripted = scripts.length > 0 && { days: SCRIPTED_DAYS, strips: false };
  const ahead = departs !== undefined && { days: departs };
  const desk = await openDesk(dialect, { start: START, readsPerHour, seed, ...scripted, ...ahead });
  const month = new Month(wanted, desk);
  const end = START + days * DAY;
  const groups = GROUPS[dialect].filter(([, kind]) => only === undefined || kind === only);
  const tasks = Array.from({ length: disturbed }, (_, i) => groups[i % groups.length] as Group);
  const holds = tasks.filter(([on]) => on === 'hold').length;
  // Half as many again are left alone.
  const quietHolds = Math.ceil(holds / 2);
  const locators: string[] = [];
  for (let i = 0; i < bookings - holds - quietHolds; i++) locators.push(await month.book(false));

  const between = (what: string, of: string | number, until: number) =>
    Math.floor(START + QUIET + month.draw(what, of) * (until - START - QUIET));
  for (const [i, [on, kind]] of tasks.entries()) {
    const last = { paid: TAIL, hold: 2 * TAIL, refund: kind === 'refund-pending' ? REFUND_ROOM : 2 * TAIL }[on];
    const run = { paid: month.disturbPaid, hold: month.disturbHold, refund: month.disturbRefund }[on].bind(month);
    month.plan(between('at', i, end - last), () => run(i, kind));
  }
  for (const [i, kind] of alters ? ALTERATION_KINDS.entries() : [])
    month.plan(between('alter', i, end - 2 * TAIL), () => month.alter(i, kind));
  for (let i = 0; i < quietHolds; i++)
    month.plan(between('quiet', i, end - TAIL), async () => void (await month.book(true)));
  for (const locator of locators.filter((one) => month.draw('acts', one) < ACTING))
    month.plan(between('when', locator, end - DAY), () => month.actLater(locator));

  const followed = await month.follow(scripts);

  await month.runUntil(end);
  const findings = await desk.findings();
  await desk.close();
  const { cases, acts, splits, refused, strayWrites } = month;
  const failures = desk.failures.map((one) => `${String(one)} ${(one as Error)?.stack ?? ''}`);
  return {
    ...{ dialect, bookings, cases, findings, acts, splits, end, refused, strayWrites, failures, followed },
    reads: desk.reads,
  };
}

// One after the other: the airline counts what is written, and one thread has one processor.
const played: Played[] = [];
for (const wanted of workerData as readonly Wanted[]) played.push(await play(wanted));
parentPort?.postMessage(played);
