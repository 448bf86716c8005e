/**
 * A small airline whose replies are written by hand: what the doctor must find in them is known. Its login is the
 * sandbox's.
 */
import type { Call, Rule } from './front.ts';
import { at, type Env, json } from './world.ts';

type Json = Record<string, unknown>;

export const DAY = '2031-05-04';
export const LOCATOR = 'K7PL2M';
/** Options that ask about the route and day on sale. */
export const ASKED = ['--airline', '--from', 'AAA', '--to', 'BBB', '--date', DAY];

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

export const fare = (amount: number): Json => ({
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

const ORDER = { action: 'CREATE_BOOKING', currencyCode: 'EUR', direction: 'PAYMENT', orderType: 'BOOKING' };

/** Unpaid: fare code and rule in the extensions, the contact on the passenger, a limit in UTC. */
export const AIRLINE_BOOKING: Json = {
  success: {},
  airReservation: {
    airItinerary: {
      originDestinationOptions: {
        originDestinationOption: [
          {
            rph: '1',
            flightSegment: [
              segment('1', 'AAA', 'BBB', DAY, {
                status: '30',
                tpaextensions: { fareBasis: 'LITE', fareRule: { code: 'R1', name: 'Rules', value: 'No refund.' } },
              }),
            ],
          },
        ],
      },
    },
    travelerInfo: {
      airTraveler: [
        {
          personName: { givenName: ['Ottoline'], surname: 'Quirke' },
          document: [{ docID: 'X9988776', docType: '2' }],
          travelerRefNumber: { rph: '1' },
          flightSegmentRPHs: { flightSegmentRPH: ['1'] },
          passengerTypeCode: 'ADT',
          email: [{ value: 'ottoline@example.org' }],
        },
      ],
    },
    bookingReferenceID: [{ companyName: { code: 'RR' }, type: '14', id: LOCATOR }],
    offer: {
      priced: [{ id: '1', tpaExtensions: { orderInfo: { ...ORDER, status: 'PENDING', totalAmount: '130.00' } } }],
    },
    ticketing: [{ ticketTimeLimit: '2031-04-01T10:30:00.000Z' }],
  },
};

export const refusal = (status: number, code: string, title = '') => json(status, { status, error: 'x', code, title });

export interface Replies {
  readonly search?: Json;
  /** Answer to a search of two directions; default: the same as to one. */
  readonly roundTrip?: ReturnType<typeof json>;
  readonly back?: Json;
  readonly booking?: Json;
}

const nameOf = ({ headers, url }: Call): string => String(headers['local-name'] ?? url.pathname.split('/').at(-1));

/** Answers everything but the login, which goes on to the sandbox. */
export function airline({ search = railFares(), roundTrip, back, booking: held }: Replies): Rule {
  return (call) => {
    if (call.url.pathname.startsWith('/realms/')) return undefined;
    switch (nameOf(call)) {
      case 'routes':
        return json(200, [{ origin: { code: 'AAA', name: 'A' }, destinations: [{ code: 'BBB', name: 'B' }] }]);
      case 'availability':
        return json(200, {
          departureAirport: 'AAA',
          arrivalAirport: 'BBB',
          dates: [call.url.searchParams.get('start_date')],
        });
      case 'OTA_ReadRQ':
        if (held === undefined || !call.body.includes(LOCATOR)) return refusal(404, '97', 'Booking not found');
        return json(200, held);
      case 'OTA_AirSeatMapRQ':
        return refusal(404, '97');
      case 'OTA_AirLowFareSearchRQ': {
        const asked = JSON.parse(call.body) as {
          originDestinationInformation: { originLocation: Json }[];
        };
        const legs = asked.originDestinationInformation;
        if (legs.length > 1 && roundTrip !== undefined) return roundTrip;
        if (legs.length === 1 && legs[0]?.originLocation.locationCode === 'BBB') return json(200, back ?? found());
        return json(200, search);
      }
      default:
        return refusal(404, '320', 'no such message');
    }
  };
}
