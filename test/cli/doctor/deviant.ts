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

/** Of people in the booking: never to be shown. */
export const PERSONAL = ['Ottoline', 'Quirke', 'ottoline@example.org', 'X9988776', LOCATOR];

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

export const record = (transport: Json = {}): Json => ({
  availability: {
    referenceId: 'R1',
    travellers: [{ profileId: 1, quantity: 3 }],
    segments: [
      {
        id: 1,
        offers: [
          {
            transport: {
              id: '1',
              code: '00417',
              journeyDate: DAY,
              departureStation: 'AAA',
              arrivalStation: 'BBB',
              departureTime: `${DAY}T05:10:00.000Z`,
              arrivalTime: `${DAY}T06:02:00.000Z`,
              categories: [{ class: 'T', availableQty: 4 }],
              ...transport,
            },
            pricing: [],
          },
        ],
      },
    ],
  },
});

const traveler = (more: Json): Json => ({
  personName: { givenName: ['Ottoline'], surname: 'Quirke' },
  document: [{ docID: 'X9988776', docType: '2' }],
  ...more,
});
const passenger = (more: Json = {}): Json =>
  traveler({
    travelerRefNumber: { rph: '1' },
    flightSegmentRPHs: { flightSegmentRPH: ['1'] },
    passengerTypeCode: 'ADT',
    ...more,
  });

const booking = (flight: Json, people: readonly Json[], more: Json): Json => ({
  success: {},
  airReservation: {
    airItinerary: { originDestinationOptions: { originDestinationOption: [{ rph: '1', flightSegment: [flight] }] } },
    travelerInfo: { airTraveler: people },
    bookingReferenceID: [{ companyName: { code: 'RR' }, type: '14', id: LOCATOR }],
    ...more,
  },
});

const paid = (status: string) => ({
  offer: {
    priced: [
      {
        id: '1',
        tpaExtensions: {
          orderInfo: {
            action: 'CREATE_BOOKING',
            currencyCode: 'EUR',
            direction: 'PAYMENT',
            orderType: 'BOOKING',
            status,
            totalAmount: '130.00',
          },
        },
      },
    ],
  },
});

/** Paid: fare code and coach, a contact traveller, penalty rules, a coupon. */
export const RAIL_BOOKING = booking(
  segment('1', 'AAA', 'BBB', DAY, { status: '30', fareBasisCode: 'ECOFLEX1' }),
  [traveler({ passengerTypeCode: 'CTC', email: [{ value: 'ottoline@example.org' }] }), passenger()],
  {
    ...paid('PAID'),
    priceInfo: {
      itinTotalFare: [fare(130)],
      fareInfos: {
        fareInfo: [
          {
            ruleInfo: {
              tpaextensions: { cancellationTimeLimit: '2031-05-04T04:10:00.000Z' },
              chargesRules: {
                voluntaryRefunds: { TPA_Extensions: { penaltyRules: [{ passengerTypeCode: 'ADT', rules: [] }] } },
              },
            },
          },
        ],
      },
    },
    ticketing: [
      {
        ticketType: 'E_TICKET',
        flightSegmentRefNumber: ['1'],
        travelerRefNumber: ['1'],
        ticketDocumentNbr: '9990000000001',
        passengerTypeCode: 'ADT',
        tpaextensions: {
          couponInfos: [{ flightRefRPH: '1', number: '1', status: 'O' }],
          couponProviderDetails: [{ coach: '2', providerTicketNumber: '77', seat: '52' }],
        },
      },
    ],
  },
);

/** Unpaid: fare code and rule in the extensions, the contact on the passenger, a limit in UTC. */
export const AIRLINE_BOOKING = booking(
  segment('1', 'AAA', 'BBB', DAY, {
    status: '30',
    tpaextensions: { fareBasis: 'LITE', fareRule: { code: 'R1', name: 'Rules', value: 'No refund.' } },
  }),
  [passenger({ email: [{ value: 'ottoline@example.org' }] })],
  { ...paid('PENDING'), ticketing: [{ ticketTimeLimit: '2031-04-01T10:30:00.000Z' }] },
);

export const SEATS = {
  seatMapResponses: {
    seatMapResponse: [
      {
        flightSegmentInfo: segment('1', 'AAA', 'BBB', DAY),
        bookingReferenceID: [{ type: '14', id: LOCATOR }],
        seatMapDetails: [
          {
            travelerRefNumberRPHs: ['1'],
            cabinClass: ['2', '3'].map((coach, i) => ({
              zone: [{ id: coach, code: coach, name: `Coach ${coach}`, type: 'T', totalSeatQty: 2 }],
              rowInfo: [
                {
                  rowNumber: '1',
                  seatInfo: [1, 2].map((column) => ({
                    summary: { seatNumber: String(50 + 2 * i + column), rowNumber: '1', availableInd: true },
                    availability: { value: 'SEAT_AVAILABLE' },
                    columnNumber: column,
                  })),
                },
              ],
            })),
          },
        ],
      },
    ],
  },
};

export const refusal = (status: number, code: string, title = '') => json(status, { status, error: 'x', code, title });

export interface Replies {
  readonly search?: Json;
  /** Answer to a search of two directions; default: the same as to one. */
  readonly roundTrip?: ReturnType<typeof json>;
  readonly back?: Json;
  readonly wide?: Json;
  readonly booking?: Json;
  readonly seats?: Json;
}

const nameOf = ({ headers, url }: Call): string => String(headers['local-name'] ?? url.pathname.split('/').at(-1));

/** Answers everything but the login, which goes on to the sandbox. */
export function airline({ search = railFares(), roundTrip, back, wide, booking: held, seats }: Replies): Rule {
  return (call) => {
    if (call.url.pathname.startsWith('/realms/')) return undefined;
    switch (nameOf(call)) {
      case 'routes':
        return json(200, [{ origin: { code: 'AAA', name: 'A' }, destinations: [{ code: 'BBB', name: 'B' }] }]);
      case 'availability':
        return json(200, { departureAirport: 'AAA', arrivalAirport: 'BBB', dates: [DAY] });
      case 'OTA_ReadRQ':
        if (held === undefined || !call.body.includes(LOCATOR)) return refusal(404, '97', 'Booking not found');
        return json(200, held);
      case 'OTA_AirSeatMapRQ':
        return seats === undefined || !call.body.includes(LOCATOR) ? refusal(404, '97') : json(200, seats);
      case 'OTA_AirLowFareSearchRQ': {
        const asked = JSON.parse(call.body) as {
          originDestinationInformation: { originLocation: Json }[];
          availableFlightsOnly?: boolean;
        };
        const legs = asked.originDestinationInformation;
        if (legs.length > 1 && roundTrip !== undefined) return roundTrip;
        if (asked.availableFlightsOnly === false) return json(200, wide ?? record());
        if (legs.length === 1 && legs[0]?.originLocation.locationCode === 'BBB') return json(200, back ?? found());
        return json(200, search);
      }
      default:
        return refusal(404, '320', 'no such message');
    }
  };
}
