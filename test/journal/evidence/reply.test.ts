/** What the airline's own reply proves. */
import { describe, expect, test } from 'vitest';
import { expectBooking } from '../../../src/tools/acts/create-booking.ts';
import { NO_REFUNDS, SAR } from '../../store/support/new-operation.ts';
import { traveler as person } from '../../support/people.ts';
import { RULES } from '../../support/rules.ts';
import { booking, type Evidence, operation, option, paidBooking, receipt, ticket, traveler } from '../answers.ts';

const digest = (text: string) => `#${text}`;
const reply = (of: ReturnType<typeof operation>, evidence: Evidence) => RULES.reply(of, evidence, digest);

describe('a reply to a payment', () => {
  const pay = operation({ kind: 'pay', amount: SAR(17250), coupons: 2 });
  const two = operation({ kind: 'pay', amount: SAR(17250), coupons: 4, tickets: 2 });
  const row = (ticketNumber: string, total?: string, more: object = {}) => ({
    ...{ ticketNumber, ...(total !== undefined && { total }), conjunctive: [], links: [], ...more },
  });
  const with2 = (number: string, total?: string) => row(number, total, { conjunctive: ['2'] });
  const emd = (total: string) => row('9', total, { ticketType: 'EMD_A' });
  const rows = (...items: ReturnType<typeof row>[]): Evidence => ({
    receipt: { locator: 'ABC123', references: [], items },
  });
  const named = { ...receipt('172.50', 'OPER99').receipt, references: [{ id: 'abc123', segmentRefs: [] }] };

  test.each<[string, Evidence, string]>([
    ['tickets that add up', receipt(), 'done'],
    ['two tickets that add up', rows(row('1', '100'), row('2', '72.5')), 'done'],
    ['a ticket without an amount', rows(row('1')), 'done'],
    ['one of two without an amount', rows(row('1', '1'), row('2')), 'done'],
    ['another amount', receipt('180.00'), 'contradicted'],
    ['less', receipt('100.00'), 'partial'],
    ['amounts of nothing', receipt('0.00'), 'done'],
    ['the whole sum beside each ticket', rows(row('1', '172.5'), row('2', '172.5')), 'partial'],
    ['a ticket once for each segment', rows(row('1', '172.5'), row('1', '172.50')), 'partial'],
    ['the same row twice', rows(row('1', '172.5'), row('1', '172.5')), 'done'],
    ['a row without a number', rows(row('1'), row('')), 'partial'],
    ['more, and no number yet', rows(row('', '172.51')), 'contradicted'],
    ['no rows', rows(), 'partial'],
    ["somebody else's receipt", receipt('172.50', 'XYZ789'), 'void'],
    ['the other reference of the booking', { receipt: named } as Evidence, 'done'],
    ['a booking in place of a receipt', { booking: paidBooking() }, 'partial'],
    ['nothing', {}, 'void'],
    ['a ticket of two numbers', rows(row('1', '172.50', { conjunctive: ['1', '2'] }), row('2', '172.50')), 'done'],
    ['too much of one ticket', rows(with2('1', '912.50'), row('2', '912.50', { conjunctive: ['1'] })), 'contradicted'],
    ['a service document above it', rows(row('1', '172.50'), emd('50.00')), 'contradicted'],
    ['a service document within it', rows(row('1', '122.50'), emd('50.00')), 'done'],
    ['a small service document alone', rows(emd('5.00')), 'partial'],
    ['a service document of the whole sum', rows(emd('172.50')), 'partial'],
    ['two rows of one ticket that add up', rows(row('1', '86.25'), row('1', '86.25')), 'done'],
    ['a third ticket without an amount', rows(row('1', '172.50'), row('3', '172.50'), row('2')), 'partial'],
    ['far too much beside no amount', rows(row('1', '9000.00'), row('2')), 'contradicted'],
  ])('judges %s: %s', (_what, evidence, verdict) => {
    expect(reply(pay, evidence)).toBe(verdict);
  });

  test.each<[string, Evidence, string]>([
    ['one ticket on two rows', rows(row('1', '86.25'), row('1', '86.25')), 'partial'],
    ['one ticket of two numbers', rows(with2('1', '86.25'), row('2', '86.25')), 'partial'],
    ['two tickets', rows(row('1', '86.25'), row('2', '86.25')), 'done'],
    ['one ticket of two numbers, too much', rows(with2('1', '86.25'), row('2', '900')), 'contradicted'],
    ['one ticket without an amount', rows(row('1')), 'partial'],
    ['the same ticket twice without an amount', rows(row('1'), row('1')), 'partial'],
    ['two tickets without an amount', rows(row('1'), row('2')), 'done'],
    ['one ticket of the whole sum', rows(row('1', '172.50')), 'done'],
    ['one ticket of half the sum', rows(row('1', '86.25')), 'partial'],
  ])('requires a ticket for each of two passengers: %s: %s', (_what, evidence, verdict) => {
    expect(reply(two, evidence)).toBe(verdict);
  });
});

describe('a reply to a cancellation', () => {
  const cancel = operation({ kind: 'cancel_booking' });
  const all = operation({ kind: 'cancel_segments', segmentRefs: ['1', '2'], keptRefs: [], ...NO_REFUNDS });
  const some = operation({ kind: 'cancel_segments', segmentRefs: ['1'], keptRefs: ['2'], ...NO_REFUNDS });
  const everybody = operation({ kind: 'cancel_passengers', gone: ['a'], kept: [], ...NO_REFUNDS });
  const one = operation({ kind: 'cancel_passengers', gone: ['a'], kept: ['b'], ...NO_REFUNDS });
  const said = (status?: string, locator = 'ABC123') => ({ cancelled: { locator, ...(status && { status }) } });

  test.each<[string, ReturnType<typeof operation>, Evidence, string]>([
    ['as wanted', some, { booking: booking({ options: [option('1', '16'), option('2')] }) }, 'done'],
    ['unchanged', some, { booking: booking() }, 'not_done'],
    ["somebody else's", some, { booking: booking({ locator: 'XYZ789', references: [] }) }, 'void'],
    ['a receipt', some, receipt(), 'void'],
    ['Cancelled', cancel, said('Cancelled'), 'done'],
    ['pending', cancel, said('PENDING'), 'void'],
    ['cancelled, in answer to a cancellation of segments', some, said('CANCELLED'), 'done'],
    ['pending, in answer to a cancellation of segments', some, said('PENDING'), 'void'],
    ['no status', cancel, said(), 'void'],
    ["somebody else's cancellation", cancel, said('CANCELLED', 'XYZ789'), 'void'],
    ['the cancelled booking', cancel, { booking: booking({ cancelled: true }) }, 'done'],
  ])('judges it by what it shows: %s', (_what, of, evidence, verdict) => {
    expect(reply(of, evidence)).toBe(verdict);
  });

  test.each([
    ['all', all, 'done'],
    ['the booking', cancel, 'done'],
    ['everybody', everybody, 'done'],
    ['some', some, 'void'],
    ['one of two', one, 'void'],
  ] as const)('accepts an empty booking after cancelling %s only without a valid ticket: %s', (_what, of, verdict) => {
    const bare = booking({ options: [], travelers: [] });
    expect(reply(of, { booking: bare })).toBe(verdict);
    expect(reply(of, { booking: { ...bare, tickets: [ticket('9', ['R', 'O'])] } })).toBe('void');
  });
});

describe('a reply to a create', () => {
  const [anna, boris] = [person('1', 'Anna', 'Karenina'), person('1', 'Boris', 'Godunov')];
  const stranger = { ...boris, document: undefined };
  const create = operation(expectBooking([anna], digest));
  const unnamed = operation(expectBooking([], digest));

  test.each<[string, ReturnType<typeof operation>, Evidence, string]>([
    ['its own traveller', create, { booking: booking({ travelers: [anna] }) }, 'done'],
    ['no travellers', create, { booking: booking() }, 'done'],
    ['a traveller without a name', create, { booking: booking({ travelers: [traveler('1')] }) }, 'done'],
    ['somebody else', create, { booking: booking({ travelers: [stranger] }) }, 'void'],
    ['its own traveller under another name', create, { booking: booking({ travelers: [boris] }) }, 'done'],
    ['anybody, where none was named', unnamed, { booking: booking({ travelers: [boris] }) }, 'done'],
    ['no locator', unnamed, { booking: booking({ locator: '' }) }, 'void'],
    ['no booking', unnamed, {}, 'void'],
  ])('requires a locator and one of its own travellers: %s', (_what, of, evidence, verdict) => {
    expect(reply(of, evidence)).toBe(verdict);
  });
});
