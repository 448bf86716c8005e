import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClerkError } from '../../src/errors.ts';
import type { ReadingNote } from '../../src/journal/ports.ts';
import { PostgresApprovals } from '../../src/store/postgres/approvals.ts';
import { PostgresClock } from '../../src/store/postgres/clock.ts';
import { postgresAt } from '../../src/store/postgres/database.ts';
import { PostgresOperations } from '../../src/store/postgres/operations.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import type { State } from '../../src/store/state.ts';
import { newOperation } from './new-operation.ts';
import { describeOperations } from './operations-suite.ts';
import { describeState } from './state-suite.ts';
import { suiteDatabase } from './support/suite-database.ts';
import { type Pooler, startPooler } from './support/transaction-pooler.ts';
import { startValve } from './support/valve.ts';

const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };
const MINUTES = 60_000;

const { cluster, url, freshSchema, ends, open } = suiteDatabase();

const sql = (text: string) => cluster().sql('clerk', text);

/** One state for a whole suite, emptied for each test: opening it, and making the tables, takes longer than most tests. */
function emptied(schema: string, at?: () => string) {
  const opened: State[] = [];
  let time = () => 0;
  const tables = ['event', 'reply', 'operation', 'approval', 'offer', 'booking', 'claim', 'claim_try', 'login', 'note'];
  const empty = `set session_replication_role = replica;
    ${tables.map((table) => `delete from ${schema}.${table};`).join(' ')}
    update ${schema}.chain set n = 0, hash = repeat('0', 64)`;
  afterAll(async () => {
    for (const state of opened) await state.close();
  });
  return async (now: () => number): Promise<State> => {
    time = now;
    if (opened.length === 0) opened.push(await openPostgresState(at?.() ?? url(), { schema }));
    await sql(empty);
    // Opened anew: a state that was open would notice that its journal went backwards.
    const state = await openPostgresState(`${at?.() ?? url()}?max=2&idle_timeout=1`, { schema, now: () => time() });
    opened.push(state);
    const { close: _, ...kept } = state;
    return { ...kept, close: async () => undefined };
  };
}

async function errorOf(call: Promise<unknown>): Promise<ClerkError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ClerkError);
  return error as ClerkError;
}

describeState('PostgreSQL', emptied('suite'));

describe('behind a transaction pooler', () => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await startPooler(url());
  });
  afterAll(() => pooler.close());

  const pooled = emptied('pooled', () => pooler.url);
  describeOperations('PostgreSQL, pooled', async () => (await pooled(() => 1000)).operations);

  test('tables are made, and every session had its share', async () => {
    const state = await open({ at: pooler.url });
    const note: ReadingNote = { negatives: 0, lastReadAt: 1000 };
    expect(await state.operations.note('a', 'p1', note)).toBe(false);
    expect(await state.logins?.claim('desk', (await state.logins.read('desk')).generation, 'p1', 1000)).toBe(true);
    for (const carried of pooler.carried) expect(carried).toBeGreaterThan(50);
  });
});

describe('the tables', () => {
  test('are made once, however many open them at once; the digest key is one', async () => {
    const schema = freshSchema();
    const states = await Promise.all(Array.from({ length: 8 }, () => open({ schema })));
    expect(new Set(states.map(({ digestKey }) => Buffer.from(digestKey).toString('hex'))).size).toBe(1);
  });

  test('of a newer version are refused, untouched', async () => {
    const schema = freshSchema();
    await open({ schema });
    await sql(`update ${schema}.meta set value = '99' where key = 'schema_version'`);
    const error = await errorOf(open({ schema }));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.message).toContain('newer fareclerk (its version is 99');
    expect(await sql(`select value from ${schema}.meta where key = 'schema_version'`)).toMatchObject([{ value: '99' }]);
  });

  test("of another airline are refused: its bookings would be read at this one's", async () => {
    const schema = freshSchema();
    await open({ schema, airline: 'air.example/A' });
    await open({ schema, airline: 'air.example/A' });
    const error = await errorOf(open({ schema, airline: 'air.example/B' }));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.message).toContain('air.example/A, not air.example/B');
  });

  test('need the right to make a schema only where there is none', async () => {
    await sql(`create role clerk login; create schema ready authorization clerk`);
    const at = url().replace('fareclerk@', 'clerk@');
    await open({ at, schema: 'ready' });
    const error = await errorOf(open({ at, schema: 'other' }));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.message).toContain('no right to make or use the schema other');
  });

  test('keep what was put, whatever characters it has', async () => {
    const { operations } = await open({ now: () => 1000 });
    const odd = '"\\\u0001\n\u2028é💶\u007f';
    await operations.insert(newOperation('a', { caller: odd, locator: odd, fingerprint: odd }), {
      ...META,
      owner: odd,
    });
    await operations.keepReply('a', { status: 200, body: `${odd}\u0000\ud800` });
    expect(await operations.reply('a')).toEqual({ status: 200, body: `${odd}\u0000\ud800` });
    await operations.transition('a', ['intent'], 'in_doubt', { outcome: { check: odd } }, { now: 2000, actor: odd });
    expect(await operations.get('a')).toMatchObject({ caller: odd, locator: odd, owner: odd, outcome: { check: odd } });
    expect(await operations.verify()).toBeUndefined();
  });
});

describe('a database that cannot be used is refused in our words:', () => {
  test.each([
    ['no server', () => 'postgres://me:s3cret@127.0.0.1:9/clerk', 'nothing takes connections there'],
    ['no such host', () => 'postgres://me:s3cret@db.invalid/clerk', 'the name of its host is not known'],
    ['no encryption', () => `${url()}?sslmode=require`, 'cannot be reached or used'],
    ['no such database', () => cluster().url('nowhere'), 'does not let this program in'],
    ['no such user', () => url().replace('fareclerk@', 'stranger:s3cret@'), 'does not let this program in'],
  ])('%s', async (_what, at, words) => {
    const error = await errorOf(open({ at: at() }));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.message).toContain(words);
    expect(`${error.message} ${error.next}`).not.toContain('s3cret');
  });

  test('another encoding', async () => {
    await cluster().sql('postgres', "create database ascii encoding 'SQL_ASCII' template template0");
    expect((await errorOf(open({ at: cluster().url('ascii') }))).message).toContain('not in UTF8');
  });
});

describe('meddled with', () => {
  async function written(schema: string): Promise<State> {
    const state = await open({ schema, now: () => 1000 });
    const { operations } = state;
    const meta = { now: 2000, actor: 'p1' };
    await operations.insert(newOperation('a'), META);
    await operations.insert(newOperation('b', { locator: 'XYZ789' }), META);
    await operations.transition('a', ['intent'], 'dispatched', { dispatchedAt: 1999 }, meta);
    await operations.transition('a', ['dispatched'], 'succeeded', { outcome: { basis: 'reply' } }, meta);
    return state;
  }

  test.each(['update $.event set to_state = $$refused$$ where n = 1', 'delete from $.event', 'truncate $.event'])(
    'events can be neither changed nor deleted: %s',
    async (text) => {
      const schema = freshSchema();
      const { operations } = await written(schema);
      await expect(sql(text.replaceAll('$.', `${schema}.`))).rejects.toThrow('append-only');
      expect(await operations.verify()).toBeUndefined();
    },
  );

  test.each([
    ['an event changed', "update $.event set actor = 'other' where n = 3", { operationId: 'a', seq: 2 }],
    ['an event gone', 'delete from $.event where n = 2', { operationId: 'a', seq: 2 }],
    ['the last event gone', 'delete from $.event where n = 4', { operationId: 'a', seq: 3 }],
    ['all events gone', 'delete from $.event', { operationId: '', seq: 1 }],
    ['the head gone', 'delete from $.chain', { operationId: '', seq: 1 }],
    ['the head set back', 'update $.chain set n = 2', { operationId: 'a', seq: 2 }],
    ['an amount changed', "update $.operation set amount_minor = 1 where id = 'b'", { operationId: 'b', seq: 1 }],
    ['an operation gone', "delete from $.operation where id = 'b'", { operationId: 'b', seq: 1 }],
    ['a state changed', "update $.operation set state = 'refused' where id = 'a'", { operationId: 'a', seq: 3 }],
    [
      'an outcome changed',
      `update $.operation set outcome = '{"basis":"read"}' where id = 'a'`,
      { operationId: 'a', seq: 3 },
    ],
    [
      'an operation added',
      `create temp table copy as select * from $.operation where id = 'a';
       update copy set id = 'z', locator = 'Z', place = 99; insert into $.operation select * from copy`,
      { operationId: 'z', seq: 1 },
    ],
  ])('%s shows', async (_what, text, expected) => {
    const schema = freshSchema();
    const { operations } = await written(schema);
    await sql(`set session_replication_role = replica; ${text.replaceAll('$.', `${schema}.`)}`);
    expect(await operations.verify()).toEqual(expected);
  });

  test('a journal that is being written is whole at every look', async () => {
    const { operations } = await open({ now: () => 1000 });
    let writing = true;
    const writers = Array.from({ length: 4 }, async (_, w) => {
      for (let i = 0; writing && i < 60; i++) {
        const id = `op-${w}-${i}`;
        await operations.insert(newOperation(id, { locator: id }), META);
        await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: 1 }, { now: 2000, actor: 'p1' });
        await operations.transition(id, ['dispatched'], 'succeeded', {}, { now: 2000, actor: 'p1' });
      }
    });
    for (let look = 0; look < 5; look++) expect(await operations.verify()).toBeUndefined();
    writing = false;
    await Promise.all(writers);
    expect(await operations.verify()).toBeUndefined();
  });
});

describe("the database's clock", () => {
  test('is the clock of all who share the state, and keeps step between two looks', async () => {
    const { clock } = await open();
    if (clock === undefined) throw new Error('no clock');
    const before = await databaseNow();
    const here = clock.now();
    const after = await databaseNow();
    expect(here).toBeGreaterThanOrEqual(before - 50);
    expect(here).toBeLessThanOrEqual(after + 50);
  });

  test('is set by an answer that contradicts it, and by no other', async () => {
    let tick = 1_000;
    const clock = new PostgresClock(() => tick);
    const look = (at: number, took: number) =>
      clock.watch(
        async () => {
          tick += took;
          return at;
        },
        (answer) => answer,
      );
    await look(50_000, 10);
    expect(clock.now()).toBe(50_005);
    await look(50_014, 20);
    expect(clock.now()).toBe(50_025);
    tick += 1_000;
    await look(51_100, 0);
    expect(clock.now()).toBe(51_100);
    await look(60_000, 4);
    expect(clock.now()).toBe(60_000);
    // Held up for half a minute: it was said at some time between, and what was believed may well be right.
    await look(60_010, 30_000);
    expect(clock.now()).toBe(90_000);
    expect(clock.sinceSet()).toBeGreaterThanOrEqual(30_000);
  });

  test('is not turned back by a small correction; by a great one it is', async () => {
    let tick = 1_000;
    const clock = new PostgresClock(() => tick);
    const set = (at: number) => clock.watch(async () => at, Number);
    await set(50_000);
    expect(clock.now()).toBe(50_000);
    await set(49_500);
    expect(clock.now()).toBe(50_000);
    tick += 600;
    expect(clock.now()).toBe(50_101);
    await set(40_000);
    expect(clock.now()).toBe(40_001);
  });

  /** A process whose clock jumped ahead by ten minutes after it was last set. */
  async function ahead() {
    const schema = freshSchema();
    await open({ schema });
    let jump = 10 * MINUTES;
    const clock = new PostgresClock(() => performance.now() + jump);
    const db = postgresAt(url(), schema);
    ends(db);
    await clock.watch(databaseNow, (at) => at);
    jump *= 2;
    return { clock, operations: new PostgresOperations(db, clock), approvals: new PostgresApprovals(db, true), schema };
  }

  test('stands above a process whose own is ahead: nothing enters, moves, lapses or is decided by it', async () => {
    const { clock, operations, approvals, schema } = await ahead();
    const wrong = clock.now();
    expect(wrong - (await databaseNow())).toBeGreaterThan(9 * MINUTES);
    const meta = { now: wrong, owner: 'p1', leaseUntil: wrong + MINUTES };
    const error = await errorOf(operations.insert(newOperation('a'), meta));
    expect(error).toMatchObject({ code: 'E_INTERNAL', effect: 'none', retry: 'same_call' });
    expect(await operations.get('a')).toBeUndefined();
    // It has been set meanwhile.
    const now = clock.now();
    expect(Math.abs(now - (await databaseNow()))).toBeLessThan(200);
    await operations.insert(newOperation('a'), { now, owner: 'p1', leaseUntil: now + MINUTES });
    const later = { now: now + 10 * MINUTES, actor: 'p2' };
    expect(await operations.lease('a', 'p2', later.now + MINUTES, later.now)).toBe(false);
    await errorOf(operations.transition('a', ['intent'], 'not_executed', {}, later));
    await operations.transition('a', ['intent'], 'in_doubt', {}, { now: clock.now(), actor: 'p1' });
    expect(await operations.note('a', 'p1', { negatives: 3, lastReadAt: later.now })).toBe(false);
    expect(await operations.get('a')).toMatchObject({ state: 'in_doubt', negatives: 0, owner: 'p1' });
    await sql(`insert into ${schema}.approval(handle_hash, operation_id, decision, asked_by, created_at, expires_at, body)
      values ('h', 'o', 'pending', 'page', ${now - 10 * MINUTES}, ${now - 1}, '{}')`);
    expect(await approvals.decide('h', 'granted', 'page', now - 5 * MINUTES)).toBe(false);
  });

  async function databaseNow(): Promise<number> {
    const [row] = await sql('select extract(epoch from clock_timestamp()) * 1000 as at');
    return Number(row?.at);
  }
});

describe('a server that goes away', () => {
  test('is told in our words and in time, says whether anything was sent, and is used again when it is back', async () => {
    const { operations, offers, approvals, claims } = await open();
    await cluster().kill();
    const now = Date.now();
    const insert = operations.insert(newOperation('a'), { now, owner: 'p1', leaseUntil: now + MINUTES });
    expect(await errorOf(insert)).toMatchObject({ code: 'E_INTERNAL', effect: 'none', retry: 'after_s:5' });
    const moved = operations.transition('a', ['intent'], 'dispatched', {}, { now, actor: 'p1' });
    expect(await errorOf(moved)).toMatchObject({ code: 'E_INTERNAL', effect: 'unknown' });
    expect(await errorOf(offers.get({ tenant: 't', id: 'me' }, 'o1234567'))).toMatchObject({ effect: 'none' });
    expect(await errorOf(approvals.get('h'))).toMatchObject({ effect: 'unknown' });
    expect((await errorOf(claims.has({ tenant: 't', id: 'me' }, 'ABC123'))).message).not.toContain('127.0.0.1');
    await cluster().start();
    expect(await operations.get('a')).toBeUndefined();
  });

  test('in the middle of many questions: each is answered or refused, none hangs, nothing breaks outside', async () => {
    const { operations } = await open({ now: () => 1000 });
    const all = Array.from({ length: 120 }, (_, i) =>
      operations.insert(newOperation(`o${i}`, { locator: `L${i}` }), META),
    );
    await Promise.race(all);
    await cluster().kill();
    const ended = await Promise.allSettled(all);
    await cluster().start();
    const entered = await operations.list({});
    const told = ended.filter(({ status }) => status === 'fulfilled').length;
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(120);
    expect(entered.length).toBeGreaterThanOrEqual(told);
    expect(await operations.verify()).toBeUndefined();
  });

  test('what was told as written is written, though the database would rather be quick', async () => {
    await sql('alter database clerk set synchronous_commit = off');
    const { operations } = await open({ now: () => 1000 });
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 5; i++)
        await operations.insert(newOperation(`o${round}-${i}`, { locator: `L${round}-${i}` }), META);
      await cluster().kill();
      await cluster().start();
      expect(await operations.list({})).toHaveLength((round + 1) * 5);
    }
    await sql('alter database clerk reset synchronous_commit');
  });

  test('that falls silent is given up, and asked anew on new connections', async () => {
    const { port } = new URL(url());
    const valve = await startValve('127.0.0.1', Number(port));
    ends(valve);
    const at = url().replace(port, String(valve.port));
    const { operations } = await open({ at, deadlineMs: 300, now: () => 1000 });
    await operations.insert(newOperation('a'), META);
    valve.shut = true;
    const began = performance.now();
    await Promise.all(Array.from({ length: 30 }, () => errorOf(operations.get('a'))));
    expect(performance.now() - began).toBeLessThan(3_000);
    valve.shut = false;
    expect(await operations.get('a')).toMatchObject({ id: 'a' });
  });
});
