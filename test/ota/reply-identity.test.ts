/**
 * Whether a reply is about what was asked: sockets and proxies have been seen to hand over somebody else's.
 */
import { describe, expect, test } from 'vitest';
import type { CalendarQuery } from '../../src/domain/schedule.ts';
import type { SeatMapQuery } from '../../src/domain/seat-map.ts';
import { isAboutBooking, isAboutRoute, isAboutSeats, namesABooking } from '../../src/ota/reply-identity.ts';

const ours = { id: 'ABC123', type: '14' };
const theirs = { id: 'ZZZ999', type: '14' };

describe('a booking', () => {
  test.each<[string, unknown, boolean, boolean]>([
    ['a reference of its own', { bookingReferenceID: ours }, true, true],
    ['one of several', { bookingReferenceID: [theirs, ours] }, true, true],
    ['written otherwise', { bookingReferenceID: { id: ' abc123 ', type: '14' } }, true, true],
    ['a unique id', { uniqueID: [ours] }, true, true],
    ['the reservation’s', { airReservation: [{ bookingReferenceID: [ours] }] }, true, true],
    ['the first reservation that is one', { airReservation: [null, { bookingReferenceID: [ours] }] }, true, true],
    ['a reservation that is no list', { airReservation: { bookingReferenceID: [ours] } }, true, true],
    ['another booking', { bookingReferenceID: theirs }, false, true],
    ['none', { success: {} }, false, false],
    ['an empty list', { bookingReferenceID: [] }, false, false],
    ['no object', [{ bookingReferenceID: ours }], false, false],
    ['nothing', undefined, false, false],
  ])('%s', (_, body, about, names) => {
    expect(isAboutBooking(body, 'ABC123')).toBe(about);
    expect(namesABooking(body)).toBe(names);
  });
});

const segment = { from: 'MED', to: 'JED', flightNumber: '100' };
const query = { locator: 'ABC123', requests: [{ segment }] } as unknown as SeatMapQuery;
const info = (from: string, to: string, flightNumber: string) => ({
  flightSegmentInfo: {
    departureAirport: { locationCode: from },
    arrivalAirport: { locationCode: to },
    flightNumber,
  },
});
const asked = info('MED', 'JED', '100');

describe('seats', () => {
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
    ['another booking beside the maps', { bookingReferenceID: theirs, seatMapResponses: [asked] }, false],
    ['a map of the segment', { seatMapResponses: [asked] }, true],
    ['from elsewhere', { seatMapResponses: [info('RUH', 'JED', '100')] }, false],
    ['to elsewhere', { seatMapResponses: [info('MED', 'RUH', '100')] }, false],
    ['of another flight', { seatMapResponses: [info('MED', 'JED', '101')] }, false],
    ['one of them of another flight', { seatMapResponses: [asked, info('MED', 'JED', '101')] }, false],
    ['of nothing', { seatMapResponses: [{}] }, false],
    ['items that are no maps', { seatMapResponses: [null, 'x'] }, true],
    ['no maps', { seatMapResponses: 'x' }, true],
    ['no object', 'x', false],
  ])('%s', (_, body, about) => {
    expect(isAboutSeats(body, query)).toBe(about);
  });
});

describe('a calendar', () => {
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
  ])('%s', (_, body, about) => {
    expect(isAboutRoute(body, route)).toBe(about);
  });
});
