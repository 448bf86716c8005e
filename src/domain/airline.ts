/**
 * The port to an airline.
 *
 * Reads may be repeated. A sending method is called once per operation: it asks its {@link Dispatch} before the first
 * byte leaves, and hands over the raw reply before it is parsed.
 *
 * Every method throws ClerkError (core/errors.ts). For a sending method `effect: 'none'` means that the airline refused or
 * that the request provably never left; any other failure is `effect: 'unknown'`.
 */
import type {
  BookingMail,
  Cancellation,
  Modification,
  NewBooking,
  NewGroupBooking,
  PaymentOrder,
} from './booking/airline-requests.ts';
import type { Booking, CancelReceipt, PaymentReceipt } from './booking/booking.ts';
import type { CalendarDates, CalendarQuery, Route } from './booking/routes-and-calendar.ts';
import type { SeatMapQuery, SegmentSeatMap } from './booking/seat-map.ts';
import type { TicketDocumentQuery } from './booking/ticket-documents.ts';
import type { FareQuery, FareSearchResult, PriceCheck, PriceQuery } from './pricing/fare-search.ts';

/** The two dialects of the interface (docs/wire/notes.md). */
export type Dialect = 'rail' | 'airline';

export interface ReadCall {
  readonly signal?: AbortSignal;
}

/** A reply before parsing. The journal keeps it until the operation is settled. */
export interface RawReply {
  readonly status: number;
  readonly body: string;
  /** The connection ended within the reply; `body` is what arrived. */
  readonly truncated?: true;
}

/** The journal's control over one send. */
export interface Dispatch {
  /** Called once, after the socket is connected and before the first byte. False: send nothing. */
  mayStart(): boolean;
  /** Awaited with the raw reply before it is parsed. Never rejects: a reply that could not be kept is judged all the same. */
  keep(reply: RawReply): Promise<void>;
}

export declare const consented: unique symbol;

/**
 * A person's yes to exactly these terms, for exactly this operation. Only `approvals/confirmed.ts` can make one; the
 * adapter checks the seal at run time.
 */
export interface Confirmed<T> {
  readonly [consented]: true;
  readonly terms: T;
  readonly operationId: string;
  readonly dispatch: Dispatch;
}

export interface Airline {
  searchFares(query: FareQuery, call?: ReadCall): Promise<FareSearchResult>;
  /** Confirms a price and books nothing. Never repeated: an airline that makes a hold of it must not make two. */
  checkPrice(query: PriceQuery, call?: ReadCall): Promise<PriceCheck>;
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
  /** The name of a station, if a route list that was read before has it. Asks nobody. */
  placeName?(code: string): string | undefined;
  calendar(query: CalendarQuery, call?: ReadCall): Promise<CalendarDates>;
}
