/** Transactions of several statements on PostgreSQL: all of it is done, or nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, finish, type Statement, type Transaction } from '../../src/store/database.ts';
import { type PostgresDatabase, postgresAt } from '../../src/store/postgres/database.ts';
import { suiteDatabase } from './support/suite-database.ts';

const { url, cluster, freshSchema } = suiteDatabase();
const TURN = { turn: 'test' };
const CLASH: Statement = ["do $$ begin raise exception 'clash' using errcode = '40001'; end $$"];

let schema: string;
let db: PostgresDatabase;
beforeEach(async () => {
  schema = freshSchema();
  db = postgresAt(url(), schema, { checksTimes: false });
  await cluster().sql('clerk', `create schema ${schema}; create table ${schema}.word (word text primary key)`);
});
afterEach(() => db.close());

const add = (word: string): Statement => [`insert into ${schema}.word(word) values (?)`, word];
const words = async () => (await db.all(`select word from ${schema}.word order by word`)).map(({ word }) => word);

test('gives each statement the rows of its own, and commits at the end, with or without last statements', async () => {
  await db.transact(function* () {
    const [, rows = []] = yield* ask(add('a'), [`select word from ${schema}.word`]);
    yield* finish(add(`${rows[0]?.word}b`));
  }, TURN);
  await db.transact(() => ask(add('c')), TURN);
  expect(await words()).toEqual(['a', 'ab', 'c']);
});

test('undoes all if a statement fails, in the first trip or the last, and says why', async () => {
  const twice = (trips: readonly (readonly Statement[])[]) =>
    db.transact(function* () {
      for (const trip of trips.slice(0, -1)) yield* ask(...trip);
      yield* finish(...(trips.at(-1) ?? []));
    }, TURN);
  for (const trips of [
    [[add('a'), add('a'), add('b')]],
    [[add('a')], [add('a'), add('b')]],
    [[add('a')], [], [add('a')]],
  ])
    await expect(twice(trips)).rejects.toMatchObject({ code: '23505' });
  expect(await words()).toEqual([]);
  await db.transact(() => finish(add('a')), TURN);
  expect(await words()).toEqual(['a']);
});

test('undoes all if the work throws after a trip', async () => {
  const steps = function* (): Transaction<never> {
    yield* ask(add('a'));
    throw new Error('changed its mind');
  };
  await expect(db.transact(steps, TURN)).rejects.toThrow('changed its mind');
  expect(await words()).toEqual([]);
  await db.transact(() => finish(add('b')), TURN);
  expect(await words()).toEqual(['b']);
});

test('writes nothing of a transaction whose connection breaks, and goes on with a new one', async () => {
  const end: Statement = ['select pg_terminate_backend(pg_backend_pid())'];
  const broken = [
    () => finish(add('a'), end, add('b')),
    function* () {
      yield* ask(add('a'));
      yield* finish(end, add('b'));
    },
  ];
  for (const steps of broken) {
    await expect(db.transact<unknown>(steps, TURN)).rejects.toMatchObject({ code: 'E_STATE_DOWN' });
    await db.transact(() => finish(add('c')), TURN);
    expect(await words()).toEqual(['c']);
    await db.write(`delete from ${schema}.word`);
  }
});

test('begins again if it clashed with another one, and gives up in the end', async () => {
  let tried = 0;
  const steps = (clashes: number) =>
    function* (): Transaction<void> {
      tried += 1;
      yield* ask(add('a'));
      yield* finish(...(tried <= clashes ? [CLASH] : []), add('b'));
    };
  await db.transact(steps(2), TURN);
  expect([tried, await words()]).toEqual([3, ['a', 'b']]);
  await db.write(`delete from ${schema}.word`);
  tried = 0;
  await expect(db.transact(steps(99), TURN)).rejects.toMatchObject({ code: 'E_STATE_DOWN', cause: { code: '40001' } });
  expect([tried, await words()]).toEqual([4, []]);
});

test('those of one turn queue: none misses what another one wrote', async () => {
  const count = function* (): Transaction<void> {
    const [[row] = []] = yield* ask([`select count(*) as n from ${schema}.word`]);
    yield* finish(add(String(row?.n)));
  };
  const other = postgresAt(url(), schema, { checksTimes: false });
  await Promise.all([db, other, db, other, db, other].map((each) => each.transact(count, TURN)));
  await other.close();
  expect(await words()).toEqual(['0', '1', '2', '3', '4', '5']);
});

test('gives up on a server that does not answer, also for those that wait behind', async () => {
  const hasty = postgresAt(url(), schema, { checksTimes: false, deadlineMs: 500 });
  const sleep = () => finish(['select pg_sleep(3)'], add('a'));
  const began = performance.now();
  const all = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => hasty.transact(sleep, { turn: String(n) })));
  expect(all.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect(performance.now() - began).toBeLessThan(2_500);
  await hasty.close();
});

test('a process that slept in the middle of a transaction writes nothing, and kept nobody from writing', async () => {
  const other = postgresAt(url(), schema, { checksTimes: false });
  const slept = db.transact(function* () {
    yield* ask(add('a'));
    const until = performance.now() + 6_000;
    while (performance.now() < until);
    yield* finish(add('b'));
  }, TURN);
  await expect(slept).rejects.toMatchObject({ code: 'E_STATE_DOWN' });
  await other.transact(() => finish(add('a')), TURN);
  await db.transact(() => finish(add('c')), TURN);
  expect(await words()).toEqual(['a', 'c']);
  await other.close();
});
