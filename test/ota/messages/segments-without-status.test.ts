/**
 * Holds of the rail dialect send no status with a segment (docs/wire/notes.md, replies: what else they hold).
 */
import { describe, expect, test } from 'vitest';
import { couponsDue } from '../../../src/tools/acts/pay-booking.ts';
import { hear } from '../support/asked.ts';
import type { Booking } from '../support/port.ts';
import { shown } from '../support/shown.ts';
import { between, bookingOf, flight, itinerary, option } from '../support/wire.ts';
import { golden } from './golden.ts';

const held = await hear('hold', golden('replies', 'hold-rail'));

/** Two segments without a status, and the coupons given. */
function reading(coupons: readonly string[], status?: string): Booking {
  const leg = (rph: string, from: string, to: string) =>
    option(rph, flight({ ...between(from, to), rph, status: undefined }));
  return bookingOf({
    airItinerary: itinerary(leg('1', 'AAA', 'BBB'), leg('2', 'BBB', 'AAA')),
    ticketing: coupons.map(([flightRefRPH, letter], i) => ({
      ticketDocumentNbr: `309000000000${i}`,
      travelerRefNumber: ['1'],
      flightSegmentRefNumber: [flightRefRPH],
      tpaextensions: { couponInfos: [{ flightRefRPH, number: '1', status: letter }] },
    })),
    status,
  });
}

const active = (booking: Booking) =>
  shown(booking).segments.flatMap(({ ref, status }) => (status === undefined ? [ref] : []));

describe('a segment without a status', () => {
  test('treats a segment without a status as active in a hold, with a coupon due for each passenger', () => {
    expect(active(held)).toEqual(['1', '2']);
    expect(couponsDue(held)).toBe(2 * held.travelers.length);
  });

  test.each<[string, string[], string | undefined, string[]]>([
    ['no coupon', [], undefined, ['1', '2']],
    ['one coupon refunded of two', ['1R', '1O'], undefined, ['1', '2']],
    ['every coupon refunded', ['1R', '1R', '2O'], undefined, ['2']],
    ['an exchanged coupon', ['1E'], undefined, ['1', '2']],
    ['a cancelled booking', [], 'CANCELLED', []],
  ])('decides which segments without a status are active, with %s', (_what, coupons, status, refs) => {
    expect(active(reading(coupons, status))).toEqual(refs);
  });
});
