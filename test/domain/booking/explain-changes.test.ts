import { describe, expect, it } from 'vitest';
import { compareReadings } from '../../../src/domain/booking/compare-readings.ts';
import type { Difference } from '../../../src/domain/booking/compare-segments.ts';
import type { ExpectedChange } from '../../../src/domain/booking/expected-change.ts';
import { closedBy, unexplained } from '../../../src/domain/booking/explain-changes.ts';
import type { Finding } from '../../../src/domain/booking/finding.ts';
import { type KeptReading, keptReading } from '../../../src/domain/booking/kept-reading.ts';
import { BACK, NOW, OUT, option, segment, ticketed } from '../../support/bookings.ts';

const READ = NOW;
const MINUTE = 60_000;
const keep = (options = [OUT, BACK]): KeptReading => keptReading(ticketed({ options }), NOW, (text) => text);
const BEFORE = keep();
const lost = (...refs: string[]) =>
  keep(
    [OUT, BACK].map((one) =>
      option(...one.segments.map((it) => (refs.includes(it.ref) ? { ...it, statusCode: '16' } : it))),
    ),
  );
const between = (reading: KeptReading, before = BEFORE) =>
  compareReadings(before, { ...reading, at: NOW + 1 }).differences;
const left = (
  differences: readonly Difference[],
  change: ExpectedChange,
  { endedAt, before = BEFORE }: { endedAt?: number; before?: KeptReading } = {},
) =>
  unexplained(differences, before, READ, [{ change, ...(endedAt !== undefined && { endedAt }) }]).map(
    ({ kind }) => kind,
  );
const only = (kind: Difference['kind'], over: Partial<Difference> = {}): Difference[] => [{ kind, ...over }];

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

describe('our own operations', () => {
  it('explain the segments that they cancelled, under whatever pointers', () => {
    expect(left(between(lost('1')), cancel('1'))).toEqual([]);
    const { segments } = lost('2');
    const renumbered = {
      ...lost('2'),
      segments: segments.map((one) => ({ ...one, ref: one.ref === '2' ? '1' : '2' })),
    };
    expect(left(between(renumbered), cancel('1'))).toEqual([]);
    // The pointers are as they were: we asked for the other train.
    expect(left(between(lost('2')), cancel('1'))).toEqual(['segment_cancelled']);
    expect(left(between(lost('1', '2')), cancel('1'))).toEqual(['segment_cancelled']);
    expect(unexplained(between(lost('1', '2')), BEFORE, READ, [{ change: cancel('1') }])[0]?.was?.ref).toBe('2');
  });

  it('explain nothing that came after a reading had shown them', () => {
    const seen = lost('1');
    expect(left(between(lost('1', '2'), seen), cancel('1'), { endedAt: READ - 1, before: seen })).toEqual([
      'segment_cancelled',
    ]);
    // The reading just after the operation still showed the booking as it was.
    expect(left(between(lost('1')), cancel('1'), { endedAt: READ - 1 })).toEqual([]);
    expect(left(between(lost('1')), cancel('1'), { endedAt: READ - 2 * MINUTE })).toEqual(['segment_cancelled']);
  });

  it('explain tickets and refunds that follow within a quarter of an hour', () => {
    expect(left(only('refunded'), cancel('1'), { endedAt: READ - 14 * MINUTE })).toEqual([]);
    expect(left(only('coupon_closed'), cancel('1'), { endedAt: READ - 16 * MINUTE })).toEqual(['coupon_closed']);
    expect(left(only('price_changed'), cancel('1'), { endedAt: READ - MINUTE })).toEqual(['price_changed']);
    expect(left(only('price_changed'), { kind: 'create' }, { endedAt: READ })).toEqual([]);
    expect(left(only('seat_changed'), { kind: 'assign_seats', seats: [] })).toEqual([]);
    expect(left(only('retimed'), { kind: 'cancel_booking' })).toEqual(['retimed']);
    expect(left(only('booking_cancelled'), { kind: 'cancel_booking' })).toEqual([]);
    // The reading just after them still showed the booking as it was.
    const soon = { endedAt: READ - 1 };
    expect(left(only('booking_cancelled'), { kind: 'cancel_booking' }, soon)).toEqual([]);
    expect(left(only('seat_changed'), { kind: 'assign_seats', seats: [] }, soon)).toEqual([]);
    const hourAgo = { endedAt: READ - 60 * MINUTE };
    expect(left(only('seat_changed'), { kind: 'assign_seats', seats: [] }, hourAgo)).toEqual(['seat_changed']);
    // Readings in between left the segments out.
    expect(left(between(lost('1', '2')), { kind: 'cancel_booking' }, hourAgo)).toEqual([]);
  });

  it('explain as many passengers as they removed', () => {
    const gone = (now: number) => only('passenger_gone', { before: { passengers: 3 }, after: { passengers: now } });
    const removed: ExpectedChange = { kind: 'cancel_passengers', gone: ['a'], kept: ['b', 'c'], refundsBefore: 0 };
    const split: ExpectedChange = { kind: 'split_booking', moved: ['a'], kept: ['b', 'c'], flights: [] };
    for (const change of [removed, split]) {
      expect(left(gone(2), change)).toEqual([]);
      expect(left(gone(1), change)).toEqual(['passenger_gone']);
      expect(left(gone(2), change, { endedAt: READ - 1, before: { ...BEFORE, passengers: 3 } })).toEqual([]);
      expect(left(gone(2), change, { endedAt: READ - 1, before: { ...BEFORE, passengers: 2 } })).toEqual([
        'passenger_gone',
      ]);
    }
    expect(left(only('passenger_gone'), removed)).toEqual([]);
    expect(left(between(lost('1', '2')), { ...removed, kept: [] })).toEqual([]);
  });

  it('explain the flight that they replaced, and no other one', () => {
    const wanted = segment('1', {
      flightNumber: '119',
      departs: '2026-12-01T07:00:00Z',
      arrives: '2026-12-01T09:00:00Z',
    });
    const rebooked = keep([option(wanted), BACK]);
    expect(left(between(rebooked), REBOOKED)).toEqual([]);
    expect(left(between(rebooked), REBOOKED, { endedAt: READ - 1 })).toEqual([]);
    const late = keep([option({ ...wanted, arrives: '2026-12-01T09:30:00Z' }), BACK]);
    expect(left(between(late, rebooked), REBOOKED, { endedAt: READ - 1, before: rebooked })).toEqual(['retimed']);
    expect(left(between(lost('2')), REBOOKED)).toEqual(['segment_cancelled']);
    expect(left(only('no_show'), REBOOKED)).toEqual(['no_show']);
  });
});

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
