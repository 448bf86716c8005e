/** A desk whose airline shows bookings as they were before an act, in whole or in part, on one simulated clock. */
import { shownBooking } from '../../../src/domain/booking/blanked-booking.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { passenger } from '../../support/people.ts';
import { sqlOver } from '../../support/run-sql.ts';
import { holdLasts } from '../../support/sandbox/behaviours.ts';
import { createArgs, type Look } from '../support/acts.ts';
import { type OtaAirline, openAirline } from '../support/airline.ts';
import { CALLER, openOffice } from '../support/office.ts';
import { freshSurname } from '../support/stock.ts';
import { DAY } from './cases.ts';
import type { Dialect } from './matrix.ts';

type Reading = Awaited<ReturnType<OtaAirline['read']>>['reading'];

/** What of a reading is still as before the act. `flips`: all of it, in every other reading. */
export const LAGS = ['whole', 'tickets', 'orders', 'state', 'flips'] as const;
export type Lag = (typeof LAGS)[number];

interface Offer {
  readonly offer_id: string;
  readonly legs: readonly { readonly flight?: string }[];
}

interface Lagging {
  readonly lag: Lag;
  /** Undefined: the booking did not exist. */
  readonly before: Reading | undefined;
  reads: number;
}

const START = Date.parse('2026-12-01T06:00:00Z');
/** Departures are far enough ahead that no limit passes in a cell that is not about limits. */
const DAYS = { first: 20, last: 60 };
/** How long holds last. */
export const HOLD = 3 * DAY;

export type LagDesk = Awaited<ReturnType<typeof openLagDesk>>;

export async function openLagDesk(dialect: Dialect) {
  let now = START;
  const opened = await openAirline(
    { dialect, seed: 1, now: () => now, accepts: 'key', rewrite: holdLasts(HOLD) },
    {
      mode: 'key',
      everywhere: true,
      days: DAYS,
      people: 2,
      direct: true,
      bookingClass: dialect === 'rail' ? 'C' : 'Y',
    },
  );
  const { airline: honest, sandbox, stock } = opened;
  let sends = 0;
  const lags = new Map<string, Lagging>();
  let newborn: Lag | undefined;

  const sent = <T>(message: T): T => {
    sends += 1;
    return message;
  };

  const airline: typeof honest = {
    ...honest,
    async create(booking, dispatch) {
      sends += 1;
      const made = await honest.create(booking, dispatch);
      if (newborn !== undefined) lags.set(made.locator, { lag: newborn, before: undefined, reads: 0 });
      return made;
    },
    pay: (order) => honest.pay(sent(order)),
    modify: (change) => honest.modify(sent(change)),
    cancel: (cancellation) => honest.cancel(sent(cancellation)),
    async read(locator, ...how) {
      const { reading } = await honest.read(locator, ...how);
      const lagging = lags.get(locator);
      if (lagging === undefined) return shownBooking(reading);
      lagging.reads += 1;
      if (lagging.lag === 'flips' && lagging.reads % 2 === 0) return shownBooking(reading);
      if (lagging.before === undefined) return honest.read('ZZZZZZ', ...how);
      return shownBooking(asBefore(reading, lagging.before, lagging.lag));
    },
  };

  const open = await openSqliteState(':memory:', { now: () => now });
  // The journal waits by the real clock, and reads the time of the simulated one.
  const clock = { now: () => now, sleep: systemClock.sleep };
  const state = { ...open, clock };
  const office = await openOffice({ airline, dialect, state, canUseTerminal: true, runSql: sqlOver(open.ledgerRows) });
  // Another office at the same airline, whose readings are fresh: nothing that it does is in our journal.
  const scout = await openOffice({
    ...{ airline: honest, dialect },
    state: { ...(await openSqliteState(':memory:', { now: () => now })), clock },
  });

  /** Arguments come from fresh readings, and offers from our own searches. */
  const look: Look = (tool, args) => (tool === 'search_fares' ? office : scout).look(tool, args);

  return {
    ...{ office, sandbox, stock, look },
    now: () => now,
    set(at: number) {
      now = at;
    },
    fresh: async (locator: string): Promise<Reading> => (await honest.read(locator)).reading,
    /** What a desk says that reads it afresh, and has done nothing. */
    askScout: (tool: string, args: object) => scout.call(tool, args),
    scout: (locator: string) => scout.look('read_booking', { locator }),
    /** From now on, readings of the booking stay as they are, or do in every other reading. */
    async lag(locator: string, lag: Lag) {
      lags.set(locator, { lag, before: (await honest.read(locator)).reading, reads: 0 });
    },
    /** The same for each booking that is made from now on: it is not there. */
    lagNew(lag: Lag | undefined) {
      newborn = lag;
    },
    /** Readings of the booking are fresh again. */
    heal: (locator: string) => lags.delete(locator),
    /** What is on sale for two, each time on the same day. */
    async offers(): Promise<readonly Offer[]> {
      const { from, to } = await stock.pair();
      const date = new Date(START + (DAYS.first + 5) * DAY).toISOString().slice(0, 10);
      const { offers } = await office.look('search_fares', {
        ...{ legs: [{ from, to, date }], passengers: { adults: 2 }, max_results: 50 },
      });
      return offers;
    },
    /** Arguments for a booking of two, that the desk makes itself. */
    async creation(): Promise<Record<string, unknown>> {
      const offers = await this.offers();
      const args = createArgs(offers.at(-1)?.offer_id ?? '', now) as { passengers: object[] };
      const surname = freshSurname();
      return { ...args, passengers: [...args.passengers, passenger(`P${surname.slice(-5)}`, { surname }, now)] };
    },
    /** How many acts were sent to the airline. */
    sends: () => sends,
    books: () => sandbox.ledger(),
    findings: async (locator: string) =>
      (await state.findings.list(CALLER.tenant, { limit: 10_000 })).filter((one) => one.locator === locator),
    async close() {
      await scout.close();
      await office.close();
      await opened.close();
    },
  };
}

/** The reading of a node that lags. It keeps its source: the airline takes no change of a stale copy. */
function asBefore(reading: Reading, before: Reading, lag: Lag): Reading {
  switch (lag) {
    case 'tickets':
      return { ...reading, tickets: before.tickets };
    case 'orders':
      return { ...reading, orders: before.orders };
    case 'state': {
      const { cancelled: _, ...rest } = reading;
      const { options, travelers, services, contact } = before;
      const state = { ...(before.cancelled === true && { cancelled: true }), ...(contact && { contact }) };
      return { ...rest, ...state, options, travelers, services };
    }
    default:
      return { ...before, source: reading.source };
  }
}
