/** What a cancellation gives up, and a change of flight: paid, and not surely coming back. One adult out and back at SAR 690.00. */
import { describe, expect, test } from 'vitest';
import { givenUp, givenUpByChange } from '../../../src/domain/refund/given-up.ts';
import {
  BACK,
  type Booking,
  faresOf,
  fiveAdults,
  held,
  inStatus,
  NOW,
  OUT,
  partlyCancelled,
  pricing,
  row,
  rule,
  sar,
  ticketed,
  UNPRICED,
} from '../../support/bookings.ts';
import { estimateAt } from '../../support/estimate.ts';

type Part = Parameters<typeof givenUp>[1];

/** Minor units that cancelling this part gives up. */
function lost(booking: Booking, part: Partial<Part> = {}, now = NOW): number | undefined {
  const cancelled = { options: booking.options, travelers: booking.travelers, ...part };
  const sum = givenUp(booking, cancelled, estimateAt(booking, cancelled, now), now);
  expect([undefined, 'SAR']).toContain(sum?.currency);
  return sum?.minor;
}

const bySegment = ['1', '2'].map((ref) => row('ADT', 1, sar(34500), { segmentRefs: [ref] }));
const ruled = (...rules: Parameters<typeof rule>) => ({ refundRules: rules.map((each) => rule(each)) });
const paying = (over: Parameters<typeof pricing>[1] = {}, more: object = {}): Booking =>
  ticketed({ pricing: pricing(69000, { fares: faresOf(), perType: bySegment, ...over }), ...more });
const LOST = paying({ fares: faresOf(ruled({ refundable: false, base: sar(0) })) });
const condition = { texts: [{ locale: 'en', text: 'For health reasons only' }] };

/** Between the two departures. */
const HALFWAY = Date.parse('2026-12-02T00:00:00Z');
const AFTER_ALL = Date.parse('2026-12-06T00:00:00Z');

describe('a cancellation gives up', () => {
  test.each<[string, number | undefined, Booking, Partial<Part>?, number?]>([
    ['all that was paid where nothing comes back', 69000, LOST],
    ['the penalties where the rest comes back', 34500, paying()],
    ['nothing where all comes back', undefined, paying({ fares: faresOf(ruled({ base: sar(0) })) })],
    ['the price of the part alone', 34500, LOST, { options: [BACK] }],
    ['at most all where the part has no price of its own', 69000, ticketed(), { options: [BACK] }],
    ['the share of the passengers who leave', 34500, fiveAdults(), { travelers: fiveAdults().travelers.slice(0, 1) }],
    ['all where words of the airline decide', 69000, paying({ fares: faresOf(ruled({ base: sar(0), ...condition })) })],
    ['all where no rule says what comes back', 69000, paying({ fares: faresOf({ refundRules: [] }) })],
    ['at most what is neither refunded nor kept before', 34500, partlyCancelled()],
    [
      'all after the time limit, before the departure',
      69000,
      paying({ fares: faresOf({ cancelUntil: '2026-11-28T00:00:00Z' }) }),
    ],
    ['the price where no order says what was paid', 69000, { ...LOST, orders: [] }],
    ['at most all where the reading shows no passenger', 69000, { ...LOST, travelers: [] }, { options: [BACK] }],
    ['nothing of an unpaid hold', undefined, held()],
    ['nothing where nothing shows what was paid', undefined, ticketed({ pricing: UNPRICED, orders: [] })],
    ['nothing after the last departure', undefined, LOST, {}, AFTER_ALL],
    ['the part that is ahead', 34500, LOST, {}, HALFWAY],
    ['nothing of a part that has departed', undefined, LOST, { options: [OUT] }, HALFWAY],
    [
      'what a departed flight cost that the airline cancelled itself',
      34500,
      LOST,
      { options: [inStatus(OUT, '16', { owed: true })] },
      HALFWAY,
    ],
  ])('%s', (_what, expected, booking, part, now) => {
    expect(lost(booking, part, now)).toBe(expected);
  });
});

describe('a change of flight gives up', () => {
  const change = (booking: Booking, fares: readonly number[], saving?: number) =>
    givenUpByChange(booking, OUT, fares.map(sar), saving === undefined ? undefined : sar(saving))?.minor;

  test('nothing where the new flight takes over all that was paid', () => {
    expect([change(paying(), [34500], 0), change(paying(), [50000])]).toEqual([undefined, undefined]);
  });

  test('what a cheaper fare saves, as the airline may keep it', () => {
    expect(change(paying(), [20000], 14500)).toBe(14500);
  });

  test('what the old flight can have cost beyond the cheapest fare, where that is not known', () => {
    expect([change(ticketed(), [50000, 40000]), change(ticketed(), [70000])]).toEqual([29000, undefined]);
  });

  test('all that the old flight can have cost, in another currency than the new fare', () => {
    expect(givenUpByChange(ticketed(), OUT, [{ minor: 50000, currency: 'EUR' }], undefined)).toEqual(sar(69000));
  });

  test('nothing of an unpaid hold', () => {
    expect(change(held(), [20000])).toBeUndefined();
  });
});
