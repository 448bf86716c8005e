/**
 * The airline behind the addresses: what every operation works with. One operation is one file in operations/.
 */
import { Fault } from './fault.ts';
import type { Fare, Network } from './network/network.ts';
import type { PricedPart } from './pricing.ts';
import { allSegments, type CarrierBooking, findBooking, type HeldSegment } from './record.ts';
import type { CarrierState } from './state.ts';
import type { Departure, Timetable } from './timetable.ts';

export interface Carrier {
  readonly state: CarrierState;
  readonly timetable: Timetable;
  readonly network: Network;
  /** Instant of the request being answered, ms epoch by the airline's clock. */
  readonly now: number;
  /** Address under which tickets are downloaded. */
  readonly restUrl: string;
  /** Segments in replies say which operations are allowed now (airline dialect). */
  readonly showsOperations: boolean;
}

/** A hold lasts thirty minutes (field-notes.md, money and rules). */
export const HOLD_MS = 30 * 60_000;
/** Names and seats are fixed 72 hours before the first departure. */
export const NAMES_FIXED_MS = 72 * 3_600_000;
/** A departure is sold until so long before it leaves. */
export const SALE_CUTOFF_MS = 30 * 60_000;
/** Travellers of one booking. */
export const MOST_TRAVELERS = 9;

/** Throws 97 where neither locator is known. */
export function needBooking(carrier: Carrier, locator: string): CarrierBooking {
  const booking = findBooking(carrier.state, locator.trim().toUpperCase());
  if (booking === undefined) throw new Fault('97', `no booking ${locator}`);
  return booking;
}

/** Throws unless money was taken for the booking and something of it is left. */
export function needTicketed(booking: CarrierBooking): void {
  if (booking.state === 'held') throw new Fault('118', 'the booking is not paid');
  if (booking.state === 'cancelled') throw new Fault('95', 'the whole booking is cancelled');
}

export function departureOf(carrier: Carrier, segment: HeldSegment): Departure {
  const departure = carrier.timetable.find(segment.departure);
  if (departure === undefined) throw new Fault('448', `the timetable lost departure ${segment.departure.number}`);
  return departure;
}

export function fareOf(carrier: Carrier, segment: HeldSegment): Fare {
  const fare = carrier.network.fares.find((it) => it.basis === segment.basis);
  if (fare === undefined) throw new Fault('448', `the tariff lost fare ${segment.basis}`);
  return fare;
}

/** The components of a booking, as its price is made of them. */
export function partsOf(carrier: Carrier, booking: CarrierBooking): readonly PricedPart[] {
  return allSegments(booking).map((segment) => ({
    ref: segment.ref,
    fare: fareOf(carrier, segment),
    departure: departureOf(carrier, segment),
    prices: segment.prices,
    cancelled: segment.cancelled,
  }));
}
