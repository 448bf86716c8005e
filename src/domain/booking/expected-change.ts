/**
 * What an operation is expected to change, in a form that a later reading of the booking can be compared with. Contains
 * no personal data: people are keyed digests of their identity.
 */

import type { Money } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { asUtc, instantOf } from '../../core/times.ts';
import {
  type ContactDetail,
  type Digest,
  detailsText,
  detailText,
  identityText,
  type TravelerDetail,
} from '../people/identity-text.ts';
import { namesSent } from '../people/name-keys.ts';
import type { Traveler } from '../people/traveler.ts';
import type { StatedRefund } from '../pricing/fare.ts';
import type { ChosenOffer } from '../pricing/fare-codes.ts';
import { activeSegments, type Booking, type Order, segmentsOf } from './booking.ts';
import type { Segment } from './itinerary.ts';
import { refundOrdersOf, refundsOf } from './payment-state.ts';

export interface NameChange {
  readonly ref: string;
  /** What changes; `was` and `wanted` are digests of exactly these. */
  readonly details: readonly TravelerDetail[];
  readonly was: string;
  readonly wanted: string;
  /** Other digests that prove the change: a new telephone may be added to the old one or replace it. */
  readonly or?: readonly string[];
  /** The airline did not show this before, so that not showing it afterwards proves nothing. */
  readonly unseen?: true;
}

/** `was` and `wanted` are digests. */
export interface ContactChange extends Pick<NameChange, 'was' | 'wanted' | 'unseen'> {
  readonly detail: ContactDetail;
}

export interface SeatPlace {
  readonly seat: string;
  /** If the airline names one. */
  readonly coach?: string;
}

export interface SeatAim {
  readonly segmentRef: string;
  /** The same, for a reading with other pointers. */
  readonly flight?: FlightKey;
  readonly travelerRef: string;
  /** Digest of the traveller's identity. */
  readonly who: string;
  readonly was?: SeatPlace;
  readonly wanted: SeatPlace;
}

/** Identifies a flight in every system, without pointers. */
export interface FlightKey {
  readonly from: string;
  readonly to: string;
  /** UTC, or as sent if it names no zone. */
  readonly departs: string;
  /** Digits without leading zeros. */
  readonly number: string;
  readonly bookingClass?: string;
}

/** The parts of an order that do not change, unlike its status. */
export type EarlierOrder = Pick<Order, 'id' | 'amount'>;

export interface EarlierRefunds {
  readonly entries: readonly Pick<StatedRefund, 'amount' | 'penalty'>[];
  readonly orders: readonly EarlierOrder[];
}

/** Refunds seen before the operation, to tell its own apart. */
export interface RefundsBefore {
  readonly refundsBefore: number;
  readonly earlierRefunds: EarlierRefunds;
}

interface CancelledSegments extends RefundsBefore {
  readonly kind: 'cancel_segments';
  readonly segmentRefs: readonly string[];
  /** The same, for a reading with other pointers. */
  readonly flights?: readonly FlightKey[];
  /** Active before and not named: must stay active. */
  readonly keptRefs: readonly string[];
  /** Those of `segmentRefs` that the airline itself had cancelled before: their status proves nothing. */
  readonly owedRefs?: readonly string[];
}

interface CancelledPassengers extends RefundsBefore {
  readonly kind: 'cancel_passengers';
  /** Identity digests, one for each passenger: equal ones are counted. */
  readonly gone: readonly string[];
  readonly kept: readonly string[];
}

export interface RebookedSegment extends RefundsBefore {
  readonly kind: 'rebook_segment';
  readonly replaced: FlightKey;
  readonly wanted: FlightKey;
  /** Active before and not replaced: must stay active. */
  readonly kept: readonly FlightKey[];
  /** Payments seen before, to tell the operation's own apart. */
  readonly earlierPayments: readonly EarlierOrder[];
}

export type ExpectedChange =
  | {
      readonly kind: 'pay';
      readonly amount: Money;
      readonly coupons: number;
      /** One for each traveller. */
      readonly tickets?: number;
    }
  | CancelledSegments
  | CancelledPassengers
  | { readonly kind: 'change_names'; readonly changes: readonly NameChange[] }
  | { readonly kind: 'update_passengers'; readonly changes: readonly NameChange[] }
  | { readonly kind: 'update_contact'; readonly changes: readonly ContactChange[] }
  | { readonly kind: 'assign_seats'; readonly seats: readonly SeatAim[] }
  | RebookedSegment
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
      /** Its segments in words, for a person who looks for the hold at the airline. */
      readonly trip?: readonly string[];
      /** Digests of the travellers' names; absent while they have none. */
      readonly names?: readonly string[];
      /** The chosen offer, to compare with what is held and with another create of the same trip. */
      readonly offer?: ChosenOffer;
      /** The last departure in UTC, `2026-12-09T15:40:00.000Z`: until then the trip could be booked twice. */
      readonly until?: string;
    };

/** The number of refunds that the airline states: in the price, or in the orders of a reply without a price. */
export function refundsSeen(booking: Booking): number {
  return Math.max(refundsOf(booking).length, refundOrdersOf(booking).length);
}

export function refundsBefore(booking: Booking): RefundsBefore {
  return {
    refundsBefore: refundsSeen(booking),
    earlierRefunds: {
      entries: refundsOf(booking).map(({ amount, penalty }) => omitUndefined({ amount, penalty })),
      orders: earlierOrders(refundOrdersOf(booking)),
    },
  };
}

export function earlierOrders(orders: readonly Order[]): readonly EarlierOrder[] {
  return orders.map(({ id, amount }) => omitUndefined({ id, amount }));
}

/** The coupons that a ticketed booking has: one for each passenger on each of their active segments. */
export function couponsDue(booking: Booking): number {
  const active = activeSegments(booking).map((segment) => segment.ref);
  return booking.travelers.reduce((sum, { segmentRefs }) => {
    const own = segmentRefs.length === 0 ? active : active.filter((ref) => segmentRefs.includes(ref));
    return sum + own.length;
  }, 0);
}

export function expectPayment(booking: Booking, amount: Money): ExpectedChange {
  return { kind: 'pay', amount, coupons: couponsDue(booking), tickets: booking.travelers.length };
}

export function expectCancelledSegments(booking: Booking, refs: readonly string[]): ExpectedChange {
  const kept = activeSegments(booking).filter((segment) => !refs.includes(segment.ref));
  const keptRefs = kept.map((segment) => segment.ref);
  const owedRefs = segmentsOf(booking).flatMap(({ ref, owed }) => (owed === true && refs.includes(ref) ? [ref] : []));
  const owed = owedRefs.length > 0 && { owedRefs };
  const flights = segmentsOf(booking).flatMap((segment) => (refs.includes(segment.ref) ? [flightKey(segment)] : []));
  return { kind: 'cancel_segments', segmentRefs: [...refs], flights, keptRefs, ...owed, ...refundsBefore(booking) };
}

export function flightKey({ from, to, departs, flightNumber, bookingClass }: Segment): FlightKey {
  const number = flightNumber.replace(/\D/g, '').replace(/^0+/, '');
  return { from, to, departs: asUtc(departs) ?? departs, number, ...(bookingClass !== undefined && { bookingClass }) };
}

export function expectCancelledPassengers(booking: Booking, refs: readonly string[], digest: Digest): ExpectedChange {
  const [gone, kept] = identitiesByRef(booking, refs, digest);
  return { kind: 'cancel_passengers', gone, kept, ...refundsBefore(booking) };
}

/** Identity digests of the travellers with one of these refs, and of the others. */
export function identitiesByRef(
  { travelers }: Booking,
  refs: readonly string[],
  digest: Digest,
): readonly [named: readonly string[], others: readonly string[]] {
  const digestsOf = (named: boolean) =>
    travelers.filter(({ ref }) => refs.includes(ref) === named).map((traveler) => digest(identityText(traveler)));
  return [digestsOf(true), digestsOf(false)];
}

const DETAILS: readonly TravelerDetail[] = ['name', 'title', 'gender', 'birth_date', 'document'];

/** `wanted`: the travellers after the change, by ref. Only differences from the booking are expected. */
export function expectChangedNames(booking: Booking, wanted: readonly Traveler[], digest: Digest): ExpectedChange {
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

export function expectCreate(
  travelers: readonly Traveler[],
  digest: Digest,
  offer?: ChosenOffer,
  lastDeparture?: string,
  trip: readonly string[] = [],
): ExpectedChange {
  const names = namesSent(travelers).map(digest);
  const until = instantOf(lastDeparture);
  return {
    ...{
      kind: 'create',
      ...(trip.length > 0 && { trip }),
      ...(names.length > 0 && { names }),
      ...(offer && { offer }),
    },
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  };
}
