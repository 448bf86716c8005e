/** A part of the sixty questions on SQLite; the night plays all of them, on both databases (both-databases.test.ts). */
import { expect, test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { QUESTIONS } from './questions.ts';
import { expectVerdicts } from './verdicts.ts';

test('what a fresh reader sent for sixty questions of a desk is answered as the books of the airline say, and nothing is wrong in silence', async () => {
  await expectVerdicts((now) => openSqliteState(':memory:', { now }), QUESTIONS, import.meta.dirname, 5);
});

test('has sixty questions in plain English, half of which a hurried statement would easily answer wrong', () => {
  expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(60);
  expect(new Set(QUESTIONS.map(({ asks }) => asks)).size).toBe(60);
  expect(QUESTIONS.filter(({ trap }) => trap !== undefined).length).toBeGreaterThanOrEqual(30);
  // Who writes the statements sees these words only: they name no column.
  expect(QUESTIONS.filter(({ asks }) => /\w_\w/.test(asks))).toEqual([]);
});
