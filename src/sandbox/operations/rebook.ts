/**
 * Rebooks a segment of a paid booking (OTA_AirBookModifyRQ, type 20 or 30; docs/wire/notes.md, Changes). The new
 * segment replaces the one between the same stations and gets a pointer from the airline. The passengers pay the change
 * fee in force, the tax on it and the difference to a higher price; nothing is refunded. It is free if the airline cancelled the old
 * departure.
 */
import type { Money } from '../../core/money.ts';
import { subtract, sum, zeroAmount } from '../amounts.ts';
import { type Carrier, findDeparture, NAMES_FIXED_MS, requireInTime, requireTicketed, ruleNow } from '../carrier.ts';
import { recordEvent } from '../ledger.ts';
import {
  activeSegments,
  type CarrierBooking,
  type HeldSegment,
  saveBooking,
  seatedTravelers,
  withCoupons,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { RequestedOption, RequestedSegment } from '../requests/fields.ts';
import { checkItinerary, pickRequestedOrAnyFare } from '../requests/itinerary.ts';
import { bookingClaims, claimedSeat, releaseSeats } from '../stock.ts';
import { claimSeats } from './book.ts';
import { newProviderTicket, withOrder } from './locators.ts';

/** Runs within a write transaction. */
export function rebook(carrier: Carrier, booking: CarrierBooking, options: readonly RequestedOption[]): CarrierBooking {
  requireTicketed(booking);
  const request = requireOneSegment(options);
  if (usedPointers(booking).includes(request.ref)) throw new Refusal('83', `pointer ${request.ref} is in use`);

  const oldSegment = findReplacedSegment(carrier, booking, request);
  const ref = newPointer(booking, request.ref);
  const newOptions = [{ ref, segments: [{ ...request, ref }] }];
  const itinerary = checkItinerary(carrier, newOptions, seatedTravelers(booking).length, pickRequestedOrAnyFare);
  const newSegment = itinerary.departures[0]?.segment;
  if (newSegment === undefined) throw new Refusal('172', 'one new segment at a time');

  const amount = rebookingCharge(carrier, booking, oldSegment, newSegment);
  releaseSeats(carrier.state, booking.locator, { segment: oldSegment.ref });
  claimSeats(carrier, booking, itinerary);

  const rebooked = withReplacedSegment(carrier, booking, oldSegment.ref, newSegment);
  const departures = activeSegments(rebooked).map((segment) => findDeparture(carrier, segment));
  const namesUntil = Math.min(...departures.map((departure) => departure.departsAt)) - NAMES_FIXED_MS;
  const paid = withOrder(carrier, rebooked, { action: 'OTHER', direction: 'PAYMENT', status: 'PAID', amount });

  recordEvent(carrier, 'rebooked', booking.locator, { about: [oldSegment.ref, newSegment.ref] });
  if (amount.minor > 0) recordEvent(carrier, 'paid', booking.locator, { amount });

  return saveBooking(carrier.state, { ...paid, namesUntil });
}

function requireOneSegment(options: readonly RequestedOption[]): RequestedSegment {
  const [segment, ...others] = options.flatMap((option) => option.segments);
  if (options.length !== 1 || segment === undefined || others.length > 0)
    throw new Refusal('172', 'one new segment at a time');
  if (segment.status !== undefined) throw new Refusal('320', 'a new segment has no status');
  return segment;
}

/** Returns the first number that is neither in use nor the requested pointer. */
function newPointer(booking: CarrierBooking, requestedPointer: string): string {
  const excludedPointers = new Set([...usedPointers(booking), requestedPointer]);
  let next = 1;
  while (excludedPointers.has(String(next))) next += 1;
  return String(next);
}

/** Lists the pointers of options and of their segments. */
function usedPointers({ options }: CarrierBooking): readonly string[] {
  return options.flatMap(({ ref, segments }) => [ref, ...segments.map((segment) => segment.ref)]);
}

/** Finds the only active segment between the stations of the new one. Throws if it is too late to rebook it. */
function findReplacedSegment(carrier: Carrier, booking: CarrierBooking, request: RequestedSegment): HeldSegment {
  const { from, to } = request;
  const [segment, ...others] = activeSegments(booking).filter((segment) => {
    const departure = findDeparture(carrier, segment);
    return departure.from.code === from && departure.to.code === to;
  });
  if (segment === undefined || others.length > 0) throw new Refusal('83', `no one segment ${from}-${to} to replace`);

  requireInTime(carrier, segment);
  return segment;
}

function rebookingCharge(
  carrier: Carrier,
  booking: CarrierBooking,
  oldSegment: HeldSegment,
  newSegment: HeldSegment,
): Money {
  const zero = zeroAmount(carrier.network.currency);
  if (findDeparture(carrier, oldSegment).cancelled) return zero;

  const charges = booking.travelers.flatMap(({ type }) => {
    const rule = ruleNow(carrier, 'change', oldSegment, type);
    if (rule?.allowed !== true) throw new Refusal('150', `the fare of segment ${oldSegment.ref} permits no change now`);
    const more = subtract(newSegment.prices[type]?.total ?? zero, oldSegment.prices[type]?.total ?? zero);
    return more.minor > 0 ? [rule.total, more] : [rule.total];
  });
  return sum(zero.currency, charges);
}

/** Replaces a segment, and makes travellers, coupons and services point to the new one. */
function withReplacedSegment(
  carrier: Carrier,
  booking: CarrierBooking,
  oldRef: string,
  newSegment: HeldSegment,
): CarrierBooking {
  const claims = bookingClaims(carrier.state, booking.locator);
  const newRef = (ref: string): string => (ref === oldRef ? newSegment.ref : ref);

  const withNewRefs = <T extends { readonly segmentRefs: readonly string[] }>(item: T): T => ({
    ...item,
    segmentRefs: item.segmentRefs.map(newRef),
  });

  const withNewCoupons = withCoupons(booking, (coupon, traveler) => {
    if (coupon.segmentRef !== oldRef) return coupon;
    const { number, status } = coupon;
    const seat = claimedSeat(claims, newSegment.ref, traveler);
    return { segmentRef: newSegment.ref, number, status, ...seat, providerTicket: newProviderTicket(carrier) };
  });

  return {
    ...withNewCoupons,
    options: booking.options.map(({ ref, segments }) => ({
      ref: newRef(ref),
      segments: segments.map((segment) => (segment.ref === oldRef ? newSegment : segment)),
    })),
    travelers: booking.travelers.map(withNewRefs),
    services: booking.services.map(withNewRefs),
  };
}
