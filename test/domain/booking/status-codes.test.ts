import { describe, expect, test } from 'vitest';
import {
  countOf,
  couponStatus,
  orderStatus,
  type SegmentStatus,
  segmentStatus,
  segmentStatusWord,
} from '../../../src/domain/booking/status-codes.ts';

const SEGMENTS: [string, SegmentStatus, string][] = [
  ['30', 'active', 'confirmed'],
  ['HK', 'active', 'confirmed'],
  ['16', 'cancelled', 'cancelled'],
  ['XX', 'cancelled', 'cancelled'],
  ['31', 'cancelled', 'have cancelled'],
  ['HX', 'cancelled', 'have cancelled'],
  ['34', 'other', 'merely offered'],
  ['46', 'other', 'waitlisted'],
  ['51', 'active', 'schedule change'],
  ['80', 'other', 'flown'],
  ['83', 'other', 'no-show'],
  ['UC', 'other', 'unable, waitlist closed'],
  ['UN', 'cancelled', 'unable'],
  ['NO', 'other', 'no action'],
];

const COUPONS: [string, string][] = [
  ['O', 'open'],
  ['R', 'refunded'],
  ['E', 'exchanged'],
  ['A', 'airport control'],
  ['C', 'checked in'],
  ['L', 'boarded'],
  ['F', 'flown'],
  ['V', 'void'],
  ['S', 'suspended'],
  ['U', 'unavailable'],
  ['X', 'print exchange'],
  ['Z', 'closed'],
];

const ORDERS: [string, string][] = [
  ['PENDING', 'pending'],
  ['PAID', 'paid'],
];

describe('segments', () => {
  test.each(SEGMENTS)('reports segment code %s as %s: %s', (code, status, word) => {
    expect([segmentStatus(code), segmentStatusWord(code)]).toEqual([status, word]);
  });
});

describe('coupons', () => {
  test.each(COUPONS)('shows coupon code %s as %s', (code, word) => expect(couponStatus(code)).toBe(word));
});

describe('orders', () => {
  test.each(ORDERS)('shows order code %s as %s', (code, word) => expect(orderStatus(code)).toBe(word));
});

describe('codes that are not in a table', () => {
  test.each([
    ['999', 'unknown (999)'],
    ['constructor', 'unknown (constructor)'],
    ['', 'unknown (none sent)'],
    ['x'.repeat(99), `unknown (“${'x'.repeat(11)}…”)`],
    ['a‮[b](c)', 'unknown (“a (b)(c)”)'],
  ])('shows the unlisted code %s as unknown', (code, word) => {
    expect([segmentStatusWord(code), couponStatus(code), orderStatus(code)]).toEqual([word, word, word]);
    expect(segmentStatus(code)).toBe('other');
  });
});

test('treats a segment without a code as active, and a coupon or order without one as unknown', () => {
  expect([segmentStatus(undefined), segmentStatusWord(undefined)]).toEqual(['active', 'active']);
  expect([couponStatus(undefined), orderStatus(undefined)]).toEqual(['unknown (none sent)', 'unknown (none sent)']);
});

test('counts passengers in words', () => {
  expect(['ADT', 'CHD', 'INF', 'SRC'].map((type) => [countOf(type, 1), countOf(type, 2)])).toEqual([
    ['1 adult', '2 adults'],
    ['1 child', '2 children'],
    ['1 infant', '2 infants'],
    ['1 SRC', '2 SRC'],
  ]);
});
