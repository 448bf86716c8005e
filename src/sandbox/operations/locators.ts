/** Issues locators and numbers, in an order that the seed determines. Runs within a write transaction. */
import type { AirlineNow } from '../carrier.ts';
import { type CarrierBooking, findBooking, type Order } from '../record.ts';
import { hash53, seededCode } from '../seeded-random.ts';

/** Issues a locator of six characters (A–Z, 0–9), and the longer prefix of the operating airline's locators. */
export function newLocators({ state, timetable, network }: AirlineNow): { locator: string; operatorLocator: string } {
  for (;;) {
    const n = state.next('booking');
    const locator = seededCode(6, timetable.seed, 'locator', n);
    const operatorLocator = `${network.carrier}${seededCode(8, timetable.seed, 'operator', n)}`;
    const isTaken = [locator, operatorLocator].some((candidate) => findBooking(state, candidate) !== undefined);
    if (!isTaken) return { locator, operatorLocator };
  }
}

/** Issues a ticket number of thirteen digits: the airline's prefix and a running number. */
export function newTicketNumber({ state, timetable, network }: AirlineNow): string {
  const base = hash53(timetable.seed, 'tickets') % 9_000_000;
  return network.ticketPrefix + String(2_400_000_000 + base + state.next('ticket')).padStart(10, '0');
}

/** Issues the operating airline's number of a coupon. A seat change issues a new one. */
export function newProviderTicket({ state }: AirlineNow): string {
  return String(6_100_000_000 + state.next('provider_ticket'));
}

/** Adds a payment or refund to a booking. */
export function withOrder(airline: AirlineNow, booking: CarrierBooking, order: Omit<Order, 'id'>): CarrierBooking {
  return { ...booking, orders: [...booking.orders, { id: newOrderId(airline), ...order }] };
}

export function newOrderId({ state, timetable }: AirlineNow): string {
  return `O${seededCode(11, timetable.seed, 'order', state.next('order'))}`;
}
