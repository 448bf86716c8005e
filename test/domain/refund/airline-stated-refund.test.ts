/** What the airline refunded on a booking in all, and what it kept. */
import { expect, test } from 'vitest';
import { refundSums } from '../../../src/domain/refund/airline-stated-refund.ts';
import { sar, ticketed } from '../../support/bookings.ts';

type Refunds = NonNullable<ReturnType<typeof ticketed>['pricing']>['refunds'];

const priced = (...refunds: Refunds) => ({ refunds, fares: [], perType: [] });
const order = (minor: number, status: string) => ({ direction: 'REFUND', status, amount: sar(minor) });
const vat = { amount: sar(500), penalty: sar(100), vat: sar(15) };
const euros = { amount: { minor: 1, currency: 'EUR' } };

test.each<[string, Refunds, ReturnType<typeof order>[], ReturnType<typeof refundSums>]>([
  ['all entries of the price', [{ amount: sar(9) }, vat], [], { refunded: sar(509) }],
  [
    'what the airline kept, if each entry states it',
    [vat],
    [order(1, 'PAID'), order(499, 'PENDING')],
    { refunded: sar(500), kept: sar(115) },
  ],
  ['the orders of a reply without entries', [], [order(9, 'PAID'), order(5, 'PAID')], { refunded: sar(14) }],
  ['nothing, where nothing is stated', [], [], {}],
  ['nothing, in two currencies', [{ amount: sar(1) }, euros], [], {}],
])('adds up the refunds of a booking: %s', (_what, refunds, orders, sums) => {
  expect(refundSums(ticketed({ pricing: priced(...refunds), orders }))).toEqual(sums);
});
