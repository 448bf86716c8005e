/** What a cancelled booking is said to have refunded in all. */
import { expect, test } from 'vitest';
import { statedRefund } from '../../../src/domain/pricing/stated-refund.ts';
import { sar, ticketed } from '../../support/bookings.ts';

type Refunds = NonNullable<ReturnType<typeof ticketed>['pricing']>['refunds'];

const priced = (...refunds: Refunds) => ({ refunds, fares: [], perType: [] });
const order = (minor: number, status: string) => ({ direction: 'REFUND', status, amount: sar(minor) });
const vat = { amount: sar(500), penalty: sar(100), vat: sar(15) };
const euros = { amount: { minor: 1, currency: 'EUR' } };

test.each<[string, Refunds, ReturnType<typeof order>[], object | undefined]>([
  ['all entries of the price', [{ amount: sar(9) }, vat], [], { ...vat, amount: sar(509) }],
  [
    'the status of the last order',
    [vat],
    [order(1, 'PAID'), order(499, 'PENDING')],
    { ...vat, orderStatus: 'PENDING' },
  ],
  [
    'the orders of a reply without entries',
    [],
    [order(9, 'PAID'), order(5, 'PAID')],
    { amount: sar(14), orderStatus: 'PAID' },
  ],
  ['nothing, where nothing is stated', [], [], undefined],
  ['nothing, in two currencies', [{ amount: sar(1) }, euros], [], undefined],
])('adds up the refunds of a booking: %s', (_what, refunds, orders, sum) => {
  expect(statedRefund(ticketed({ pricing: priced(...refunds), orders }))).toEqual(sum);
});
