import { describe, expect, test } from 'vitest';
import { totalsByType } from '../../../src/domain/pricing/total-per-passenger-type.ts';
import { row, sar, type TypePrice } from '../../support/bookings.ts';

const { price: _, ...unpriced } = row('ADT', 1, sar(100));

describe('sums by passenger type', () => {
  test.each<[string, TypePrice[], object[]]>([
    ['no rows', [], []],
    [
      'one row per type',
      [row('ADT', 2, sar(20000)), row('CHD', 1, sar(5000))],
      [
        { type: 'ADT', count: 2, total: sar(20000) },
        { type: 'CHD', count: 1, total: sar(5000) },
      ],
    ],
    [
      'a row for each segment, by pointers of segments',
      [row('ADT', 2, sar(20000), { segmentRefs: ['1'] }), row('ADT', 2, sar(15000), { segmentRefs: ['2'] })],
      [{ type: 'ADT', count: 2, total: sar(35000) }],
    ],
    [
      'a row for each segment, by pointers of travellers',
      [
        row('ADT', 2, sar(20000), { travelerRefs: ['1', '2'] }),
        row('ADT', 2, sar(15000), { travelerRefs: ['2', '1'] }),
      ],
      [{ type: 'ADT', count: 2, total: sar(35000) }],
    ],
    [
      'a row for each segment, without pointers',
      [row('ADT', 5, sar(20000)), row('ADT', 5, sar(15000))],
      [{ type: 'ADT', count: 5, total: sar(35000) }],
    ],
    [
      'a row for each passenger, by pointers of travellers',
      [row('ADT', 1, sar(100), { travelerRefs: ['1'] }), row('ADT', 1, sar(100), { travelerRefs: ['2'] })],
      [{ type: 'ADT', count: 2, total: sar(200) }],
    ],
    [
      'a row for each passenger, on the same segments',
      [row('ADT', 1, sar(100), { segmentRefs: ['1', '2'] }), row('ADT', 1, sar(100), { segmentRefs: ['2', '1'] })],
      [{ type: 'ADT', count: 2, total: sar(200) }],
    ],
    ['a row without a price', [row('ADT', 1, sar(100)), unpriced], []],
    ['two currencies', [row('ADT', 1, sar(100)), row('ADT', 1, { minor: 5, currency: 'EUR' })], []],
  ])('adds price rows by passenger type: %s', (_name, rows, sums) => expect(totalsByType(rows)).toEqual(sums));

  test('uses the number of passengers if it is known', () => {
    const rows = [row('ADT', 1, sar(100)), row('ADT', 1, sar(100)), row('CHD', 1, sar(50))];
    expect(totalsByType(rows, { ADT: 2, CHD: 0 }).map(({ count }) => count)).toEqual([2, 1]);
    expect(totalsByType([row('constructor', 3, sar(1))], {}).map(({ count }) => count)).toEqual([3]);
  });
});
