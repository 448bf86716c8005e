/**
 * Domain values that the fixtures say, written by hand.
 */
import type { Contact, Money, PersonName, Price, Segment, SegmentOption, Traveler } from '../../support/port.ts';

export function sar(minor: number): Money {
  return { minor, currency: 'SAR' };
}

export function named(given: string[], surname: string, more: Partial<PersonName> = {}): PersonName {
  return { prefix: [], given, middle: [], surname, suffix: [], title: [], ...more };
}

export function price(base: number, taxes: number, fees: number, total: number, more: Partial<Price> = {}): Price {
  return {
    base: sar(base),
    taxes: sar(taxes),
    fees: sar(fees),
    total: sar(total),
    lines: [],
    baggage: [],
    remarks: [],
    ...more,
  };
}

export function optionOf(segment: Segment): SegmentOption {
  return { ref: segment.optionRef, segments: [segment] };
}

const NOTHING = { emails: [], phones: [], addresses: [], comments: [] };

export const OUTBOUND: Segment = {
  ref: '1',
  optionRef: '1',
  flightNumber: '0120',
  operating: { carrier: 'HHR', number: '0120' },
  marketing: { carrier: 'HHR' },
  from: 'MKX',
  to: 'DMX',
  departs: '2026-12-01T08:00:00.000+03:00',
  arrives: '2026-12-01T10:25:00.000+03:00',
  bookingClass: 'Y',
  fareBasis: 'EFLEX1',
  statusCode: '30',
};

export const RETURN: Segment = {
  ref: '2',
  optionRef: '2',
  flightNumber: '0221',
  operating: { carrier: 'HHR', number: '0221' },
  marketing: { carrier: 'HHR' },
  from: 'DMX',
  to: 'MKX',
  departs: '2026-12-03T18:30:00.000+03:00',
  arrives: '2026-12-03T20:55:00.000+03:00',
  bookingClass: 'Y',
  fareBasis: 'EFLEX1',
  statusCode: '30',
};

export const LINA: Contact = {
  ...NOTHING,
  name: named(['LINA'], 'HADDAD'),
  emails: ['lina@example.com'],
  phones: [{ countryCode: '966', number: '501234567' }],
  addresses: [{ city: 'Jeddah', countryCode: 'SA' }],
};

export const SARA: Traveler = {
  ...NOTHING,
  ref: '1',
  type: 'ADT',
  name: named(['SARA'], 'HADDAD', { prefix: ['MS'], middle: ['ANNE'] }),
  gender: 'Female',
  birthDate: '1990-04-02',
  document: { number: 'A1234567', docType: '2', nationality: 'SA', expires: '2030-05-01' },
  segmentRefs: ['1', '2'],
};

export const OMAR: Traveler = {
  ...NOTHING,
  ref: '2',
  type: 'INF',
  name: named(['OMAR'], 'HADDAD'),
  gender: 'Male',
  birthDate: '2026-01-15',
  document: { number: 'B7654321', docType: '5' },
  segmentRefs: ['1', '2'],
  attendantRef: '1',
};
