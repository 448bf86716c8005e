/**
 * Rebooking (OTA_AirBookModifyRQ, type 20 or 30; field-notes.md, modifications): the new segment takes the place of the
 * one between the same stations. The change fee in force, its VAT and a higher fare are charged; nothing is given back.
 */
import type { Booking } from '../../domain/booking.ts';
import type { SegmentOption } from '../../domain/itinerary.ts';
import { addMoney, type Money, percentOf, subtractMoney, zero } from '../../domain/money.ts';
import { type Carrier, departureOf, fareOf, needTicketed } from '../carrier.ts';
import { checkItinerary } from '../checks/itinerary.ts';
import { cancelLimit, penaltyRuleAt } from '../fares.ts';
import { Fault } from '../fault.ts';
import { enter } from '../ledger.ts';
import { present } from '../present.ts';
import { activeSegments, type CarrierBooking, type HeldSegment, saveBooking } from '../record.ts';
import { claimsOfBooking, releaseSegment } from '../stock.ts';
import { claimSeats } from './hold.ts';
import { newOrderId, newProviderTicket } from './locators.ts';

/** Runs within a write transaction. */
export function rebook(carrier: Carrier, booking: CarrierBooking, asked: readonly SegmentOption[]): Booking {
  needTicketed(booking);
  const [option] = asked;
  const [wanted] = option?.segments ?? [];
  if (asked.length !== 1 || option?.segments.length !== 1 || wanted === undefined) {
    throw new Fault('172', 'one new segment at a time');
  }
  if (wanted.statusCode !== undefined) throw new Fault('320', 'a new segment has no status');
  const old = replacedBy(carrier, booking, wanted.ref, wanted.from, wanted.to);
  const seats = booking.travelers.filter((it) => it.type !== 'INF').length;
  const itinerary = checkItinerary(carrier, asked, seats);
  const fresh = itinerary.departures[0]?.segment;
  if (fresh === undefined) throw new Fault('172', 'one new segment at a time');
  const due = chargeFor(carrier, booking, old, fresh);
  releaseSegment(carrier.state, booking.locator, old.ref);
  claimSeats(carrier, booking, itinerary, undefined);
  const changed = withCharge(carrier, withSegment(carrier, booking, old.ref, fresh), due);
  enter(carrier.state, carrier.now, 'rebooked', booking.locator, { about: [old.ref, fresh.ref] });
  if (due.minor > 0) enter(carrier.state, carrier.now, 'paid', booking.locator, { amount: due });
  saveBooking(carrier.state, changed);
  return present(carrier, changed);
}

function replacedBy(carrier: Carrier, booking: CarrierBooking, ref: string, from: string, to: string): HeldSegment {
  if (booking.options.some((option) => option.ref === ref || option.segments.some((it) => it.ref === ref))) {
    throw new Fault('83', `pointer ${ref} is in use`);
  }
  const same = activeSegments(booking).filter((segment) => {
    const departure = departureOf(carrier, segment);
    return departure.from.code === from && departure.to.code === to;
  });
  const [old] = same;
  if (old === undefined || same.length > 1) throw new Fault('83', `no one segment ${from}-${to} to replace`);
  if (carrier.now >= cancelLimit(carrier.network, departureOf(carrier, old).departsAt)) {
    throw new Fault('150', `the time limit of segment ${old.ref} has passed`);
  }
  return old;
}

function chargeFor(carrier: Carrier, booking: CarrierBooking, old: HeldSegment, fresh: HeldSegment): Money {
  const nothing = zero(carrier.network.currency);
  const { departsAt } = departureOf(carrier, old);
  return booking.travelers.reduce((due, { type }) => {
    const rule = penaltyRuleAt(carrier.network, 'change', fareOf(carrier, old), departsAt, type, carrier.now);
    if (rule?.refundable !== true) throw new Fault('150', `the fare of segment ${old.ref} permits no change now`);
    const dearer = subtractMoney(fresh.prices[type]?.total ?? nothing, old.prices[type]?.total ?? nothing);
    return addMoney(due, rule.total, percentOf(rule.total, rule.vatHundredths), dearer.minor > 0 ? dearer : nothing);
  }, nothing);
}

function withSegment(carrier: Carrier, booking: CarrierBooking, oldRef: string, fresh: HeldSegment): CarrierBooking {
  const claims = claimsOfBooking(carrier.state, booking.locator);
  return {
    ...booking,
    options: booking.options.map((option) => {
      const segments = option.segments.map((it) => (it.ref === oldRef ? fresh : it));
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
        const seat = claims.find((it) => it.segment === fresh.ref && it.traveler === ticket.travelerRef);
        const seated = seat === undefined ? {} : { coach: seat.coach, seat: seat.seat };
        const { number, status } = coupon;
        return { segmentRef: fresh.ref, number, status, ...seated, providerTicket: newProviderTicket(carrier) };
      }),
    })),
  };
}

function withCharge(carrier: Carrier, booking: CarrierBooking, amount: Money): CarrierBooking {
  const order = { action: 'OTHER', direction: 'PAYMENT', orderType: 'BOOKING', status: 'PAID', amount };
  return { ...booking, orders: [...booking.orders, { id: newOrderId(carrier), ...order }] };
}
