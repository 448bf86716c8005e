/** A desk with a watcher and an airline of one dialect, on one simulated clock. */

import { keyedDigest } from '../../../src/approvals/digest.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { Finding } from '../../../src/domain/booking/finding.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { type ReadingSeer, readSoon, seeReading } from '../../../src/watching/see-reading.ts';
import { createWatcher } from '../../../src/watching/watcher.ts';
import { ACTS } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { CALLER, codeOf, openOffice } from '../support/office.ts';
import { DAY, HOUR } from './cases.ts';
import { muddled } from './muddled.ts';

/** Holds that are read several times before they lapse. */
const HOLD = 3 * DAY;
/** Departures before, in and after the month. */
const DAYS = { first: 4, last: 45 };

/** A reading of the watcher. */
export interface Read {
  readonly at: number;
  readonly locator: string;
  readonly stripped: boolean;
  readonly renumbered: boolean;
}

export interface Desk {
  readonly reads: readonly Read[];
  now(): number;
  set(at: number): void;
  /** Does what is due; returns when to come again, ms epoch. */
  watch(): Promise<number>;
  /** Books and pays; `held`: does not pay. */
  book(held: boolean): Promise<string>;
  /** An operation of our own, by name or by a draw; returns its tool, or undefined if a rule forbade it. */
  act(locator: string, how: string | number): Promise<string | undefined>;
  disturb: Sandbox['disturb'];
  disturbable: Sandbox['disturbable'];
  /** The airline's own count of everything that changed something. */
  writes(): number;
  findings(): Promise<readonly Finding[]>;
  readonly failures: readonly unknown[];
  close(): Promise<void>;
}

export interface DeskOptions {
  readonly start: number;
  readonly readsPerHour: number;
  readonly seed: number;
  /** From the start to departures. */
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
): Promise<Desk> {
  let now = start;
  // A login would end each simulated hour.
  const behaviour = { holdMs: HOLD };
  const { airline, sandbox, stock, close } = await openAirline(
    { dialect, seed, now: () => now, accepts: 'key', behaviour },
    {
      ...{ mode: 'key', everywhere: true, days, people, direct },
      // Its business cabins are small, and flexible economy is refundable too.
      bookingClass: dialect === 'rail' ? 'C' : 'Y',
    },
  );
  const opened = await openSqliteState(':memory:', { now: () => now });
  // The journal waits by the real clock, and reads the time of the simulated one.
  const state = { ...opened, clock: { ...systemClock, now: () => now } };
  const seer: ReadingSeer = { state, rules: {}, digest: (text) => keyedDigest(state.digestKey, text) };
  const office = await openOffice({
    ...{ airline, dialect, state },
    async see(caller, booking, begunAt) {
      if (begunAt !== undefined) return (await seeReading(seer, caller, booking, begunAt)).isQuiet;
      await readSoon(seer, caller, booking.locator, now);
      return false;
    },
    close,
  });
  const reads: Read[] = [];
  const failures: unknown[] = [];
  const watcher = createWatcher({
    ...{ ...seer, state, clock: state.clock, owner: 'campaign', readsPerHour, isBusy: () => false, idleMs: HOUR },
    readerFor: () => ({
      async read(locator): Promise<Booking> {
        const { booking, ...how } = muddled(await airline.read(locator), seed, now, strips);
        reads.push({ at: now, locator, ...how });
        return booking;
      },
    }),
    log: { warn: ({ err }: { err?: unknown }) => failures.push(err) },
  });
  return {
    reads,
    failures,
    now: () => now,
    set(at) {
      now = at;
    },
    async watch() {
      return now + (await watcher.step());
    },
    async book(held) {
      const locator = held ? (await stock.held()).locator : await stock.ticketed();
      await office.result('read_booking', { locator });
      return locator;
    },
    async act(locator, how) {
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
    disturbable: sandbox.disturbable,
    writes: () => sandbox.ledger().length,
    findings: () => state.findings.list(CALLER.tenant, { limit: 100_000 }),
    async close() {
      failures.push(...office.failures);
      await office.close();
    },
  };
}
