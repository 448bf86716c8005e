/**
 * Making a hold: seats claimed for thirty minutes, a record, an order that waits for payment.
 */
import type { Contact, Traveler } from '../../domain/traveler.ts';
import { type Carrier, HOLD_MS, NAMES_FIXED_MS, partsOf } from '../carrier.ts';
import type { CheckedItinerary } from '../checks/itinerary.ts';
import { Fault } from '../fault.ts';
import { enter } from '../ledger.ts';
import { priceOf } from '../pricing.ts';
import { type CarrierBooking, saveBooking } from '../record.ts';
import { claim, dropLapsed, freeSeats, pickSeats } from '../stock.ts';
import { newLocators, newOrderId } from './locators.ts';

export interface HoldRequest {
  readonly itinerary: CheckedItinerary;
  readonly contact: Contact;
  readonly travelers: readonly Traveler[];
  readonly groupName?: string;
}

export function countTypes(travelers: readonly Traveler[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of travelers) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Runs within a write transaction: throws, and nothing was held. */
export function hold(carrier: Carrier, request: HoldRequest): CarrierBooking {
  const { now } = carrier;
  const { itinerary, contact, travelers, groupName } = request;
  const first = Math.min(...itinerary.departures.map((it) => it.departure.departsAt));
  const draft: CarrierBooking = {
    ...newLocators(carrier),
    state: 'held',
    createdAt: now,
    payBy: now + HOLD_MS,
    namesUntil: first - NAMES_FIXED_MS,
    ...(groupName === undefined ? {} : { groupName }),
    options: itinerary.options,
    travelers,
    contact,
    tickets: [],
    orders: [],
    refunds: [],
    services: [],
  };
  claimSeats(carrier, draft, itinerary, draft.payBy);
  const amount = priceOf(carrier.network, partsOf(carrier, draft), countTypes(travelers)).total;
  const order = { action: 'CREATE_BOOKING', direction: 'PAYMENT', orderType: 'BOOKING', status: 'PENDING', amount };
  const booking = { ...draft, orders: [{ id: newOrderId(carrier), ...order }] };
  saveBooking(carrier.state, booking);
  enter(carrier.state, now, 'created', booking.locator, { amount });
  return booking;
}

/** A seat for everyone but lap infants; `expires` (ms epoch) undefined: for good. Throws 1053 where they are too few. */
export function claimSeats(
  carrier: Carrier,
  booking: CarrierBooking,
  itinerary: CheckedItinerary,
  expires: number | undefined,
): void {
  const seated = booking.travelers.filter((traveler) => traveler.type !== 'INF');
  for (const { segment, departure } of itinerary.departures) {
    dropLapsed(carrier.state, departure, carrier.now);
    const free = freeSeats(carrier.state, carrier.timetable, departure, segment.bookingClass, carrier.now);
    const seats = pickSeats(free, seated.length);
    if (seats === undefined) throw new Fault('1053', `segment ${segment.ref}: ${free.length} seats left`);
    for (const [i, traveler] of seated.entries()) {
      const seat = seats[i];
      if (seat === undefined) continue;
      const { locator } = booking;
      const { bookingClass, ref } = segment;
      const it = { coach: seat.coach, seat: seat.number, bookingClass, locator, segment: ref, traveler: traveler.ref };
      claim(carrier.state, departure, it, expires);
    }
  }
}
