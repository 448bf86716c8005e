import { describe, expect, it } from 'vitest';
import { closedBy } from '../../../src/domain/booking/closed-by.ts';
import { type KeptReading, keptReading } from '../../../src/domain/booking/kept-reading.ts';
import { BACK, NOW, OUT, option, ticketed } from '../../support/bookings.ts';

type Finding = Parameters<typeof closedBy>[0];
type ExpectedChange = Parameters<typeof closedBy>[1][number]['change'];

const keep = (options = [OUT, BACK]): KeptReading => keptReading(ticketed({ options }), NOW, (text) => text);
const BEFORE = keep();
const lost = (...refs: string[]) =>
  keep(
    [OUT, BACK].map((one) =>
      option(...one.segments.map((it) => (refs.includes(it.ref) ? { ...it, statusCode: '16' } : it))),
    ),
  );

const cancel = (...segmentRefs: string[]): ExpectedChange => ({
  kind: 'cancel_segments',
  segmentRefs,
  keptRefs: [],
  refundsBefore: 0,
});
const REBOOKED: ExpectedChange = {
  kind: 'rebook_segment',
  replaced: { from: 'MED', to: 'JED', departs: '2026-12-01T05:00:00Z', number: '101' },
  wanted: { from: 'MED', to: 'JED', departs: '2026-12-01T07:00:00Z', number: '119' },
  ...{ kept: [], paymentsBefore: 0, refundsBefore: 0 },
};

describe('an operation closes', () => {
  const finding = (over: Partial<Finding> = {}): Finding => ({
    ...{ id: 'f', tenant: 't', locator: 'ABC123', kind: 'retimed', seenAt: 100, since: 50 },
    segment: { from: 'MED', to: 'JED', number: '101', departs: '2026-12-01T05:00:00Z' },
    ...over,
  });
  const by = (change: ExpectedChange, one = finding(), now = BEFORE, at = 200, before = BEFORE) =>
    closedBy(one, [{ id: 'op', at, change }], now, before)?.id;

  it('what it deals with, if it came later', () => {
    expect(by({ kind: 'cancel_booking' })).toBe('op');
    expect(by({ kind: 'cancel_booking' }, finding(), BEFORE, 99)).toBeUndefined();
    expect(
      by({ kind: 'pay', amount: { minor: 1, currency: 'SAR' }, coupons: 1 }, finding({ kind: 'price_changed' })),
    ).toBe('op');
    expect(by({ kind: 'assign_seats', seats: [] }, finding({ kind: 'seat_changed' }))).toBe('op');
    expect(by({ kind: 'update_contact', changes: [] })).toBeUndefined();
  });

  it('nothing about a segment that it did not cancel, or whose ticket is still valid', () => {
    const owed = lost('1');
    const both = lost('1', '2');
    expect(by(cancel('2'), finding(), both, 200, owed)).toBeUndefined();
    const left = (kept: string[]): ExpectedChange => ({
      ...{ kind: 'cancel_passengers', gone: ['a'], refundsBefore: 0 },
      kept,
    });
    expect(by(left(['b']), finding(), owed, 200, owed)).toBeUndefined();
    expect(by(left([]), finding(), { ...both, coupons: [] }, 200, owed)).toBe('op');
    const coupon = (status: string) => ({ ...both, coupons: [{ id: 'c', segment: 0, status }] });
    expect(by(cancel('1'), finding(), coupon('O'), 200, owed)).toBeUndefined();
    expect(by(cancel('1'), finding(), coupon('R'), 200, owed)).toBe('op');
    expect(by(cancel('1'), finding(), keep([BACK]))).toBe('op');
  });

  it('what the airline cancelled and owed, once its refund was asked for, though the coupon is still open', () => {
    const owed = { ...lost('1'), coupons: [{ id: 'c', segment: 0, status: 'O' }] };
    const refunded: ExpectedChange = {
      ...{ kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: [], refundsBefore: 0 },
      owedRefs: ['1'],
    };
    expect(by(refunded, finding(), owed, 200, owed)).toBe('op');
    expect(by({ ...refunded, owedRefs: ['2'] }, finding(), owed, 200, owed)).toBeUndefined();
  });

  it('what was found about a segment that it cancelled or replaced', () => {
    expect(by(cancel('1'))).toBeUndefined();
    expect(by(cancel('1'), finding(), { ...lost('1'), coupons: [] })).toBe('op');
    expect(by(REBOOKED)).toBe('op');
    const moved = finding({
      before: { departs: '2026-12-01T04:00:00Z' },
      after: { departs: '2026-12-01T05:00:00Z', number: '101' },
    });
    expect(by(REBOOKED, moved)).toBe('op');
    expect(
      by(REBOOKED, finding({ segment: { from: 'JED', to: 'MED', number: '202', departs: '2026-12-05T15:00:00Z' } })),
    ).toBeUndefined();
    const { segment: _, ...whole } = finding({ kind: 'refunded' });
    expect(by(cancel('1'), whole, { ...lost('1'), coupons: [] })).toBeUndefined();
    expect(by(REBOOKED, whole)).toBeUndefined();
  });
});
