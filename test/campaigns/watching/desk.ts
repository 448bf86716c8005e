/** A desk with a watcher and an airline of one dialect, on one simulated clock. */
import { openWatcher, readingComparer } from '../../../src/cli/runtime/journal-and-watcher.ts';
import { shownBooking } from '../../../src/domain/booking/blanked-booking.ts';
import { DEFAULT_PACES } from '../../../src/domain/booking/reading-schedule.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { holdLasts } from '../../support/sandbox/behaviours.ts';
import { disturbable } from '../../support/sandbox/mishap-plan.ts';
import { ACTS } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { CALLER, codeOf, openOffice } from '../support/office.ts';
import { ALTERATIONS, type Alteration, altered } from './altered.ts';
import { DAY, HOUR } from './cases.ts';
import { muddled } from './muddled.ts';

/** Holds that are read several times before they lapse. */
const HOLD = 3 * DAY;
/** From the start to departures: before, in and after the month. */
const DAYS = { first: 4, last: 45 };

export type Desk = Awaited<ReturnType<typeof openDesk>>;

export interface Read {
  readonly at: number;
  readonly locator: string;
  readonly stripped: boolean;
  readonly renumbered: boolean;
}

export interface DeskOptions {
  readonly start: number;
  readonly readsPerHour: number;
  readonly seed: number;
  readonly days?: typeof DAYS;
  readonly people?: number;
  /** Trips without a change of trains or planes. */
  readonly direct?: boolean;
  /** Some readings leave fields out. Default true. */
  readonly strips?: boolean;
}

export async function openDesk(
  dialect: 'rail' | 'airline',
  { start, readsPerHour, seed, days = DAYS, people = 2, direct = false, strips = true }: DeskOptions,
) {
  let now = start;
  const {
    airline: honest,
    sandbox,
    stock,
    close,
  } = await openAirline(
    // A login would end each simulated hour.
    { dialect, seed, now: () => now, accepts: 'key', rewrite: holdLasts(HOLD) },
    // Its business cabins are small, and flexible economy is refundable too.
    { mode: 'key', everywhere: true, days, people, direct, bookingClass: dialect === 'rail' ? 'C' : 'Y' },
  );
  const alterations = new Map<string, readonly Alteration[]>();
  const airline: typeof honest = {
    ...honest,
    read: async (locator, ...how) =>
      shownBooking(altered((await honest.read(locator, ...how)).reading, alterations.get(locator))),
  };
  const opened = await openSqliteState(':memory:', { now: () => now });
  // The journal waits by the real clock, and reads the time of the simulated one.
  const state = { ...opened, clock: { now: () => now, sleep: systemClock.sleep } };
  const office = await openOffice({ airline, dialect, state, close });
  const reads: Read[] = [];
  const failures: unknown[] = [];
  const watcher = await openWatcher({
    ...{
      comparer: readingComparer(state),
      paces: DEFAULT_PACES,
      state,
      clock: state.clock,
      owner: 'campaign',
      readsPerHour,
    },
    ...{ isBusy: () => false, idleMs: HOUR },
    readerFor: () => ({
      async read(locator) {
        const { booking, ...how } = muddled((await airline.read(locator)).reading, seed, now, strips);
        reads.push({ at: now, locator, ...how });
        return shownBooking(booking);
      },
    }),
    log: { warn: ({ err }: { err?: unknown }) => failures.push(err) },
  });
  return {
    reads: reads as readonly Read[],
    failures: failures as readonly unknown[],
    now: () => now,
    set(at: number) {
      now = at;
    },
    /** Does what is due; returns when to come again, ms epoch. */
    watch: async () => now + (await watcher.step()),
    /** Books and pays; `held`: does not pay. */
    async book(held: boolean) {
      const locator = held ? (await stock.held()).locator : await stock.ticketed();
      const code = codeOf(await office.result('read_booking', { locator }));
      if (code !== 'ok') failures.push(new Error(`${locator} could not be read: ${code}`));
      return locator;
    },
    /** An operation of our own, by name or by a draw; returns its tool, or undefined if a rule forbade it. */
    async act(locator: string, how: string | number) {
      const { booking } = await office.look('read_booking', { locator });
      const acts = ACTS.filter(({ on }) => on === booking.state);
      const act = typeof how === 'string' ? ACTS.find(({ name }) => name === how) : acts[Math.floor(how * acts.length)];
      if (act === undefined) return undefined;
      try {
        const args = await act.args(locator, office.look);
        const result = await office.yes(act.tool, args, await office.question(act.tool, args));
        return codeOf(result) === 'done' ? act.tool : undefined;
      } catch {
        return undefined;
      }
    },
    disturb: sandbox.disturb,
    /** The airline shows the booking otherwise from now on. Returns whether it can. */
    async alter(locator: string, kind: Alteration) {
      const isPossible = ALTERATIONS[kind]((await airline.read(locator)).reading) !== undefined;
      if (isPossible) alterations.set(locator, [...(alterations.get(locator) ?? []), kind]);
      return isPossible;
    },
    disturbable: () => disturbable(sandbox.carrier()),
    /** The airline's own count of everything that changed something. */
    writes: () => sandbox.ledger().length,
    findings: () => state.findings.list(CALLER.tenant, { limit: 100_000 }),
    async close() {
      failures.push(...office.failures);
      await office.close();
    },
  };
}
