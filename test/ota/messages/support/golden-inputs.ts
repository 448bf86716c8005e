/**
 * What the golden requests ask for, in the words of the domain.
 */

import type {
  Contact,
  FareQuery,
  NewBooking,
  NewGroupBooking,
  PaymentOrder,
  Segment,
  SegmentOption,
  Traveler,
} from '../../support/port.ts';
import { named, optionOf } from './values.ts';

const OUT: Segment = {
  ref: '1',
  optionRef: '1',
  flightNumber: '0417',
  operating: { carrier: 'RR', number: '0417' },
  marketing: { carrier: 'RR' },
  from: 'AAA',
  to: 'BBB',
  departs: '2031-05-04T08:10:00.000+03:00',
  arrives: '2031-05-04T09:02:00.000+03:00',
  bookingClass: 'Y',
  fareBasis: 'ECOFLEX1',
};

const BACK: Segment = {
  ...OUT,
  ref: '2',
  optionRef: '2',
  flightNumber: '0422',
  operating: { carrier: 'RR', number: '0422' },
  from: 'BBB',
  to: 'AAA',
  departs: '2031-05-07T18:30:00.000+03:00',
  arrives: '2031-05-07T19:22:00.000+03:00',
  fareBasis: 'ECOSAVE2',
};

const FLIGHT: Segment = {
  ref: '1',
  optionRef: '1',
  flightNumber: '0204',
  operating: { carrier: 'XY', number: '0204' },
  marketing: { carrier: 'XY' },
  from: 'CCC',
  to: 'DDD',
  departs: '2031-05-04T07:15:00.000+02:00',
  arrives: '2031-05-04T08:40:00.000+01:00',
  bookingClass: 'M',
  fareBasis: 'LIGHT1',
};

export const TRAINS: readonly SegmentOption[] = [optionOf(OUT), optionOf(BACK)];
export const FLIGHTS: readonly SegmentOption[] = [optionOf(FLIGHT)];

/** The flight to which a booking of {@link FLIGHTS} is changed; the pointer is unused in it. */
export function laterFlight(): SegmentOption {
  const { fareBasis: _, ...flight } = FLIGHT;
  return optionOf({
    ...flight,
    ref: '2',
    optionRef: '2',
    flightNumber: '0208',
    operating: { carrier: 'XY', number: '0208' },
    departs: '2031-05-05T07:15:00.000+02:00',
    arrives: '2031-05-05T08:40:00.000+01:00',
  });
}

export const ADA: Contact = {
  name: named(['Ada'], 'Berg', { middle: ['M'] }),
  emails: ['ada@example.test'],
  phones: [{ countryCode: '47', number: '55500111' }],
  addresses: [{ city: 'Bergen', countryCode: 'NO', countryName: 'Norway' }],
  comments: [],
};

export const JO: Traveler = {
  ref: '1',
  type: 'ADT',
  name: named(['Jo'], 'Berg', { prefix: ['MR'] }),
  gender: 'Male',
  birthDate: '1990-02-03',
  document: { number: 'P0011223', docType: '2', nationality: 'NO', expires: '2035-01-31' },
  emails: ['jo@example.test'],
  phones: [{ countryCode: '47', number: '55500222' }],
  addresses: [],
  segmentRefs: ['1', '2'],
  comments: [],
};

export const MIA: Traveler = {
  ...JO,
  ref: '2',
  type: 'INF',
  name: named(['Mia'], 'Berg'),
  gender: 'Female',
  birthDate: '2030-06-07',
  document: { number: 'P0044556', docType: '2', nationality: 'NO', expires: '2035-01-31' },
  emails: ['ada@example.test'],
  phones: [],
  attendantRef: '1',
};

export const RAIL_BOOKING: NewBooking = { options: TRAINS, contact: ADA, travelers: [JO, MIA] };
export const AIRLINE_BOOKING: NewBooking = {
  options: FLIGHTS,
  contact: ADA,
  travelers: [
    { ...JO, segmentRefs: ['1'] },
    { ...MIA, segmentRefs: ['1'] },
  ],
  services: new Map([['2', [{ code: 'VGML', text: 'no nuts' }]]]),
};

export const RAIL_GROUP: NewGroupBooking = {
  options: TRAINS,
  contact: { ...ADA, document: { number: 'P0077889', docType: '2', nationality: 'NO', expires: '2034-05-31' } },
  passengers: { adults: 12, children: 3, infants: 1 },
  groupName: 'Spring tour',
};
export const AIRLINE_GROUP: NewGroupBooking = {
  options: FLIGHTS,
  contact: { ...ADA, phones: [{ number: '55500111' }] },
  passengers: { adults: 12, children: 3, infants: 0 },
  groupName: 'Spring tour',
};

export const FAMILY = { adults: 2, children: 1, infants: 1 };
const leg = (from: string, to: string, date: string) => ({ from, to, date, daysBefore: 0, daysAfter: 0 });
const ANY_CLASS = { passengers: FAMILY, bookingClasses: [] };

export const RAIL_SEARCH: FareQuery = {
  legs: [leg('AAA', 'BBB', '2031-05-04'), leg('BBB', 'AAA', '2031-05-07')],
  ...ANY_CLASS,
};
export const AIRLINE_SEARCH: FareQuery = { legs: [leg('CCC', 'DDD', '2031-05-04')], ...ANY_CLASS };

/** A payment as approved: the amount travels where the dialect sends one. */
export function payment(order: Omit<PaymentOrder, 'locator' | 'amount' | 'company'>, company: string) {
  return { locator: 'K7PL2M', amount: { minor: 12_000, currency: 'EUR' }, company, ...order };
}
