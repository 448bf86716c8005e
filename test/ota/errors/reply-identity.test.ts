/**
 * Checks that a reply is about the request: sockets and proxies have delivered replies to other calls.
 */
import { describe, expect, test } from 'vitest';
import { traveler } from '../../support/people.ts';
import { hearing } from '../support/asked.ts';
import {
  booking,
  confirmed,
  fareQuery,
  LOCATOR,
  newBooking,
  reservation,
  seatMapQuery,
  watchedDispatch,
} from '../support/samples.ts';
import { told } from '../support/told.ts';
import { flight, itinerary, option, type Wire } from '../support/wire.ts';

/** Whether the adapter throws the reply away, since it is about something else. */
async function isForeign(call: Parameters<typeof hearing>[0], reply: unknown): Promise<boolean> {
  const outcome = await hearing(call, [reply]);
  return 'error' in outcome && /thrown away|other travellers/.test(String(outcome.error));
}

type Name = readonly [given: string, surname: string];

describe('a booking that was just made', () => {
  const HADDADS: Name[] = [
    ['Amal', 'Al-Haddad'],
    ['Omar', 'Haddad'],
  ];
  const isForOthers = (shown: readonly Name[], sent: readonly Name[]) => {
    const airTraveler = shown.map(([given, surname]) => ({ personName: { givenName: [given], surname } }));
    const travelers = sent.map(([given, surname], i) => ({
      ...newBooking.travelers[0],
      ...traveler(`${i + 1}`, given, surname),
      segmentRefs: ['1'],
    }));
    const reply = { success: {}, airReservation: { ...reservation(), travelerInfo: { airTraveler } } };
    return isForeign((airline) => airline.create({ ...newBooking, travelers }, watchedDispatch()), reply);
  };

  test.each<[string, Name[], boolean]>([
    ['no passengers', [], false],
    ['passengers without names', [['', '']], false],
    ['passengers in other letters', [['أمل', 'الحداد']], false],
    ['the same', HADDADS, false],
    ['one of them, with a title before the name', [['MRS AMAL', 'AL HADDAD']], false],
    ['one of them, with a title behind the name', [['AMALMRS', 'ALHADDAD']], false],
    ['one of them, all in one field', [['', 'HADDAD/OMAR MR']], false],
    ['one of them, with the names swapped', [['HADDAD', 'OMAR']], false],
    ['a particle moved', [['OMAR AL', 'HADDAD']], false],
    ['a masked name', [['A***', 'H****D']], false],
    [
      'a masked name beside that of another',
      [
        ['A***', 'H****D'],
        ['Eve', 'Stone'],
      ],
      true,
    ],
    ['one of them beside another', [['Eve', 'Stone'], HADDADS[1] as Name], false],
    ['a relative', [['Amira', 'Haddad']], true],
    ['somebody of the same given name', [['Omar', 'Stone']], true],
    [
      'the given name of one with the surname of another',
      [
        ['Amal', 'Stone'],
        ['Eve', 'Haddad'],
      ],
      true,
    ],
    ['another of the same particle', [['Huda', 'Al Mutairi']], true],
    ['a name of 20,000 words', [[Array.from({ length: 20_000 }, (_, i) => `W${i}`).join(' '), 'X']], true],
  ])('compares the passengers of the reply with those sent: %s: foreign: %s', async (_what, shown, others) => {
    expect(await isForOthers(shown, HADDADS)).toBe(others);
  });

  test.each([
    ['Jo', 'Lee', 'MR JO', 'LEE'],
    ['A', 'Li', 'AMR', 'LI'],
    ['Yi', 'Wu', '', 'WU/YI MS'],
    ['Sukarno', 'Sukarno', 'SUKARNO MR', 'SUKARNO'],
    ['Sukarno', 'Sukarno', 'SUKARNO', 'SUKARNO'],
  ])('recognises %s %s in a reply that shows %s %s', async (given, surname, shownGiven, shownSurname) => {
    expect(await isForOthers([[shownGiven, shownSurname]], [[given, surname]])).toBe(false);
  });

  test('calls no booking foreign if the names sent have no letters', async () => {
    expect(await isForOthers(HADDADS, [['-', '.']])).toBe(false);
  });
});

const ours = { id: LOCATOR, type: '14' };
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
    ['a quote by counts, which is the locator', { pricedItinerary: { quoteID: LOCATOR } }, false, true],
    ['none', { success: {} }, false, false],
    ['an empty list', { bookingReferenceID: [] }, false, false],
    ['no object', [{ bookingReferenceID: ours }], false, false],
  ])('checks whether a reply is about the booking that was asked for: %s', async (_, body, about, names) => {
    expect(await isForeign((airline) => airline.read(LOCATOR), body)).toBe(!about);
    // Beside an error, a booking that was made is a contradiction.
    if (Array.isArray(body) || 'success' in (body as Wire) || 'airReservation' in (body as Wire)) return;
    const { effect } = told(200, { errors: [{ code: '73' }], ...(body as Wire) }, 'book');
    expect(effect).toBe(names ? 'unknown' : 'none');
  });
});

// The new booking has a locator that nobody knew: any is right, and none is not.
test.each([
  [{ bookingReferenceID: theirs }, false],
  [{ success: {} }, true],
  [[{ bookingReferenceID: ours }], true],
])('of a split needs a booking in the reply: %j', async (body, foreign) => {
  const modification = { kind: 'split_booking', booking, travelers: booking.travelers.slice(0, 1) } as const;
  const split = isForeign((airline) => airline.modify(confirmed({ modification }, watchedDispatch())), body);
  expect(await split).toBe(foreign);
});

describe('a seat map reply', () => {
  const operators = [{ id: 'RR-7788990011', type: '14', companyName: { code: 'RR' } }];
  const group = { id: 'Spring tour', type: '9' };
  const source = { ...reservation(), bookingReferenceID: [ours, ...operators, group] };
  const info = (from: string, to: string, flightNumber: string) => ({
    flightSegmentInfo: {
      departureAirport: { locationCode: from },
      arrivalAirport: { locationCode: to },
      flightNumber,
    },
  });
  const asked = info('MKX', 'JED', '1301');
  const read = { ...seatMapQuery, source };

  test.each<[string, unknown, boolean, typeof seatMapQuery?]>([
    ['a map of the booking', { seatMapResponses: [{ bookingReferenceID: ours }] }, true],
    ['a list within', { seatMapResponses: { seatMapResponse: [{ bookingReferenceID: ours }] } }, true],
    ['one within', { seatMapResponses: { seatMapResponse: { bookingReferenceID: ours } } }, true],
    ['the booking named beside the maps', { bookingReferenceID: ours, seatMapResponses: [{}] }, true],
    ['one map of another', { seatMapResponses: [{ bookingReferenceID: ours }, { bookingReferenceID: theirs }] }, false],
    ["the operator's reference of the booking", { seatMapResponses: [{ bookingReferenceID: operators }] }, true],
    ['the same of a booking unread', { seatMapResponses: [{ bookingReferenceID: operators }] }, false, seatMapQuery],
    ['our own of a booking unread', { seatMapResponses: [{ bookingReferenceID: ours }] }, true, seatMapQuery],
    ['another booking beside the maps', { bookingReferenceID: theirs, seatMapResponses: [asked] }, false],
    ['a group of the same name', { seatMapResponses: [{ bookingReferenceID: [group] }] }, false],
    ['a map of the segment', { seatMapResponses: [asked] }, true],
    ['from elsewhere', { seatMapResponses: [info('RUH', 'JED', '1301')] }, false],
    ['to elsewhere', { seatMapResponses: [info('MKX', 'RUH', '1301')] }, false],
    ['one of them of another flight', { seatMapResponses: [asked, info('MKX', 'JED', '101')] }, false],
    ['of nothing', { seatMapResponses: [{}] }, false],
    ['items that are no maps', { seatMapResponses: [null, 'x'] }, true],
    ['no maps', { seatMapResponses: 'x' }, true],
    ['no object', 'x', false],
  ])('is checked against the booking and the segments asked for: %s', async (_, body, about, query = read) => {
    expect(await isForeign((airline) => airline.seatMap(query), body)).toBe(!about);
  });
});

describe('a calendar reply', () => {
  const query = { from: 'MED', to: 'JED', startDate: '2026-12-01', endDate: '2026-12-31', direct: true };
  const december = { startDate: '2026-12-01', endDate: '2026-12-31' };
  const [med, jed, ruh] = ['med', 'JED', 'RUH'].map((locationCode) => ({ locationCode }));

  test.each<[string, unknown, boolean]>([
    ['both airports', { departureAirport: med, arrivalAirport: jed }, true],
    ['one of them', { departureAirport: med }, true],
    ['neither', {}, true],
    ['from elsewhere', { departureAirport: ruh, arrivalAirport: jed }, false],
    ['to elsewhere', { departureAirport: med, arrivalAirport: ruh }, false],
    ['no object', [], false],
    ['the month that was asked for', { ...december, dates: [] }, true],
    ['half of it', { ...december, endDate: '2026-12-15T23:59:59', dates: ['2026-12-05'] }, true],
    ['the whole year', { startDate: '2026-01-01', endDate: '2026-12-31', dates: ['2026-02-01'] }, true],
    ['another month', { startDate: '2026-11-01', endDate: '2026-11-30', dates: ['2026-11-05'] }, false],
    ['another month, without service', { startDate: '2027-01-01T00:00:00', endDate: '2027-01-31', dates: [] }, false],
    ['days of another month alone', { dates: ['2027-01-05', '2027-01-06'] }, false],
    ['days before and after it', { dates: ['2026-11-30', '2027-01-01'] }, true],
  ])('is checked against the route and the days that were asked for: %s', async (_, body, about) => {
    expect(await isForeign((airline) => airline.calendar(query), body)).toBe(!about);
  });

  test.each<[string, object, readonly string[] | 'E_AIRLINE_REPLY']>([
    ['an empty list', { dates: [] }, []],
    ['no list, and the days that it is for', december, []],
    ['no list, and the route alone', { departureAirport: med, arrivalAirport: jed }, 'E_AIRLINE_REPLY'],
    ['days that cannot be read', { ...december, dates: ['soon'] }, 'E_AIRLINE_REPLY'],
    ['one day, without a list', { dates: '2026-12-05' }, ['2026-12-05']],
  ])('says that there is no service only by an answer for these days: %s', async (_, body, dates) => {
    const outcome = await hearing((airline) => airline.calendar(query), [body]);
    expect('value' in outcome ? outcome.value.dates : outcome.error).toMatchObject(
      typeof dates === 'string' ? { code: dates } : dates,
    );
  });
});

describe('a list of routes', () => {
  const RUH = { code: 'RUH', name: 'Riyadh' };

  test.each<[string, unknown, boolean]>([
    ['an airline that sells none', [], true],
    ['a route', [{ origin: RUH, destinations: [{ code: 'JED' }] }], true],
    ['a route that can be read, and another one', [{ origin: RUH, destinations: [{ code: 'JED' }] }, {}], true],
    ['routes without codes', [{ origin: { name: 'Riyadh' }, destinations: [{ code: 'JED' }] }], false],
    ['routes without destinations', [{ origin: RUH }], false],
  ])('is not empty because it cannot be read: %s', async (_, body, isRead) => {
    const outcome = await hearing((airline) => airline.routes(), [body]);
    expect('value' in outcome).toBe(isRead);
    if (!isRead) expect(outcome).toMatchObject({ error: { code: 'E_AIRLINE_REPLY' } });
  });
});

describe('the days of a search reply', () => {
  const [leg] = fareQuery.legs as [(typeof fareQuery.legs)[0]];
  const out = { ...leg, date: '2026-12-10' };
  const wide = { ...out, daysBefore: 2, daysAfter: 3 };
  const both = [out, { ...out, date: '2026-12-20' }];
  const listed = (...days: unknown[]) => ({
    pricedItineraries: [
      { airItinerary: itinerary(...days.map((departureDateTime) => option('1', flight({ departureDateTime })))) },
    ],
  });
  const itineraries = (...days: unknown[]) => ({
    pricedItineraries: { pricedItinerary: listed(...days).pricedItineraries },
  });
  const offered = (transport: object) => ({ offers: [{ transport }] });
  const record = (...transports: object[]) => ({ availability: { segments: transports.map(offered) } });

  test.each<[string, unknown, typeof both, boolean]>([
    ['the day asked for', itineraries('2026-12-10T08:00:00+03:00'), [out], true],
    ['in a bare list', listed('2026-12-10T08:00:00+03:00'), [out], true],
    ['the day before, which it may be in UTC', itineraries('2026-12-09T23:00:00Z'), [out], true],
    ['the day after', itineraries('2026-12-11T01:00:00'), [out], true],
    ['two days before', itineraries('2026-12-08T08:00:00'), [out], false],
    ['two days after', itineraries('2026-12-12T08:00:00'), [out], false],
    ['two days after in a bare list', listed('2026-12-12T08:00:00'), [out], false],
    ['the first of the window', itineraries('2026-12-07T08:00:00'), [wide], true],
    ['before the window', itineraries('2026-12-06T08:00:00'), [wide], false],
    ['the last of the window', itineraries('2026-12-14T08:00:00'), [wide], true],
    ['after the window', itineraries('2026-12-15T08:00:00'), [wide], false],
    ['both legs', itineraries('2026-12-10T08:00:00', '2026-12-20T08:00:00'), both, true],
    ['the second leg on another day', itineraries('2026-12-10T08:00:00', '2026-12-24T08:00:00'), both, false],
    ['the first leg alone', itineraries('2026-12-10T08:00:00'), both, true],
    ['no offers', { pricedItineraries: {} }, [out], true],
    ['a date that is none', itineraries('soon'), [out], true],
    ['no date', itineraries(undefined), [out], true],
    ['a record of the day', record({ journeyDate: '2026-12-10', departureTime: '2026-12-12T01:00:00Z' }), [out], true],
    ['a record of another day', record({ journeyDate: '2026-12-13', departureTime: '2026-12-10' }), [out], false],
    ['a record by its time alone', record({ departureTime: '2026-12-13T01:00:00Z' }), [out], false],
    [
      'a record of both legs',
      record({ journeyDate: '2026-12-10' }, { departureTime: '2026-12-19T21:00:00Z' }),
      both,
      true,
    ],
    ['segments beside it', { segments: [offered({ journeyDate: '2026-12-13' })] }, [out], false],
    ['a leg without offers', { availability: { segments: [{ offers: [] }] } }, [out], true],
    ['no object', [], [out], false],
  ])('are checked against the query: %s', async (_, body, legs, about) => {
    expect(await isForeign((airline) => airline.searchFares({ ...fareQuery, legs }), body)).toBe(!about);
  });
});
