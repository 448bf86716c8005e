/** Creates a hold: seats for a while, a record, an unpaid order. */
import { type Carrier, HOLD_MS, NAMES_FIXED_MS, partsOf } from '../carrier.ts';
import type { CheckedItinerary } from '../checks/itinerary.ts';
import { enter } from '../ledger.ts';
import type { Person, Traveler } from '../model.ts';
import { priceOf } from '../pricing.ts';
import { type CarrierBooking, countTypes, type Order, saveBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { claim, dropLapsed, freeSeats, pickSeats } from '../stock.ts';
import { newLocators, newOrderId } from './locators.ts';

interface HoldRequest {
  readonly itinerary: CheckedItinerary;
  readonly contact: Person;
  readonly travelers: readonly Traveler[];
  readonly groupName?: string;
}

/** Runs within a write transaction. If it throws, nothing is held. */
export function hold(carrier: Carrier, request: HoldRequest): CarrierBooking {
  const { now } = carrier;
  const { itinerary, contact, travelers, groupName } = request;
  const first = Math.min(...itinerary.departures.map((departure) => departure.departure.departsAt));
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
  const order: Order = {
    id: newOrderId(carrier),
    action: 'CREATE_BOOKING',
    direction: 'PAYMENT',
    status: 'PENDING',
    amount,
  };
  const booking = { ...draft, orders: [order] };
  saveBooking(carrier.state, booking);
  enter(carrier.state, now, 'created', booking.locator, { amount });
  return booking;
}

/** A seat for everyone but lap infants; Without `expires` (ms epoch) for good. Throws 1053 if too few are left. */
export function claimSeats(
  carrier: Carrier,
  booking: CarrierBooking,
  itinerary: CheckedItinerary,
  expires: number | undefined,
): void {
  const seated = booking.travelers.filter((traveler) => traveler.type !== 'INF');
  for (const { segment, departure } of itinerary.departures) {
    dropLapsed(carrier.state, departure, carrier.now);
    const free = freeSeats(carrier.state, carrier.timetable, departure, segment.cabin, carrier.now);
    const seats = pickSeats(free, seated.length);
    if (seats === undefined) throw new Refusal('1053', `segment ${segment.ref}: ${free.length} seats left`);
    for (const [i, traveler] of seated.entries()) {
      const seat = seats[i];
      if (seat === undefined) continue;
      const { locator } = booking;
      const { cabin, ref } = segment;
      const it = { coach: seat.coach, seat: seat.number, cabin, locator, segment: ref, traveler: traveler.ref };
      claim(carrier.state, departure, it, expires);
    }
  }
}
