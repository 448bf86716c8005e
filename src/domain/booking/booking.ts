/** A booking with its tickets and orders, and receipts. */

import type { Money } from '../../core/money.ts';
import { rememberedFor } from '../../core/remembered.ts';
import type { Contact, PersonName, Traveler } from '../people/traveler.ts';
import type { Pricing } from '../pricing/fare.ts';
import type { Segment, SegmentOption } from './itinerary.ts';
import { standing } from './status-codes.ts';

/** The booking's reference in one system: the reservation system's, the operator's. */
export interface BookingReference {
  readonly id: string;
  /** OpenTravel unique id type; `14` is a reservation. */
  readonly type?: string;
  /** `companyName.code`. */
  readonly system?: string;
  readonly segmentRefs: readonly string[];
}

export interface Coupon {
  readonly segmentRef?: string;
  readonly number?: string;
  /** `O` open, `R` refunded; others in docs/wire/notes.md, Statuses. Unknown letters are kept. */
  readonly statusCode?: string;
  readonly seat?: string;
  readonly coach?: string;
  readonly providerTicket?: string;
}

export interface TicketLink {
  readonly href: string;
  readonly rel?: string;
  readonly segmentRef?: string;
  readonly travelerRef?: string;
}

export interface Ticket {
  /** Empty if the row has only a time limit. */
  readonly number: string;
  /** `E_TICKET`, `PAPER`. */
  readonly ticketType?: string;
  readonly passengerType?: string;
  readonly travelerRefs: readonly string[];
  readonly segmentRefs: readonly string[];
  /** UTC or with offset, as sent. */
  readonly timeLimit?: string;
  readonly coupons: readonly Coupon[];
  readonly links: readonly TicketLink[];
}

/** `offer.priced[].tpaExtensions.orderInfo`: a payment or a refund. */
export interface Order {
  readonly id?: string;
  readonly action?: string;
  /** `PAYMENT` or `REFUND`. */
  readonly direction?: string;
  readonly orderType?: string;
  /** `PENDING`, `PAID`. */
  readonly status?: string;
  readonly amount?: Money;
}

export interface SpecialService {
  readonly code?: string;
  readonly text?: string;
  readonly status?: string;
  readonly travelerRefs: readonly string[];
  readonly segmentRefs: readonly string[];
}

/** Electronic miscellaneous document (`emdinfo[]`). */
export interface Emd {
  readonly number?: string;
  readonly type?: string;
  readonly text?: string;
}

export interface Booking {
  /** Of the reservation system. */
  readonly locator: string;
  readonly references: readonly BookingReference[];
  /** UTC. */
  readonly createdAt?: string;
  readonly options: readonly SegmentOption[];
  readonly travelers: readonly Traveler[];
  readonly contact?: Contact;
  readonly pricing?: Pricing;
  readonly tickets: readonly Ticket[];
  readonly orders: readonly Order[];
  readonly services: readonly SpecialService[];
  /** `specialRemarks`. */
  readonly remarks?: readonly string[];
  readonly emds: readonly Emd[];
  /** The airline states CANCELLED for the whole booking. */
  readonly cancelled?: boolean;
  /**
   * The reservation exactly as the airline sent it, for change requests. Only `ota/` reads it; absent if the booking did
   * not come from a read.
   */
  readonly source?: unknown;
}

/** Nearly every question about a booking asks for them. */
const segmentsIn = /* @__PURE__ */ rememberedFor((options: Booking['options']): readonly Segment[] =>
  options.flatMap(({ segments }) => segments),
);

export function segmentsOf({ options }: Booking): readonly Segment[] {
  return segmentsIn(options);
}

export function activeSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter((segment) => standing(segment) === 'active');
}

/** One row of a payment reply. Amounts are decimal digits without a currency. */
export interface ReceiptItem {
  readonly ticketNumber: string;
  readonly ticketType?: string;
  readonly itemNumber?: string;
  readonly name?: PersonName;
  readonly passengerType?: string;
  readonly total?: string;
  readonly net?: string;
  readonly paymentType?: string;
  readonly conjunctive: readonly string[];
  readonly links: readonly TicketLink[];
}

export interface PaymentReceipt {
  readonly locator: string;
  readonly references: readonly BookingReference[];
  readonly items: readonly ReceiptItem[];
  readonly retransmission?: boolean;
  /** UTC; the airline's `timeStamp`. */
  readonly answeredAt?: string;
}

/** The reply to cancelling a whole booking; states no amounts. */
export interface CancelReceipt {
  readonly locator: string;
  /** `CANCELLED`. */
  readonly status?: string;
  /** UTC; the airline's `timeStamp`. */
  readonly answeredAt?: string;
}
