/** What an operator sees of a busy PostgreSQL: statements that wait for a connection, and writers that wait for the chain. */
import client from 'postgres';
import { expect, test } from 'vitest';
import { newOperation } from './new-operation.ts';
import { suiteDatabase } from './support/suite-database.ts';

const { url, freshSchema, open } = suiteDatabase();

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

  const other = client(url(), { max: 1 });
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lock = other.begin(async (sql) => {
    await sql.unsafe(`select 1 from ${schema}.chain for update`);
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  const inserts = ['a', 'b', 'c'].map(insert);
  await expect.poll(() => state.pools?.()[0]).toEqual({ pool: 'journal', connections: 2, running: 2, waiting: 1 });
  await new Promise((resolve) => setTimeout(resolve, 120));
  free.resolve();
  await lock;
  await Promise.all(inserts);
  await other.end();
  expect(waited).toHaveLength(4);
  expect(Math.max(...waited)).toBeGreaterThan(0.05);
  expect(state.pools?.().map(({ pool, running, waiting }) => [pool, running, waiting])).toEqual([
    ['journal', 0, 0],
    ['reports', 0, 0],
  ]);
});
