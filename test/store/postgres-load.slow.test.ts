/** What an operator sees of a busy PostgreSQL: statements that wait for a connection, and writers that wait for the chain. */

import client from 'postgres';
import { expect, test } from 'vitest';
import { Pool } from '../../src/store/postgres/pool.ts';
import { allRows } from '../support/ledger-rows.ts';
import { ACTS } from '../support/rules.ts';
import { newOperation } from './support/new-operation.ts';
import { suiteDatabase } from './support/suite-database.ts';

const { url, cluster, freshSchema, open } = suiteDatabase();

/** Another program holds a lock. Returns what ends it. */
async function locked(statement: string): Promise<() => Promise<void>> {
  const other = client(url(), { max: 1 });
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lock = other.begin(async (sql) => {
    await sql.unsafe(statement);
    held.resolve();
    await free.promise;
  });
  await held.promise;
  return async () => {
    free.resolve();
    await lock;
    await other.end();
  };
}

test('shows how long a write waited for the chain, and the statements that run and wait meanwhile', async () => {
  const schema = freshSchema();
  const waited: number[] = [];
  const state = await open({ schema, max: 2, now: () => 5, waited: (seconds) => waited.push(seconds) });
  const insert = (id: string) =>
    state.operations.insert(newOperation(id, { locator: id }), { now: 5, owner: 'p', leaseUntil: 9 });
  await insert('free');
  expect(waited).toHaveLength(1);
  expect(waited[0]).toBeLessThan(1);
  // An operation that is there already writes nothing.
  await insert('free');
  expect(waited).toHaveLength(1);

  const free = await locked(`select 1 from ${schema}.chain for update`);
  const inserts = ['a', 'b', 'c'].map(insert);
  await expect.poll(() => state.pools?.()[0]).toEqual({ pool: 'journal', waiting: 1 });
  await new Promise((resolve) => setTimeout(resolve, 120));
  await free();
  await Promise.all(inserts);
  expect(waited).toHaveLength(4);
  expect(Math.max(...waited)).toBeGreaterThan(0.05);
  expect(state.pools?.().map(({ pool, waiting }) => [pool, waiting])).toEqual([
    ['journal', 0],
    ['counts', 0],
    ['questions', 0],
    ['desk_questions', 0],
  ]);
});

const YEAR = { tenant: 't', from: 0, to: 365 * 86_400_000 };

test('reads the rows of the desk, a caller and the counts on connections of their own, so that none waits for another', async () => {
  const schema = freshSchema();
  const state = await open({ schema, now: () => 5 });
  const free = await locked(`lock table ${schema}.operation in access exclusive mode`);
  const read = (query = {}) => allRows(state.ledgerRows, { ...YEAR, ...query }, ['operations']);
  const desk = Array.from({ length: 4 }, () => read());
  const loads = () => state.pools?.().map(({ pool, waiting }) => [pool, waiting]);
  await expect.poll(loads).toEqual([
    ['journal', 0],
    ['counts', 0],
    ['questions', 0],
    ['desk_questions', 2],
  ]);
  const own = read({ caller: 'me' });
  const counts = state.openCounts(5, ACTS).catch(() => undefined);
  const watcher = client(url(), { max: 1 });
  const stuck = () => watcher`select 1 from pg_stat_activity where wait_event_type = 'Lock'`;
  // Two of the desk, the caller's and the counts.
  await expect.poll(async () => (await stuck()).length).toBe(4);
  expect(loads()).toMatchObject([
    ['journal', 0],
    ['counts', 0],
    ['questions', 0],
    ['desk_questions', 2],
  ]);
  await watcher.end();
  await free();
  await Promise.all([...desk, own, counts]);
});

test('gives a question that waits for its turn the whole time of a statement, and others only what is left', async () => {
  const pool = new Pool(url(), { deadlineMs: 600, max: 1 });
  const asked = (of: Pool) => Array.from({ length: 6 }, () => of.ask('select pg_sleep(0.3)', [], { onlyReads: true }));
  await expect(Promise.all(asked(pool.poolFor('desk_questions')))).resolves.toHaveLength(6);
  await expect(Promise.all(asked(pool))).rejects.toThrow('did not answer in time');
  await pool.close();
});

test('the rows of questions are read without compiling the statements, and every other statement as the server is set', async () => {
  const schema = freshSchema();
  const state = await open({ schema, now: () => 5 });
  // A view in the place of the table, which notes how each statement that reads it was planned.
  const { sql } = cluster();
  await sql(
    'clerk',
    `create table ${schema}.noted(jit text);
     create function ${schema}.note() returns boolean language plpgsql volatile as $$ begin
       insert into ${schema}.noted values (current_setting('jit')); return true; end $$;
     alter table ${schema}.operation rename to operations;
     create view ${schema}.operation as select o.* from ${schema}.operations o where (select ${schema}.note());`,
  );
  const noted = async () => {
    const rows = await sql('clerk', `delete from ${schema}.noted returning jit`);
    return [...new Set(rows.map(({ jit }) => jit))];
  };
  await allRows(state.ledgerRows, YEAR, ['operations']);
  expect(await noted()).toEqual(['off']);
  await allRows(state.ledgerRows, { ...YEAR, caller: 'me' }, ['operations']);
  expect(await noted()).toEqual(['off']);
  await state.operations.list({ tenant: 't' });
  expect(await noted()).toEqual(['on']);
});
