/**
 * A booking as the airline keeps it, and where it is kept.
 */
import type { Order, SpecialService } from '../domain/booking.ts';
import type { StatedRefund } from '../domain/fare.ts';
import type { Contact, Traveler } from '../domain/traveler.ts';
import type { FareTable } from './fares.ts';
import type { CarrierState } from './state.ts';
import type { DepartureKey } from './timetable.ts';

export interface HeldSegment {
  readonly ref: string;
  readonly departure: DepartureKey;
  readonly bookingClass: string;
  readonly basis: string;
  /** What a passenger of each type pays for it, as it was when booked. */
  readonly prices: FareTable;
  readonly cancelled: boolean;
}

export interface HeldOption {
  readonly ref: string;
  readonly segments: readonly HeldSegment[];
}

export interface HeldCoupon {
  readonly segmentRef: string;
  readonly number: string;
  /** `O` open, `R` refunded. */
  readonly status: string;
  /** Absent for a lap infant. */
  readonly coach?: string;
  readonly seat?: string;
  readonly providerTicket: string;
}

export interface HeldTicket {
  readonly number: string;
  readonly travelerRef: string;
  readonly coupons: readonly HeldCoupon[];
}

/** A refund as it was made: the whole of it, and the share of each passenger type. */
export interface MadeRefund {
  readonly whole: StatedRefund;
  readonly perType: Readonly<Record<string, StatedRefund>>;
}

export interface CarrierBooking {
  /** Six of A–Z and 0–9. */
  readonly locator: string;
  /** The operating airline's own, longer. */
  readonly operatorLocator: string;
  readonly state: 'held' | 'ticketed' | 'cancelled';
  /** ms epoch. */
  readonly createdAt: number;
  readonly payBy: number;
  readonly namesUntil: number;
  readonly groupName?: string;
  readonly options: readonly HeldOption[];
  readonly travelers: readonly Traveler[];
  readonly contact: Contact;
  readonly tickets: readonly HeldTicket[];
  readonly paymentType?: string;
  readonly orders: readonly Order[];
  readonly refunds: readonly MadeRefund[];
  readonly services: readonly SpecialService[];
}

export function allSegments(booking: CarrierBooking): readonly HeldSegment[] {
  return booking.options.flatMap((option) => option.segments);
}

export function activeSegments(booking: CarrierBooking): readonly HeldSegment[] {
  return allSegments(booking).filter((segment) => !segment.cancelled);
}

/** A hold that was not paid in time. */
export function isExpired(booking: CarrierBooking, now: number): boolean {
  return booking.state === 'held' && now >= booking.payBy;
}

/** By the reservation system's locator or the operator's. */
export function findBooking(state: CarrierState, locator: string): CarrierBooking | undefined {
  const row = state.row('SELECT record FROM bookings WHERE locator = ?1 OR operator_locator = ?1', locator);
  return row === undefined ? undefined : (JSON.parse(String(row.record)) as CarrierBooking);
}

export function saveBooking(state: CarrierState, booking: CarrierBooking): void {
  state.run(
    `INSERT INTO bookings VALUES (?, ?, ?) ON CONFLICT (locator) DO UPDATE SET record = excluded.record`,
    booking.locator,
    booking.operatorLocator,
    JSON.stringify(booking),
  );
}
