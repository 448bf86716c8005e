/**
 * Bookings to try the laws on, made through the clerk itself.
 */
import { CONTACT, dateIn, inLetters, passenger } from '../../support/people.ts';
import { accept, type Desk } from './desk.ts';

export function dayFrom(desk: Desk, days: number): string {
  return dateIn(desk.sandbox.now(), days);
}

let documents = 100_000;

/** Nobody is booked twice on a flight: every booking has people of its own. */
function surname(): string {
  return `Haddad ${inLetters(documents)}`;
}

function adult(given: string, surname: string, desk: Desk) {
  return passenger(`P${++documents}`, { given_name: given, surname }, desk.sandbox.now());
}

interface Pair {
  readonly from: string;
  readonly to: string;
}

export interface Sold {
  readonly offer_id: string;
}

/** An offer as a search shows it. */
export interface Offered extends Sold {
  readonly change?: { readonly pays_at_most?: string };
  readonly legs: readonly {
    readonly class?: string;
    readonly segments?: readonly { readonly flight: string; readonly departs: string }[];
  }[];
}

export const flightsOf = ({ legs }: Offered): string =>
  legs.flatMap(({ segments = [] }) => segments.map(({ flight }) => flight)).join(' ');

/** Days from now of the outward flight; moved on where a day is sold out. */
const FIRST_DAY = 20;
const LAST_DAY = 60;
const days = new WeakMap<Desk, number>();
const dayOf = (desk: Desk) => days.get(desk) ?? FIRST_DAY;

/** Offers of a return trip in business, whose fares all give something back; a search says no rules. */
async function returnTrip(desk: Desk, { from, to }: Pair, adults = 2): Promise<readonly Sold[]> {
  const search = await desk.result('search_fares', {
    legs: [
      { from, to, date: dayFrom(desk, dayOf(desk)) },
      { from: to, to: from, date: dayFrom(desk, dayOf(desk) + 5) },
    ],
    passengers: { adults },
    booking_classes: ['C'],
    max_results: 50,
  });
  return (search.structured.offers ?? []) as Sold[];
}

const pairs = new WeakMap<Desk, Pair>();

/** The first pair of stations with a refundable trip both ways. */
async function pair(desk: Desk): Promise<Pair> {
  const known = pairs.get(desk);
  if (known) return known;
  for (const route of await desk.parts.airline.routes()) {
    for (const to of route.to) {
      const found = { from: route.from.code, to: to.code };
      if ((await returnTrip(desk, found)).length === 0) continue;
      pairs.set(desk, found);
      return found;
    }
  }
  throw new Error('no routes');
}

/** A refundable return trip. */
export async function refundableTrip(desk: Desk, adults: number): Promise<Sold> {
  const between = await pair(desk);
  for (; dayOf(desk) < LAST_DAY; days.set(desk, dayOf(desk) + 1)) {
    const [offer] = await returnTrip(desk, between, adults);
    if (offer !== undefined) return offer;
  }
  throw new Error('no refundable offer');
}

/** The cheapest offer of a connection, on a day on which the same flights are sold in another class too. */
export async function connectionOffer(desk: Desk, adults: number): Promise<{ date: string; offer: Offered }> {
  for (let day = FIRST_DAY; day < LAST_DAY; day += 1) {
    const date = dayFrom(desk, day);
    const legs = [{ from: 'BOM', to: 'CDG', date }];
    const search = await desk.result('search_fares', { legs, passengers: { adults }, max_results: 50 });
    const [offer, ...others] = (search.structured.offers ?? []) as Offered[];
    if (offer !== undefined && others.some((one) => flightsOf(one) === flightsOf(offer))) return { date, offer };
  }
  throw new Error('no connection');
}

/** A return trip for two, on hold. */
export async function heldBooking(desk: Desk): Promise<string> {
  const offer = await refundableTrip(desk, 2);
  const made = await desk.result('create_booking', {
    offer_ids: [offer.offer_id],
    contact: CONTACT,
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

/** Arguments that a scenario needs of a booking: looked up once, when it is made. */
const prepared = new Map<string, { readonly args: object; readonly others: object }>();
const NOTHING = { args: {}, others: {} };

export function preparedFor(tool: string, locator: string): { readonly args: object; readonly others: object } {
  return prepared.get(`${tool} ${locator}`) ?? NOTHING;
}

interface Maps {
  readonly segments: readonly {
    readonly cabins: readonly {
      readonly zone?: { readonly code?: string };
      readonly seats: readonly { readonly seat: string; readonly status: string }[];
    }[];
  }[];
}

/** A ticketed booking, and two seats that are free on its first flight: on another day if that flight is full. */
export async function seatedBooking(desk: Desk): Promise<string> {
  for (; dayOf(desk) < LAST_DAY; days.set(desk, dayOf(desk) + 1)) {
    const locator = await ticketedBooking(desk);
    const map = await desk.result('get_seat_map', { locator, segment_refs: ['1'], detail: 'full' });
    const cabins = (map.structured as unknown as Maps).segments[0]?.cabins ?? [];
    const [seat, other] = cabins.flatMap(({ zone, seats }) =>
      seats.filter(({ status }) => status === 'free').map(({ seat }) => `${zone?.code ?? ''}-${seat}`),
    );
    if (seat === undefined || other === undefined) continue;
    const args = (it: string) => ({ seats: [{ segment_ref: '1', passenger_ref: '1', seat: it.replace(/^-/, '') }] });
    prepared.set(`assign_seats ${locator}`, { args: args(seat), others: args(other) });
    return locator;
  }
  throw new Error('no seats free');
}

/** A ticketed booking, and two other flights for its first one. */
export async function rebookableBooking(desk: Desk): Promise<string> {
  const locator = await ticketedBooking(desk);
  const { from, to } = await pair(desk);
  const search = await desk.result('search_fares', {
    legs: [{ from, to, date: dayFrom(desk, dayOf(desk) + 1) }],
    passengers: { adults: 2 },
  });
  const [offer, other] = (search.structured.offers ?? []) as Sold[];
  if (offer === undefined || other === undefined) throw new Error('no other flights');
  const args = ({ offer_id }: Sold) => ({ segment_ref: '1', offer_id });
  prepared.set(`rebook_segment ${locator}`, { args: args(offer), others: args(other) });
  return locator;
}
