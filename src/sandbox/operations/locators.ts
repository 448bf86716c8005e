/** Issues locators and numbers, in an order that the seed determines. Runs within a write transaction. */
import type { AirlineNow } from '../carrier.ts';
import { type CarrierBooking, findBooking, type Order } from '../record.ts';
import { hash53, seededCode } from '../seeded-random.ts';

/** Six of A–Z and 0–9 for us, a longer one for the operator. */
export function newLocators({ state, timetable, network }: AirlineNow): { locator: string; operatorLocator: string } {
  for (;;) {
    const n = state.next('booking');
    const locator = seededCode(6, timetable.seed, 'locator', n);
    const operatorLocator = `${network.carrier}${seededCode(8, timetable.seed, 'operator', n)}`;
    const isTaken = [locator, operatorLocator].some((known) => findBooking(state, known) !== undefined);
    if (!isTaken) return { locator, operatorLocator };
  }
}

/** Thirteen digits: the airline's prefix and a running number. */
export function newTicketNumber({ state, timetable, network }: AirlineNow): string {
  const base = hash53(timetable.seed, 'tickets') % 9_000_000;
  return network.ticketPrefix + String(2_400_000_000 + base + state.next('ticket')).padStart(10, '0');
}

/** A new number for a coupon, in the operator's count. A seat change issues a new one. */
export function newProviderTicket({ state }: AirlineNow): string {
  return String(6_100_000_000 + state.next('provider_ticket'));
}

/** The booking with another payment or refund. */
export function withOrder(airline: AirlineNow, booking: CarrierBooking, order: Omit<Order, 'id'>): CarrierBooking {
  return { ...booking, orders: [...booking.orders, { id: newOrderId(airline), ...order }] };
}

export function newOrderId({ state, timetable }: AirlineNow): string {
  return `O${seededCode(11, timetable.seed, 'order', state.next('order'))}`;
}
