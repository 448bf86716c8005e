import { describe, expect, it } from 'vitest';
import { paidShare } from '../../../src/domain/pricing/paid-share.ts';
import { fiveAdults, sar } from '../../support/bookings.ts';

const first = { segmentRefs: new Set(['1', '2']), travelerRefs: new Set(['1']) };

describe('what was paid for a part', () => {
  it('computes the paid share from rows that add up to the amount paid', () => {
    expect(paidShare(fiveAdults(), first)).toEqual(sar(69000));
  });

  it('returns no paid share if the rows have another currency than the payment', () => {
    const [order] = fiveAdults().orders;
    const abroad = fiveAdults({ orders: [{ ...order, amount: { minor: 345000, currency: 'USD' } }] });
    expect(paidShare(abroad, first)).toBeUndefined();
  });
});
