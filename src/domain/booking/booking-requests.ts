/**
 * What is asked of the airline to make, pay and change a booking.
 */

import type { Contact, PersonName, Traveler } from '../people/traveler.ts';
import type { PassengerCounts } from '../pricing/fare-search.ts';
import type { Money } from '../pricing/money.ts';
import type { Booking } from './booking.ts';
import type { Segment, SegmentOption } from './itinerary.ts';

/** A booking with named passengers. Segments and travellers carry the pointers (refs) that link them. */
export interface NewBooking {
  readonly options: readonly SegmentOption[];
  readonly contact: Contact;
  readonly travelers: readonly Traveler[];
}

/** A booking from passenger counts; names come later. */
export interface NewGroupBooking {
  readonly options: readonly SegmentOption[];
  readonly contact: Contact;
  readonly passengers: PassengerCounts;
  readonly groupName?: string;
}

export type PaymentType = 'external' | 'credit_card' | 'cash' | 'debit_credit_account' | 'invoice';

/** Pays the whole booking. */
export interface PaymentOrder {
  readonly locator: string;
  readonly paymentType: PaymentType;
  /** The approved total. Some messages carry it (docs/wire/notes.md, Money and rules). */
  readonly amount: Money;
  readonly holderName?: string;
  /** Code of the company whose reference the locator is. */
  readonly company?: string;
}

/**
 * One change of a booking. `booking` is the record just read; its `source` goes back to the airline as it came, with
 * only the change added.
 */
export type Modification =
  | { readonly kind: 'cancel_segments'; readonly booking: Booking; readonly options: readonly SegmentOption[] }
  | { readonly kind: 'cancel_passengers'; readonly booking: Booking; readonly travelers: readonly Traveler[] }
  | { readonly kind: 'change_names'; readonly booking: Booking; readonly travelers: readonly Traveler[] }
  | { readonly kind: 'assign_seats'; readonly booking: Booking; readonly seats: readonly SeatChoice[] }
  | { readonly kind: 'update_contact'; readonly booking: Booking; readonly contact: Contact }
  | { readonly kind: 'update_passengers'; readonly booking: Booking; readonly travelers: readonly Traveler[] }
  | {
      readonly kind: 'rebook_segment';
      readonly booking: Booking;
      readonly replacedRef: string;
      /** The new flight; its pointer is not used in the booking yet. */
      readonly option: SegmentOption;
    }
  | { readonly kind: 'split_booking'; readonly booking: Booking; readonly travelers: readonly Traveler[] };

/** One traveller's seat on one segment. */
export interface SeatChoice {
  readonly segmentRef: string;
  readonly travelerRef: string;
  /** The whole number, as the seat map prints it: `52`, `12A`. */
  readonly seat: string;
  /** Only where it is another coach than the traveller's own. */
  readonly coach?: string;
}

/** Mail that the airline is asked to send again (docs/wire/notes.md, Addressing). */
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
