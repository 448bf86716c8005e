/** Each column of each view is asked about: by the sixty, by the thirty, or here. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { LedgerRows } from '../../../src/ledger/ports.ts';
import { viewNamed, viewTables } from '../../../src/ledger/views.ts';
import { NO_LEDGER_ROWS } from '../../../src/store/ledger-rows.ts';
import { SETS } from '../sixty/ask.ts';
import { MUTANTS } from './mutants.ts';
import { QUESTIONS } from './questions.ts';

const COLUMNS = viewTables(true).flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));

/** The columns that these statements read, as SQLite names them. */
function readBy(statements: readonly string[]): ReadonlySet<string> {
  const database = new DatabaseSync(':memory:');
  for (const { name, columns } of viewTables(true))
    database.exec(`create table ${name} (${columns.map((column) => column.name).join()})`);
  const read = new Set<string>();
  database.setAuthorizer((_, table, column) => {
    read.add(`${table}.${column}`);
    return 0;
  });
  for (const sql of statements) database.prepare(sql);
  return read;
}

test('names each column of each view in a statement, and has a mistake for each that only this folder names', () => {
  const statements = Object.values(SETS).flatMap((set) => [...set.statements.values()]);
  const [theirs, ours] = [statements, QUESTIONS].map((list) => readBy(list.map(({ sql }) => sql)));
  const left = COLUMNS.filter((column) => !theirs?.has(column));
  expect(left.filter((column) => !ours?.has(column))).toEqual([]);
  expect(left.filter((column) => !Object.hasOwn(MUTANTS, column))).toEqual([]);
  expect(Object.keys(MUTANTS).filter((column) => !COLUMNS.includes(column))).toEqual([]);
});

/** A column of one stored row. */
const cellOf = (view: string, kind: keyof LedgerRows, row: object, column: string) =>
  viewNamed(view)
    ?.fill({ ...NO_LEDGER_ROWS, [kind]: [row] } as never, {} as never, kind)
    .map((cells) => cells(column))[0];

test.each([
  ['intent', 'waiting'],
  ['dispatched', 'sent'],
  ['in_doubt', 'in_doubt'],
  ['succeeded', 'done'],
  ['refused', 'refused'],
  ['not_executed', 'not_done'],
  ['needs_person', 'needs_person'],
  ['resolved', 'closed_by_person'],
])('an operation in the state %s has the outcome %s', (state, outcome) => {
  expect(cellOf('operation', 'operations', { state }, 'outcome')).toBe(outcome);
});

test.each([
  ['caller_confirmed', 'assistant'],
  ['person', 'dialog'],
  ['page', 'page'],
])('a yes with the assurance %s came through the channel %s', (assurance, channel) => {
  expect(cellOf('question', 'questions', { decision: 'granted', assurance }, 'channel')).toBe(channel);
});

test('an operation was charged as the receipt says, by our name or by the code of the airline', () => {
  const chargedAs = (outcome: object) => cellOf('operation', 'operations', { outcome }, 'charged_as');
  const ticket = (paymentType?: string) => ({ number: '1', paymentType });
  expect(chargedAs({ tickets: [ticket('4'), ticket('4')] })).toBe('debit_credit_account');
  expect(chargedAs({ tickets: [ticket('32'), ticket('37')] })).toBe('external, 37');
  expect(chargedAs({ charged: ['5'], tickets: [ticket()] })).toBe('credit_card');
  expect(chargedAs({ tickets: [ticket()] })).toBeUndefined();
});
