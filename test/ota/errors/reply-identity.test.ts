/**
 * Checks that a reply is about the request: sockets and proxies have delivered replies to other calls.
 */

import { describe, expect, test } from 'vitest';
import {
  isAboutBooking,
  isAboutRoute,
  isAboutSearch,
  isAboutSeats,
  isForOthers,
  namesABooking,
} from '../../../src/ota/errors/reply-identity.ts';
import { traveler } from '../../support/people.ts';
import type { Booking, CalendarQuery, FareQuery, SeatMapQuery, Traveler } from '../support/port.ts';

const person = (given: string, surname: string): Traveler => traveler('1', given, surname);

describe('a booking that was just made', () => {
  const sent = [person('Amal', 'Al-Haddad'), person('Omar', 'Haddad')];
  test.each<[string, Traveler[], boolean]>([
    ['no passengers', [], false],
    ['passengers without names', [{ ...person('', ''), name: undefined } as never], false],
    ['passengers in other letters', [person('أمل', 'الحداد')], false],
    ['the same', sent, false],
    ['one of them, with a title before the name', [person('MRS AMAL', 'AL HADDAD')], false],
    ['one of them, with a title behind the name', [person('AMALMRS', 'ALHADDAD')], false],
    ['one of them, all in one field', [person('', 'HADDAD/OMAR MR')], false],
    ['one of them, with the names swapped', [person('HADDAD', 'OMAR')], false],
    ['a particle moved', [person('OMAR AL', 'HADDAD')], false],
    ['one of them beside another', [person('Eve', 'Stone'), person('Omar', 'Haddad')], false],
    ['a relative', [person('Amira', 'Haddad')], true],
    ['somebody of the same given name', [person('Omar', 'Stone')], true],
    ['the given name of one with the surname of another', [person('Amal', 'Stone'), person('Eve', 'Haddad')], true],
    ['another of the same particle', [person('Huda', 'Al Mutairi')], true],
    ['others', [person('Eve', 'Stone'), person('Bob', 'Stone')], true],
  ])('compares the passengers of the reply with those sent: %s: foreign: %s', (_what, travelers, others) => {
    expect(isForOthers({ travelers } as unknown as Booking, sent)).toBe(others);
  });

  test.each([
    ['Jo', 'Lee', 'MR JO', 'LEE'],
    ['A', 'Li', 'AMR', 'LI'],
    ['Yi', 'Wu', '', 'WU/YI MS'],
    ['Sukarno', 'Sukarno', 'SUKARNO MR', 'SUKARNO'],
    ['Sukarno', 'Sukarno', 'SUKARNO', 'SUKARNO'],
  ])('recognises %s %s in a reply that shows %s %s', (given, surname, shownGiven, shownSurname) => {
    const made = { travelers: [person(shownGiven, shownSurname)] } as unknown as Booking;
    expect(isForOthers(made, [person(given, surname)])).toBe(false);
  });

  test("recognises a foreign booking even if a passenger's name has 20,000 words", () => {
    const made = { travelers: [person(Array.from({ length: 20_000 }, (_, i) => `W${i}`).join(' '), 'X')] };
    expect(isForOthers(made as unknown as Booking, sent)).toBe(true);
  });

  test('calls no booking foreign if the passengers sent have no names', () => {
    const { name: _, ...unnamed } = person('', '');
    expect(isForOthers({ travelers: sent } as unknown as Booking, [unnamed])).toBe(false);
  });
});

const ours = { id: 'ABC123', type: '14' };
const theirs = { id: 'ZZZ999', type: '14' };

describe('a reply about a booking', () => {
  test.each<[string, unknown, boolean, boolean]>([
    ['a reference of its own', { bookingReferenceID: ours }, true, true],
    ['one of several', { bookingReferenceID: [theirs, ours] }, true, true],
    ['in another spelling', { bookingReferenceID: { id: ' abc123 ', type: '14' } }, true, true],
    ['a unique id', { uniqueID: [ours] }, true, true],
    ['the reservation’s', { airReservation: [{ bookingReferenceID: [ours] }] }, true, true],
    ['the first reservation that is one', { airReservation: [null, { bookingReferenceID: [ours] }] }, true, true],
    ['a reservation that is no list', { airReservation: { bookingReferenceID: [ours] } }, true, true],
    ['another booking', { bookingReferenceID: theirs }, false, true],
    ['a quote by counts, which is the locator', { pricedItinerary: { quoteID: 'ABC123' } }, false, true],
    ['none', { success: {} }, false, false],
    ['an empty list', { bookingReferenceID: [] }, false, false],
    ['no object', [{ bookingReferenceID: ours }], false, false],
    ['nothing', undefined, false, false],
  ])('checks whether a reply is about the booking that was asked for: %s', (_, body, about, names) => {
    expect(isAboutBooking(body, 'ABC123')).toBe(about);
    expect(namesABooking(body)).toBe(names);
  });
});

const segment = { from: 'MED', to: 'JED', flightNumber: '100' };
const operators = [{ id: 'RR-7788990011', type: '14', companyName: { code: 'RR' } }];
const group = { id: 'Spring tour', type: '9' };
const query = {
  locator: 'ABC123',
  requests: [{ segment }],
  source: { bookingReferenceID: [{ id: 'ABC123', type: '14' }, ...operators, group] },
} as unknown as SeatMapQuery;
const info = (from: string, to: string, flightNumber: string) => ({
  flightSegmentInfo: {
    departureAirport: { locationCode: from },
    arrivalAirport: { locationCode: to },
    flightNumber,
  },
});
const asked = info('MED', 'JED', '100');

describe('a seat map reply', () => {
  test.each<[string, unknown, boolean]>([
    ['a map of the booking', { seatMapResponses: [{ bookingReferenceID: ours }] }, true],
    ['a list within', { seatMapResponses: { seatMapResponse: [{ bookingReferenceID: ours }] } }, true],
    ['one within', { seatMapResponses: { seatMapResponse: { bookingReferenceID: ours } } }, true],
    ['the booking named beside the maps', { bookingReferenceID: ours, seatMapResponses: [{}] }, true],
    [
      'one map of another booking',
      { seatMapResponses: [{ bookingReferenceID: ours }, { bookingReferenceID: theirs }] },
      false,
    ],
    ["the operator's reference of the booking", { seatMapResponses: [{ bookingReferenceID: operators }] }, true],
    ['another booking beside the maps', { bookingReferenceID: theirs, seatMapResponses: [asked] }, false],
    ['a group of the same name', { seatMapResponses: [{ bookingReferenceID: [group] }] }, false],
    ['a map of the segment', { seatMapResponses: [asked] }, true],
    ['from elsewhere', { seatMapResponses: [info('RUH', 'JED', '100')] }, false],
    ['to elsewhere', { seatMapResponses: [info('MED', 'RUH', '100')] }, false],
    ['of another flight', { seatMapResponses: [info('MED', 'JED', '101')] }, false],
    ['one of them of another flight', { seatMapResponses: [asked, info('MED', 'JED', '101')] }, false],
    ['of nothing', { seatMapResponses: [{}] }, false],
    ['items that are no maps', { seatMapResponses: [null, 'x'] }, true],
    ['no maps', { seatMapResponses: 'x' }, true],
    ['no object', 'x', false],
  ])('checks whether a seat map reply is about what was asked for: %s', (_, body, about) => {
    expect(isAboutSeats(body, query)).toBe(about);
  });

  test('recognises seat maps by the locator alone if the booking was not read', () => {
    const unread = { ...query, source: undefined };
    expect(isAboutSeats({ seatMapResponses: [{ bookingReferenceID: ours }] }, unread)).toBe(true);
    expect(isAboutSeats({ seatMapResponses: [{ bookingReferenceID: operators }] }, unread)).toBe(false);
  });
});

describe('a calendar reply', () => {
  const route = { from: 'MED', to: 'JED' } as CalendarQuery;
  const at = (from?: unknown, to?: unknown) => ({
    ...(from !== undefined && { departureAirport: from }),
    ...(to !== undefined && { arrivalAirport: to }),
  });
  const code = (locationCode: string) => ({ locationCode });
  test.each<[string, unknown, boolean]>([
    ['both airports', at(code('MED'), code('JED')), true],
    ['in small letters', at(code('med'), code('jed')), true],
    ['one of them', at(code('MED')), true],
    ['neither', at(), true],
    ['from elsewhere', at(code('RUH'), code('JED')), false],
    ['to elsewhere', at(code('MED'), code('RUH')), false],
    ['elsewhere alone', at(undefined, code('RUH')), false],
    ['no object', [], false],
  ])('checks whether a calendar reply is about the route that was asked for: %s', (_, body, about) => {
    expect(isAboutRoute(body, route)).toBe(about);
  });
});

describe('the days of a search reply', () => {
  const leg = (date: string, daysBefore = 0, daysAfter = 0) => ({
    from: 'MED',
    to: 'JED',
    date,
    daysBefore,
    daysAfter,
  });
  const query = (...legs: object[]) => ({ legs }) as unknown as FareQuery;
  const out = query(leg('2026-12-10'));
  const wide = query(leg('2026-12-10', 2, 3));
  const both = query(leg('2026-12-10'), leg('2026-12-20'));
  const option = (departureDateTime?: unknown) => ({ flightSegment: { departureDateTime } });
  const listed = (...days: unknown[]) => ({
    pricedItineraries: [{ airItinerary: { originDestinationOptions: { originDestinationOption: days.map(option) } } }],
  });
  const itineraries = (...days: unknown[]) => ({
    pricedItineraries: { pricedItinerary: listed(...days).pricedItineraries },
  });
  const offered = (transport: object) => ({ offers: [{ transport }] });
  const record = (...transports: object[]) => ({ availability: { segments: transports.map(offered) } });

  test.each<[string, unknown, FareQuery, boolean]>([
    ['the day asked for', itineraries('2026-12-10T08:00:00+03:00'), out, true],
    ['in a bare list', listed('2026-12-10T08:00:00+03:00'), out, true],
    ['the day before, which it may be in UTC', itineraries('2026-12-09T23:00:00Z'), out, true],
    ['the day after', itineraries('2026-12-11T01:00:00'), out, true],
    ['two days before', itineraries('2026-12-08T08:00:00'), out, false],
    ['two days after', itineraries('2026-12-12T08:00:00'), out, false],
    ['two days after in a bare list', listed('2026-12-12T08:00:00'), out, false],
    ['the first of the window', itineraries('2026-12-07T08:00:00'), wide, true],
    ['before the window', itineraries('2026-12-06T08:00:00'), wide, false],
    ['the last of the window', itineraries('2026-12-14T08:00:00'), wide, true],
    ['after the window', itineraries('2026-12-15T08:00:00'), wide, false],
    ['both legs', itineraries('2026-12-10T08:00:00', '2026-12-20T08:00:00'), both, true],
    ['the second leg on another day', itineraries('2026-12-10T08:00:00', '2026-12-24T08:00:00'), both, false],
    ['the first leg alone', itineraries('2026-12-10T08:00:00'), both, true],
    ['no offers', { pricedItineraries: {} }, out, true],
    ['an empty list', { success: {}, pricedItineraries: { pricedItinerary: [] } }, out, true],
    ['a date that is none', itineraries('soon'), out, true],
    ['no date', itineraries(undefined), out, true],
    ['a record of the day', record({ journeyDate: '2026-12-10', departureTime: '2026-12-12T01:00:00Z' }), out, true],
    ['a record of another day', record({ journeyDate: '2026-12-13', departureTime: '2026-12-10' }), out, false],
    ['a record by its time alone', record({ departureTime: '2026-12-13T01:00:00Z' }), out, false],
    [
      'a record of both legs',
      record({ journeyDate: '2026-12-10' }, { departureTime: '2026-12-19T21:00:00Z' }),
      both,
      true,
    ],
    ['segments beside it', { segments: [offered({ journeyDate: '2026-12-13' })] }, out, false],
    ['a leg without offers', { availability: { segments: [{ offers: [] }] } }, out, true],
    ['no object', [], out, false],
    ['a query with an invalid date', itineraries('2026-12-10T08:00:00'), query(leg('some day')), true],
  ])('checks whether the days of a search reply fit the query: %s', (_, body, asked, about) => {
    expect(isAboutSearch(body, asked)).toBe(about);
  });
});
