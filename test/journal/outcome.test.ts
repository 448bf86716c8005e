import { describe, expect, test } from 'vitest';
import type { Booking } from '../../src/domain/booking.ts';
import type { Subject } from '../../src/domain/subject.ts';
import { locatorOf, type Operation } from '../../src/journal/operation.ts';
import { asClerkError, learned, toldError } from '../../src/journal/outcome.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import { booking, error, paidBooking, receipt } from './harness.ts';

const cancel: Subject = { kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: [], refundsBefore: 1 };

function refunded(...refunds: NonNullable<Booking['pricing']>['refunds']): Booking {
  return booking({ pricing: { refunds, fares: [], perType: [] } });
}

function operation(subject: Subject): Operation {
  const meta = { state: 'in_doubt', createdAt: 0, updatedAt: 0, owner: 'p', leaseUntil: 0, negatives: 0 } as const;
  return { ...newOperation('a', { subject }), ...meta };
}

const statedRefund = (subject: Subject, read: Booking) => learned(operation(subject), 'read', { booking: read }).refund;

describe('the stated refund', () => {
  test('is the entry that is new since the reading before', () => {
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

  test('of nothing new, of two currencies, and of another act there is none', () => {
    expect(statedRefund(cancel, refunded({ amount: SAR(9) }))).toBeUndefined();
    expect(statedRefund(cancel, booking())).toBeUndefined();
    const two = refunded({ amount: SAR(9) }, { amount: SAR(1) }, { amount: { minor: 1, currency: 'EUR' } });
    expect(statedRefund(cancel, two)).toBeUndefined();
    expect(statedRefund({ kind: 'cancel_booking' }, refunded({ amount: SAR(9) }))).toBeUndefined();
  });

  test('of a reply without a price: the refund order that is new', () => {
    const orders = [9, 5].map((minor) => ({ direction: 'REFUND', status: 'PENDING', amount: SAR(minor) }));
    expect(statedRefund(cancel, { ...booking(), orders })).toEqual({ amount: SAR(5), orderStatus: 'PENDING' });
  });

  test('has a penalty only where one is stated', () => {
    expect(statedRefund(cancel, refunded({ amount: SAR(9) }, { amount: SAR(5) }))).toEqual({ amount: SAR(5) });
  });
});

describe('what is learned', () => {
  test('of a payment: ticket numbers and amounts, no names', () => {
    const [item] = receipt().receipt?.items ?? [];
    if (item === undefined) throw new Error('no item');
    const name = { prefix: [], given: ['ANN'], middle: [], surname: 'DOE', suffix: [], title: [] };
    const full = { ...item, name, net: '150.00', paymentType: '32', conjunctive: ['9000000002'] };
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

  test('of a payment read back: its ticket numbers', () => {
    const pay = operation({ kind: 'pay', amount: SAR(17250), coupons: 1 });
    expect(learned(pay, 'read', { booking: paidBooking() })).toEqual({
      basis: 'read',
      tickets: [{ number: '9000000001' }],
    });
    expect(learned(pay, 'read', {})).toEqual({ basis: 'read' });
  });

  test('of a cancellation: the refund', () => {
    const read = refunded({ amount: SAR(9) }, { amount: SAR(5) });
    expect(learned(operation(cancel), 'reply', { booking: read })).toEqual({
      basis: 'reply',
      refund: { amount: SAR(5) },
    });
  });
});

test('an error is kept without its cause; an unknown one becomes ours', () => {
  const known = error('E_TOO_LATE', {
    airline: { status: 422, title: 'Ann Doe is late' },
    terms: ['Passenger Ann Doe'],
    cause: new Error('secret'),
  });
  expect(JSON.stringify(toldError(known))).not.toContain('secret');
  expect(toldError(known)).toMatchObject({ code: 'E_TOO_LATE', airline: { status: 422 } });
  expect(JSON.stringify(toldError(known))).not.toMatch(/Ann|secret/);
  expect(asClerkError(known, 'unknown')).toBe(known);
  expect(asClerkError('boom', 'unknown')).toMatchObject({ code: 'E_INTERNAL', effect: 'unknown', cause: 'boom' });
});

test('the booking of an operation is the one that a create made, else the one it was about', () => {
  const pay = operation({ kind: 'pay', amount: SAR(17250), coupons: 2 });
  const { locator, ...unplaced } = pay;
  expect(locatorOf(pay)).toBe(locator);
  expect(locatorOf({ ...unplaced, outcome: { locator: 'MADE01' } })).toBe('MADE01');
  expect(locatorOf(unplaced)).toBeUndefined();
});
