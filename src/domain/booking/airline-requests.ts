/** Requests to make, pay and change a booking. */

import type { Money } from '../../core/money.ts';
import type { Contact, PersonName, Traveler } from '../people/traveler.ts';
import type { PassengerCounts } from '../pricing/fare-search.ts';
import type { Booking } from './booking.ts';
import type { Segment, SegmentOption } from './itinerary.ts';

/** A booking with named passengers. Refs link segments and travellers. */
export interface NewBooking {
  readonly options: readonly SegmentOption[];
  readonly contact: Contact;
  readonly travelers: readonly Traveler[];
}

/** A booking by passenger counts, without names. */
export interface NewGroupBooking {
  readonly options: readonly SegmentOption[];
  readonly contact: Contact;
  readonly passengers: PassengerCounts;
  readonly groupName?: string;
}

export const PAYMENT_TYPES = ['external', 'credit_card', 'cash', 'debit_credit_account', 'invoice'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

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
 * Kind of change → what it carries besides its booking. The message that writes a kind adds it here by declaration
 * merging (ota/messages/modify.ts), so that a new kind changes no line of the domain.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an alias cannot be merged.
export interface BookingChanges {}

/** One change. `booking` was just read; its `source` goes back to the airline unchanged except for the change. */
export type Modification<K extends keyof BookingChanges = keyof BookingChanges> = {
  [Kind in K]: { readonly kind: Kind; readonly booking: Booking } & BookingChanges[Kind];
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
