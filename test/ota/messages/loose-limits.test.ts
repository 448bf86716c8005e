/** Times in other spellings, and limits that are no exact UTC times (docs/wire/notes.md, Times without a zone). */
import { describe, expect, test } from 'vitest';
import { bookingDeadlines } from '../../../src/domain/booking/deadlines.ts';
import { hear } from '../support/asked.ts';
import { bookingOf, fare, flight, itinerary, option, searchOf, type Wire } from '../support/wire.ts';

/** A hold made at 20:00 UTC, whose station is three hours ahead. */
const hold = (confirmationTimeLimit: string, over: Wire = {}) =>
  bookingOf({
    createDateTime: '2031-05-01T20:00:00Z',
    airItinerary: itinerary(option('1', flight({ rph: '1' }))),
    priceInfo: { fareInfos: { fareInfo: [{ ruleInfo: { tpaextensions: { confirmationTimeLimit } } }] } },
    ...over,
  });

describe('a limit', () => {
  test.each([
    ['2031-05-01 20:30:00+00:00', '2031-05-01T20:30:00Z'],
    ['2031-05-01T23:30:00+03', '2031-05-01T20:30:00Z'],
    ['2031-05-01T20:30:00,250Z', '2031-05-01T20:30:00Z'],
    ['2031-05-01T23:30:00+03:00[Asia/Riyadh]', '2031-05-01T20:30:00Z'],
    ['2031-05-01T23:30[Asia/Riyadh]', '2031-05-01T20:30:00Z'],
    ['2031-05-01 20:30', '2031-05-01T20:30:00Z'],
    ['2031-05-01T20:30:00', '2031-05-01T20:30:00Z'],
  ])('%s counts as %s', (sent, payBy) => {
    const booking = hold(sent);
    expect(bookingDeadlines(booking).payBy).toBe(payBy);
    expect(booking.looseLimits ?? []).toEqual([]);
  });

  test('without a zone is the station’s where that is earlier and still after the booking was made', () => {
    const station = { what: 'pay_by', sent: '2031-05-01T23:30:00' };
    const local = hold('2031-05-01T23:30:00');
    expect(bookingDeadlines(local).payBy).toBe('2031-05-01T20:30:00Z');
    expect(local.looseLimits).toEqual([station]);
    // West of Greenwich the station's time is later, and without the time of creation nothing says that it is a limit.
    const west = itinerary(option('1', flight({ rph: '1', departureDateTime: '2031-05-04T08:10:00.000-05:00' })));
    for (const over of [{ airItinerary: west }, { createDateTime: undefined }]) {
      const booking = hold('2031-05-01T23:30:00', over);
      expect(bookingDeadlines(booking).payBy).toBe('2031-05-01T23:30:00Z');
      expect(booking.looseLimits).toEqual([]);
    }
  });

  test.each(['2031-05-01', '1 May 2031, 6 pm'])('%s closes nothing, and is kept as sent', (sent) => {
    const booking = hold(sent);
    expect(bookingDeadlines(booking).payBy).toBeUndefined();
    expect(booking.looseLimits).toEqual([{ what: 'pay_by', sent }]);
  });

  test('of tickets and of rules is read in the same way', () => {
    const rule = { refundable: true, base: 1, total: 1, currency: 'SAR', applyUntilTime: '2031-05-03 10:00' };
    const penaltyRules = [{ passengerTypeCode: 'ADT', rules: [rule, { ...rule, applyUntilTime: 'noon' }] }];
    const voluntaryRefunds = { TPA_Extensions: { penaltyRules } };
    const booking = bookingOf({
      ...{ createDateTime: '2031-05-01 20:00:00', ticketing: [{ ticketTimeLimit: '2031-05-01 20:30:00' }] },
      airItinerary: itinerary(option('1', flight({ rph: '1' }))),
      priceInfo: { fareInfos: { fareInfo: [{ ruleInfo: { chargesRules: { voluntaryRefunds } } }] } },
    });
    expect(booking.createdAt).toBe('2031-05-01T20:00:00Z');
    expect(bookingDeadlines(booking).payBy).toBe('2031-05-01T20:30:00Z');
    const untils = booking.pricing?.fares[0]?.refundRules.map(({ until }) => until);
    expect(untils).toEqual(['2031-05-03T07:00:00Z', 'noon']);
    expect(booking.looseLimits?.map(({ what, sent }) => [what, sent])).toEqual([
      ['rule', '2031-05-03T10:00'],
      ['rule', 'noon'],
    ]);
  });
});

test('a departure may have a space for its T', () => {
  const times = { departureDateTime: '2031-05-04 08:10:00+03:00', arrivalDateTime: '2031-05-04 09:02+03' };
  const [segment] = bookingOf({ airItinerary: itinerary(option('1', flight(times))) }).options[0]?.segments ?? [];
  expect(segment).toMatchObject({ departs: '2031-05-04T08:10:00+03:00', arrives: '2031-05-04T09:02+03:00' });
});

test('an offer of a search keeps its limits as sent', async () => {
  const ruleInfo = { tpaextensions: { confirmationTimeLimit: '2031-05-01T23:30:00', cancellationTimeLimit: 'soon' } };
  const pricing = { itinTotalFare: [fare(100, 'SAR')], fareInfos: { fareInfo: [{ ruleInfo }] } };
  const reply = { ...searchOf([itinerary(option('1', flight())), pricing]), timeStamp: '2031-05-01T20:00:00Z' };
  const { offers } = await hear('search', reply);
  expect(offers[0]?.pricing.fares[0]).toMatchObject({ payBy: '2031-05-01T20:30:00Z', cancelUntil: undefined });
  expect(offers[0]?.looseLimits).toEqual([
    { what: 'pay_by', sent: '2031-05-01T23:30:00' },
    { what: 'cancel_until', sent: 'soon' },
  ]);
});
