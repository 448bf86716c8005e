import { describe, expect, test } from 'vitest';
import { moved } from '../../src/journal/moved.ts';
import type { Operation } from '../../src/journal/operation.ts';

const sar = (minor: number) => ({ minor, currency: 'SAR' });
const succeeded = (fields: object) =>
  ({ state: 'succeeded', subject: { kind: 'cancel' }, ...fields }) as unknown as Operation;
const rebooked = (outcome: object) => succeeded({ subject: { kind: 'rebook_segment' }, outcome });

describe('the money that an operation moved', () => {
  test('is none before it succeeded, and none without a direction', () => {
    expect(moved(succeeded({ state: 'in_doubt', direction: 'payment', amount: sar(5) }))).toEqual({});
    expect(moved(succeeded({}))).toEqual({});
  });

  test('is the amount of a payment and the stated refund, or is not stated', () => {
    expect(moved(succeeded({ direction: 'payment', amount: sar(5) }))).toEqual({ paid: sar(5) });
    expect(moved(succeeded({ direction: 'payment' }))).toEqual({ unstated: 'charge' });
    expect(moved(succeeded({ direction: 'refund', outcome: { refund: { amount: sar(7) } } }))).toEqual({
      refunded: sar(7),
    });
    expect(moved(succeeded({ direction: 'refund' }))).toEqual({ unstated: 'refund' });
  });

  test('is what the airline states of a rebooking, never its limit', () => {
    expect(moved(rebooked({ charge: { amount: sar(5) } }))).toEqual({ paid: sar(5) });
    expect(moved(rebooked({ refund: { amount: sar(7) } }))).toEqual({ refunded: sar(7) });
    expect(moved(rebooked({}))).toEqual({ unstated: 'charge' });
    expect(moved(succeeded({ subject: { kind: 'rebook_segment' } }))).toEqual({ unstated: 'charge' });
  });
});
