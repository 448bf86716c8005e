/** Issues locators and numbers, in an order that the seed determines. Runs within a write transaction. */
import type { Carrier } from '../carrier.ts';
import { findBooking } from '../record.ts';
import { hash53, seededCode } from '../seeded-random.ts';

/** The part of the airline that numbers depend on. */
export type Numbering = Pick<Carrier, 'state' | 'timetable' | 'network'>;

/** Six of A–Z and 0–9 for us, a longer one for the operator. */
export function newLocators(carrier: Carrier): { locator: string; operatorLocator: string } {
  const { seed } = carrier.timetable;
  for (;;) {
    const n = carrier.state.next('booking');
    const locator = seededCode(6, seed, 'locator', n);
    const operatorLocator = `${carrier.network.carrier}${seededCode(8, seed, 'operator', n)}`;
    if (
      findBooking(carrier.state, locator) === undefined &&
      findBooking(carrier.state, operatorLocator) === undefined
    ) {
      return { locator, operatorLocator };
    }
  }
}

/** Thirteen digits: the airline's prefix and a running number. */
export function newTicketNumber(carrier: Numbering): string {
  const base = hash53(carrier.timetable.seed, 'tickets') % 9_000_000;
  return carrier.network.ticketPrefix + String(2_400_000_000 + base + carrier.state.next('ticket')).padStart(10, '0');
}

/** A new number for a coupon, in the operator's count. A seat change issues a new one. */
export function newProviderTicket(carrier: Carrier): string {
  return String(6_100_000_000 + carrier.state.next('provider_ticket'));
}

export function newOrderId(carrier: Numbering): string {
  return `O${seededCode(11, carrier.timetable.seed, 'order', carrier.state.next('order'))}`;
}
