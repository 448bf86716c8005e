import { describe, expect, test } from 'vitest';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { type ExpectedChange, expectCancelledSegments } from '../../src/domain/booking/expected-change.ts';
import { locatorOf, type Operation } from '../../src/journal/operation.ts';
import { asClerkError, checkSentence, learned, storedError } from '../../src/journal/outcome.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import { personName } from '../support/people.ts';
import { booking, error, option, paidBooking, receipt } from './harness.ts';

const cancel: ExpectedChange = { kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: [], refundsBefore: 1 };

function refunded(...refunds: NonNullable<Booking['pricing']>['refunds']): Booking {
  return booking({ pricing: { refunds, fares: [], perType: [] } });
}

function operation(subject: ExpectedChange): Operation {
  const meta = { state: 'in_doubt', createdAt: 0, updatedAt: 0, owner: 'p', leaseUntil: 0, negatives: 0 } as const;
  return { ...newOperation('a', { subject }), ...meta };
}

const statedRefund = (subject: ExpectedChange, read: Booking) =>
  learned(operation(subject), 'read', { booking: read }).refund;

describe('the stated refund', () => {
  test('reports the refund entry that is new since the earlier reading', () => {
    const own = { amount: SAR(500), penalty: SAR(100), vat: SAR(15) };
    const orders = [
      { direction: 'REFUND', status: 'PAID' },
      { direction: 'PAYMENT', status: 'PAID' },
      { direction: 'REFUND', status: 'PENDING' },
    ];
    const read = { ...refunded({ amount: SAR(9) }, own), orders };
    expect(statedRefund(cancel, read)).toEqual({ ...own, orderStatus: 'PENDING' });
    expect(statedRefund({ kind: 'cancel_passengers', gone: [], kept: [], refundsBefore: 0 }, read)?.amount).toEqual(
      SAR(509),
    );
  });

  test('reports no refund without a new entry, in two currencies or for another act', () => {
    expect(statedRefund(cancel, refunded({ amount: SAR(9) }))).toBeUndefined();
    expect(statedRefund(cancel, booking())).toBeUndefined();
    const two = refunded({ amount: SAR(9) }, { amount: SAR(1) }, { amount: { minor: 1, currency: 'EUR' } });
    expect(statedRefund(cancel, two)).toBeUndefined();
    expect(statedRefund({ kind: 'cancel_booking' }, refunded({ amount: SAR(9) }))).toBeUndefined();
  });

  test('reports the new refund order if the reply has no price', () => {
    const orders = [9, 5].map((minor) => ({ direction: 'REFUND', status: 'PENDING', amount: SAR(minor) }));
    expect(statedRefund(cancel, { ...booking(), orders })).toEqual({ amount: SAR(5), orderStatus: 'PENDING' });
  });

  describe('among refunds in any order', () => {
    const paid = (minor: number, over: object = {}) => ({
      ...{ direction: 'REFUND', status: 'PAID', amount: SAR(minor) },
      ...over,
    });
    const payment = { direction: 'PAYMENT', status: 'PAID', amount: SAR(400) };
    const read = (entries: readonly number[], ...orders: Booking['orders']): Booking => ({
      ...refunded(...entries.map((minor) => ({ amount: SAR(minor) }))),
      orders,
    });
    const since = (before: Booking): ExpectedChange =>
      expectCancelledSegments({ ...before, options: [option('1')] }, ['1']);

    test('finds the new refund order among orders in any order', () => {
      const subject = since(read([], payment, paid(150)));
      const own = { amount: SAR(77), orderStatus: 'PENDING' };
      expect(statedRefund(subject, read([], paid(77, { status: 'PENDING' }), paid(150), payment))).toEqual(own);
      const numbered = since(read([], paid(150, { id: '1', status: 'PENDING' })));
      const after = read([], paid(77, { id: '1', status: 'PENDING' }), paid(150, { id: '2' }));
      expect(statedRefund(numbered, after)).toEqual(own);
    });

    test('finds the new refund entry among entries in any order', () => {
      expect(statedRefund(since(read([536])), read([200, 536]))).toEqual({ amount: SAR(200) });
      expect(statedRefund(since(read([536])), read([536, 536]))).toEqual({ amount: SAR(536) });
      const entry = { amount: SAR(5), penalty: SAR(2), vat: SAR(1) };
      const before = refunded({ ...entry, penalty: SAR(3) });
      expect(statedRefund(since(before), refunded(entry, { ...entry, penalty: SAR(3) }))).toEqual(entry);
    });

    test('reports no refund if nothing is new or the new amount is unclear', () => {
      const before = since(read([536], paid(536)));
      expect(statedRefund(before, read([536], paid(536)))).toBeUndefined();
      expect(statedRefund(before, read([736], paid(736)))).toBeUndefined();
      expect(statedRefund(before, read([200, 100, 536], paid(200), paid(536)))).toBeUndefined();
      expect(statedRefund(before, read([], paid(200), paid(100), paid(536)))).toBeUndefined();
      expect(statedRefund(before, read([536], paid(536), { direction: 'REFUND' }))).toBeUndefined();
    });

    test('reports the refund without a status if orders of that amount differ in status', () => {
      const pending = paid(150, { id: '2', status: 'PENDING' });
      expect(statedRefund(since(read([], paid(150))), read([], pending, paid(150)))).toEqual({ amount: SAR(150) });
      const unclear = read([536, 200], paid(200), paid(1));
      expect(statedRefund(since(read([536], paid(536))), unclear)).toEqual({ amount: SAR(200) });
    });

    test('reports the one new refund order if the reply has no price', () => {
      const before = since(read([536], paid(536)));
      const told = { amount: SAR(200), orderStatus: 'PAID' };
      expect(statedRefund(before, { ...booking(), orders: [paid(200), paid(536)] })).toEqual(told);
    });
  });

  test('reports a penalty only if the airline states one', () => {
    expect(statedRefund(cancel, refunded({ amount: SAR(9) }, { amount: SAR(5) }))).toEqual({ amount: SAR(5) });
  });
});

describe('the recorded outcome', () => {
  test('records ticket numbers and amounts of a payment, but no names', () => {
    const [item] = receipt().receipt?.items ?? [];
    if (item === undefined) throw new Error('no item');
    const full = {
      ...item,
      name: personName('ANN', 'DOE'),
      net: '150.00',
      paymentType: '32',
      conjunctive: ['9000000002'],
    };
    const { total: _, ...bare } = item;
    const evidence = { receipt: { locator: 'ABC123', references: [], items: [full, bare] } };
    const outcome = learned(operation({ kind: 'pay', amount: SAR(17250), coupons: 1 }), 'reply', evidence);
    const first = {
      number: '9000000001',
      total: '172.50',
      net: '150.00',
      paymentType: '32',
      conjunctive: ['9000000002'],
    };
    expect(outcome).toEqual({ basis: 'reply', tickets: [first, { number: '9000000001' }] });
  });

  test('records the ticket numbers of a payment that was read back', () => {
    const pay = operation({ kind: 'pay', amount: SAR(17250), coupons: 1 });
    expect(learned(pay, 'read', { booking: paidBooking() })).toEqual({
      basis: 'read',
      tickets: [{ number: '9000000001' }],
    });
    expect(learned(pay, 'read', {})).toEqual({ basis: 'read' });
  });

  test('records the refund of a cancellation', () => {
    const read = refunded({ amount: SAR(9) }, { amount: SAR(5) });
    expect(learned(operation(cancel), 'reply', { booking: read })).toEqual({
      basis: 'reply',
      refund: { amount: SAR(5) },
    });
  });
});

test('stores errors without cause or passenger names, and unknown errors as E_INTERNAL', () => {
  const known = error('E_TOO_LATE', {
    airline: { status: 422, title: 'Ann Doe is late' },
    terms: ['Passenger Ann Doe'],
    cause: new Error('secret'),
  });
  expect(JSON.stringify(storedError(known))).not.toContain('secret');
  expect(storedError(known)).toMatchObject({ code: 'E_TOO_LATE', airline: { status: 422 } });
  expect(JSON.stringify(storedError(known))).not.toMatch(/Ann|secret/);
  expect(asClerkError(known, 'unknown')).toBe(known);
  expect(asClerkError('boom', 'unknown')).toMatchObject({ code: 'E_INTERNAL', effect: 'unknown', cause: 'boom' });
});

test('finds the booking of an operation: the one that a create made, or the one it changes', () => {
  const pay = operation({ kind: 'pay', amount: SAR(17250), coupons: 2 });
  const { locator, ...unplaced } = pay;
  expect(locatorOf(pay)).toBe(locator);
  expect(locatorOf({ ...unplaced, outcome: { locator: 'MADE01' } })).toBe('MADE01');
  expect(locatorOf(unplaced)).toBeUndefined();
});

test('what a person must check of a lost hold names its trains and days', () => {
  const trip = ['HHR101 MED → JED, Wed 9 Dec 2026', 'HHR202 JED → MED, Fri 11 Dec 2026'];
  const { locator: _, ...lost } = operation({ kind: 'create', trip });
  expect(checkSentence(lost, 'No answer.')).toBe(
    "No answer. A person must check in the airline's own desk: whether a hold was made for these flights and travellers, HHR101 MED → JED, Wed 9 Dec 2026 and HHR202 JED → MED, Fri 11 Dec 2026 (operation a).",
  );
});
