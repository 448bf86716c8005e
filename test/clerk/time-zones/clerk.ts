/**
 * The clerk with an airline that sells one journey, written by hand in either form of reply.
 */

import { callOnly, openBench } from '../../campaigns/fuzz/bench.ts';
import { resultOf } from '../calls/desk.ts';

/** `availability`: every search is answered with the record. */
export type Form = 'itineraries' | 'availability';

/** A departure as the test means it; `departs` and `arrives` are sent unchanged. */
export interface Leg {
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly arrives: string;
  readonly journeyDate?: string;
}

const money = (amount: number) => ({ currencyCode: 'SAR', amount });

function flightSegment({ from, to, departs, arrives }: Leg, rph: string, status?: string) {
  return {
    departureAirport: { locationCode: from },
    arrivalAirport: { locationCode: to },
    operatingAirline: { code: 'HHR', flightNumber: `10${rph}` },
    marketingAirline: { code: 'HHR' },
    flightNumber: `10${rph}`,
    departureDateTime: departs,
    arrivalDateTime: arrives,
    rph,
    resBookDesigCode: 'Y',
    ...(status !== undefined && { status }),
  };
}

function itinerary(legs: readonly Leg[], status?: string) {
  const originDestinationOption = legs.map((leg, i) => ({
    rph: String(i + 1),
    flightSegment: [flightSegment(leg, String(i + 1), status)],
  }));
  return { originDestinationOptions: { originDestinationOption } };
}

const fare = (amount: number) => ({
  baseFare: money(amount),
  taxes: { amount: 0 },
  fees: { amount: 0 },
  totalFare: money(amount),
});

/** One row for each segment, where the fare is named (docs/wire/notes.md, Fares and prices). */
function priced(legs: readonly Leg[]) {
  const ptcfareBreakdown = legs.map((_, i) => ({
    passengerTypeQuantity: { code: 'ADT', quantity: 1 },
    fareBasisCodes: { fareBasisCode: [{ value: `F${i + 1}`, flightSegmentRPH: String(i + 1) }] },
    passengerFare: [fare(100)],
    flightRefNumberRPHList: [String(i + 1)],
  }));
  return { itinTotalFare: [fare(100 * legs.length)], ptcfareBreakdowns: { ptcfareBreakdown } };
}

export function pricedItineraries(legs: readonly Leg[]) {
  const one = { airItinerary: itinerary(legs), airItineraryPricingInfo: priced(legs), notes: [], sequenceNumber: 1 };
  return { success: {}, pricedItineraries: { pricedItinerary: [one] }, timeStamp: '2026-11-20T08:00:00Z' };
}

const SUMS = { base: 100, tax: 0, total: 100 };
const PROFILE = { id: '1', quantity: 1, ...SUMS, details: [] };

export function availabilityRecord(legs: readonly Leg[]) {
  const segments = legs.map((leg, i) => ({
    id: i + 1,
    offers: [
      {
        transport: {
          ...{ id: `${i}`, code: `10${i + 1}`, type: 1, journeyDate: leg.journeyDate },
          ...{ departureStation: leg.from, arrivalStation: leg.to },
          ...{ departureTime: leg.departs, arrivalTime: leg.arrives },
          categories: [{ class: 'T', availableQty: 20 }],
        },
        pricing: [{ class: 'T', currency: 'SAR', fares: [{ id: 'F1', ...SUMS, profiles: [PROFILE] }] }],
      },
    ],
  }));
  return { availability: { referenceId: 'r', travellers: [{ profileId: 1, quantity: 1 }], segments } };
}

export function reservation(legs: readonly Leg[], locator: string) {
  const personName = { givenName: ['Amal'], surname: 'Haddad' };
  const flightSegmentRPH = legs.map((_, i) => String(i + 1));
  const airTraveler = [
    { personName, passengerTypeCode: 'CTC', email: [{ value: 'a@b.example' }] },
    { personName, passengerTypeCode: 'ADT', travelerRefNumber: { rph: '1' }, flightSegmentRPHs: { flightSegmentRPH } },
  ];
  return {
    success: {},
    airReservation: {
      ...{ airItinerary: itinerary(legs, '30'), priceInfo: priced(legs), travelerInfo: { airTraveler } },
      bookingReferenceID: [{ id: locator, type: '14' }],
    },
  };
}

export type TimesDesk = Awaited<ReturnType<typeof openTimesDesk>>;

export const NOW = Date.parse('2026-11-20T08:00:00Z');
const LOCATOR = 'ABC123';

export async function openTimesDesk(now = NOW) {
  const airline = { at: now, currency: 'SAR', restUrl: 'https://rest.example' };
  const bench = await openBench({ ...airline, carrier: 'HHR' });
  const booked: { airItinerary: unknown }[] = [];
  let legs: readonly Leg[] = [];
  let form: Form = 'itineraries';
  bench.answerWith((message, request) => {
    const answer = (body: unknown) => ({ status: 200, text: JSON.stringify(body) });
    if (message === 'OTA_AirLowFareSearchRQ') {
      return answer(form === 'itineraries' ? pricedItineraries(legs) : availabilityRecord(legs));
    }
    if (message === 'OTA_AirBookRQ') booked.push(JSON.parse(request.body ?? '{}'));
    if (message === 'OTA_AirBookRQ' || message === 'OTA_ReadRQ') return answer(reservation(legs, LOCATOR));
    return undefined;
  });
  return {
    /** Bodies of booking requests, in order. */
    booked,
    /** The next replies to searches and readings. */
    sells(next: readonly Leg[], as: Form) {
      legs = next;
      form = as;
    },
    call: async (tool: string, args: object) => resultOf(await callOnly(bench, tool, args as Record<string, unknown>)),
    close: () => bench.close(),
  };
}
