/**
 * Bookings to try the laws on, made through the clerk itself.
 */
import type { Desk } from './desk.ts';
import { accept } from './desk.ts';

export function dayFrom(desk: Desk, days: number): string {
  return new Date(desk.sandbox.now() + days * 86_400_000).toISOString().slice(0, 10);
}

let documents = 100_000;

/** Nobody is booked twice on a flight: every booking has people of its own. */
function surname(): string {
  return `Haddad ${[...String(documents)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('')}`;
}

function adult(given: string, surname: string, desk: Desk) {
  return {
    type: 'ADT',
    given_name: given,
    surname,
    gender: 'Female',
    birth_date: '1990-04-12',
    document: { type: 'passport', number: `P${++documents}`, nationality: 'SA', expires: dayFrom(desk, 3650) },
  };
}

interface Pair {
  readonly from: string;
  readonly to: string;
}

const pairs = new WeakMap<Desk, Pair>();

async function pair(desk: Desk): Promise<Pair> {
  const known = pairs.get(desk);
  if (known) return known;
  const routes = await desk.parts.airline.routes();
  const [route] = routes;
  const to = route?.to[0];
  if (route === undefined || to === undefined) throw new Error('no routes');
  const found = { from: route.from.code, to: to.code };
  pairs.set(desk, found);
  return found;
}

/** A return trip for two, on hold. */
export async function heldBooking(desk: Desk): Promise<string> {
  const { from, to } = await pair(desk);
  const search = await desk.result('search_fares', {
    legs: [
      { from, to, date: dayFrom(desk, 20) },
      { from: to, to: from, date: dayFrom(desk, 25) },
    ],
    passengers: { adults: 2 },
    booking_classes: ['C'],
    max_results: 50,
  });
  const offers = (search.structured.offers ?? []) as { offer_id: string; refundable: boolean }[];
  const offer = offers.find((one) => one.refundable);
  if (offer === undefined) throw new Error('no refundable offer');
  const made = await desk.result('create_booking', {
    offer_ids: [offer.offer_id],
    contact: { given_name: 'Amal', surname: 'Haddad', email: 'amal@example.com' },
    passengers: [adult('Amal', surname(), desk), adult('Noor', surname(), desk)],
  });
  if (made.isError) throw new Error(made.text);
  return (made.structured.booking as { locator: string }).locator;
}

/** The same, paid and ticketed. */
export async function ticketedBooking(desk: Desk): Promise<string> {
  const locator = await heldBooking(desk);
  const paid = await desk.say('pay_booking', { locator, payment: { type: 'invoice' } }, accept);
  if (paid.isError) throw new Error(paid.text);
  return locator;
}
