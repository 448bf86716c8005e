/**
 * The ledger: the list of bookings that each caller made or read here, and what the server keeps of each.
 * tools/steps/record-booking.ts fills the entries, and store/ledger.ts stores and searches them as JSON.
 *
 * In this order: an entry and its parts, a search, the ledger, and what stays of an entry once the trip is long over.
 */
import type { Money } from '../../core/money.ts';
import type { Caller } from '../people/caller.ts';
import type { PassengerType } from '../people/traveler.ts';
import type { DeadlineName } from './deadlines.ts';

/**
 * What the last reading of a booking showed. Entries of all versions stay in the store: a field never changes its name,
 * and older entries lack some.
 *
 * Which departures an entry has, of a booking with the segments A and B:
 *
 * | segments                      | departs | lastDeparts | departures | runsUntil | legs |
 * | ----------------------------- | ------- | ----------- | ---------- | --------- | ---- |
 * | only A                        | A       | absent      | absent     | A         | A    |
 * | A and B                       | A       | B           | A, B       | B         | A, B |
 * | A, and B is cancelled         | A       | absent      | absent     | A         | A, B |
 * | A, and the airline owes B (*) | A       | B           | A, B       | A         | A, B |
 * | both are cancelled            | A       | B           | A, B       | absent    | A, B |
 *
 * (*) It cancelled B and has not refunded it, so B can still be rebooked or refunded.
 */
export interface LedgerEntry {
  readonly locator: string;
  /** Whether this server made the booking. */
  readonly madeHere: boolean;
  /** When it was last read, milliseconds since 1970. */
  readonly seenAt: number;
  /** As the reading shows it (BookingState), so never `flown`. */
  readonly state: string;
  /** When the airline made the booking, UTC. */
  readonly createdAt?: string;

  /** The desk's own key of the customer. It is stored apart from the entry ({@link Ledger.setCustomer}). */
  readonly customer?: string;
  /** Name of the contact. */
  readonly contactName?: string;
  /** `Haddad L.`, in the order of the booking, without passengers who have no name yet. Searches compare these. */
  readonly travelers?: readonly string[];
  /**
   * One short sign for each e-mail address and telephone of the contact and the travellers: enough to compare with one that a customer
   * names, too short to find out which it was.
   */
  readonly reached?: readonly string[];
  /** In the order of the booking, with passengers who have no name yet. */
  readonly passengers?: readonly LedgerPassenger[];

  /** It was booked as a group. Absent in entries of 0.3.0, until the booking is read again. */
  readonly isGroup?: true;

  /** `MED-JED-MED`. */
  readonly route?: string;
  /** The first departure, as sent. */
  readonly departs?: string;
  /** The last departure, as sent, if it is not also the first. */
  readonly lastDeparts?: string;
  /** The departures as sent, at most 20, in the order of the booking; absent for a single one. */
  readonly departures?: readonly string[];
  /** The last departure, as sent, of segments that were neither cancelled nor missed: then the trip is `flown`. */
  readonly runsUntil?: string;
  /** Every leg, cancelled ones too, first to last. */
  readonly legs?: readonly LedgerLeg[];
  /** Booking classes, each once. */
  readonly classes?: readonly string[];
  /** What the airline did to the booking, as the last reading shows. */
  readonly byAirline?: readonly AirlineDeed[];

  /** The price, decimals in `currency`: `1423.00`. */
  readonly total?: string;
  readonly currency?: string;
  /** Decimals, or `EUR 90.00` if the total has another currency. Absent if nothing is known to be paid. */
  readonly paid?: string;
  /**
   * Amounts to add up; absent in entries of 0.2.0. `kept`: what the airline kept when it refunded, with its VAT. `toCome`: what it has
   * still to pay out.
   */
  readonly sums?: {
    readonly total?: Money;
    readonly paid?: Money;
    readonly refunded?: Money;
    readonly kept?: Money;
    readonly toCome?: Money;
  };

  /** The nearest limit ahead: `pay_by`, `names_until` or `cancel_until`, and its time in UTC. */
  readonly nextDeadline?: { readonly what: DeadlineName; readonly at: string };
  /** Until when the hold can be paid, UTC. Absent without `nextDeadline`. */
  readonly payBy?: string;
  /** Until when names can be changed, UTC. Absent without `nextDeadline`. */
  readonly namesUntil?: string;
  /** The time limit of a hold that was read after it had lapsed unpaid, UTC. */
  readonly lapsedAt?: string;
}

/** When the hold can no longer be paid, UTC; undefined if it is not a hold, nor what the airline left of one. */
export function holdEnds({ state, payBy, sums = {} }: LedgerEntry): string | undefined {
  const isLeft = state === 'partly_cancelled' && sums.paid === undefined && sums.refunded === undefined;
  return state === 'held' || isLeft ? payBy : undefined;
}

/** What tells the bookings of one locator apart (booking-identity.ts). */
export type BookingSigns = Pick<LedgerEntry, 'locator' | 'createdAt' | 'travelers' | 'contactName'>;

export interface LedgerLeg {
  /** Carrier and number of the train or flight: `HHR 123`. */
  readonly train: string;
  readonly from: string;
  readonly to: string;
  /** With offset, as sent. */
  readonly departs: string;
  /** The station's local date, YYYY-MM-DD, if it is not the date in `departs`. */
  readonly day?: string;
  /** With offset, as sent. */
  readonly arrives?: string;
  /** Booking class. */
  readonly class?: string;
  /** Fare basis code. */
  readonly fare?: string;
  /** In words: `confirmed`, `cancelled`. */
  readonly status?: string;
}

interface LedgerPassenger {
  readonly type: PassengerType;
  /** `Haddad L.`; absent if the airline shows none, and in a booking that is long over. */
  readonly name?: string;
  /** A group's passenger who has no name yet. */
  readonly unnamed?: true;
  /** One for each leg: `4/12A`; empty without a seat. */
  readonly seats?: readonly string[];
  /** `WCHC confirmed`: code and status. May tell about health, so it is removed together with the name. */
  readonly services?: readonly string[];
}

/** What the airline did to one departure, as the booking's status codes and refunds show. */
export interface AirlineDeed {
  /**
   * - `owed`: it cancelled the segment, and refunded nothing yet.
   * - `unclear`: it cancelled the segment, and a recorded refund may be for it.
   * - `cancelled`: it cancelled the segment, and whether it owes a refund is not known.
   * - `moved`: it marked the segment as a schedule change.
   */
  readonly what: 'owed' | 'unclear' | 'cancelled' | 'moved';
  /** Carrier and number of the train or flight: `HHR 123`. */
  readonly flight: string;
  /** As sent. */
  readonly departs: string;
}

/** A booking for a supervisor, who sees those of all callers of the tenant: as any of them last read it. */
export interface DeskEntry extends LedgerEntry {
  /** Id of the caller who read it last. */
  readonly readBy: string;
  /** Id of the caller who made it here; absent if nobody did. */
  readonly madeBy?: string;
}

/** Which bookings a search finds: those that fit all of the fields that are given. */
export interface LedgerQuery {
  /** Part of a locator, contact name, route or traveller. */
  readonly query?: string;
  /** The desk's key of the customer, exactly. */
  readonly customer?: string;
  /** As in {@link LedgerEntry}. */
  readonly state?: string;
  /** The next deadline is after this time, milliseconds since 1970. Orders the bookings by it, the nearest first. */
  readonly deadlineAfter?: number;
  /** The next deadline is before this time, milliseconds since 1970. */
  readonly deadlineBefore?: number;
  /** The booking is one of these. */
  readonly locators?: readonly string[];
  /** One leg, cancelled or not, fits this; or the legs are not known. */
  readonly leg?: LegQuery;
  /** How many bookings are returned at most. */
  readonly limit: number;
}

/** Which leg a search finds: one that fits all of the fields that are given. */
export interface LegQuery {
  /** The first local date of departure, YYYY-MM-DD. */
  readonly from?: string;
  /** The last local date of departure, YYYY-MM-DD. */
  readonly to?: string;
  /** Part of the train's name. */
  readonly train?: string;
}

/** What a search found. */
export interface Found<Entry> {
  readonly entries: readonly Entry[];
  /** How many bookings fit, but at most one more than the limit. */
  readonly total: number;
}

export interface Ledger {
  /** Enters a reading in the caller's list, as the newest booking in it. Keeps that the booking was made here. */
  record(caller: Caller, entry: LedgerEntry): Promise<void>;
  /** Finds bookings in the caller's list, those read last first. */
  find(caller: Caller, query: LedgerQuery): Promise<Found<LedgerEntry>>;
  /** Finds bookings in the lists of all callers of a tenant, each booking once, those read last first. */
  findOfTenant(tenant: string, query: LedgerQuery): Promise<Found<DeskEntry>>;
  /**
   * Keeps the desk's own key of the customer for a booking, in place of another one; every list of the tenant then has it.
   * It is bound to what the entry shows of the booking: another one with its locator has no key.
   */
  setCustomer(caller: Caller, entry: LedgerEntry, customer: string): Promise<void>;
  /** The key that a tenant has for a booking, whoever set it and whoever's list has it. Undefined if it has none. */
  customerOf(tenant: string, signs: BookingSigns): Promise<string | undefined>;
}

/** A ledger that the server itself keeps up to date. */
export interface RenewedLedger extends Ledger {
  /**
   * Updates a booking in every list of the tenant that has it, unless its caller read it later. A list that has an earlier
   * booking with its locator keeps that one. Unlike `record`, leaves the order of the lists as it is.
   */
  renew(tenant: string, entry: LedgerEntry): Promise<void>;
  /** Keeps the key of the customer with which an operation made this booking, if it had one. Safe to call twice. */
  keepCustomer(operationId: string, entry: LedgerEntry): Promise<void>;
}

/**
 * The fields that stay once a booking is long over: figures of closed periods need them. Any other one is removed, such as what tells who
 * travelled, or where they sat.
 */
const STAY: ReadonlySet<string> = new Set<keyof LedgerEntry>([
  'createdAt',
  'isGroup',
  'route',
  'departs',
  'lastDeparts',
  'departures',
  'runsUntil',
  'legs',
  'classes',
  'byAirline',
  'total',
  'currency',
  'paid',
  'sums',
  'nextDeadline',
  'payBy',
  'namesUntil',
  'lapsedAt',
]);

/** Reduces the entry of a booking that is long over to what figures need. store/cleaning-rules.ts says when that is. */
export function pastEntry(entry: LedgerEntry): LedgerEntry {
  const { locator, madeHere, seenAt, state, passengers } = entry;
  const remaining = Object.entries(entry).filter(([field]) => STAY.has(field));

  return {
    locator,
    madeHere,
    seenAt,
    state,
    ...Object.fromEntries(remaining),
    passengers: passengers?.map(({ type, unnamed }) => ({ type, unnamed })),
  };
}
