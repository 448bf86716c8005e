import { describe, expect, it } from 'vitest';
import { paidShare } from '../../../src/domain/pricing/paid-share.ts';
import { fiveAdults, sar } from '../support/bookings.ts';

const first = { segmentRefs: new Set(['1', '2']), travelerRefs: new Set(['1']) };

describe('what was paid for a part', () => {
  it('is a share of the rows that add up to it', () => {
    expect(paidShare(fiveAdults(), first)).toEqual(sar(69000));
  });

  it('cannot be told where it was paid in another currency than the rows are in', () => {
    const [order] = fiveAdults().orders;
    const abroad = fiveAdults({ orders: [{ ...order, amount: { minor: 345000, currency: 'USD' } }] });
    expect(paidShare(abroad, first)).toBeUndefined();
  });
});
