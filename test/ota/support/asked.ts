/**
 * The adapter with one reply in memory: what it makes of that reply, and what it sends.
 */
import { airlineAt, type TestAirline } from './airlines.ts';
import type { FareSearchResult, OtaOptions } from './port.ts';
import { booking, confirmed, fareQuery, newBooking, seatMapQuery, watchedDispatch } from './samples.ts';
import { bookingOf, itinerary, option, readingOf, type Wire } from './wire.ts';

type Call<T> = (airline: TestAirline) => Promise<T>;

const REFUSED = { status: 422, text: JSON.stringify({ errors: { error: [{ code: '320' }] } }) };

/** A reply with its status, as text: one that is no good JSON. */
const isRaw = (reply: unknown): reply is { status: number; text: string } =>
  typeof reply === 'object' && reply !== null && 'status' in reply && 'text' in reply;

/**
 * Makes the call of an adapter that hears `replies` in turn, and the last one again; without one a refusal. An Error is
 * how the exchange fails.
 */
export async function hearing<T>(call: Call<T>, replies: readonly unknown[], options: Partial<OtaOptions> = {}) {
  const sent: { readonly url: string; readonly body: Wire }[] = [];
  const transport: OtaOptions['transport'] = {
    async exchange({ url, body, mayStart }) {
      if (mayStart?.() === false) throw new Error('not allowed to start');
      sent.push({ url, body: JSON.parse(body ?? '{}') });
      const reply = replies[sent.length - 1] ?? replies.at(-1);
      if (reply instanceof Error) throw reply;
      if (isRaw(reply)) return reply;
      return reply === undefined ? REFUSED : { status: 200, text: JSON.stringify(reply) };
    },
    replaceConnections: () => {},
    close: async () => {},
  };
  const airline = airlineAt('https://airline.test', { restUrl: 'https://airline.test/rest', transport, ...options });
  const outcome = await call(airline).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { ...outcome, sent };
}

/** What the call returns of the reply; throws what it throws. */
export async function heard<T>(call: Call<T>, reply: unknown, options?: Partial<OtaOptions>): Promise<T> {
  const outcome = await hearing(call, [reply], options);
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** The body of the one request; throws what the call throws if it sends none. */
export async function bodyOf(call: Call<unknown>, options?: Partial<OtaOptions>): Promise<Wire> {
  const { sent, ...outcome } = await hearing(call, [], options);
  if (sent[0] === undefined) throw 'error' in outcome ? outcome.error : new Error('nothing was sent');
  const { pos: _, ...body } = sent[0].body;
  return body;
}

/** A search whose days are those of the reply: one leg, or as many as a record has. */
export function searched(wire: unknown, most?: number): Promise<FareSearchResult> {
  const dayOf = (part: unknown) =>
    /"(?:journeyDate|departureDateTime)":"(\d{4}-\d\d-\d\d)/.exec(JSON.stringify(part))?.[1];
  const { availability, segments = availability?.segments } = wire as Record<string, { segments?: unknown }>;
  const parts = Array.isArray(segments) && segments.length > 1 ? segments : [wire];
  const legs = parts.flatMap((part) => fareQuery.legs.map((leg) => ({ ...leg, date: dayOf(part) ?? leg.date })));
  const query = { ...fareQuery, legs, ...(most !== undefined && { most }) };
  return heard((airline) => airline.searchFares(query), wire);
}

const PASSENGERS = { adults: 1, children: 0, infants: 0 };
const CALENDAR = { from: 'MKX', to: 'DMX', startDate: '2026-12-01', endDate: '2026-12-31', direct: true };

/** The locator of the booking that a reply is about. */
const locatorIn = (wire: unknown) =>
  /"(?:bookingReferenceID|uniqueID)":\[?\{.*?"id":"([^"]+)"/.exec(JSON.stringify(wire))?.[1] ?? 'K7PL2M';

/** By the start of a reply's name in fixtures and replies: the call that gets a reply about the same as `whole`. */
const CALLS = {
  'fare-search': () => (wire: unknown) => searched(wire),
  availability: () => (wire: unknown) => searched(wire),
  search: () => (wire: unknown) => searched(wire),
  hold: create,
  book: create,
  counts: count,
  'group-book': count,
  read: (body: unknown) => by((airline) => airline.read(locatorIn(body))),
  modify: (body: unknown) => {
    const of = { ...booking, locator: locatorIn(body) };
    const seats = [{ segmentRef: '1', travelerRef: '1', seat: '52' }];
    const modification = { kind: 'assign_seats', booking: of, seats } as const;
    return by((airline) => airline.modify(confirmed({ modification }, watchedDispatch())));
  },
  pay,
  ticket: pay,
  cancel: (body: unknown) => {
    const cancellation = { locator: locatorIn(body) };
    return by((airline) => airline.cancel(confirmed({ cancellation }, watchedDispatch())));
  },
  'seat-map': (body: unknown) => {
    const requests = flightsIn(body).map((segment) => ({ segment, travelerRefs: ['1'] }));
    return (wire: unknown) =>
      heard((airline) => airline.seatMap({ ...seatMapQuery, requests, locator: locatorIn(wire) }), wire);
  },
  routes: () => by((airline) => airline.routes()),
  accounts: () => by((airline) => airline.accounts()),
  calendar: () => by((airline) => airline.calendar(CALENDAR)),
} as const;

function by<T>(call: Call<T>) {
  return (wire: unknown) => heard(call, wire);
}

/** The flights that a reply has seat maps of. */
function flightsIn(wire: unknown) {
  const { seatMapResponses } = wire as { seatMapResponses: { seatMapResponse: { flightSegmentInfo: Wire }[] } };
  const flights = [seatMapResponses.seatMapResponse].flat().map(({ flightSegmentInfo }) => flightSegmentInfo);
  return bookingOf({ airItinerary: itinerary(option('1', ...flights)) }).options.flatMap(({ segments }) => segments);
}

function create(body: unknown) {
  const { travelers } = readingOf(body);
  return by((airline) => airline.create({ ...newBooking, travelers }, watchedDispatch()));
}

function count() {
  return by((airline) => airline.createFromCounts({ ...newBooking, passengers: PASSENGERS }, watchedDispatch()));
}

function pay(body: unknown) {
  const amount = { minor: 17250, currency: 'SAR' };
  const order = { locator: locatorIn(body), paymentType: 'external', amount } as const;
  return by((airline) => airline.pay(confirmed({ order }, watchedDispatch())));
}

export type Hear = (wire: unknown) => Promise<unknown>;

export function hearerOf(name: string, body: unknown): Hear {
  const call = Object.entries(CALLS).find(([start]) => name.startsWith(start))?.[1];
  if (call === undefined) throw new Error(`no call gets ${name}`);
  return call(body);
}

/** What the adapter makes of a whole reply of one kind. */
export function hear<K extends keyof typeof CALLS>(kind: K, wire: unknown) {
  return CALLS[kind](wire)(wire) as ReturnType<ReturnType<(typeof CALLS)[K]>>;
}
