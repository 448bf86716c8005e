/**
 * A small airline whose replies are written by hand: what the doctor must find in them is known. Its login is the
 * sandbox's.
 */
import { addDays, utcDay } from '../../../src/core/times.ts';
import type { Call, Rule } from './front.ts';
import { at, type Env, json } from './world.ts';

type Json = Record<string, unknown>;

/** The day that the doctor searches. */
export const DAY = addDays(utcDay(Date.now()), 14);
/** Options that ask about the route and day on sale. */
export const ASKED = ['--route', 'AAA-BBB'];

/** The settings of this airline, reached at `origin`. */
export const settings = (env: Env, origin: string): Env => ({
  ...at(env, origin),
  FARECLERK_GATEWAY_URL: origin,
  FARECLERK_CURRENCY: 'EUR',
  FARECLERK_COUNTRY: '',
  FARECLERK_CARRIER: 'RR',
});

const place = (locationCode: string) => ({ locationCode });
const money = (amount: number) => ({ currencyCode: 'EUR', amount });

/** SEG of docs/wire/notes.md, shapes sent. */
export const segment = (rph: string | undefined, from: string, to: string, day: string, more: Json = {}): Json => ({
  departureAirport: place(from),
  arrivalAirport: place(to),
  operatingAirline: { code: 'RR', flightNumber: '0417' },
  marketingAirline: { code: 'RR' },
  flightNumber: '0417',
  departureDateTime: `${day}T08:10:00.000+03:00`,
  arrivalDateTime: `${day}T09:02:00.000+03:00`,
  resBookDesigCode: 'Y',
  ...(rph !== undefined && { rph }),
  ...more,
});

const fare = (amount: number): Json => ({
  baseFare: money(amount),
  taxes: { amount: 0 },
  totalFare: money(amount),
});

export const itinerary = (
  segments: readonly Json[],
  total: number,
  rows: readonly Json[] | undefined,
  more: Json = {},
): Json => ({
  airItinerary: {
    originDestinationOptions: { originDestinationOption: segments.map((one) => ({ flightSegment: [one] })) },
  },
  airItineraryPricingInfo: {
    itinTotalFare: [fare(total)],
    ...(rows !== undefined && { ptcfareBreakdowns: { ptcfareBreakdown: rows } }),
    ...more,
  },
  sequenceNumber: 1,
});

export const row = (
  code: string,
  quantity: number,
  amount: number,
  refs: readonly string[],
  more: Json = {},
): Json => ({
  passengerTypeQuantity: { code, quantity },
  passengerFare: [fare(amount)],
  flightRefNumberRPHList: refs,
  ...more,
});

export const codes = (...values: readonly (string | readonly [string, string])[]): Json => ({
  fareBasisCodes: {
    fareBasisCode: values.map((one) =>
      typeof one === 'string' ? { value: one } : { value: one[0], flightSegmentRPH: one[1] },
    ),
  },
});

export const found = (...itineraries: readonly Json[]): Json => ({
  success: {},
  pricedItineraries: { pricedItinerary: itineraries },
  timeStamp: '2031-04-01T10:00:00.000Z',
});

/** One fare of three travellers; each code names its segment. */
export const railFares = (from = 'AAA', to = 'BBB', day = DAY): Json =>
  found(
    itinerary([segment('1', from, to, day, { fareBasisCode: 'ECOFLEX1' })], 130, [
      row('ADT', 2, 100, ['1'], codes(['ECOFLEX1', '1'])),
      row('CHD', 1, 30, ['1'], codes(['ECOFLEX1', '1'])),
    ]),
  );

/** One fare that has nothing which only one dialect has. */
export const bareFares = (): Json =>
  found(itinerary([segment('1', 'AAA', 'BBB', DAY)], 100, [row('ADT', 1, 100, ['1'], codes('LITE'))]));

/** Rows of another class beside the offer's own, travellers named, no flightSegmentRPH, family name on the segment. */
export function airlineFares(more: Json = {}): Json {
  const named = (rph: string, bookingClass: string) => ({
    travelerRefNumber: [{ rph }],
    fareInfo: [{ fareReference: [{ value: 'LITE', resBookDesigCode: bookingClass }] }],
    ...codes('LITE'),
  });
  const flight = segment('1', 'AAA', 'BBB', DAY, { tpaextensions: { priceGroup: 'Light' }, ...more });
  const rows = [
    row('ADT', 1, 50, ['1'], named('1', 'Y')),
    row('ADT', 1, 90, ['1'], named('1', 'C')),
    row('ADT', 1, 50, ['1'], named('2', 'Y')),
    row('CHD', 1, 30, ['1'], named('3', 'Y')),
  ];
  return found(itinerary([flight], 130, rows));
}

export interface Replies {
  readonly search?: Json;
}

const refusal = (code: string, title = '') => json(404, { status: 404, error: 'x', code, title });

const nameOf = ({ headers, url }: Call): string => String(headers['local-name'] ?? url.pathname.split('/').at(-1));

/** Answers everything but the login, which goes on to the sandbox. */
export function airline({ search = railFares() }: Replies): Rule {
  return (call) => {
    if (call.url.pathname.startsWith('/realms/')) return undefined;
    switch (nameOf(call)) {
      case 'routes':
        return json(200, [{ origin: { code: 'AAA', name: 'A' }, destinations: [{ code: 'BBB', name: 'B' }] }]);
      case 'OTA_ReadRQ':
        return refusal('97', 'Booking not found');
      case 'OTA_AirLowFareSearchRQ':
        return json(200, search);
      default:
        return refusal('320', 'no such message');
    }
  };
}
