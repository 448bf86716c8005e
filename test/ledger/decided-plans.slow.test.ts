/** How the last decided questions of a person are found among many: by an index of each table. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { END, SQLITE } from '../../bench/support/many-acts.ts';
import { CLERKS, manyQuestions } from '../../bench/support/many-questions.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { scratch } from '../store/support/journals.ts';
import type { State } from '../store/support/ports.ts';

const QUESTIONS = 24_000;
const DAY = 86_400_000;
const QUERY = { tenant: 'desk', person: 'oauth:c7', since: END - 30 * DAY, now: END, limit: 50 };

const folder = scratch('decided');
afterAll(() => folder.remove());
afterEach(() => {
  vi.restoreAllMocks();
});

async function fillSqlite(): Promise<{ readonly state: State; readonly file: string }> {
  const file = folder.at(`${crypto.randomUUID()}.sqlite`);
  const state = await openSqliteState(file, { now: () => END });
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off');
  for (const sql of manyQuestions(SQLITE, QUESTIONS)) db.exec(sql);
  db.close();
  return { state, file };
}

test('SQLite reads the last days of each table by its index', async () => {
  const { state, file } = await fillSqlite();
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await state.decided.lastOf(QUERY);
  const statements = [...new Set(prepared.mock.calls.map(([sql]) => sql))].filter((sql) => sql.includes('order by'));
  prepared.mockRestore();
  await state.close();
  const db = new DatabaseSync(file);
  const plans = statements.flatMap((sql) => db.prepare(`explain query plan ${sql}`).all());
  db.close();
  const steps = [...new Set(plans.map(({ detail }) => String(detail)))].sort();
  expect(steps.filter((step) => /SEARCH|SCAN (?!kept)/.test(step))).toEqual([
    'SEARCH approval USING INDEX approval_by_end (expires_at>?)',
    'SEARCH past_question USING COVERING INDEX past_question_by_time (tenant=? AND asked_at>?)',
    'SEARCH past_question USING PRIMARY KEY (operation_id=?)',
  ]);
});

test('a person gets the last fifty of their own, and nobody gets those of others', async () => {
  const { state } = await fillSqlite();
  const own = await state.decided.lastOf(QUERY);
  expect(own).toHaveLength(50);
  expect(new Set(own.map(({ caller }) => caller))).toEqual(new Set(['oauth:c7:desk']));
  expect(own.map(({ askedAt }) => askedAt)).toEqual(own.map(({ askedAt }) => askedAt).toSorted((a, b) => b - a));
  expect(await state.decided.lastOf({ ...QUERY, limit: QUESTIONS })).toHaveLength(QUESTIONS / CLERKS);
  expect(await state.decided.lastOf({ ...QUERY, person: 'oauth:eve' })).toEqual([]);
  await state.close();
});
