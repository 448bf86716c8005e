/** A part of the forty questions on SQLite; the night plays all of them, on both databases (both-databases.test.ts). */
import { test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { expectExactAnswers } from './exact-answers.ts';

test('answers every fifth of forty questions exactly from SQLite, and those of closed periods for ever', async () => {
  await expectExactAnswers((now) => openSqliteState(':memory:', { now }), [400], 5);
});
