/** The airline's record of a booking: people, segments, tickets and money, and how the state stores it. */
import type { Money } from '../core/money.ts';
import type { FareTable } from './fares.ts';
import type { CarrierState } from './state.ts';
import type { DepartureKey } from './timetable.ts';

export interface Name {
  readonly prefix: readonly string[];
  readonly given: readonly string[];
  readonly middle: readonly string[];
  readonly surname: string;
  readonly suffix: readonly string[];
}

export interface Phone {
  readonly country?: string;
  readonly number?: string;
  /** OpenTravel phone technology type; `5` marks a number that was added later (docs/wire/notes.md, Changes). */
  readonly technology?: string;
}

interface Address {
  readonly city?: string;
  readonly countryCode?: string;
  readonly countryName?: string;
}

export interface Document {
  readonly number?: string;
  readonly type?: string;
  readonly nationality?: string;
  readonly expires?: string;
}

export interface Person {
  /** Absent for a passenger of a group who is not named yet. */
  readonly name?: Name;
  readonly gender?: string;
  /** YYYY-MM-DD. */
  readonly birthDate?: string;
  readonly document?: Document;
  readonly emails: readonly string[];
  readonly phones: readonly Phone[];
  readonly addresses: readonly Address[];
  readonly comments: readonly { readonly name?: string; readonly value?: string }[];
}

export interface Traveler extends Person {
  readonly ref: string;
  /** `ADT`, `CHD` or `INF`. */
  readonly type: string;
  readonly segmentRefs: readonly string[];
  /** Pointer of the adult on whose lap an infant sits. */
  readonly attendantRef?: string;
}

export type Counts = Readonly<Record<'ADT' | 'CHD' | 'INF', number>>;

export interface Service {
  readonly code: string;
  readonly text?: string;
  readonly quantity: number;
  readonly segmentRefs: readonly string[];
  readonly travelerRefs: readonly string[];
}

export interface HeldSegment {
  readonly ref: string;
  readonly departure: DepartureKey;
  readonly bookingClass: string;
  /** The cabin whose seats the class sells. */
  readonly cabin: string;
  readonly basis: string;
  /** What a passenger of each type pays for it, fixed at booking. */
  readonly prices: FareTable;
  readonly cancelled: boolean;
  /** Status that a mishap set; absent: confirmed. */
  readonly status?: string;
}

export interface HeldOption {
  readonly ref: string;
  readonly segments: readonly HeldSegment[];
}

export interface HeldCoupon {
  readonly segmentRef: string;
  readonly number: string;
  /** `O` open, `R` refunded, `E` exchanged, `Z` closed. */
  readonly status: string;
  /** Absent for a lap infant. */
  readonly coach?: string;
  readonly seat?: string;
  readonly providerTicket: string;
}

/** Whether a coupon can still be travelled on. */
export function isOpenCoupon({ status }: HeldCoupon): boolean {
  return status === 'O';
}

export interface HeldTicket {
  readonly number: string;
  readonly travelerRef: string;
  readonly coupons: readonly HeldCoupon[];
}

export interface RefundShare {
  readonly amount: Money;
  /** Penalty without tax. */
  readonly penalty: Money;
  readonly tax: Money;
}

/** A refund: its total, and the share of each passenger type on each segment. */
export interface CarrierRefund {
  readonly whole: RefundShare;
  readonly shares: readonly { readonly type: string; readonly segmentRef: string; readonly share: RefundShare }[];
}

export interface Order {
  readonly id: string;
  readonly action: string;
  readonly direction: 'PAYMENT' | 'REFUND';
  readonly status: string;
  readonly amount: Money;
}

export interface CarrierBooking {
  /** Six of A–Z and 0–9. */
  readonly locator: string;
  /** Prefix of the operating airline's longer locators, one for each segment. */
  readonly operatorLocator: string;
  readonly state: 'held' | 'ticketed' | 'cancelled';
  /** ms epoch, like the two time limits: for payment, and for names and seats. */
  readonly createdAt: number;
  readonly payBy: number;
  readonly namesUntil: number;
  readonly groupName?: string;
  readonly options: readonly HeldOption[];
  readonly travelers: readonly Traveler[];
  readonly contact: Person;
  readonly tickets: readonly HeldTicket[];
  readonly paymentType?: string;
  readonly orders: readonly Order[];
  readonly refunds: readonly CarrierRefund[];
  /** A mishap makes refunds stay PENDING until another pays them out. */
  readonly refundsWait?: true;
  readonly services: readonly Service[];
}

export function allSegments(booking: CarrierBooking): readonly HeldSegment[] {
  return booking.options.flatMap((option) => option.segments);
}

export function activeSegments(booking: CarrierBooking): readonly HeldSegment[] {
  return allSegments(booking).filter((segment) => !segment.cancelled);
}

/** Returns the booking with each segment changed. */
export function withSegments(booking: CarrierBooking, change: (segment: HeldSegment) => HeldSegment): CarrierBooking {
  const options = booking.options.map((option) => ({ ...option, segments: option.segments.map(change) }));
  return { ...booking, options };
}

/** Returns the booking with each coupon changed. */
export function withCoupons(booking: CarrierBooking, change: (coupon: HeldCoupon, traveler: string) => HeldCoupon) {
  const tickets = booking.tickets.map((ticket) => ({
    ...ticket,
    coupons: ticket.coupons.map((coupon) => change(coupon, ticket.travelerRef)),
  }));
  return { ...booking, tickets };
}

/** Returns the booking without some travellers and their tickets. */
export function withoutTravelers(booking: CarrierBooking, refs: readonly string[]): CarrierBooking {
  return {
    ...booking,
    travelers: booking.travelers.filter((traveler) => !refs.includes(traveler.ref)),
    tickets: booking.tickets.filter((ticket) => !refs.includes(ticket.travelerRef)),
  };
}

/** Whether a hold was not paid in time. */
export function isExpired(booking: CarrierBooking, now: number): boolean {
  return booking.state === 'held' && now >= booking.payBy;
}

/** Returns the travellers who need a seat: everyone but lap infants. */
export function seatedTravelers({ travelers }: CarrierBooking): readonly Traveler[] {
  return travelers.filter((traveler) => traveler.type !== 'INF');
}

/** Counts the travellers of each type. */
export function countTypes(travelers: readonly { readonly type: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of travelers) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** How many digits the operating airline's locators add to their prefix. */
const OPERATOR_SUFFIX_LENGTH = 2;

/** Returns the operating airline's locator of the segment at `index`, from 0. */
export function operatorLocator(booking: CarrierBooking, index: number): string {
  return booking.operatorLocator + String(index + 1).padStart(OPERATOR_SUFFIX_LENGTH, '0');
}

/** Finds a booking by its own locator or one of the operating airline's. */
export function findBooking(state: CarrierState, locator: string): CarrierBooking | undefined {
  const operatorPrefix = locator.slice(0, -OPERATOR_SUFFIX_LENGTH);
  const sql = 'SELECT record FROM bookings WHERE locator = ? OR operator_locator = ?';
  const row = state.row(sql, locator, operatorPrefix);
  return row === undefined ? undefined : (JSON.parse(String(row.record)) as CarrierBooking);
}

export function allBookings(state: CarrierState): readonly CarrierBooking[] {
  return state.rows('SELECT record FROM bookings').map((row) => JSON.parse(String(row.record)) as CarrierBooking);
}

/** Stores a booking, and returns it. */
export function saveBooking(state: CarrierState, booking: CarrierBooking): CarrierBooking {
  const { locator, operatorLocator } = booking;
  const sql = 'INSERT INTO bookings VALUES (?, ?, ?) ON CONFLICT (locator) DO UPDATE SET record = excluded.record';
  state.run(sql, locator, operatorLocator, JSON.stringify(booking));
  return booking;
}
