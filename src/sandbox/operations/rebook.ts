/**
 * Rebooking (OTA_AirBookModifyRQ, type 20 or 30; docs/wire/notes.md, Changes): the new segment replaces the one between
 * the same stations and gets a pointer from the airline. The change fee in force, the tax on it and a higher fare are
 * charged; nothing is refunded. In place of a departure that the airline cancelled it is free.
 */
import type { Money } from '../../core/money.ts';
import { less, nothing, sum } from '../amounts.ts';
import { type Carrier, findDeparture, NAMES_FIXED_MS, needInTime, needTicketed, ruleNow } from '../carrier.ts';
import { anyFare, bookedFare, checkItinerary, dearestFare } from '../checks/itinerary.ts';
import { enter } from '../ledger.ts';
import {
  activeSegments,
  type CarrierBooking,
  type HeldSegment,
  saveBooking,
  seatedTravelers,
  withCoupons,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { AskedOption, AskedSegment } from '../requests/fields.ts';
import { bookingClaims, claimedSeat, releaseSeats } from '../stock.ts';
import { claimSeats } from './book.ts';
import { newProviderTicket, withOrder } from './locators.ts';

/** Runs within a write transaction. */
export function rebook(carrier: Carrier, booking: CarrierBooking, asked: readonly AskedOption[]): CarrierBooking {
  needTicketed(booking);
  const [option] = asked;
  const [wanted] = option?.segments ?? [];
  if (asked.length !== 1 || option?.segments.length !== 1 || wanted === undefined) {
    throw new Refusal('172', 'one new segment at a time');
  }
  if (wanted.status !== undefined) throw new Refusal('320', 'a new segment has no status');
  const old = replacedBy(carrier, booking, wanted);
  const ref = newPointer(booking, wanted.ref);
  const seats = seatedTravelers(booking).length;
  const itinerary = checkItinerary(carrier, [{ ref, segments: [{ ...wanted, ref }] }], seats, pickFor(carrier));
  const fresh = itinerary.departures[0]?.segment;
  if (fresh === undefined) throw new Refusal('172', 'one new segment at a time');
  const due = chargeFor(carrier, booking, old, fresh);
  releaseSeats(carrier.state, booking.locator, { segment: old.ref });
  claimSeats(carrier, booking, itinerary);
  const moved = withSegment(carrier, booking, old.ref, fresh);
  const first = Math.min(...activeSegments(moved).map((segment) => findDeparture(carrier, segment).departsAt));
  const order = { action: 'OTHER', direction: 'PAYMENT', status: 'PAID', amount: due } as const;
  const changed = { ...withOrder(carrier, moved, order), namesUntil: first - NAMES_FIXED_MS };
  enter(carrier, 'rebooked', booking.locator, { about: [old.ref, fresh.ref] });
  if (due.minor > 0) enter(carrier, 'paid', booking.locator, { amount: due });
  return saveBooking(carrier.state, changed);
}

/** The fare that was asked for where the request names it, and else one of the airline's own choice. */
function pickFor({ dialect, rebooksInto }: Carrier) {
  if (rebooksInto === 'dearest') return dearestFare;
  return dialect === 'rail' ? anyFare : bookedFare;
}

/** The next number that is neither in use nor the requested one. */
function newPointer(booking: CarrierBooking, asked: string): string {
  const used = new Set([...usedPointers(booking), asked]);
  let next = 1;
  while (used.has(String(next))) next += 1;
  return String(next);
}

/** Pointers of options and of their segments. */
function usedPointers({ options }: CarrierBooking): readonly string[] {
  return options.flatMap(({ ref, segments }) => [ref, ...segments.map((segment) => segment.ref)]);
}

/** The only active segment between the stations of the new one. */
function replacedBy(carrier: Carrier, booking: CarrierBooking, { ref, from, to }: AskedSegment): HeldSegment {
  if (usedPointers(booking).includes(ref)) throw new Refusal('83', `pointer ${ref} is in use`);
  const same = activeSegments(booking).filter((segment) => {
    const departure = findDeparture(carrier, segment);
    return departure.from.code === from && departure.to.code === to;
  });
  const [old] = same;
  if (old === undefined || same.length > 1) throw new Refusal('83', `no one segment ${from}-${to} to replace`);
  needInTime(carrier, old);
  return old;
}

function chargeFor(carrier: Carrier, booking: CarrierBooking, old: HeldSegment, fresh: HeldSegment): Money {
  const { currency } = carrier.network;
  if (findDeparture(carrier, old).cancelled) return nothing(currency);
  const each = booking.travelers.flatMap(({ type }) => {
    const rule = ruleNow(carrier, 'change', old, type);
    if (rule?.allowed !== true) throw new Refusal('150', `the fare of segment ${old.ref} permits no change now`);
    const paid = old.prices[type]?.total ?? nothing(currency);
    const dearer = less(fresh.prices[type]?.total ?? nothing(currency), paid);
    return [rule.total, dearer.minor > 0 ? dearer : nothing(currency)];
  });
  return sum(currency, each);
}

/** The new segment takes the place of the old one; travellers, coupons and services point to it. */
function withSegment(carrier: Carrier, booking: CarrierBooking, oldRef: string, fresh: HeldSegment): CarrierBooking {
  const claims = bookingClaims(carrier.state, booking.locator);
  const newRef = (ref: string): string => (ref === oldRef ? fresh.ref : ref);
  const repointed = <T extends { readonly segmentRefs: readonly string[] }>(pointing: T): T => ({
    ...pointing,
    segmentRefs: pointing.segmentRefs.map(newRef),
  });
  const withNewCoupons = withCoupons(booking, (coupon, traveler) => {
    if (coupon.segmentRef !== oldRef) return coupon;
    const { number, status } = coupon;
    const seat = claimedSeat(claims, fresh.ref, traveler);
    return { segmentRef: fresh.ref, number, status, ...seat, providerTicket: newProviderTicket(carrier) };
  });
  return {
    ...withNewCoupons,
    options: booking.options.map(({ ref, segments }) => ({
      ref: newRef(ref),
      segments: segments.map((segment) => (segment.ref === oldRef ? fresh : segment)),
    })),
    travelers: booking.travelers.map(repointed),
    services: booking.services.map(repointed),
  };
}
