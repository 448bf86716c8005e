/**
 * Domain objects and hand-written replies for tests of the adapter.
 */

import { bareTraveler, contactNamed, personName } from '../../support/people.ts';
import type { Confirmed, Dispatch, FareQuery, NewBooking, Reading, SeatMapQuery, Segment } from './port.ts';

export const LOCATOR = 'ABC123';
/** The operator's own, longer name for the same booking. */
const OPERATOR_LOCATOR = 'HHR-0000778899';
export const OTHER_LOCATOR = 'ZZZ999';

export const segment: Segment = {
  ref: '1',
  optionRef: '1',
  flightNumber: '1301',
  operating: { carrier: 'HHR', number: '1301' },
  from: 'MKX',
  to: 'JED',
  departs: '2026-12-01T08:00:00.000+03:00',
  arrives: '2026-12-01T09:00:00.000+03:00',
  bookingClass: 'Y',
  fareBasis: 'EFLEX1',
};

export const contact = contactNamed('Sara', 'Smith');

export const traveler = bareTraveler('1', {
  name: personName('Sara', 'Smith'),
  gender: 'Female',
  birthDate: '1990-04-01',
  document: { number: 'P1234567', docType: '2', nationality: 'GB', expires: '2030-01-01' },
  segmentRefs: ['1'],
});

export const newBooking: NewBooking = { options: [{ ref: '1', segments: [segment] }], contact, travelers: [traveler] };

export const fareQuery: FareQuery = {
  legs: [{ from: 'MKX', to: 'JED', date: '2026-12-01', daysBefore: 0, daysAfter: 0 }],
  passengers: { adults: 1, children: 0, infants: 0 },
  bookingClasses: [],
};

export const seatMapQuery: SeatMapQuery = {
  locator: LOCATOR,
  requests: [{ segment, travelerRefs: ['1'] }],
  travelers: [traveler],
};

const flightSegment = {
  departureAirport: { locationCode: 'MKX' },
  arrivalAirport: { locationCode: 'JED' },
  operatingAirline: { code: 'HHR', flightNumber: '1301' },
  marketingAirline: { code: 'HHR' },
  flightNumber: '1301',
  departureDateTime: '2026-12-01T08:00:00.000+03:00',
  arrivalDateTime: '2026-12-01T09:00:00.000+03:00',
  rph: '1',
  resBookDesigCode: 'Y',
  status: '30',
};

/** `airReservation` of a small booking, as an airline writes it. */
export function reservation(locator = LOCATOR): Record<string, unknown> {
  return {
    airItinerary: {
      originDestinationOptions: { originDestinationOption: [{ rph: '1', flightSegment: [flightSegment] }] },
    },
    travelerInfo: {
      airTraveler: [
        {
          personName: { givenName: ['Sara'], surname: 'Smith' },
          travelerRefNumber: { rph: '1' },
          flightSegmentRPHs: { flightSegmentRPH: ['1'] },
          passengerTypeCode: 'ADT',
        },
      ],
    },
    bookingReferenceID: [
      { companyName: { code: 'HHR' }, type: '14', id: locator },
      { companyName: { code: 'OP' }, type: '14', id: OPERATOR_LOCATOR },
    ],
  };
}

export const readReply = (locator = LOCATOR) => ({ success: {}, airReservation: reservation(locator) });

export const payReply = (locator = LOCATOR) => ({
  success: {},
  bookingReferenceID: { id: locator, type: '14' },
  ticketItemInfo: [{ ticketNumber: '9990000000001', type: 'E_TICKET', totalAmount: 172.5 }],
  version: 2.001,
});

export const cancelReply = (locator = LOCATOR) => ({
  success: {},
  uniqueID: [{ id: locator, type: '14' }],
  segment: [],
  status: 'CANCELLED',
});

export const searchReply = () => ({
  success: {},
  pricedItineraries: { pricedItinerary: [] },
  timeStamp: '2026-11-01T00:00:00Z',
});

export const seatMapReply = (locator = LOCATOR) => ({
  seatMapResponses: {
    seatMapResponse: [
      { flightSegmentInfo: flightSegment, seatMapDetails: [], bookingReferenceID: [{ id: locator, type: '14' }] },
    ],
  },
});

/** The booking that {@link readReply} decodes to, as far as a change needs it. */
export const booking: Reading = {
  locator: LOCATOR,
  references: [],
  options: newBooking.options,
  travelers: [traveler],
  tickets: [],
  orders: [],
  services: [],
  emds: [],
  source: reservation(),
};

export interface WatchedDispatch extends Dispatch {
  readonly asked: number;
  readonly kept: readonly (readonly string[])[];
}

export function watchedDispatch(open = true): WatchedDispatch {
  let asked = 0;
  const kept: (readonly string[])[] = [];
  return {
    kept,
    get asked() {
      return asked;
    },
    mayStart() {
      asked += 1;
      return open;
    },
    async keep(locators) {
      kept.push(locators);
    },
  };
}

const yeses = new WeakSet<object>();

/** A stand-in for the guard's mint, with its own check. */
export function confirmed<T>(send: T, dispatch: Dispatch): Confirmed<T> {
  const yes = { send, operationId: 'op-1', dispatch };
  yeses.add(yes);
  return yes as unknown as Confirmed<T>;
}

export const isConfirmed = (value: unknown): boolean => typeof value === 'object' && value !== null && yeses.has(value);
