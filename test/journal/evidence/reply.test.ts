/**
 * What the airline's own reply proves, and what a reading proves after a receipt that settled nothing.
 */
import { describe, expect, test } from 'vitest';
import { expectCreate } from '../../../src/domain/booking/expected-change.ts';
import { evidenceRules } from '../../../src/journal/evidence/evidence.ts';
import type { Operation } from '../../../src/journal/operation.ts';
import type { Evidence } from '../../../src/journal/ports.ts';
import { SAR } from '../../store/new-operation.ts';
import { traveler as person } from '../../support/people.ts';
import { booking, operation, option, paidBooking, receipt, ticket, traveler } from '../harness.ts';

const digest = (text: string) => `#${text}`;

const PAID = { direction: 'PAYMENT', status: 'PAID', amount: SAR(17250) };

test.each([
  ['no sum, and it is paid', {}, paidBooking(), 'done'],
  ['the approved sum, and it is paid', { stated: SAR(17250) }, paidBooking(), 'done'],
  ['another sum, and orders of the approved one', { stated: SAR(100) }, paidBooking(), 'done'],
  ['twice the sum, and twice paid', { stated: SAR(34500) }, paidBooking({ orders: [PAID, PAID] }), 'contradicted'],
  ['another sum, and orders of none', { stated: SAR(100) }, paidBooking({ orders: [] }), 'contradicted'],
  ['any, and it is not paid', {}, booking(), 'contradicted'],
  ['any, and it is paid in part', {}, paidBooking({ tickets: [] }), 'partial'],
  ['any, and nothing is shown', {}, booking({ options: [] }), 'void'],
] as const)('judges a reading after a receipt of %s', (_what, receipt, read, verdict) => {
  const pay = { ...operation({ kind: 'pay', amount: SAR(17250), coupons: 2 }), outcome: { receipt } };
  expect(evidenceRules.reading(pay, read, digest)).toBe(verdict);
});

describe('a reply', () => {
  const pay = operation({ kind: 'pay', amount: SAR(17250), coupons: 2 });
  const reply = (of: Operation, evidence: Evidence) => evidenceRules.reply(of, evidence, digest);
  const items = (...rows: { ticketNumber: string; total?: string }[]): Evidence => ({
    receipt: { locator: 'ABC123', references: [], items: rows.map((row) => ({ ...row, conjunctive: [], links: [] })) },
  });

  test.each<[string, Evidence, string]>([
    ['tickets that add up', receipt(), 'done'],
    [
      'two tickets that add up',
      items({ ticketNumber: '1', total: '100' }, { ticketNumber: '2', total: '72.5' }),
      'done',
    ],
    ['a ticket without an amount', items({ ticketNumber: '1' }), 'done'],
    ['one of two without an amount', items({ ticketNumber: '1', total: '1' }, { ticketNumber: '2' }), 'done'],
    ['another amount', receipt('180.00'), 'contradicted'],
    ['less', receipt('100.00'), 'partial'],
    [
      'the whole sum beside each ticket',
      items({ ticketNumber: '1', total: '172.5' }, { ticketNumber: '2', total: '172.5' }),
      'partial',
    ],
    [
      'a ticket once for each segment',
      items({ ticketNumber: '1', total: '172.5' }, { ticketNumber: '1', total: '172.50' }),
      'partial',
    ],
    ['the same row twice', items({ ticketNumber: '1', total: '172.5' }, { ticketNumber: '1', total: '172.5' }), 'done'],
    ['a row without a number', items({ ticketNumber: '1' }, { ticketNumber: '' }), 'partial'],
    ['more, and no number yet', items({ ticketNumber: '', total: '172.51' }), 'contradicted'],
    ['no rows', items(), 'partial'],
    ["somebody else's receipt", receipt('172.50', 'XYZ789'), 'void'],
    ['a booking in place of a receipt', { booking: paidBooking() }, 'partial'],
    ['nothing', {}, 'void'],
  ])('judges a reply to a payment: %s', (_what, evidence, verdict) => {
    expect(reply(pay, evidence)).toBe(verdict);
  });

  test('counts each ticket of a payment once, and no service document as a ticket', () => {
    const row = (ticketNumber: string, total?: string, more: object = {}) => ({
      ticketNumber,
      ...(total !== undefined && { total }),
      conjunctive: [],
      links: [],
      ...more,
    });
    const rows = (...list: ReturnType<typeof row>[]) =>
      reply(pay, { receipt: { locator: 'ABC123', references: [], items: list } });
    const emd = { ticketType: 'EMD_A' };
    expect(rows(row('1', '172.50', { conjunctive: ['1', '2'] }), row('2', '172.50'))).toBe('done');
    expect(rows(row('1', '912.50', { conjunctive: ['2'] }), row('2', '912.50', { conjunctive: ['1'] }))).toBe(
      'contradicted',
    );
    expect(rows(row('1', '172.50'), row('9', '50.00', emd))).toBe('contradicted');
    expect(rows(row('1', '122.50'), row('9', '50.00', emd))).toBe('done');
    expect(rows(row('9', '5.00', emd))).toBe('partial');
    expect(rows(row('9', '172.50', emd))).toBe('partial');
    expect(rows(row('1', '86.25'), row('1', '86.25'))).toBe('done');
    expect(rows(row('1', '172.50'), row('3', '172.50'), row('2'))).toBe('partial');
    expect(rows(row('1', '9000.00'), row('2'))).toBe('contradicted');
  });

  test('does not count one ticket on two rows as the tickets of two passengers', () => {
    const two = operation({ kind: 'pay', amount: SAR(17250), coupons: 4, tickets: 2 });
    const row = { conjunctive: [] as string[], links: [], total: '86.25' };
    const rows = (...items: object[]) => reply(two, { receipt: { locator: 'ABC123', references: [], items } as never });
    expect(rows({ ...row, ticketNumber: '1' }, { ...row, ticketNumber: '1' })).toBe('partial');
    expect(rows({ ...row, ticketNumber: '1', conjunctive: ['2'] }, { ...row, ticketNumber: '2' })).toBe('partial');
    expect(rows({ ...row, ticketNumber: '1' }, { ...row, ticketNumber: '2' })).toBe('done');
    expect(rows({ ...row, ticketNumber: '1', conjunctive: ['2'] }, { ...row, ticketNumber: '2', total: '900' })).toBe(
      'contradicted',
    );
  });

  test('requires a ticket for each passenger in a payment reply without totals', () => {
    const two = operation({ kind: 'pay', amount: SAR(17250), coupons: 4, tickets: 2 });
    expect(reply(two, items({ ticketNumber: '1' }))).toBe('partial');
    expect(reply(two, items({ ticketNumber: '1' }, { ticketNumber: '1' }))).toBe('partial');
    expect(reply(two, items({ ticketNumber: '1' }, { ticketNumber: '2' }))).toBe('done');
    expect(reply(two, items({ ticketNumber: '1', total: '172.50' }))).toBe('done');
    expect(reply(two, items({ ticketNumber: '1', total: '86.25' }))).toBe('partial');
  });

  test('accepts a payment reply under the other reference of the booking', () => {
    const named = receipt('172.50', 'OPER99').receipt;
    const evidence = named && { receipt: { ...named, references: [{ id: 'abc123', segmentRefs: [] }] } };
    expect(reply(pay, evidence ?? {})).toBe('done');
  });

  test('judges the reply to a change by the booking in it', () => {
    const cancel = operation({ kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: ['2'], refundsBefore: 0 });
    expect(reply(cancel, { booking: booking({ options: [option('1', '16'), option('2')] }) })).toBe('done');
    expect(reply(cancel, { booking: booking() })).toBe('not_done');
    expect(reply(cancel, { booking: booking({ locator: 'XYZ789', references: [] }) })).toBe('void');
    expect(reply(cancel, receipt())).toBe('void');
  });

  test('accepts a cancellation reply that says CANCELLED, or shows the cancelled booking', () => {
    const cancel = operation({ kind: 'cancel_booking' });
    expect(reply(cancel, { cancelled: { locator: 'ABC123', status: 'Cancelled' } })).toBe('done');
    expect(reply(cancel, { cancelled: { locator: 'ABC123', status: 'PENDING' } })).toBe('void');
    expect(reply(cancel, { cancelled: { locator: 'ABC123' } })).toBe('void');
    expect(reply(cancel, { cancelled: { locator: 'XYZ789', status: 'CANCELLED' } })).toBe('void');
    expect(reply(cancel, { booking: booking({ cancelled: true }) })).toBe('done');
  });

  test('accepts an empty booking after cancelling everything unless a ticket is still valid', () => {
    const bare = booking({ options: [], travelers: [] });
    const all = operation({ kind: 'cancel_segments', segmentRefs: ['1', '2'], keptRefs: [], refundsBefore: 0 });
    const some = operation({ kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: ['2'], refundsBefore: 0 });
    const everybody = operation({ kind: 'cancel_passengers', gone: ['a'], kept: [], refundsBefore: 0 });
    const one = operation({ kind: 'cancel_passengers', gone: ['a'], kept: ['b'], refundsBefore: 0 });
    for (const [of, verdict] of [
      [all, 'done'],
      [operation({ kind: 'cancel_booking' }), 'done'],
      [everybody, 'done'],
      [some, 'void'],
      [one, 'void'],
    ] as const) {
      expect(reply(of, { booking: bare })).toBe(verdict);
      expect(reply(of, { booking: { ...bare, tickets: [ticket('9', ['R', 'O'])] } })).toBe('void');
    }
  });

  test('requires one of its own travellers in the reply to a create that names any', () => {
    const anna = person('1', 'Anna', 'Karenina');
    const create = operation(expectCreate([anna], digest));
    expect(reply(create, { booking: booking({ travelers: [anna] }) })).toBe('done');
    expect(reply(create, { booking: booking({ travelers: [] }) })).toBe('done');
    expect(reply(create, { booking: booking({ travelers: [traveler('1')] }) })).toBe('done');
    const boris = person('1', 'Boris', 'Godunov');
    expect(reply(create, { booking: booking({ travelers: [boris] }) })).toBe('void');
    expect(reply(operation(expectCreate([], digest)), { booking: booking({ travelers: [boris] }) })).toBe('done');
  });

  test('requires a locator in the reply to a create', () => {
    const create = operation(expectCreate([], digest));
    expect(reply(create, { booking: booking() })).toBe('done');
    expect(reply(create, { booking: booking({ locator: '' }) })).toBe('void');
    expect(reply(create, {})).toBe('void');
  });
});
