/** The list of bookings that this server made or read. */
import type { Money } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import type { Caller } from '../people/caller.ts';
import type { PassengerType } from '../people/traveler.ts';

export interface LedgerEntry {
  readonly locator: string;
  readonly madeHere: boolean;
  readonly seenAt: number;
  readonly state: string;
  readonly contactName?: string;
  /** `Haddad L.`, in the order of the booking; who is not named yet is not in it. */
  readonly travelers?: readonly string[];
  readonly route?: string;
  readonly departs?: string;
  /** Where it is another one. */
  readonly lastDeparts?: string;
  /** All departures, as sent, first to last, where there are several. */
  readonly departures?: readonly string[];
  /** The last departure that a traveller goes with. */
  readonly runsUntil?: string;
  /** Booking classes, each once. */
  readonly classes?: readonly string[];
  /** What the airline did to it, as its last reading shows. */
  readonly byAirline?: readonly AirlineDeed[];
  readonly total?: string;
  /** Every leg that a traveller goes or went with, first to last. */
  readonly legs?: readonly LedgerLeg[];
  /** In the order of the booking; who is not named yet too. */
  readonly passengers?: readonly LedgerPassenger[];
  /** When the airline made it, UTC. */
  readonly createdAt?: string;
  /** `kept`: what the airline keeps of what was refunded, with its VAT. */
  readonly sums?: { readonly total?: Money; readonly paid?: Money; readonly refunded?: Money; readonly kept?: Money };
  /** Absent if nothing is known to be paid. In another currency than the total's it names it: `EUR 90.00`. */
  readonly paid?: string;
  readonly currency?: string;
  readonly nextDeadline?: { readonly what: string; readonly at: string };
  /** UTC. Each of them has events of its own, whichever comes first. None without a next deadline. */
  readonly payBy?: string;
  /** Of an unpaid hold that was read afterwards: its limit to pay. */
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
  /** Of the station, where `departs` is UTC. */
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
  /** `Haddad L.`; absent where the airline shows none, and in a booking that is long over. */
  readonly name?: string;
  /** A group's passenger who has no name yet. */
  readonly unnamed?: true;
  /** By leg: `4/12A`; empty where there is none. */
  readonly seats?: readonly string[];
  /** `WCHC confirmed`: code and status, without the text. About health: it goes with the name. */
  readonly services?: readonly string[];
}

/**
 * `owed`: cancelled, and not refunded. `unclear`: cancelled, and a recorded refund may be for it. `moved`: marked as
 * a schedule change.
 */
export interface AirlineDeed {
  readonly what: 'cancelled' | 'owed' | 'unclear' | 'moved';
  readonly flight: string;
  readonly departs: string;
}

/** A booking of the whole tenant, as it was last read by whomever. */
export interface DeskEntry extends LedgerEntry {
  /** Ids of callers: who read it last, and who made it here. */
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
  /** Only bookings with such a leg; also those whose legs are not known. A leg that is cancelled counts too. */
  readonly leg?: LegQuery;
  readonly limit: number;
}

export interface LegQuery {
  /** Days of the station, YYYY-MM-DD, both included. */
  readonly from?: string;
  readonly to?: string;
  /** Part of the train's name. */
  readonly train?: string;
}

/** The ledger as a server keeps it up to date by itself. */
export interface RenewedLedger extends Ledger {
  /** Renews what each caller's ledger shows of the booking, unless they read it later. Their order stays. */
  renew(tenant: string, entry: LedgerEntry): Promise<void>;
}

export interface Ledger {
  record(caller: Caller, entry: LedgerEntry): Promise<void>;
  /** Newest first. `total` counts at most one more than the limit. */
  find(
    caller: Caller,
    query: LedgerQuery,
  ): Promise<{ readonly entries: readonly LedgerEntry[]; readonly total: number }>;
  /** Of all callers of a tenant, each booking once, for those who see them all; `total` counts as in {@link find}. */
  findOfTenant(
    tenant: string,
    query: LedgerQuery,
  ): Promise<{ readonly entries: readonly DeskEntry[]; readonly total: number }>;
}

/** Whether what the ledger knows of a booking stays once it is long over: nothing that tells who travelled or where they sat. */
const STAYS: Readonly<Record<keyof LedgerEntry, boolean>> = {
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

/** Of passengers, how many travelled of which type, and how many had no name. */
export function pastEntry(entry: LedgerEntry): LedgerEntry {
  const { locator, madeHere, seenAt, state } = entry;
  const stays = Object.entries(entry).filter(([field]) => own(STAYS, field) === true);
  const passengers = entry.passengers?.map(({ type, unnamed }) => ({ type, unnamed }));
  return { locator, madeHere, seenAt, state, ...Object.fromEntries(stays), passengers };
}
