/**
 * What an operation is to bring about, in terms that a later reading of the booking can be judged by. Holds no personal
 * data: people are keyed digests of their identity.
 */

import { namesSent } from '../people/airline-name.ts';
import {
  type ContactDetail,
  type Digest,
  detailsText,
  detailText,
  identityText,
  type TravelerDetail,
} from '../people/identity-text.ts';
import type { Traveler } from '../people/traveler.ts';
import type { StatedRefund } from '../pricing/fare.ts';
import type { ChosenOffer } from '../pricing/fare-codes.ts';
import type { Money } from '../pricing/money.ts';
import { omitUndefined } from '../time-and-text/omit-undefined.ts';
import type { Booking, Order } from './booking.ts';
import { type Segment, segmentStatus } from './itinerary.ts';

export interface NameChange {
  readonly ref: string;
  /** What this change touches; `was` and `wanted` are digests of exactly these. Absent: the name. */
  readonly details?: readonly TravelerDetail[];
  readonly was: string;
  readonly wanted: string;
  /** Other digests that show it done: a new telephone may stand beside the old one, or in place of it. */
  readonly or?: readonly string[];
  /** The airline showed nothing of it before: that it shows nothing afterwards proves nothing. */
  readonly unseen?: true;
}

export interface ContactChange {
  readonly detail: ContactDetail;
  /** Digests. */
  readonly was: string;
  readonly wanted: string;
  readonly unseen?: true;
}

/** A seat, with its coach where the airline names one. */
export interface SeatPlace {
  readonly seat: string;
  readonly coach?: string;
}

export interface SeatAim {
  readonly segmentRef: string;
  readonly travelerRef: string;
  /** Digest of the traveller's identity. */
  readonly who: string;
  readonly was?: SeatPlace;
  readonly wanted: SeatPlace;
}

/** A flight by what every system calls it, whatever pointer it has. */
export interface FlightKey {
  readonly from: string;
  readonly to: string;
  /** UTC, or as sent where it is no instant. */
  readonly departs: string;
  /** Digits without leading zeros. */
  readonly number: string;
  readonly bookingClass?: string;
}

/** An order by what stays the same of it: its status moves on. */
export type EarlierOrder = Pick<Order, 'id' | 'amount'>;

export interface EarlierRefunds {
  readonly entries: readonly Pick<StatedRefund, 'amount' | 'penalty'>[];
  readonly orders: readonly EarlierOrder[];
}

export type ExpectedChange =
  | {
      readonly kind: 'pay';
      readonly amount: Money;
      readonly coupons: number;
      /** One for each traveller. */
      readonly tickets?: number;
    }
  | {
      readonly kind: 'cancel_segments';
      readonly segmentRefs: readonly string[];
      /** Active before and not named: must stay so. */
      readonly keptRefs: readonly string[];
      /** Refunds seen before, so that this operation's own can be told apart. An older journal has their number alone. */
      readonly refundsBefore: number;
      readonly earlierRefunds?: EarlierRefunds;
    }
  | {
      readonly kind: 'cancel_passengers';
      /** Identity digests, one for each passenger: equal ones are counted. */
      readonly gone: readonly string[];
      readonly kept: readonly string[];
      readonly refundsBefore: number;
      readonly earlierRefunds?: EarlierRefunds;
    }
  | { readonly kind: 'change_names'; readonly changes: readonly NameChange[] }
  | { readonly kind: 'update_passengers'; readonly changes: readonly NameChange[] }
  | { readonly kind: 'update_contact'; readonly changes: readonly ContactChange[] }
  | { readonly kind: 'assign_seats'; readonly seats: readonly SeatAim[] }
  | {
      readonly kind: 'rebook_segment';
      readonly replaced: FlightKey;
      readonly wanted: FlightKey;
      /** Active before and not replaced: must stay so. */
      readonly kept: readonly FlightKey[];
      /** Payments and refunds seen before, so that this operation's own can be told apart. */
      readonly paymentsBefore: number;
      readonly earlierPayments?: readonly EarlierOrder[];
      readonly refundsBefore: number;
      readonly earlierRefunds?: EarlierRefunds;
    }
  | {
      readonly kind: 'split_booking';
      /** Identity digests, one for each passenger. */
      readonly moved: readonly string[];
      readonly kept: readonly string[];
      readonly flights: readonly FlightKey[];
    }
  | { readonly kind: 'cancel_booking' }
  | {
      readonly kind: 'create';
      /** Digests of what the travellers are called; absent where they have no names yet. */
      readonly names?: readonly string[];
      /** The offer as it was chosen: what is held is compared with it, and so is another create of the same trip. */
      readonly offer?: ChosenOffer;
    };

export function segmentsOf(booking: Booking): readonly Segment[] {
  return booking.options.flatMap((option) => option.segments);
}

export function activeSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter((segment) => segmentStatus(segment.statusCode) === 'active');
}

/** Refunds that the airline states for the whole party. */
export function refundsOf(booking: Booking): readonly StatedRefund[] {
  return booking.pricing?.refunds ?? [];
}

/** How many refunds the airline states: in the price, or where replies come without one, in the orders. */
export function refundsSeen(booking: Booking): number {
  return Math.max(refundsOf(booking).length, refundOrdersOf(booking).length);
}

export function refundOrdersOf(booking: Booking): readonly Order[] {
  return booking.orders.filter(({ direction }) => direction === 'REFUND');
}

export function refundsTold(booking: Booking): EarlierRefunds {
  return {
    entries: refundsOf(booking).map(({ amount, penalty }) => omitUndefined({ amount, penalty })),
    orders: earlierOrders(refundOrdersOf(booking)),
  };
}

export function earlierOrders(orders: readonly Order[]): readonly EarlierOrder[] {
  return orders.map(({ id, amount }) => omitUndefined({ id, amount }));
}

/** Orders of money that came in. A change of name that cost nothing is listed as an order too. */
export function paymentsOf(booking: Booking): readonly Order[] {
  return booking.orders.filter((order) => order.direction !== 'REFUND' && !isFreeNameChange(order));
}

function isFreeNameChange({ action, amount }: Order): boolean {
  return action === 'CHANGE_NAME' && (amount === undefined || amount.minor === 0);
}

/** Coupons that a ticketed booking has: one for each passenger on each active segment of theirs. */
export function couponsDue(booking: Booking): number {
  const active = activeSegments(booking).map((segment) => segment.ref);
  return booking.travelers.reduce((sum, { segmentRefs }) => {
    const own = segmentRefs.length === 0 ? active : active.filter((ref) => segmentRefs.includes(ref));
    return sum + own.length;
  }, 0);
}

export function paySubject(booking: Booking, amount: Money): ExpectedChange {
  return { kind: 'pay', amount, coupons: couponsDue(booking), tickets: booking.travelers.length };
}

export function cancelSegmentsSubject(booking: Booking, refs: readonly string[]): ExpectedChange {
  const kept = activeSegments(booking).filter((segment) => !refs.includes(segment.ref));
  return {
    kind: 'cancel_segments',
    segmentRefs: [...refs],
    keptRefs: kept.map((segment) => segment.ref),
    refundsBefore: refundsSeen(booking),
    earlierRefunds: refundsTold(booking),
  };
}

export function cancelPassengersSubject(booking: Booking, refs: readonly string[], digest: Digest): ExpectedChange {
  const digestsOf = (named: boolean) =>
    booking.travelers
      .filter((traveler) => refs.includes(traveler.ref) === named)
      .map((traveler) => digest(identityText(traveler)));
  return {
    kind: 'cancel_passengers',
    gone: digestsOf(true),
    kept: digestsOf(false),
    refundsBefore: refundsSeen(booking),
    earlierRefunds: refundsTold(booking),
  };
}

const DETAILS: readonly TravelerDetail[] = ['name', 'title', 'gender', 'birth_date', 'document'];

/** `wanted` holds the travellers as they are to be, by ref; only what differs from the booking is watched. */
export function changeNamesSubject(booking: Booking, wanted: readonly Traveler[], digest: Digest): ExpectedChange {
  const changes = wanted.flatMap((after): NameChange[] => {
    const before = booking.travelers.find((traveler) => traveler.ref === after.ref);
    if (before === undefined) return [];
    const details = DETAILS.filter((detail) => detailText(before, detail) !== detailText(after, detail));
    if (details.length === 0) return [];
    const digested = (traveler: Traveler) => digest(detailsText(traveler, details));
    return [{ ref: after.ref, details, was: digested(before), wanted: digested(after) }];
  });
  return { kind: 'change_names', changes };
}

export function cancelBookingSubject(): ExpectedChange {
  return { kind: 'cancel_booking' };
}

export function createSubject(travelers: readonly Traveler[], digest: Digest, offer?: ChosenOffer): ExpectedChange {
  const names = namesSent(travelers).map(digest);
  return { kind: 'create', ...(names.length > 0 && { names }), ...(offer && { offer }) };
}
