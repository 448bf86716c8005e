import { describe, expect, test } from 'vitest';
import { describeOperation, operationRecord, operationRow } from '../../../src/cli/journal/view.ts';
import { OPERATION_STATES, type Operation } from '../../../src/journal/operation.ts';
import { SAR } from '../../store/new-operation.ts';
import { doneOperation } from './done-operation.ts';

const operation = (changes: Partial<Operation> = {}) => doneOperation('11112222', { amount: SAR(66_400), ...changes });

const rebook = { tool: 'rebook_segment', subject: { kind: 'rebook_segment' } as never };
const refund = { tool: 'cancel_segment', direction: 'refund', subject: { kind: 'cancel_segments' } as never } as const;

/** Its money as a program, a list and a person see it. */
function money(changes: Partial<Operation>) {
  const one = operation(changes);
  const { charged, refund: back, at_stake: stake } = operationRecord(one);
  const lines = describeOperation(one, []).split('\n');
  const told = lines.filter((line) => /^(charged|refund|at stake|amount)/.test(line)).map((line) => line.trim());
  return { record: [charged, back, stake], row: operationRow(one)[4], told };
}

const STAKE = 'at stake     SAR 664.00 (payment), as limits count it';
const REFUND_AT_STAKE = 'at stake     SAR 664.00 (refund), as limits count it';

describe('the money of an operation', () => {
  test('shows the amount of a payment', () => {
    expect(money({})).toEqual({
      record: ['664.00', undefined, '664.00'],
      row: 'SAR 664.00 paid',
      told: ['charged      SAR 664.00', STAKE],
    });
  });

  test('shows the refund that the airline stated for a cancellation, not the amount at stake', () => {
    expect(money({ ...refund, outcome: { refund: { amount: SAR(15_950) } } })).toEqual({
      record: [undefined, '159.50', '664.00'],
      row: 'SAR 159.50 back',
      told: ['refund       SAR 159.50, stated by the airline', REFUND_AT_STAKE],
    });
  });

  test('guesses no refund that the airline did not state', () => {
    expect(money(refund)).toEqual({
      record: [undefined, undefined, '664.00'],
      row: 'not stated',
      told: ['refund       not stated by the airline', REFUND_AT_STAKE],
    });
  });

  test('shows what the airline charged or refunded for a change of flight', () => {
    expect(money({ ...rebook, outcome: { charge: { amount: SAR(9200) } } })).toEqual({
      record: ['92.00', undefined, '664.00'],
      row: 'SAR 92.00 paid',
      told: ['charged      SAR 92.00, stated by the airline', STAKE],
    });
    expect(money({ ...rebook, outcome: { refund: { amount: SAR(100) } } }).row).toBe('SAR 1.00 back');
    expect(money(rebook)).toEqual({
      record: [undefined, undefined, '664.00'],
      row: 'not stated',
      told: ['charged      not stated by the airline', STAKE],
    });
  });

  test.each(OPERATION_STATES.filter((state) => state !== 'succeeded'))(
    'shows no moved money for an operation in state %s',
    (state) => {
      const { record, row, told } = money({ ...refund, state, outcome: { refund: { amount: SAR(15_950) } } });
      expect(record).toEqual([undefined, undefined, '664.00']);
      expect(row).toBe(['refused', 'not_executed', 'resolved'].includes(state) ? '-' : 'SAR 664.00 open');
      expect(told).toEqual([REFUND_AT_STAKE]);
    },
  );
});

test("a yes that no person gave in the sandbox is nobody's", () => {
  const words = (changes: Partial<Operation>) => describeOperation(operation(changes), []);
  expect(words({ assurance: 'caller_confirmed', tenant: 'sandbox' })).toMatch(/^approved by +nobody: sandbox$/m);
  expect(words({ assurance: 'caller_confirmed', tenant: 'air.example/A' })).toContain('no person was asked');
  expect(words({ assurance: 'page', tenant: 'sandbox' })).toContain('a person');
});
