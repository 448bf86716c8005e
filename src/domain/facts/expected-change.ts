/**
 * What an operation is expected to change, in a form that a later reading of the booking can be compared with. Contains
 * no personal data: people are keyed digests of their identity.
 *
 * In this order: the expected change of any operation, money, people, seats. facts/pair.ts has the flights.
 */
import { sameMoney, sumIfAllKnown } from '../../core/money.ts';
import type { Booking, Coupon, Order } from '../booking/booking.ts';
import type { StatedRefund } from '../booking/fare.ts';
import { refundOrdersOf, refundsOf } from '../booking/paid-and-refunded.ts';
import { couponCounts } from '../booking/status-codes.ts';
import { type ContactDetail, type Digest, identityText, type TravelerDetail } from '../people/identity-text.ts';
import type { Traveler } from '../people/traveler.ts';
import type { FlightKey } from './pair.ts';
import type { SeatPlace } from './values.ts';

/** The expected change of an operation, in the journal; each act defines its own (tools/acts). */
// Types of subjects are aliases: an interface has no index signature, and would not fit.
export type ExpectedChange = { readonly kind: string; readonly [detail: string]: unknown };

/** The parts of an order that do not change, unlike its status. */
export type EarlierOrder = Pick<Order, 'id' | 'amount'>;

/** Refunds seen before the operation, to tell its own apart. */
export type RefundsBefore = {
  readonly refundsBefore: number;
  readonly earlierRefunds: {
    readonly entries: readonly Pick<StatedRefund, 'amount' | 'penalty'>[];
    readonly orders: readonly EarlierOrder[];
  };
};

/** Payments seen before an operation that the airline charges for, to tell its own apart. */
export type PaymentsBefore = {
  readonly earlierPayments: readonly EarlierOrder[];
};

/** Undefined for an operation that no refund can follow. */
export function expectedRefundsBefore(expected: ExpectedChange): RefundsBefore | undefined {
  return 'refundsBefore' in expected ? (expected as ExpectedChange & RefundsBefore) : undefined;
}

/** Undefined for an operation whose charge the airline does not state afterwards. */
export function expectedPaymentsBefore(expected: ExpectedChange): PaymentsBefore | undefined {
  return 'earlierPayments' in expected ? (expected as ExpectedChange & PaymentsBefore) : undefined;
}

/** The number of refunds that the airline states: in the price, which can list one in several parts, or in the orders of a reply without a price. */
export function refundCount(booking: Pick<Booking, 'pricing' | 'orders'>): number {
  const parts = refundsOf(booking);
  const orders = refundOrdersOf(booking);
  const inPrice = sumIfAllKnown(parts.map(({ amount }) => amount));
  const inOrders = sumIfAllKnown(orders.map(({ amount }) => amount));
  const areSame = inPrice !== undefined && sameMoney(inPrice, inOrders);
  return areSame ? orders.length : Math.max(parts.length, orders.length);
}

/** Notes the refunds that a booking has before an operation. */
export function noteRefunds(booking: Booking): RefundsBefore {
  return {
    refundsBefore: refundCount(booking),
    earlierRefunds: {
      entries: refundsOf(booking).map(({ amount, penalty }) => ({ amount, penalty })),
      orders: earlierOrders(refundOrdersOf(booking)),
    },
  };
}

export function earlierOrders(orders: readonly Order[]): readonly EarlierOrder[] {
  return orders.map(({ id, amount }) => ({ id, amount }));
}

/** A passenger who can be found in a reading with other pointers. */
export type ExpectedTraveler = {
  readonly travelerRef: string;
  /** Digest of the identity. */
  readonly who: string;
};

export interface NameChange {
  readonly ref: string;
  /** Digests of the identity before and after. Absent in operations of 0.3.0. */
  readonly who?: readonly string[];
  /** What changes; `was` and `wanted` are digests of exactly these. */
  readonly details: readonly TravelerDetail[];
  readonly was: string;
  readonly wanted: string;
  /** Other digests that prove the change: a new telephone may be added to the old one or replace it. */
  readonly or?: readonly string[];
  /** The airline did not show this detail before: if it does not show it afterwards, the change is neither proved nor disproved. */
  readonly unseen?: true;
}

/** `was` and `wanted` are digests. */
export interface ContactChange extends Pick<NameChange, 'was' | 'wanted' | 'unseen'> {
  readonly detail: ContactDetail;
}

/** What changes of one passenger, or of the contact. */
export const detailsOf = (change: NameChange | ContactChange): readonly (TravelerDetail | ContactDetail)[] =>
  'detail' in change ? [change.detail] : change.details;

/** Identity digests of the travellers with one of these refs, and of the others. */
export function identitiesByRef({ reading }: Booking, refs: readonly string[], digest: Digest) {
  const isNamed = ({ ref }: Traveler) => refs.includes(ref);
  const others = reading.travelers.filter((traveler) => !isNamed(traveler));
  return [identitiesOf(reading.travelers.filter(isNamed), digest), identitiesOf(others, digest)] as const;
}

export const identitiesOf = (travelers: readonly Traveler[], digest: Digest): readonly string[] =>
  travelers.map((traveler) => digest(identityText(traveler)));

export interface SeatAim extends ExpectedTraveler {
  readonly segmentRef: string;
  /** The same, for a reading with other pointers. */
  readonly flight?: FlightKey;
  readonly was?: SeatPlace;
  readonly wanted: SeatPlace;
}

/** The valid coupon of a traveller on a segment: after an exchange the reply also lists the old one. */
export function findCoupon(booking: Booking, travelerRef: string, segmentRef: string): Coupon | undefined {
  return booking.tickets
    .filter((ticket) => ticket.travelerRefs.includes(travelerRef))
    .flatMap((ticket) => ticket.coupons)
    .find((coupon) => coupon.segmentRef === segmentRef && couponCounts(coupon.statusCode));
}

/** A traveller's seat on a segment; undefined if the airline shows none. */
export function assignedSeat(booking: Booking, travelerRef: string, segmentRef: string): SeatPlace | undefined {
  const { seat, coach } = findCoupon(booking, travelerRef, segmentRef) ?? {};
  return seat === undefined ? undefined : { seat, coach };
}
