/** How a page of decided questions is found among many: by an index of each table, and it looks at some of them only. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { END, postgresWords, SQLITE } from '../../bench/support/many-acts.ts';
import { CLERKS, manyQuestions } from '../../bench/support/many-questions.ts';
import { Pool } from '../../src/store/postgres/pool.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { scratch } from '../store/support/journals.ts';
import type { State } from '../store/support/ports.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';

const QUESTIONS = 24_000;
const DAY = 86_400_000;
const QUERY = { tenant: 'desk', since: END - 30 * DAY, now: END, limit: 50 };

const folder = scratch('decided');
afterAll(() => folder.remove());
const { cluster, freshSchema, open } = suiteDatabase();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Pages of the whole tenant and of one person, the newest and older ones. */
async function readAll({ decided }: State): Promise<void> {
  for (const person of [undefined, 'oauth:c7'])
    for (const before of [undefined, { at: END - 9 * DAY, id: 'x' }]) await decided.page({ ...QUERY, person, before });
}

async function fillSqlite(): Promise<{ readonly state: State; readonly file: string }> {
  const file = folder.at(`${crypto.randomUUID()}.sqlite`);
  const state = await openSqliteState(file, { now: () => END });
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off');
  for (const sql of manyQuestions(SQLITE, QUESTIONS)) db.exec(sql);
  db.close();
  return { state, file };
}

test('SQLite goes along the index of each table, and sorts only what has the same time', async () => {
  const { state, file } = await fillSqlite();
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await readAll(state);
  const statements = [...new Set(prepared.mock.calls.map(([sql]) => sql))].filter((sql) => sql.includes('order by'));
  prepared.mockRestore();
  await state.close();
  const db = new DatabaseSync(file);
  const plans = statements.flatMap((sql) => db.prepare(`explain query plan ${sql}`).all());
  db.close();
  const steps = [...new Set(plans.map(({ detail }) => String(detail)))].sort();
  expect(steps).toEqual([
    'SEARCH approval USING COVERING INDEX approval_by_end (expires_at<?)',
    'SEARCH approval USING INDEX approval_by_end (expires_at>? AND expires_at<?)',
    'SEARCH past_question USING COVERING INDEX past_question_by_time (tenant=? AND asked_at<?)',
    'SEARCH past_question USING INDEX past_question_by_time (tenant=? AND asked_at>? AND asked_at<?)',
    'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
  ]);
});

test('PostgreSQL goes along the index of each table', async () => {
  const schema = freshSchema();
  const state = await open({ schema, now: () => END });
  for (const sql of manyQuestions(postgresWords(schema), QUESTIONS)) await cluster().sql('clerk', sql);
  await cluster().sql('clerk', `analyze ${schema}.approval; analyze ${schema}.past_question`);
  const asked = vi.spyOn(Pool.prototype, 'ask');
  await readAll(state);
  const calls = asked.mock.calls.filter(([sql]) => sql.includes('order by'));
  asked.mockRestore();
  const written = (value: unknown) => (typeof value === 'number' ? String(value) : `'${String(value)}'`);
  const scans = new Set<string>();
  for (const [sql, values] of calls) {
    const filled = sql.replaceAll(/\$(\d+)/g, (_, n: string) => written(values[Number(n) - 1]));
    for (const row of await cluster().sql('clerk', `explain (costs off) ${filled}`))
      scans.add(/\w+ Scan.*/.exec(String(row['QUERY PLAN']))?.[0] ?? '');
  }
  expect(calls).toHaveLength(16);
  // A short stretch of the index may come as a bitmap; a whole table is never read.
  const found = [...scans].filter((scan) => scan !== '' && !scan.startsWith('Heap Scan'));
  expect(found.filter((scan) => !/(?:using|on) (?:approval_by_end|past_question_by_time)\b/.test(scan))).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(4);
});

test('a page looks at five thousand questions of each table at most, and the next one goes on there, until all are seen', async () => {
  const { state } = await fillSqlite();
  const seen = new Set<string>();
  const sizes: number[] = [];
  let before: Awaited<ReturnType<State['decided']['page']>>['earlier'];
  do {
    const page = await state.decided.page({ ...QUERY, person: 'oauth:c7', before });
    for (const { operationId, caller } of page.rows) {
      expect(caller).toBe('oauth:c7:desk');
      seen.add(operationId);
    }
    sizes.push(page.rows.length);
    expect(before === undefined || (page.earlier?.at ?? 0) <= before.at).toBe(true);
    // The time of a question of somebody else is in no address.
    if (page.rows.length < QUERY.limit && page.earlier !== undefined) expect(page.earlier.at % 60_000).toBe(0);
    before = page.earlier;
  } while (before !== undefined);
  expect(seen.size).toBe(QUESTIONS / CLERKS);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(seen.size);
  // A clerk of a hundred has fifty of five thousand.
  expect(sizes.length).toBeGreaterThan(QUESTIONS / 2 / 5_000);
  const nobody = await state.decided.page({ ...QUERY, person: 'oauth:eve' });
  expect([nobody.rows, nobody.earlier === undefined]).toEqual([[], false]);
  await state.close();
});
