/**
 * What an airline answers, as text: made by the sandbox airline once, then served unchanged to every contender.
 */
import type { Airline, Confirmed, Dispatch } from '../../src/domain/airline.ts';
import type { NewBooking } from '../../src/domain/booking/airline-requests.ts';
import type { Contact, Traveler } from '../../src/domain/people/traveler.ts';
import type { FareQuery, Offer } from '../../src/domain/pricing/fare-search.ts';
import { formatMoney } from '../../src/domain/pricing/money.ts';
import { createOtaAirline } from '../../src/ota/airline.ts';
import { createTransport, type Transport } from '../../src/ota/transport/http.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { tokens } from './tokens.ts';

/** Sizes of the search replies that results are measured against. */
const LARGE_BYTES = 226 * 1024;
const LEAN_ITINERARIES = 500;
const ROUND_TRIP_TOKENS = 8_000;
const ONE_WAY_TOKENS = 1_200;

export const [FROM, TO] = ['XMD', 'QCA'];

interface Leg {
  readonly from: string;
  readonly to: string;
  /** Local, YYYY-MM-DD. */
  readonly date: string;
}

export interface Replies {
  readonly locator: string;
  /** What the searches ask for. */
  readonly legs: { readonly out: Leg; readonly back: Leg };
  /** JSON text by what it answers. */
  readonly read: string;
  readonly seatMap: string;
  readonly routes: string;
  readonly calendar: string;
  /** 226 KB with rules, taxes and texts: some sixty itineraries. */
  readonly largeSearch: string;
  /** About as much with what must be there alone: five hundred itineraries. */
  readonly leanSearch: string;
  readonly roundTripSearch: string;
  readonly oneWaySearch: string;
}

const DAY_MS = 86_400_000;

/** A Wednesday at least 17 days ahead: the same timetable and the same rules in force on every run. */
export function departureDay(now: number): number {
  const first = now + 17 * DAY_MS;
  return first + ((10 - new Date(first).getUTCDay()) % 7) * DAY_MS;
}

export const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function legOf(from: string, to: string, date: string, days = 0) {
  return { from, to, date, daysBefore: days, daysAfter: days };
}

export function queryOf(legs: FareQuery['legs']): FareQuery {
  return { legs, passengers: { adults: 1, children: 0, infants: 0 }, bookingClasses: [], includeSoldOut: false };
}

export const ALWAYS: Dispatch = { mayStart: () => true, keep: async () => undefined };

/** Keeps the text of the last reply. */
export function recording(transport: Transport): Transport & { last(): string } {
  let text = '';
  return {
    ...transport,
    async send(request) {
      const reply = await transport.send(request);
      text = reply.text;
      return reply;
    },
    last: () => text,
  };
}

export async function makeReplies(): Promise<Replies> {
  const sandbox = await startSandbox({ dialect: 'rail', seed: 7, accepts: 'key' });
  const transport = recording(createTransport());
  try {
    return await repliesOf(airlineOf(sandbox, transport), transport);
  } finally {
    await transport.close();
    await sandbox.close();
  }
}

async function repliesOf(airline: Airline, transport: { last(): string }): Promise<Replies> {
  const textOf = async (call: Promise<unknown>): Promise<string> => {
    await call;
    return transport.last();
  };
  const day = departureDay(Date.now());
  const [date, returnDate] = [dateText(day), dateText(day + 5 * DAY_MS)];
  const oneWay = await airline.searchFares(queryOf([legOf(FROM, TO, date, 3)]));
  const oneWayReply = transport.last();
  const more = await airline.searchFares(queryOf([legOf(FROM, TO, dateText(day + 7 * DAY_MS), 3)]));
  const roundTrip = await airline.searchFares(queryOf([legOf(FROM, TO, date), legOf(TO, FROM, returnDate)]));
  const roundTripReply = transport.last();
  const locator = await bookAndPay(airline, roundTrip.offers);
  const { options, travelers } = await airline.read(locator);
  const segments = options.flatMap((option) => option.segments);
  const requests = segments.map((segment) => ({ segment, travelerRefs: travelers.map(({ ref }) => ref) }));
  const dates = { startDate: date, endDate: returnDate, direct: false };
  return {
    locator,
    legs: { out: { from: FROM, to: TO, date }, back: { from: TO, to: FROM, date: returnDate } },
    read: await textOf(airline.read(locator)),
    seatMap: await textOf(airline.seatMap({ locator, requests, travelers })),
    routes: await textOf(airline.routes()),
    calendar: await textOf(airline.calendar({ from: FROM, to: TO, ...dates })),
    leanSearch: leanSearchOf([...oneWay.offers, ...more.offers]),
    largeSearch: searchOf(oneWayReply, LARGE_BYTES, Buffer.byteLength),
    roundTripSearch: searchOf(roundTripReply, ROUND_TRIP_TOKENS, tokens),
    oneWaySearch: searchOf(oneWayReply, ONE_WAY_TOKENS, tokens),
  };
}

/** The reply with as many of its itineraries as come nearest to the size wanted. */
function searchOf(reply: string, wanted: number, sizeOf: (text: string) => number): string {
  const found: { pricedItineraries: { pricedItinerary: unknown[] } } = JSON.parse(reply);
  const { pricedItinerary } = found.pricedItineraries;
  let before = '';
  for (let count = 1; count <= pricedItinerary.length; count++) {
    const text = JSON.stringify({ ...found, pricedItineraries: { pricedItinerary: pricedItinerary.slice(0, count) } });
    if (sizeOf(text) >= wanted) {
      return before !== '' && wanted - sizeOf(before) < sizeOf(text) - wanted ? before : text;
    }
    before = text;
  }
  throw new Error(`the sandbox airline found only ${pricedItinerary.length} offers`);
}

/** The same flights and totals with nothing else that an airline may leave out (interface.md, flight segment). */
function leanSearchOf(offers: readonly Offer[]): string {
  if (offers.length < LEAN_ITINERARIES) throw new Error(`the sandbox airline found only ${offers.length} offers`);
  const pricedItinerary = offers.slice(0, LEAN_ITINERARIES).map(({ options, pricing: { total } }) => ({
    airItinerary: {
      originDestinationOptions: {
        originDestinationOption: options.map(({ ref, segments }) => ({
          flightSegment: segments.map((segment) => ({
            departureAirport: { locationCode: segment.from },
            arrivalAirport: { locationCode: segment.to },
            operatingAirline: { code: segment.operating?.carrier, flightNumber: segment.operating?.number },
            flightNumber: segment.flightNumber,
            departureDateTime: segment.departs,
            arrivalDateTime: segment.arrives,
            rph: segment.ref,
            resBookDesigCode: segment.bookingClass,
          })),
          rph: ref,
        })),
      },
    },
    airItineraryPricingInfo: {
      itinTotalFare: [
        { totalFare: { currencyCode: total?.total.currency, amount: Number(total && formatMoney(total.total)) } },
      ],
    },
  }));
  return JSON.stringify({ success: {}, pricedItineraries: { pricedItinerary } });
}

/** A paid booking of the first offer, for one adult. Gives its locator. */
async function bookAndPay(airline: Airline, [offer]: readonly Offer[]): Promise<string> {
  if (offer === undefined) throw new Error('the sandbox airline found no offer');
  const booking: NewBooking = { options: offer.options, contact: CONTACT, travelers: [travelerOn(offer)] };
  const { locator } = await airline.create(booking, ALWAYS);
  const terms = { order: { locator, paymentType: 'external' as const, amount: { minor: 17250, currency: 'SAR' } } };
  await airline.pay({ terms, operationId: 'bench', dispatch: ALWAYS } as Confirmed<typeof terms>);
  return locator;
}

export const PERSON = {
  name: { prefix: [], given: ['Amal'], middle: [], surname: 'Haddad', suffix: [], title: [] },
  emails: ['amal.haddad@example.com'],
  phones: [{ countryCode: '966', number: '501234567' }],
  addresses: [],
  comments: [],
};
export const CONTACT: Contact = PERSON;

export function travelerOn({ options }: Pick<Offer, 'options'>): Traveler {
  return {
    ...PERSON,
    ref: '1',
    type: 'ADT',
    gender: 'Female',
    birthDate: '1990-04-01',
    document: { number: 'P1234567', docType: '2', nationality: 'SA', expires: '2040-01-01' },
    segmentRefs: options.flatMap(({ segments }) => segments.map(({ ref }) => ref)),
  };
}

export function airlineOf({ settings }: Sandbox, transport: Transport): Airline {
  const of = (name: string): string => settings[`FARECLERK_${name}`] ?? '';
  return createOtaAirline({
    baseUrl: of('BASE_URL'),
    gatewayUrl: of('GATEWAY_URL'),
    credentials: { mode: 'key', apiKey: of('API_KEY') },
    pointOfSale: { agentId: of('AGENT_ID'), agencyId: of('AGENCY_ID'), currency: of('CURRENCY') },
    isConfirmed: () => true,
    transport,
  });
}
