/**
 * Splitting a booking (OTA_AirBookModifyRQ, type 7; docs/wire/notes.md, Changes): travellers move to a new booking
 * with their tickets and seats. The reply is the new booking. No money moves.
 */
import { type Carrier, partsOf } from '../carrier.ts';
import { enter } from '../ledger.ts';
import type { Traveler } from '../model.ts';
import { priceOf } from '../pricing.ts';
import { type CarrierBooking, countTypes, isExpired, type Order, saveBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { Leaving } from '../requests/modify.ts';
import { moveClaims } from '../stock.ts';
import { checkStaying, travelerOf } from './cancel-passengers.ts';
import { newLocators, newOrderId } from './locators.ts';

/** Runs within a write transaction. */
export function splitBooking(carrier: Carrier, booking: CarrierBooking, asked: readonly Leaving[]): CarrierBooking {
  if (booking.state === 'cancelled') throw new Refusal('95', 'the whole booking is cancelled');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');
  const refs = asked.map((traveler) => travelerOf(booking, traveler).ref);
  if (new Set(refs).size !== refs.length) throw new Refusal('320', 'a traveler stands twice');
  const moving = booking.travelers.filter((it) => refs.includes(it.ref));
  const staying = booking.travelers.filter((it) => !refs.includes(it.ref));
  checkStaying(staying, refs);
  checkStaying(
    moving,
    staying.map((it) => it.ref),
  );
  const [payment, ...others] = booking.orders;
  if (payment === undefined) throw new Refusal('118', 'the booking has no order');
  const rest = withTravelers(carrier, { ...booking, orders: others }, staying, payment);
  const moved = { ...booking, ...newLocators(carrier), refunds: [], orders: [] };
  const fresh = withTravelers(carrier, moved, moving, { ...payment, id: newOrderId(carrier) });
  for (const ref of refs) moveClaims(carrier.state, booking.locator, ref, fresh.locator);
  enter(carrier.state, carrier.now, 'split', booking.locator, { about: [fresh.locator, ...refs] });
  saveBooking(carrier.state, rest);
  saveBooking(carrier.state, fresh);
  return fresh;
}

/** The booking of these travellers only; `payment` becomes their share of the payment. */
function withTravelers(
  carrier: Carrier,
  booking: CarrierBooking,
  travelers: readonly Traveler[],
  payment: Order,
): CarrierBooking {
  const refs = travelers.map((traveler) => traveler.ref);
  const amount = priceOf(carrier.network, partsOf(carrier, booking), countTypes(travelers)).total;
  const tickets = booking.tickets.filter((ticket) => refs.includes(ticket.travelerRef));
  return { ...booking, travelers, tickets, orders: [{ ...payment, amount }, ...booking.orders] };
}
