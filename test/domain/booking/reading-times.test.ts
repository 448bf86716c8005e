import { describe, expect, it } from 'vitest';
import type { KeptReading } from '../../../src/domain/booking/kept-reading.ts';
import { DEFAULT_PACES, nextReadingAt } from '../../../src/domain/booking/reading-times.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-12-01T00:00:00Z');
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
const segment = (hours: number, status?: string) => ({
  ...{ ref: '1', from: 'MED', to: 'JED', number: '101', departs: at(hours), arrives: at(hours + 2) },
  ...(status !== undefined && { status }),
});
const kept = (over: Partial<KeptReading> = {}): KeptReading => ({
  ...{ at: NOW, state: 'ticketed', segments: [segment(200)], passengers: 1, coupons: [], orders: [] },
  ...over,
});
/** Hours until the next reading. */
const next = (over: Partial<KeptReading>): number | undefined => {
  const time = nextReadingAt(kept(over), NOW, DEFAULT_PACES);
  return time === undefined ? undefined : (time - NOW) / HOUR;
};

describe('the next reading', () => {
  it('is sooner the nearer the departure, and a tenth before its interval ends', () => {
    expect(next({ segments: [segment(200)] })).toBeCloseTo(21.6);
    expect(next({ segments: [segment(60)] })).toBeCloseTo(10.8);
    expect(next({ segments: [segment(20)] })).toBeCloseTo(0.9);
  });

  it('comes in time for the shorter interval that begins before it', () => {
    expect(next({ segments: [segment(80)] })).toBeCloseTo(8 + 10.8);
    expect(next({ segments: [segment(25)] })).toBeCloseTo(1.9);
  });

  it('comes a quarter of an hour before a departure, and once after it', () => {
    expect(next({ segments: [segment(0.75)] })).toBeCloseTo(0.5);
    expect(next({ segments: [segment(0.25)] })).toBeCloseTo(0.9);
    expect(next({ state: 'held', segments: [segment(200)], payBy: at(0.75) })).toBeCloseTo(0.9);
  });

  it('follows the nearest departure that is ahead, and the nearest limit', () => {
    expect(next({ segments: [segment(-2), segment(20), segment(300)] })).toBeCloseTo(0.9);
    expect(next({ segments: [segment(20, '16'), segment(300)] })).toBeCloseTo(21.6);
    expect(next({ cancelUntil: at(20) })).toBeCloseTo(0.9);
    expect(next({ namesUntil: at(60), payBy: at(20) })).toBeCloseTo(10.8);
    expect(next({ state: 'held', payBy: at(20) })).toBeCloseTo(0.9);
    expect(next({ state: 'partly_cancelled', payBy: at(20) })).toBeCloseTo(0.9);
    const orders = [{ direction: 'PAYMENT', status: 'PAID' }];
    expect(next({ state: 'partly_cancelled', payBy: at(20), orders })).toBeCloseTo(21.6);
  });

  it('comes also where a departure has no zone, until its day is over everywhere', () => {
    const departs = (text: string) => next({ segments: [{ ...segment(10), departs: text }] });
    expect(departs('2026-12-01T08:00:00')).toBeCloseTo(10.8);
    expect(departs('2026-11-30T08:00:00')).toBeCloseTo(0.9);
    expect(departs('2026-11-29T08:00:00')).toBeUndefined();
  });

  it('is none once the booking is over, unless a refund is still awaited', () => {
    expect(next({ segments: [segment(-1)] })).toBeUndefined();
    expect(next({ state: 'cancelled' })).toBeUndefined();
    expect(next({ state: 'expired' })).toBeUndefined();
    expect(next({ segments: [] })).toBeUndefined();
    const pending = { direction: 'REFUND', status: 'PENDING', pendingSince: NOW - 24 * HOUR };
    expect(next({ state: 'cancelled', orders: [pending] })).toBeCloseTo(21.6);
    expect(next({ state: 'cancelled', orders: [{ ...pending, pendingSince: NOW - 61 * 24 * HOUR }] })).toBeUndefined();
    expect(next({ segments: [{ ...segment(10), departs: 'soon' }] })).toBeUndefined();
  });

  it('comes for eight days after a paid booking was cancelled, until its refund is recorded', () => {
    const days = (since: number) => ({ state: 'cancelled' as const, cancelledAt: NOW - since * 24 * HOUR });
    const payment = { direction: 'PAYMENT', status: 'PAID' };
    expect(next({ ...days(0), orders: [payment] })).toBeCloseTo(21.6);
    expect(next({ ...days(7.9), coupons: [{ id: 'c' }] })).toBeCloseTo(21.6);
    expect(next({ ...days(8), orders: [payment] })).toBeUndefined();
    expect(next({ ...days(0), orders: [{ ...payment, status: 'PENDING' }] })).toBeUndefined();
    expect(next({ state: 'cancelled', orders: [payment] })).toBeUndefined();
  });
});
