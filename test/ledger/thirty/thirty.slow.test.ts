/** A part of the thirty questions on SQLite; the night plays all of them, on both databases (both-databases.test.ts). */
import { expect, test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { QUESTIONS as SIXTY } from '../sixty/questions.ts';
import { keptStatements } from '../sixty/statements.ts';
import { expectVerdicts } from '../sixty/verdicts.ts';
import { QUESTIONS } from './questions.ts';

test('what somebody who saw only the views sent for thirty questions of a desk is answered as the books of the airline say', async () => {
  await expectVerdicts((now) => openSqliteState(':memory:', { now }), QUESTIONS, import.meta.dirname, 5);
});

test('has thirty questions in plain English that the sixty do not ask, and a statement for each or none', () => {
  const ids = [...QUESTIONS, ...SIXTY].map(({ id }) => id);
  expect(new Set(ids).size).toBe(90);
  expect(new Set([...QUESTIONS, ...SIXTY].map(({ asks }) => asks)).size).toBe(90);
  expect([0, 30]).toContain(keptStatements(QUESTIONS, import.meta.dirname).size);
});
