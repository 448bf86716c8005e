/**
 * What requests complete or refuse, beside the published ones that golden-requests.test.ts holds.
 */
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../support/asked.ts';
import type { BookingMail, FareQuery, NewBooking, NewGroupBooking, SeatMapQuery, Segment } from '../support/port.ts';
import { watchedDispatch } from '../support/samples.ts';
import { LINA, named, OMAR, OUTBOUND, optionOf, RETURN, SARA } from './support/values.ts';

const BOOKING: NewBooking = {
  options: [optionOf(OUTBOUND), optionOf(RETURN)],
  contact: LINA,
  travelers: [SARA, OMAR],
};
const GROUP: NewGroupBooking = {
  options: [optionOf(OUTBOUND)],
  contact: LINA,
  passengers: { adults: 5, children: 0, infants: 0 },
};
const SEARCH: FareQuery = {
  legs: [
    { from: 'MKX', to: 'DMX', date: '2026-12-01', daysBefore: 0, daysAfter: 2 },
    { from: 'DMX', to: 'MKX', date: '2026-12-05', daysBefore: 1, daysAfter: 0 },
  ],
  passengers: { adults: 2, children: 0, infants: 1 },
  bookingClasses: [],
};
const SEATS: SeatMapQuery = {
  locator: 'K7M4QX',
  requests: [{ segment: RETURN, travelerRefs: ['1'] }],
  travelers: [{ ...SARA, name: named(['SARA'], 'HADDAD'), document: { number: 'A1234567', docType: '2' } }],
};
const CALENDAR = { from: 'MKX', to: 'DMX', startDate: '2026-12-01', endDate: '2026-12-31', direct: true };
const TO = { locator: 'K7M4QX', emails: ['lina@example.com'] };

const { operating: _, ...unnamed } = OUTBOUND;
const { name: __, ...nameless } = SARA;

const created = (over: object) => bodyOf((airline) => airline.create({ ...BOOKING, ...over }, watchedDispatch()));
const flown = (segment: Segment) => created({ options: [optionOf(segment)] });
const searched = (over: object) => bodyOf((airline) => airline.searchFares({ ...SEARCH, ...over }));
const leg = (over: object) => searched({ legs: [{ ...SEARCH.legs[0], ...over }] });
const mapped = (over: object) => bodyOf((airline) => airline.seatMap({ ...SEATS, ...over }));
const mailed = (mail: BookingMail) => bodyOf((airline) => airline.sendMail(mail));

describe('a request', () => {
  test('writes times with milliseconds, and takes a missing carrier from the other one', async () => {
    const flight = (sent: object) => ({
      airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment: [sent] }] } },
    });
    const { marketing: ___, ...rest } = OUTBOUND;
    const times = { departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T07:25:00Z' };
    expect(await flown({ ...rest, ...times })).toMatchObject(
      flight({
        departureDateTime: '2026-12-01T08:00:00.000+03:00',
        arrivalDateTime: '2026-12-01T07:25:00.000Z',
        marketingAirline: { code: 'HHR' },
      }),
    );
    expect(await flown(unnamed)).toMatchObject(flight({ operatingAirline: { code: 'HHR', flightNumber: '0120' } }));
  });

  test('has no group name if none is given', async () => {
    const body = await bodyOf((airline) => airline.createFromCounts(GROUP, watchedDispatch()));
    expect(body).not.toHaveProperty('bookingReferenceID');
  });

  test('asks for the days around a search', async () => {
    const days = (value: string, windowBefore: string, windowAfter: string) => ({
      departureDateTime: { value, windowBefore, windowAfter },
    });
    expect(await searched({})).toMatchObject({
      originDestinationInformation: [days('2026-12-01', 'P0D', 'P2D'), days('2026-12-05', 'P1D', 'P0D')],
    });
  });

  test('asks for the seats of a booking that was not read', async () => {
    const { departs: departureDateTime, arrives: arrivalDateTime } = RETURN;
    const airTraveler = { personName: { givenName: ['SARA'], surname: 'HADDAD' }, travelerRefNumber: { rph: '1' } };
    const flightSegmentInfo = { departureDateTime, arrivalDateTime, rph: '2', fareBasisCode: 'EFLEX1', status: '30' };
    expect(await mapped({})).toMatchObject({
      seatMapRequests: { seatMapRequest: [{ flightSegmentInfo, travelerRefNumberRPHs: ['1'] }] },
      airTravelers: { airTraveler: [{ ...airTraveler, document: [{ docID: 'A1234567', docType: '2' }] }] },
      bookingReferenceID: [{ id: 'K7M4QX', type: '14' }],
    });
  });

  test('names local dates in cancellation mail, and all that was cancelled if no segments are given', async () => {
    const late = { ...OUTBOUND, departs: '2026-12-01T00:30:00.000+03:00' };
    const utc = { ...OUTBOUND, departs: '2026-11-30T21:30:00.000Z', journeyDate: '2026-12-01' };
    const expected = { flightDesignator: 'HHR0120', departure: 'MKX', arrival: 'DMX', departureDate: '2026-12-01' };
    const mail = { ...TO, kind: 'cancellation', segments: [late, utc] } as const;
    expect(await mailed(mail)).toMatchObject({ recordLocator: 'K7M4QX', segments: [expected, expected] });
    expect(await mailed({ ...mail, segments: [] })).not.toHaveProperty('segments');
  });

  test('joins given names in ticket mail', async () => {
    const names = [named(['SARA', 'ANNE'], 'HADDAD')];
    expect(await mailed({ ...TO, kind: 'tickets', names })).toMatchObject({
      passengers: [{ firstName: 'SARA ANNE', lastName: 'HADDAD' }],
    });
  });
});

test.each<[string, () => Promise<unknown>]>([
  ['a segment without a carrier', () => flown({ ...unnamed, marketing: {} })],
  ['a passenger without a name', () => created({ travelers: [nameless] })],
  ['a contact without a name', () => created({ contact: nameless })],
  ['no passengers', () => created({ travelers: [] })],
  ['a time without a zone', () => flown({ ...OUTBOUND, departs: '2026-12-01T08:00:00' })],
  ['a passenger type that is not sold', () => created({ travelers: [{ ...SARA, type: 'UMNR' }] })],
  ['a passenger on no segment', () => created({ travelers: [{ ...SARA, segmentRefs: [] }] })],
  ['a window that is no whole number of days', () => leg({ daysAfter: 0.5 })],
  ['a date that is none', () => leg({ date: '2026-02-30' })],
  ['no leg', () => searched({ legs: [] })],
  ['half a passenger', () => searched({ passengers: { adults: 0.5, children: 0, infants: 0 } })],
  ['no traveller for a seat', () => mapped({ requests: [{ segment: RETURN, travelerRefs: [] }] })],
  ['a traveller who is not listed', () => mapped({ requests: [{ segment: RETURN, travelerRefs: ['7'] }] })],
  ['seats of no segment', () => mapped({ requests: [] })],
  ['no locator', () => bodyOf((airline) => airline.read(''))],
  [
    'an invalid day of a calendar',
    () => bodyOf((airline) => airline.calendar({ ...CALENDAR, startDate: '2026-02-30' })),
  ],
  ['mail to nobody', () => mailed({ ...TO, emails: [], kind: 'tickets', names: [named(['SARA'], 'HADDAD')] })],
  ['ticket mail without a passenger', () => mailed({ ...TO, kind: 'tickets', names: [] })],
])('a request is refused with %s', async (_, send) => {
  await expect(send()).rejects.toMatchObject({ name: expect.stringMatching(/^(?:ClerkError|UnwritableRequest)$/) });
});
