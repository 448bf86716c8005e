/**
 * Replies of every size that the curves need: searches of some itineraries up to a thousand, and bookings of more
 * passengers and segments, as the sandbox airline makes them.
 */
import type { Airline } from '../../src/domain/airline.ts';
import type { Offer } from '../../src/domain/pricing/fare-search.ts';
import { createTransport } from '../../src/ota/transport/http.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import {
  ALWAYS,
  airlineOf,
  CONTACT,
  dateText,
  departureDay,
  FROM,
  legOf,
  PERSON,
  queryOf,
  recording,
  TO,
  travelerOn,
} from './replies.ts';

const DAY_MS = 86_400_000;

export interface LargerReplies {
  /** The reply of a search by the number of its itineraries. */
  readonly searches: ReadonlyMap<number, string>;
  readonly bookings: readonly SizedBooking[];
}

export interface SizedBooking {
  readonly passengers: number;
  readonly segments: number;
  readonly locator: string;
  readonly reply: string;
}

type Recording = ReturnType<typeof recording>;

export async function makeLargerReplies(
  sizes: readonly number[],
  bookings: readonly (readonly [passengers: number, segments: number])[],
): Promise<LargerReplies> {
  const sandbox = await startSandbox({ dialect: 'rail', seed: 7, accepts: 'key' });
  const transport = recording(createTransport());
  try {
    const airline = airlineOf(sandbox, transport);
    const made: SizedBooking[] = [];
    for (const [passengers, segments] of bookings) made.push(await booked(airline, transport, passengers, segments));
    return { searches: await searchesOf(airline, transport, sizes), bookings: made };
  } finally {
    await transport.close();
    await sandbox.close();
  }
}

/** No itinerary comes twice: each week has its own. */
async function searchesOf(airline: Airline, transport: Recording, sizes: readonly number[]) {
  const most = Math.max(...sizes);
  const day = departureDay(Date.now());
  const itineraries: unknown[] = [];
  for (let week = 0; itineraries.length < most; week++) {
    await airline.searchFares(queryOf([legOf(FROM, TO, dateText(day + 7 * week * DAY_MS), 3)]));
    itineraries.push(...JSON.parse(transport.last()).pricedItineraries.pricedItinerary);
  }
  const reply = (size: number) =>
    JSON.stringify({ success: {}, pricedItineraries: { pricedItinerary: itineraries.slice(0, size) } });
  return new Map(sizes.map((size) => [size, reply(size)]));
}

/** To and fro, a day apart. */
async function booked(
  airline: Airline,
  transport: Recording,
  passengers: number,
  segments: number,
): Promise<SizedBooking> {
  const day = departureDay(Date.now());
  const options: Offer['options'][number][] = [];
  for (let n = 0; n < segments; n++) {
    const ends = n % 2 === 0 ? ([FROM, TO] as const) : ([TO, FROM] as const);
    const query = queryOf([legOf(...ends, dateText(day + n * DAY_MS))]);
    const { offers } = await airline.searchFares({ ...query, passengers: { ...query.passengers, adults: passengers } });
    const [option] = offers[0]?.options ?? [];
    if (option === undefined) throw new Error('the sandbox airline found no offer');
    const ref = String(n + 1);
    options.push({ ...option, ref, segments: option.segments.map((segment) => ({ ...segment, ref })) });
  }
  const travelers = Array.from({ length: passengers }, (_, n) => {
    const traveler = travelerOn({ options });
    const name = { ...PERSON.name, given: [`Amal${'abcdefghi'[n]}`] };
    return { ...traveler, ref: String(n + 1), name, document: { ...traveler.document, number: `P123456${n}` } };
  });
  const { locator } = await airline.create({ options, contact: CONTACT, travelers }, ALWAYS);
  const read = await airline.read(locator);
  const found = read.options.flatMap((option) => option.segments).length;
  if (found !== segments || read.travelers.length !== passengers) throw new Error('a booking is not as it was ordered');
  return { passengers, segments, locator, reply: transport.last() };
}
