import { expect, test } from 'vitest';
import { unexplained } from '../../../src/domain/booking/explain-changes.ts';
import type { KeptReading } from '../../../src/domain/booking/kept-reading.ts';

const READ_AT = Date.parse('2026-11-20T08:00:00Z');
const before = { at: READ_AT, segments: [{ ref: '1', status: 'UN' }], passengers: 1 } as unknown as KeptReading;
const over = { kind: 'booking_cancelled', before: { status: 'ticketed' }, after: { status: 'cancelled' } } as const;
const cancelled = {
  kind: 'cancel_segments',
  segmentRefs: ['1'],
  keptRefs: [],
  owedRefs: ['1'],
  refundsBefore: 0,
} as const;

test('takes the end of a booking for our own work after we cancelled what the airline owed', () => {
  expect(unexplained([over], before, READ_AT, [{ change: cancelled, endedAt: READ_AT + 1_000 }])).toEqual([]);
  expect(unexplained([over], before, READ_AT, [])).toEqual([over]);
});
