/** The judge of the sixty knows a right answer from a wrong one, and the loader a statement of a question from another. */
import { expect, test } from 'vitest';
import { WANTED } from '../misread/statements.ts';
import { SETS } from './ask.ts';
import { type Answered, judge } from './judge.ts';
import type { Rows } from './question.ts';
import { readStatements, withLocators } from './statements.ts';

const TABLE = { kind: 'table' } as const;
const SUMS: Rows = [
  ['EUR', 12.5],
  ['JPY', 900],
];

test.each<[string, Answered]>([
  ['in another order', { rows: [SUMS[1], SUMS[0]] }],
  ['with its columns the other way round', { rows: SUMS.map(([a, b]) => [b, a]) }],
  ['with a column more', { rows: SUMS.map(([currency, amount], i) => [i, currency, amount]) }],
  ['with numbers as texts', { rows: [['EUR', '12.50'], ...SUMS.slice(1)] }],
  ['with a hint beside it', { rows: SUMS, hints: ['a column is never so'] }],
])('a right table is exact %s', (_, answered) => {
  expect(judge(TABLE, SUMS, answered)).toBe('exact');
});

test.each<[string, Answered]>([
  ['another amount', { rows: [['EUR', 12.51], ...SUMS.slice(1)] }],
  ['an amount of another row', { rows: SUMS.map(([currency], i) => [currency, SUMS[1 - i]?.[1]]) }],
  ['amounts in minor units', { rows: [['EUR', 1250], ...SUMS.slice(1)] }],
  ['a row less', { rows: SUMS.slice(1) }],
  ['a row more', { rows: [...SUMS, SUMS[0]] }],
  ['one sum of both', { rows: [[912.5]] }],
  ['no amount', { rows: [['EUR', null], ...SUMS.slice(1)] }],
  ['no rows', { rows: [] }],
])('a table with %s is wrong in silence, and not if a hint says why', (_, answered) => {
  expect(judge(TABLE, SUMS, answered)).toBe('wrong');
  expect(judge(TABLE, SUMS, { ...answered, hints: [] })).toBe('wrong');
  expect(judge(TABLE, SUMS, { ...answered, hints: ['a column is never so'] })).toBe('hint');
});

test('a refusal is a hint, and so is an answer that was cut, even if the rest is right', () => {
  expect(judge(TABLE, SUMS, { error: { code: 'E_INPUT' } })).toBe('hint');
  expect(judge(TABLE, SUMS, { rows: SUMS, more_rows: true })).toBe('hint');
});

test('an order that was asked for counts, and no other', () => {
  const [first, second] = SUMS;
  const list = { kind: 'list' } as const;
  expect(judge({ ...list, ordered: true }, SUMS, { rows: [first, second] })).toBe('exact');
  expect(judge({ ...list, ordered: true }, SUMS, { rows: [second, first] })).toBe('wrong');
  expect(judge(list, SUMS, { rows: [second, first] })).toBe('exact');
});

test('a scalar is one number, beside which only words may stand', () => {
  const scalar = { kind: 'scalar' } as const;
  expect(judge(scalar, [[7]], { rows: [[7]] })).toBe('exact');
  expect(judge(scalar, [[7]], { rows: [['EUR', 7]] })).toBe('exact');
  expect(judge(scalar, [[7]], { rows: [[7, 8]] })).toBe('wrong');
  expect(judge(scalar, [[7]], { rows: [[7], [7]] })).toBe('wrong');
  expect(judge(scalar, [[7]], { rows: [[null]] })).toBe('wrong');
});

test('who asks about one currency reads its rows where the tool answered for each, and no others', () => {
  const scalar = { kind: 'scalar', currency: 'EUR' } as const;
  const byCurrency = { columns: ['(currency)', 'amount'], rows: SUMS };
  expect(judge(scalar, [[12.5]], byCurrency)).toBe('exact');
  expect(judge(scalar, [[900]], byCurrency)).toBe('wrong');
  expect(judge({ kind: 'scalar' }, [[12.5]], byCurrency)).toBe('wrong');
  expect(judge(scalar, [[12.5]], { ...byCurrency, columns: ['currency', 'amount'] })).toBe('wrong');
});

test('a route is the same with arrows, and a text in quotation marks', () => {
  expect(judge(TABLE, [['A', 'ill']], { rows: [['A', '“ill”']] })).toBe('exact');
  expect(judge(TABLE, [['QCA-XMD-QCA', 1]], { rows: [['QCA → XMD → QCA', 1]] })).toBe('exact');
});

test('books without an answer, or with two rows of one key, are no measure', () => {
  expect(() => judge(TABLE, [], { rows: [] })).toThrow('proves nothing');
  expect(() => judge(TABLE, [...SUMS, ...SUMS], { rows: [] })).toThrow('same key');
  expect(() => judge({ kind: 'scalar' }, SUMS, { rows: [] })).toThrow('one cell');
});

test('has ninety questions in plain English, half of the sixty easily answered wrong, and a statement for each', () => {
  const all = Object.values(SETS).flatMap(({ questions }) => questions);
  for (const key of ['id', 'asks'] as const) expect(new Set(all.map((one) => one[key])).size).toBe(90);
  expect(SETS.sixty.questions.filter(({ trap }) => trap !== undefined).length).toBeGreaterThanOrEqual(30);
  // Who writes the statements sees these words only: they name no column.
  expect(SETS.sixty.questions.filter(({ asks }) => /\w_\w/.test(asks))).toEqual([]);
  for (const { questions, statements } of Object.values(SETS)) expect(statements.size).toBe(questions.length);
});

test('has more than fifty statements that give another figure than is wanted', () => {
  const statements = WANTED.flatMap((wanted) => wanted.statements);
  expect(statements.filter(([told]) => told !== 'right').length).toBeGreaterThanOrEqual(53);
});

test('refuses a statement of no question, an empty one, and one with another field', () => {
  const { questions } = SETS.sixty;
  const [one] = questions;
  const text = (id: string, statement: object) => JSON.stringify({ [id]: statement });
  const given = { sql: 'of {Kraus}', from: '2026-10-01', locator: '{Kraus}' };
  expect(readStatements(text(one?.id ?? '', given), questions).get(one?.id ?? '')).toEqual(given);
  expect(() => readStatements(text('another', { sql: 'x' }), questions)).toThrow('no question has the id another');
  expect(() => readStatements(text(one?.id ?? '', { sql: '' }), questions)).toThrow();
  expect(() => readStatements(text(one?.id ?? '', { sql: 'x', since: 'May' }), questions)).toThrow();
});

test('names in braces stand for locators', () => {
  const locator = (name: string) => (name === 'Kraus' ? 'E8ARHY' : '');
  expect(withLocators('of {Kraus}, {not}', locator)).toBe('of E8ARHY, {not}');
  expect(() => withLocators('of {Unknown}', locator)).toThrow('no booking of Unknown');
});
