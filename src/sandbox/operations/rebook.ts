/**
 * Rebooking (OTA_AirBookModifyRQ, type 20 or 30; docs/wire/notes.md, Changes): the new segment replaces the one between
 * the same stations and gets a pointer from the airline. The change fee in force, the tax on it and a
 * higher fare are charged; nothing is refunded. In place of a departure that the airline cancelled it is free.
 */
import type { Money } from '../../core/money.ts';
import { less, nothing, sum } from '../amounts.ts';
import { type Carrier, findDeparture, findFare, NAMES_FIXED_MS, needInTime, needTicketed } from '../carrier.ts';
import { anyFare, bookedFare, checkItinerary, dearestFare } from '../checks/itinerary.ts';
import { ruleAt } from '../fares.ts';
import { enter } from '../ledger.ts';
import {
  type AskedOption,
  activeSegments,
  allSegments,
  type CarrierBooking,
  type HeldSegment,
  type Order,
  saveBooking,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import { bookingClaims, releaseSeats } from '../stock.ts';
import { claimSeats } from './book.ts';
import { newOrderId, newProviderTicket } from './locators.ts';

/** Runs within a write transaction. */
export function rebook(carrier: Carrier, booking: CarrierBooking, asked: readonly AskedOption[]): CarrierBooking {
  needTicketed(booking);
  const [option] = asked;
  const [wanted] = option?.segments ?? [];
  if (asked.length !== 1 || option?.segments.length !== 1 || wanted === undefined) {
    throw new Refusal('172', 'one new segment at a time');
  }
  if (wanted.status !== undefined) throw new Refusal('320', 'a new segment has no status');
  const old = replacedBy(carrier, booking, wanted.ref, wanted.from, wanted.to);
  const ref = newPointer(booking, wanted.ref);
  const seats = booking.travelers.filter((traveler) => traveler.type !== 'INF').length;
  const itinerary = checkItinerary(carrier, [{ ref, segments: [{ ...wanted, ref }] }], seats, pickFor(carrier));
  const fresh = itinerary.departures[0]?.segment;
  if (fresh === undefined) throw new Refusal('172', 'one new segment at a time');
  const due = chargeFor(carrier, booking, old, fresh);
  releaseSeats(carrier.state, booking.locator, { segment: old.ref });
  claimSeats(carrier, booking, itinerary, undefined);
  const moved = withSegment(carrier, booking, old.ref, fresh);
  const first = Math.min(...activeSegments(moved).map((segment) => findDeparture(carrier, segment).departsAt));
  const changed = { ...withCharge(carrier, moved, due), namesUntil: first - NAMES_FIXED_MS };
  enter(carrier.state, carrier.now, 'rebooked', booking.locator, { about: [old.ref, fresh.ref] });
  if (due.minor > 0) enter(carrier.state, carrier.now, 'paid', booking.locator, { amount: due });
  saveBooking(carrier.state, changed);
  return changed;
}

/** The fare that was asked for where the request names it, and else one of the airline's own choice. */
function pickFor({ dialect, rebooksInto }: Carrier) {
  if (rebooksInto === 'dearest') return dearestFare;
  return dialect === 'rail' ? anyFare : bookedFare;
}

/** The next number that is neither in use nor the requested one. */
function newPointer(booking: CarrierBooking, asked: string): string {
  const used = new Set([
    ...allSegments(booking).map((segment) => segment.ref),
    ...booking.options.map((option) => option.ref),
    asked,
  ]);
  let next = 1;
  while (used.has(String(next))) next += 1;
  return String(next);
}

function replacedBy(carrier: Carrier, booking: CarrierBooking, ref: string, from: string, to: string): HeldSegment {
  if (booking.options.some((option) => option.ref === ref || option.segments.some((segment) => segment.ref === ref))) {
    throw new Refusal('83', `pointer ${ref} is in use`);
  }
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
  const { departsAt, cancelled } = findDeparture(carrier, old);
  if (cancelled) return nothing(currency);
  const each = booking.travelers.flatMap(({ type }) => {
    const rule = ruleAt(carrier.network, 'change', findFare(carrier, old), departsAt, type, carrier.now);
    if (rule?.allowed !== true) throw new Refusal('150', `the fare of segment ${old.ref} permits no change now`);
    const paid = old.prices[type]?.total ?? nothing(currency);
    const dearer = less(fresh.prices[type]?.total ?? nothing(currency), paid);
    return [rule.total, dearer.minor > 0 ? dearer : nothing(currency)];
  });
  return sum(currency, each);
}

function withSegment(carrier: Carrier, booking: CarrierBooking, oldRef: string, fresh: HeldSegment): CarrierBooking {
  const claims = bookingClaims(carrier.state, booking.locator);
  return {
    ...booking,
    options: booking.options.map((option) => {
      const segments = option.segments.map((segment) => (segment.ref === oldRef ? fresh : segment));
      return { ref: option.ref === oldRef ? fresh.ref : option.ref, segments };
    }),
    travelers: booking.travelers.map((traveler) => ({
      ...traveler,
      segmentRefs: traveler.segmentRefs.map((ref) => (ref === oldRef ? fresh.ref : ref)),
    })),
    tickets: booking.tickets.map((ticket) => ({
      ...ticket,
      coupons: ticket.coupons.map((coupon) => {
        if (coupon.segmentRef !== oldRef) return coupon;
        const seat = claims.find((claim) => claim.segment === fresh.ref && claim.traveler === ticket.travelerRef);
        const seated = seat === undefined ? {} : { coach: seat.coach, seat: seat.seat };
        const { number, status } = coupon;
        return { segmentRef: fresh.ref, number, status, ...seated, providerTicket: newProviderTicket(carrier) };
      }),
    })),
    services: booking.services.map((service) => ({
      ...service,
      segmentRefs: service.segmentRefs.map((ref) => (ref === oldRef ? fresh.ref : ref)),
    })),
  };
}

function withCharge(carrier: Carrier, booking: CarrierBooking, amount: Money): CarrierBooking {
  const order: Order = { id: newOrderId(carrier), action: 'OTHER', direction: 'PAYMENT', status: 'PAID', amount };
  return { ...booking, orders: [...booking.orders, order] };
}
