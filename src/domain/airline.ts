/**
 * THE PORT: what the clerk needs of an airline, in small capability groups.
 *
 * Reads may be repeated. Sending methods are called once per operation, told by a {@link Dispatch} whether their first
 * byte may still leave, and hand over the raw reply before anything parses it.
 *
 * Every method throws ClerkError (errors.ts). On a sending method `effect: 'none'` means a refusal by the airline or a
 * request that provably never left; any other failure is `effect: 'unknown'`.
 */
import type { Booking, CancelReceipt, PaymentReceipt } from './booking/booking.ts';
import type {
  BookingMail,
  Cancellation,
  Modification,
  NewBooking,
  NewGroupBooking,
  PaymentOrder,
} from './booking/booking-requests.ts';
import type { CalendarDates, CalendarQuery, Route } from './booking/routes-and-calendar.ts';
import type { SeatMapQuery, SegmentSeatMap } from './booking/seat-map.ts';
import type { FareQuery, FareSearchResult, PriceCheck, PriceQuery } from './pricing/fare-search.ts';

/** How one read is to be made. */
export interface ReadCall {
  readonly signal?: AbortSignal;
}

/** A reply before parsing: what the journal keeps until the operation is settled. */
export interface RawReply {
  readonly status: number;
  readonly body: string;
  /** The connection ended within the reply: `body` is what had come. */
  readonly truncated?: true;
}

/** What a sender owes the journal. */
export interface Dispatch {
  /** Asked once, after the socket is connected and before the first byte. False: send nothing. */
  mayStart(): boolean;
  /** Awaited with the raw reply before it is parsed. */
  keep(reply: RawReply): Promise<void>;
}

declare const consented: unique symbol;

/**
 * A person's yes to exactly these terms, spent on exactly this operation. Only `approvals/confirmed.ts` can make one; the
 * adapter checks the seal at run time.
 */
export interface Confirmed<T> {
  readonly [consented]: true;
  readonly terms: T;
  readonly operationId: string;
  readonly dispatch: Dispatch;
}

export interface FareSearching {
  searchFares(query: FareQuery, call?: ReadCall): Promise<FareSearchResult>;
  /** Confirms a price and books nothing. Asked once: an airline that does make a hold of it must not make two. */
  checkPrice(query: PriceQuery, call?: ReadCall): Promise<PriceCheck>;
}

export interface Bookings {
  /** Makes a hold: free, lapses by itself. */
  create(booking: NewBooking, dispatch: Dispatch): Promise<Booking>;
  createFromCounts(booking: NewGroupBooking, dispatch: Dispatch): Promise<Booking>;
  /** The reply is checked to be this booking's. */
  read(locator: string, call?: ReadCall): Promise<Booking>;
}

export interface Ticketing {
  pay(order: Confirmed<{ readonly order: PaymentOrder }>): Promise<PaymentReceipt>;
}

export interface Changes {
  /** The booking as changed; after a split, the new booking. */
  modify(change: Confirmed<{ readonly modification: Modification }>): Promise<Booking>;
  /** Cancels a whole booking (an unpaid hold). */
  cancel(cancellation: Confirmed<{ readonly cancellation: Cancellation }>): Promise<CancelReceipt>;
}

export interface Mails {
  /** Asks for mail once more. Free; sent once, and never again by itself. */
  sendMail(mail: BookingMail): Promise<void>;
}

export interface Seats {
  seatMap(query: SeatMapQuery, call?: ReadCall): Promise<readonly SegmentSeatMap[]>;
}

export interface Schedules {
  routes(call?: ReadCall): Promise<readonly Route[]>;
  calendar(query: CalendarQuery, call?: ReadCall): Promise<CalendarDates>;
}

export interface Airline extends FareSearching, Bookings, Ticketing, Changes, Mails, Seats, Schedules {}
