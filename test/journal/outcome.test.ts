/** What the journal records of an outcome: numbers and amounts as the airline states them, and no names. */
import { describe, expect, test } from 'vitest';
import { chargedTypes, movedMoney } from '../../src/journal/outcome.ts';
import { expectCancelledSegments } from '../../src/tools/acts/cancellation-evidence.ts';
import { expectRebookedSegment } from '../../src/tools/acts/rebook-segment.ts';
import { NO_REFUNDS, SAR } from '../store/support/new-operation.ts';
import { personName } from '../support/people.ts';
import {
  type Booking,
  booking,
  error,
  type Operation,
  operation,
  option,
  order,
  paidBooking,
  receipt,
} from './answers.ts';
import { Harness } from './harness.ts';

type Subject = Operation['subject'];
type Refunds = NonNullable<Booking['pricing']>['refunds'];

/** The outcome of an operation that this reply settles as done. */
async function learned(subject: Subject, read?: Booking) {
  const h = await Harness.open({ rules: { reply: () => 'done', reading: () => 'done' } });
  const { operation } = await h.send(read ? { booking: read } : {}, { subject });
  return operation.outcome;
}

function refunded(...refunds: Refunds): Booking {
  return booking({ pricing: { refunds, fares: [], perType: [] } });
}

const paid = (minor: number, over: object = {}) => ({ ...order(minor, 'PAID', 'REFUND'), ...over });
const pending = (minor: number, over: object = {}) => paid(minor, { status: 'PENDING', ...over });
const read = (entries: readonly number[], ...orders: Booking['orders']): Booking => ({
  ...refunded(...entries.map((minor) => ({ amount: SAR(minor) }))),
  orders,
});
const since = (before: Booking): Subject => expectCancelledSegments({ ...before, options: [option('1')] }, ['1']);
/** One refund of SAR 5.36, with its order. */
const earlier = since(read([536], paid(536)));
const unpriced = (...orders: Booking['orders']) => booking({ orders });
const vat = { amount: SAR(500), penalty: SAR(100), vat: SAR(15) };
const passengers: Subject = { kind: 'cancel_passengers', gone: [], kept: [], ...NO_REFUNDS };

const found = (minor: number, orderStatus?: string) => ({ amount: SAR(minor), ...(orderStatus && { orderStatus }) });
const ordered = { ...refunded({ amount: SAR(9) }, vat), orders: [order(), order(undefined, 'PENDING', 'REFUND')] };
const numbered = since(read([], pending(150, { id: '1' })));
const dearer = { ...vat, penalty: SAR(3) };

test.each<[string, Subject, Booking, object | undefined]>([
  ['the entry since then', since(read([9])), ordered, { ...vat, orderStatus: 'PENDING' }],
  ['the only entry', passengers, refunded(vat), vat],
  ['no penalty that is not stated', since(read([9])), read([9, 5]), found(5)],
  ['no price', since(read([9])), booking(), undefined],
  ['another act', { kind: 'cancel_booking' }, read([9]), undefined],
  ['an order', since(unpriced(pending(9))), unpriced(pending(9), pending(5)), found(5, 'PENDING')],
  [
    'an order among others',
    since(read([], paid(150))),
    read([], pending(77), paid(150), order(400)),
    found(77, 'PENDING'),
  ],
  ['a numbered order', numbered, read([], pending(77, { id: '1' }), paid(150, { id: '2' })), found(77, 'PENDING')],
  ['an entry among entries in any order', since(read([536])), read([200, 536]), found(200)],
  ['a second entry of the same amount', since(read([536])), read([536, 536]), found(536)],
  ['an entry of another penalty', since(refunded(dearer)), refunded(vat, dearer), vat],
  ['nothing new', earlier, read([536], paid(536)), undefined],
  ['a larger sum in place of the old one', earlier, read([736], paid(736)), undefined],
  ['two new entries', earlier, read([200, 100, 536], paid(200), paid(536)), undefined],
  ['two new orders', earlier, read([], paid(200), paid(100), paid(536)), undefined],
  ['an order without an amount', earlier, read([536], paid(536), { direction: 'REFUND' }), undefined],
  ['two statuses', since(read([], paid(150))), read([], pending(150, { id: '2' }), paid(150)), found(150)],
  ['orders of other amounts', earlier, read([536, 200], paid(200), paid(1)), found(200)],
  ['one new order without a price', earlier, unpriced(paid(200), paid(536)), found(200, 'PAID')],
])('records the refund that is new since the earlier reading: %s', async (_what, subject, seen, refund) => {
  expect((await learned(subject, seen))?.refund).toEqual(refund);
});

describe('the charge of a rebooking', () => {
  const [old, fresh] = [option('1').segments[0], option('3').segments[0]] as const;
  if (old === undefined || fresh === undefined) throw new Error('no segment');
  const aim: Subject = expectRebookedSegment(booking({ orders: [order(17250)] }), old, fresh);
  const orders = [order(17250), order(1, 'PAID', 'REFUND'), order(4600, 'PENDING')];
  const charge = { amount: SAR(4600), orderStatus: 'PENDING' };

  test.each<[string, Subject, Booking['orders'], object | undefined]>([
    ['the new payment', aim, orders, charge],
    ['in another order', aim, orders.toReversed(), charge],
    ['none', aim, orders.slice(0, 2), undefined],
    ['no status', aim, [order(17250), { direction: 'PAYMENT', amount: SAR(5) }], { amount: SAR(5) }],
    ['one of two without an amount', aim, [...orders, { direction: 'PAYMENT' }], { amount: SAR(4600) }],
    ['one sum of both', aim, [order(21850)], undefined],
    ['another act', { kind: 'cancel_booking' }, orders, undefined],
  ])('is what was paid since: %s', async (_what, subject, seen, expected) => {
    expect((await learned(subject, booking({ orders: seen })))?.charge).toEqual(expected);
  });

  test('is recorded beside a refund', async () => {
    expect(await learned(aim, booking({ orders }))).toEqual({
      basis: 'reply',
      charge,
      refund: { amount: SAR(1), orderStatus: 'PAID' },
    });
  });
});

test('records ticket numbers and amounts of a payment, but no names', async () => {
  const [item] = receipt().receipt?.items ?? [];
  if (item === undefined) throw new Error('no item');
  const shown = { net: '150.00', paymentType: '32', conjunctive: ['9000000002'] };
  const { total: _, ...bare } = item;
  const items = [{ ...item, name: personName('ANN', 'DOE'), ...shown }, bare];
  const h = await Harness.open();
  const { operation } = await h.send({ receipt: { locator: 'ABC123', references: [], items } });
  const first = { number: '9000000001', total: '172.50', ...shown };
  expect(operation.outcome).toEqual({ basis: 'reply', tickets: [first, { number: '9000000001' }] });
});

test.each<[string, Operation['outcome'], readonly string[]]>([
  ['no outcome', undefined, []],
  ['none', { basis: 'reply', tickets: [{ number: '1' }] }, []],
  ['a receipt that did not settle it', { basis: 'reply', charged: ['32'] }, ['32']],
  ['one of two tickets', { basis: 'reply', tickets: [{ number: '1', paymentType: '5' }, { number: '2' }] }, ['5']],
  ['both alike', { basis: 'reply', charged: ['32'], tickets: [{ number: '1', paymentType: '32' }] }, ['32']],
  [
    'both, each its own',
    { basis: 'reply', charged: ['32'], tickets: [{ number: '1', paymentType: '5' }] },
    ['32', '5'],
  ],
])('lists each payment type that is stated once: %s', (_what, outcome, expected) => {
  expect(chargedTypes(outcome)).toEqual(expected);
});

test('records the tickets of a payment that was read back, and the locators that a create and a split made', async () => {
  const h = await Harness.open();
  h.shown = paidBooking({ tickets: [...paidBooking().tickets, { ...paidBooking().tickets[0], number: '' } as never] });
  await h.doubt();
  await h.journal.reconcile();
  expect((await h.entry()).outcome).toEqual({ basis: 'read', tickets: [{ number: '9000000001' }] });
  const split: Subject = { kind: 'split_booking', moved: [], kept: [], flights: [] };
  expect(await learned(split, booking({ locator: 'NEW456' }))).toEqual({ basis: 'reply', newLocator: 'NEW456' });
  expect(await learned(split)).toEqual({ basis: 'reply' });
  expect(await learned({ kind: 'create' }, booking({ locator: 'MADE01' }))).toEqual({
    basis: 'reply',
    locator: 'MADE01',
  });
});

test('records errors without their cause, what changed and title', async () => {
  const airline = { status: 422, code: '73', title: 'Ann Doe is late' };
  const h = await Harness.open();
  const { operation, error: told } = await h.send(
    error('E_TOO_LATE', { airline, changed: ['Passenger Ann Doe'], cause: new Error('secret') }),
  );
  expect(operation.outcome?.error).toEqual({
    ...{ code: 'E_TOO_LATE', message: 'what happened', next: 'do this', effect: 'none', retry: 'never' },
    airline: { status: 422, code: '73' },
  });
  expect(told).toMatchObject({ airline, changed: ['Passenger Ann Doe'] });
});

test('counts no money as moved before an operation succeeded', () => {
  const sent = operation({ kind: 'pay', amount: SAR(5), coupons: 1 });
  expect(sent).toMatchObject({ direction: 'payment', amount: SAR(17250) });
  for (const state of ['in_doubt', 'needs_person', 'refused'] as const)
    expect(movedMoney({ ...sent, state })).toEqual({});
  expect(movedMoney({ ...sent, state: 'succeeded' })).toEqual({ paid: SAR(17250) });
});
