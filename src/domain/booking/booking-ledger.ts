/** The ledger: the list of bookings that this server made or read, and what it knows of each. */
import type { Money } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import type { Caller } from '../people/caller.ts';
import type { PassengerType } from '../people/traveler.ts';

export interface LedgerEntry {
  readonly locator: string;
  /** Whether this server made the booking. */
  readonly madeHere: boolean;
  /** When it was last read, milliseconds since 1970. */
  readonly seenAt: number;
  readonly state: string;
  readonly contactName?: string;
  /** `Haddad L.`, in the order of the booking, without passengers who have no name yet. */
  readonly travelers?: readonly string[];
  readonly route?: string;
  readonly departs?: string;
  /** The last departure, if it is not also the first. */
  readonly lastDeparts?: string;
  /** All departures as sent, first to last; absent for a single one. */
  readonly departures?: readonly string[];
  /** The last departure that a traveller goes with. */
  readonly runsUntil?: string;
  /** Booking classes, each once. */
  readonly classes?: readonly string[];
  /** What the airline did to the booking, as the last reading shows. */
  readonly byAirline?: readonly AirlineDeed[];
  readonly total?: string;
  /** Every leg that a traveller goes or went with, first to last. */
  readonly legs?: readonly LedgerLeg[];
  /** In the order of the booking, with passengers who have no name yet. */
  readonly passengers?: readonly LedgerPassenger[];
  /** When the airline made it, UTC. */
  readonly createdAt?: string;
  /** `kept`: what the airline kept when it refunded, with its VAT. */
  readonly sums?: { readonly total?: Money; readonly paid?: Money; readonly refunded?: Money; readonly kept?: Money };
  /** Absent if nothing is known to be paid. Names its currency if the total has another one: `EUR 90.00`. */
  readonly paid?: string;
  readonly currency?: string;
  readonly nextDeadline?: { readonly what: string; readonly at: string };
  /** UTC; absent without a next deadline. Each deadline has events of its own, so the entry has more than the next. */
  readonly payBy?: string;
  /** The time limit of a hold that was read after it had lapsed unpaid. */
  readonly lapsedAt?: string;
  readonly namesUntil?: string;
}

export interface LedgerLeg {
  /** As flights are named: `HHR 123`. */
  readonly train: string;
  readonly from: string;
  readonly to: string;
  /** With offset, as sent. */
  readonly departs: string;
  /** The station's local date, if `departs` is UTC. */
  readonly day?: string;
  readonly arrives?: string;
  readonly class?: string;
  /** Fare basis code. */
  readonly fare?: string;
  /** In words: `confirmed`, `cancelled`. */
  readonly status?: string;
}

export interface LedgerPassenger {
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

/**
 * What the airline did to one departure. `owed`: cancelled, and not refunded. `unclear`: cancelled, and a recorded refund
 * may be for it. `moved`: marked as a schedule change.
 */
export interface AirlineDeed {
  readonly what: 'cancelled' | 'owed' | 'unclear' | 'moved';
  readonly flight: string;
  readonly departs: string;
}

/** A booking of the tenant, as any of its callers last read it. */
export interface DeskEntry extends LedgerEntry {
  /** Ids of the callers who read it last and who made it here. */
  readonly readBy: string;
  readonly madeBy?: string;
}

export interface LedgerQuery {
  /** Part of a locator, contact name, route or traveller. */
  readonly query?: string;
  readonly state?: string;
  /** Only deadlines after and before these times, milliseconds since 1970; the nearest first. */
  readonly deadlineAfter?: number;
  readonly deadlineBefore?: number;
  readonly locators?: readonly string[];
  /** Only bookings with such a leg, cancelled or not, and those whose legs are not known. */
  readonly leg?: LegQuery;
  readonly limit: number;
}

export interface LegQuery {
  /** Local dates of departure, YYYY-MM-DD, both included. */
  readonly from?: string;
  readonly to?: string;
  /** Part of the train's name. */
  readonly train?: string;
}

export interface Ledger {
  record(caller: Caller, entry: LedgerEntry): Promise<void>;
  /** Newest first. `total` counts at most one more than the limit. */
  find(
    caller: Caller,
    query: LedgerQuery,
  ): Promise<{ readonly entries: readonly LedgerEntry[]; readonly total: number }>;
  /** Finds among the bookings of all callers of a tenant, each once; `total` counts as in {@link find}. */
  findOfTenant(
    tenant: string,
    query: LedgerQuery,
  ): Promise<{ readonly entries: readonly DeskEntry[]; readonly total: number }>;
}

/** A ledger that the server itself keeps up to date. */
export interface RenewedLedger extends Ledger {
  /** Updates the booking in the list of each caller who did not read it later. Does not change the order of a list. */
  renew(tenant: string, entry: LedgerEntry): Promise<void>;
}

/** Whether a field is kept once a booking is long over: without the fields that tell who travelled or where they sat. */
const IS_KEPT_LONG: Readonly<Record<keyof LedgerEntry, boolean>> = {
  locator: true,
  madeHere: true,
  seenAt: true,
  state: true,
  contactName: false,
  travelers: false,
  route: true,
  departs: true,
  lastDeparts: true,
  departures: true,
  runsUntil: true,
  classes: true,
  byAirline: true,
  total: true,
  legs: true,
  // Reduced by pastEntry.
  passengers: true,
  createdAt: true,
  sums: true,
  paid: true,
  currency: true,
  nextDeadline: true,
  payBy: true,
  lapsedAt: true,
  namesUntil: true,
};

/** Reduces the entry of a booking that is long over: of each passenger it keeps the type, and that one had no name. */
export function pastEntry(entry: LedgerEntry): LedgerEntry {
  const { locator, madeHere, seenAt, state } = entry;
  const keptFields = Object.entries(entry).filter(([field]) => own(IS_KEPT_LONG, field) === true);
  const passengers = entry.passengers?.map(({ type, unnamed }) => ({ type, unnamed }));
  return { locator, madeHere, seenAt, state, ...Object.fromEntries(keptFields), passengers };
}
