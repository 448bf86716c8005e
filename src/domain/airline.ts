/**
 * The port to an airline: what it is asked and answers, and the requests that make, pay and change a booking.
 *
 * Reads may be repeated. A sending method is called once per operation: it asks its {@link Dispatch} before the first
 * byte leaves, and hands over the locators of the reply before it is judged.
 *
 * Every method throws ClerkError (core/errors.ts). For a sending method `effect: 'none'` means that the airline
 * refused or that the request provably never left; any other failure is `effect: 'unknown'`.
 */
import type { Money } from '../core/money.ts';
import type {
  Booking,
  CancelReceipt,
  PaymentReceipt,
  Reading,
  Segment,
  SegmentOption,
  TicketDocumentQuery,
} from './booking/booking.ts';
import type { FareQuery, FareSearchResult, PassengerCounts } from './booking/offers.ts';
import type { SeatMapQuery, SegmentSeatMap } from './booking/seat-map.ts';
import type { ServiceWish } from './booking/special-services.ts';
import type { Route } from './booking/stations.ts';
import type { PaymentType } from './booking/status-codes.ts';
import type { Contact, PersonName, Traveler } from './people/traveler.ts';

/** The two dialects of the interface (docs/wire/notes.md). */
export type Dialect = 'rail' | 'airline';

export interface ReadCall {
  readonly signal?: AbortSignal;
}

/** The journal's control over one send. */
export interface Dispatch {
  /** Called once, after the socket is connected and before the first byte. False: send nothing. */
  readonly mayStart: () => boolean;
  /**
   * Awaited with the locators that the reply names, before it is judged. Never rejects: a reply is judged even if they
   * could not be kept.
   */
  keep(locators: readonly string[]): Promise<void>;
}

export declare const consented: unique symbol;

/**
 * A person's yes to exactly these terms, for exactly this operation. Only `approvals/confirmed.ts` can make one; the
 * adapter checks the seal at run time.
 */
export interface Confirmed<T> {
  readonly [consented]: true;
  /** What the act sends, as in the terms that were approved. */
  readonly send: T;
  readonly operationId: string;
  readonly dispatch: Dispatch;
}

/** The methods of {@link Airline} that acts use besides `read`. */
export type ActRequest = 'create' | 'createFromCounts' | 'pay' | 'modify' | 'cancel' | 'searchFares' | 'seatMap';

export interface Airline {
  /**
   * Milliseconds until all these requests, and a reading, may be sent: the airline may have asked for a pause. Sends nothing.
   * @param sender id of the operation that waits, if it has its place among the first sends after a pause ({@link placeAfterPause})
   */
  pausedMs(requests: readonly ActRequest[], sender?: string): Promise<number>;
  searchFares(query: FareQuery, call?: ReadCall): Promise<FareSearchResult>;
  /** Makes a hold, which is free and lapses by itself. */
  create(booking: NewBooking, dispatch: Dispatch): Promise<Booking>;
  createFromCounts(booking: NewGroupBooking, dispatch: Dispatch): Promise<Booking>;
  /** Checks that the reply is about this booking. */
  read(locator: string, call?: ReadCall): Promise<Booking>;
  pay(order: Confirmed<{ readonly order: PaymentOrder }>): Promise<PaymentReceipt>;
  /** The booking as changed; after a split, the new booking. */
  modify(change: Confirmed<{ readonly modification: Modification }>): Promise<Booking>;
  /** Cancels a whole booking (an unpaid hold). */
  cancel(cancellation: Confirmed<{ readonly cancellation: Cancellation }>): Promise<CancelReceipt>;
  /** Asks the airline to send mail again. Free; never repeated automatically. */
  sendMail(mail: BookingMail): Promise<void>;
  seatMap(query: SeatMapQuery, call?: ReadCall): Promise<readonly SegmentSeatMap[]>;
  /** The PDF of one ticket coupon. Fetched from the airline's own address only. */
  ticketDocument(query: TicketDocumentQuery, call?: ReadCall): Promise<Uint8Array>;
  routes(call?: ReadCall): Promise<readonly Route[]>;
  /** The name of a station, if a route list that was read before has it. Sends nothing. */
  placeName?(code: string): string | undefined;
  /** The names of all such stations, by code. */
  placeNames?(): ReadonlyMap<string, string>;
  calendar(query: CalendarQuery, call?: ReadCall): Promise<CalendarDates>;
  /** The accounts that payments can be charged to. Nothing depends on the answer: a failure counts against no other read. */
  accounts(call?: ReadCall): Promise<readonly AgencyAccount[]>;
}

/** An account of the agency with the airline, as the airline lists it (docs/wire/notes.md, Shapes sent). */
export interface AgencyAccount {
  readonly name: string;
  /** Absent if it was not sent as a code. */
  readonly currency?: string | undefined;
  /** What can still be charged, below zero if it is overdrawn. Absent if it was not sent, or not as an amount. */
  readonly available?: Money;
  readonly isActive?: boolean;
}

/** A booking with named passengers. Refs link segments and travellers. */
export interface NewBooking {
  readonly options: readonly SegmentOption[];
  readonly contact: Contact;
  readonly travelers: readonly Traveler[];
  /** Special services by the traveller's ref, on all segments. Airline dialect (docs/wire/notes.md, Shapes sent). */
  readonly services?: ReadonlyMap<string, readonly ServiceWish[]>;
}

/** A booking by passenger counts, without names. */
export interface NewGroupBooking {
  readonly options: readonly SegmentOption[];
  readonly contact: Contact;
  readonly passengers: PassengerCounts;
  readonly groupName?: string;
}

export interface PaymentOrder {
  readonly locator: string;
  readonly paymentType: PaymentType;
  /** The approved total; some messages contain it (docs/wire/notes.md, Money and rules). */
  readonly amount: Money;
  readonly holderName?: string;
  /** Code of the company that issued the locator. */
  readonly company?: string;
}

/**
 * What each kind of change carries besides its booking. Empty here: ota/messages/modify.ts, which writes the kinds,
 * adds them by declaration merging, so that a new kind changes no line of the domain.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an alias cannot be merged.
export interface BookingChanges {}

/** One change. `booking` was just read; its `source` goes back to the airline unchanged except for the change. */
export type Modification<K extends keyof BookingChanges = keyof BookingChanges> = {
  [Kind in K]: { readonly kind: Kind; readonly booking: Reading } & BookingChanges[Kind];
}[K];

export interface SeatChoice {
  readonly segmentRef: string;
  readonly travelerRef: string;
  /** The whole number as in the seat map: `52`, `12A`. */
  readonly seat: string;
  /** If it is not the traveller's present coach. */
  readonly coach?: string;
}

/** Mail for the airline to send again (docs/wire/notes.md, Addressing). */
export type BookingMail =
  | {
      readonly kind: 'tickets';
      readonly locator: string;
      readonly emails: readonly string[];
      readonly names: readonly PersonName[];
    }
  | {
      readonly kind: 'cancellation';
      readonly locator: string;
      readonly emails: readonly string[];
      readonly segments: readonly Segment[];
    };

export interface Cancellation {
  readonly locator: string;
}

/** Asks on which days the airline runs between two stations. */
export interface CalendarQuery {
  readonly from: string;
  readonly to: string;
  /** YYYY-MM-DD, both ends included. */
  readonly startDate: string;
  readonly endDate: string;
  readonly direct: boolean;
}

export interface CalendarDates extends Omit<CalendarQuery, 'direct'> {
  /** YYYY-MM-DD, as sent (any order). */
  readonly dates: readonly string[];
}
