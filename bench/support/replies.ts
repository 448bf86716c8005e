/** What an airline answers, as text: made by the sandbox airline once, then served unchanged to every contender. */
import type { Airline, Confirmed, Dispatch } from '../../src/domain/airline.ts';
import type { Offer } from '../../src/domain/booking/offers.ts';
import { createTransport } from '../../src/ota/transport/http.ts';
import { startSandbox } from '../../src/sandbox/addresses/start.ts';
import { airlineAt } from '../../test/campaigns/support/airline.ts';
import { contactNamed, dateIn, traveler } from '../../test/support/people.ts';
import { NOW } from './upstream.ts';

const DAY_MS = 86_400_000;
const ALWAYS: Dispatch = { mayStart: () => true, keep: async () => undefined };
/** What the airline must send of an itinerary (interface.md, flight segment), and the objects around it. */
const LEAST = [
  ...['success', 'pricedItineraries', 'pricedItinerary', 'airItinerary'],
  ...['originDestinationOptions', 'originDestinationOption', 'flightSegment'],
  ...['departureAirport', 'arrivalAirport', 'locationCode', 'operatingAirline', 'code', 'flightNumber'],
  ...['departureDateTime', 'arrivalDateTime', 'rph', 'resBookDesigCode'],
  ...['airItineraryPricingInfo', 'itinTotalFare', 'totalFare', 'currencyCode', 'amount'],
];

const REMARK = `Printed at ${NOW}`;

export type Replies = Awaited<ReturnType<typeof makeReplies>>;

export async function makeReplies() {
  const sandbox = await startSandbox({ dialect: 'rail', seed: 7, accepts: 'key' });
  const wire = createTransport();
  let last = '';
  const send: typeof wire.exchange = async (request) => {
    const reply = await wire.exchange(request);
    last = reply.text;
    return reply;
  };
  const { settings } = sandbox;
  const airline = airlineAt({ settings, mode: 'key', isConfirmed: () => true, transport: { ...wire, exchange: send } });
  const textOf = async (call: Promise<unknown>): Promise<string> => {
    await call;
    return last;
  };
  // A Wednesday at least 17 days ahead: the same timetable and the same rules in force on every run.
  const first = Date.now() + 17 * DAY_MS;
  const wednesday = first + ((10 - new Date(first).getUTCDay()) % 7) * DAY_MS;
  const out = { from: 'XMD', to: 'QCA', date: dateIn(wednesday, 0) };
  const back = { from: 'QCA', to: 'XMD', date: dateIn(wednesday, 5) };
  const oneWay = await textOf(search(airline, [out], 3));
  const thousand: unknown[] = itinerariesOf(oneWay);
  for (let week = 1; thousand.length < 1_000; week++) {
    const later = search(airline, [{ ...out, date: dateIn(wednesday, 7 * week) }], 3);
    thousand.push(...itinerariesOf(await textOf(later)));
  }
  const { offers } = await search(airline, [out, back]);
  const roundTrip = last;
  const locator = await bookAndPay(airline, offers);
  const { options, travelers } = await airline.read(locator);
  const read = last;
  const segments = options.flatMap((option) => option.segments);
  const requests = segments.map((segment) => ({ segment, travelerRefs: travelers.map(({ ref }) => ref) }));
  const seatMap = await textOf(airline.seatMap({ locator, requests, travelers }));
  const routes = await textOf(airline.routes());
  await airline.close();
  await sandbox.close();
  const searchOf = (count: number, keys?: string[]): string =>
    JSON.stringify({ success: {}, pricedItineraries: { pricedItinerary: thousand.slice(0, count) } }, keys);
  return {
    /** Of a paid booking for one passenger, there and back. */
    locator,
    legs: { out, back },
    /** As the searches of one way were asked: the first of their itineraries can be on any of these days. */
    aroundOut: { ...out, days_before: 3, days_after: 3 },
    ...{ read, seatMap, routes },
    /** 226 KB with rules, taxes and texts. */
    largeSearch: cut(oneWay, 105),
    /** About as much with what must be there alone. */
    leanSearch: searchOf(500, LEAST),
    /** 7,900 and 1,300 tokens. */
    roundTripSearch: cut(roundTrip, 7),
    oneWaySearch: cut(oneWay, 2),
    /** No itinerary comes twice, up to a thousand. */
    searchOf,
  };
}

/** @param days so many before and after */
function search(airline: Airline, legs: readonly { from: string; to: string; date: string }[], days = 0) {
  const around = legs.map((leg) => ({ ...leg, daysBefore: days, daysAfter: days }));
  const passengers = { adults: 1, children: 0, infants: 0 };
  return airline.searchFares({ legs: around, passengers, bookingClasses: [] });
}

/** The reply of a reading, with a time stamp and a remark that differ each time it is sent. */
export function differingRead(text: string): string {
  const reply = { ...JSON.parse(text), timeStamp: NOW };
  reply.airReservation.travelerInfo.specialReqDetails = [{ specialRemarks: { specialRemark: [{ text: REMARK }] } }];
  return JSON.stringify(reply);
}

/** The reply of a search, with the same: the remark is about the first fare. */
export function differingSearch(text: string): string {
  const reply = { ...JSON.parse(text), timeStamp: NOW };
  reply.pricedItineraries.pricedItinerary[0].airItineraryPricingInfo.itinTotalFare[0].remark = [REMARK];
  return JSON.stringify(reply);
}

const itinerariesOf = (reply: string) => JSON.parse(reply).pricedItineraries.pricedItinerary;

/** The reply with the first of its itineraries. */
function cut(reply: string, count: number): string {
  const pricedItinerary = itinerariesOf(reply).slice(0, count);
  return JSON.stringify({ ...JSON.parse(reply), pricedItineraries: { pricedItinerary } });
}

/** A paid booking of the first offer, for one adult. Gives its locator. */
async function bookAndPay(airline: Airline, [offer]: readonly Offer[]): Promise<string> {
  if (offer === undefined) throw new Error('the sandbox airline found no offer');
  const contact = contactNamed('Amal', 'Haddad', { phones: [{ countryCode: '966', number: '501234567' }] });
  const travelers = [{ ...traveler('1', 'Amal', 'Haddad'), ...contact }];
  const { locator } = await airline.create({ options: offer.options, contact, travelers }, ALWAYS);
  const send = { order: { locator, paymentType: 'external' as const, amount: { minor: 17250, currency: 'SAR' } } };
  await airline.pay({ send, operationId: 'bench', dispatch: ALWAYS } as Confirmed<typeof send>);
  return locator;
}
