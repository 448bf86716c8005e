import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Pool } from '../../src/store/postgres/pool.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { detailsOf } from '../details/store-suite.ts';
import { pendingApproval } from '../support/approvals.ts';
import { describeOperations } from './operations-suite.ts';
import { describeState } from './state-suite.ts';
import { describeSums } from './sums-suite.ts';
import { KEPT_PEOPLE } from './support/kept.ts';
import { newOperation } from './support/new-operation.ts';
import type { ShelvedOffer, State } from './support/ports.ts';
import { errorOf, suiteDatabase } from './support/suite-database.ts';
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
  /** Whatever tests write; the chain begins anew. */
  const empty = async () => {
    const written = await sql(
      `select tablename from pg_tables where schemaname = '${schema}' and tablename not in ('meta', 'chain')`,
    );
    await sql(`set session_replication_role = replica;
      ${written.map(({ tablename }) => `delete from ${schema}.${tablename};`).join(' ')}
      alter table ${schema}.outbox alter column n restart;
      update ${schema}.chain set n = 0, hash = repeat('0', 64)`);
  };
  // An open state cleans the tables some seconds after it was opened, in the time of a later test.
  afterEach(async () => {
    await Promise.all(opened.splice(1).map((state) => state.close()));
  });
  afterAll(async () => {
    for (const state of opened) await state.close();
  });
  return async (now: () => number): Promise<State> => {
    time = now;
    // This one cleans the tables soon, as a state of 1970 does: by today's time it would delete what the tests wrote.
    if (opened.length === 0) opened.push(await openPostgresState(at?.() ?? url(), { schema, now: () => 0 }));
    await empty();
    // Opened anew: a state that was open would notice that its journal went backwards.
    const state = await openPostgresState(`${at?.() ?? url()}?max=2&idle_timeout=1`, { schema, now: () => time() });
    opened.push(state);
    const { close: _, ...kept } = state;
    return { ...kept, close: async () => undefined };
  };
}

const openEmptied = emptied('suite');
describeState('PostgreSQL', openEmptied);
describeSums('PostgreSQL', openEmptied);

test('finds that a standby takes no writes', async () => {
  const at = await cluster().database('standby');
  const state = await open({ at });
  expect(await state.unwritable()).toEqual([]);
  await cluster().sql('standby', 'alter database standby set default_transaction_read_only = on');
  await cluster().sql(
    'standby',
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'standby' and pid <> pg_backend_pid()",
  );
  await expect.poll(() => state.unwritable()).toEqual(['state']);
});

test('a payment waits for nobody who is changing the hold, whose people the cleaning then erases', async () => {
  const schema = freshSchema();
  let now = 1000;
  const state = await open({ schema, now: () => now });
  const meta = () => ({ now, owner: 'p1', actor: 'p1', leaseUntil: now + 60_000 });
  const { amount: _, direction: __, ...hold } = newOperation('hold', { locator: 'A', people: KEPT_PEOPLE });
  for (const one of [hold, newOperation('pay', { locator: 'A' })]) {
    await state.operations.insert(one, meta());
    if (one.id === 'hold')
      await state.operations.transition('hold', { from: ['intent'], to: 'succeeded', patch: {} }, meta());
  }
  const other = ends(new Pool(url(), { max: 1 }));
  await other.ask('begin', [], { onlyReads: false });
  await other.ask(`select 1 from ${schema}.operation where id = 'hold' for update`, [], { onlyReads: false });
  expect(await state.operations.transition('pay', { from: ['intent'], to: 'succeeded', patch: {} }, meta())).toBe(true);
  await other.ask('rollback', [], { onlyReads: false });
  const kept = async () => [...(await state.operations.askedPeople(['hold'])).keys()];
  expect(await kept()).toEqual(['hold']);
  now += 3_600_001;
  await state.clean();
  expect(await kept()).toEqual([]);
});

test('gives up on a number that is missing ten seconds after the next one was written', async () => {
  const schema = freshSchema();
  const { outbox } = await open({ schema });
  await sql(`select nextval(pg_get_serial_sequence('${schema}.outbox', 'n'))`);
  await outbox.add([{ id: 'a', type: 'question.lapsed', at: 0, tenant: 't' }]);
  expect(await outbox.after(0, 10)).toEqual([]);
  await sql(`update ${schema}.outbox set written_at = written_at - 10000`);
  expect(await outbox.after(0, 10)).toMatchObject([{ id: 'a', n: 2 }]);
});

describe('behind a transaction pooler', () => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await startPooler(url());
  });
  afterAll(() => pooler.close());

  const pooled = emptied('pooled', () => pooler.url);
  describeOperations('PostgreSQL, pooled', async () => (await pooled(() => 1000)).operations);

  test('runs transactions through the pooler on every session', async () => {
    const state = await open({ at: pooler.url });
    const note = { negatives: 0, lastReadAt: 1000 };
    expect(await state.operations.note('a', 'p1', note)).toBe(false);
    for (const carried of pooler.carried) expect(carried).toBeGreaterThan(50);
  });
});

describe('statements that come again', () => {
  const PREPARED = 'select count(*)::int as known from pg_prepared_statements';
  const again = async (at: string) => {
    const pool = ends(new Pool(at, { max: 1 }));
    await pool.lookForPooler();
    const answers: unknown[] = [];
    for (let n = 0; n < 6; n++)
      answers.push((await pool.ask('select $1::bigint + 1 as next', [n], { onlyReads: true }))[0]?.next);
    expect(answers).toEqual(['1', '2', '3', '4', '5', '6']);
    return pool;
  };

  test('are prepared once in each session of the server', async () => {
    const pool = await again(url());
    expect((await pool.ask(PREPARED, [], { onlyReads: true }))[0]).toEqual({ known: 1 });
    await pool.ask('deallocate all', [], { onlyReads: false });
    expect((await pool.ask('select $1::bigint + 1 as next', [6], { onlyReads: true }))[0]).toEqual({ next: '7' });
  });

  test('are not prepared behind a pooler', async () => {
    const pooler = ends(await startPooler(url(), { size: 1 }));
    expect((await (await again(pooler.url)).ask(PREPARED, [], { onlyReads: true }))[0]).toEqual({ known: 0 });
  });

  test('are answered also behind a pooler that passes a number of the server on', async () => {
    const pooler = ends(await startPooler(url(), { tellsSession: true }));
    const pool = await again(pooler.url);
    expect((await pool.ask(PREPARED, [], { onlyReads: true }))[0]).not.toEqual({ known: 0 });
  });
});

describe('the tables', () => {
  test('needs the right to create a schema only if there is none', async () => {
    await sql(`create role clerk login; create schema ready authorization clerk`);
    const at = url().replace('fareclerk@', 'clerk@');
    await open({ at, schema: 'ready' });
    const error = await errorOf(open({ at, schema: 'other' }));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.message).toContain('no right to make or use the schema other');
  });

  test('stores texts with any characters', async () => {
    const { operations } = await open({ now: () => 1000 });
    const odd = '"\\\u0001\n\u2028é💶\u007f';
    await operations.insert(newOperation('a', { caller: odd, locator: odd, fingerprint: odd }), {
      ...META,
      owner: odd,
    });
    await operations.transition(
      'a',
      { from: ['intent'], to: 'in_doubt', patch: { outcome: { check: odd } } },
      { now: 2000, actor: odd },
    );
    expect(await operations.get('a')).toMatchObject({ caller: odd, locator: odd, owner: odd, outcome: { check: odd } });
    expect(await operations.verify()).toBeUndefined();
  });
});

describe('a database that cannot be used', () => {
  test.each([
    ['no server behind it', () => 'postgres://me:s3cret@127.0.0.1:9/clerk', 'nothing takes connections there'],
    ['an unknown host', () => 'postgres://me:s3cret@db.invalid/clerk', 'the name of its host is not known'],
    ['required encryption that the server lacks', () => `${url()}?sslmode=require`, 'cannot be reached or used'],
    ['an unknown database', () => cluster().url('nowhere'), 'does not let this program in'],
    ['an unknown user', () => url().replace('fareclerk@', 'stranger:s3cret@'), 'does not let this program in'],
  ])('refuses a database address with %s', async (_what, at, words) => {
    const error = await errorOf(open({ at: at() }));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.message).toContain(words);
    expect(`${error.message} ${error.next}`).not.toContain('s3cret');
  });

  test('refuses a database in another encoding', async () => {
    await cluster().sql('postgres', "create database ascii encoding 'SQL_ASCII' template template0");
    expect((await errorOf(open({ at: cluster().url('ascii') }))).message).toContain('not in UTF8');
  });
});

describe('a server that stops', () => {
  test('says in time whether anything was sent if the server stopped, and uses the server again later', async () => {
    const { operations, offers, approvals, claims } = await open();
    const caller = { tenant: 't', id: 'me' };
    const shown = { offer: {}, passengers: { adults: 1, children: 0, infants: 0 }, shownAt: Date.now(), legs: [] };
    const [handle = ''] = await offers.put(caller, [shown as unknown as ShelvedOffer]);
    await cluster().kill();
    const now = Date.now();
    const insert = operations.insert(newOperation('a'), { now, owner: 'p1', leaseUntil: now + MINUTES });
    expect(await errorOf(insert)).toMatchObject({ code: 'E_STATE_DOWN', effect: 'none', retry: 'after_s:5' });
    const moved = operations.transition('a', { from: ['intent'], to: 'dispatched', patch: {} }, { now, actor: 'p1' });
    expect(await errorOf(moved)).toMatchObject({ code: 'E_STATE_DOWN', effect: 'unknown' });
    expect(await errorOf(offers.get(caller, handle))).toMatchObject({ effect: 'none' });
    expect(await errorOf(approvals.get('h'))).toMatchObject({ effect: 'unknown' });
    expect((await errorOf(claims.has(caller, 'ABC123'))).message).not.toContain('127.0.0.1');
    await cluster().start();
    expect(await operations.get('a')).toBeUndefined();
  });

  test('keeps a no and what was used of a form after a crash, and loses locators of a reply that nothing followed, if the database commits asynchronously by default', async () => {
    // A server that writes its log only when it must, from its start on.
    await sql("alter system set wal_writer_delay = '10s'");
    await sql('alter database clerk set synchronous_commit = off');
    await cluster().kill();
    await cluster().start();
    const { approvals, operations, details } = await open({ now: () => 1000 });
    for (const hash of ['declined', 'revoked']) {
      await approvals.put(pendingApproval({ handleHash: hash, operationId: hash }));
    }
    await approvals.decide('revoked', { decision: 'granted', assurance: 'person' }, 1000);
    await operations.insert(newOperation('first'), META);
    await operations.transition(
      'first',
      { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: 1000 } },
      { now: 1000, actor: 'p1' },
    );
    await approvals.decide('declined', { decision: 'declined', assurance: 'person' }, 1000);
    await operations.keepNamed('first', ['NEW123']);
    await cluster().kill();
    await cluster().start();
    expect(await approvals.get('declined')).toMatchObject({ decision: 'declined' });
    expect(await operations.named('first')).toEqual([]);
    expect(await operations.get('first')).toMatchObject({ state: 'dispatched' });
    await approvals.takeBack('revoked', { assurance: 'person' }, 1000);
    await cluster().kill();
    await cluster().start();
    expect(await approvals.get('revoked')).toMatchObject({ decision: 'declined' });
    expect(await operations.verify()).toBeUndefined();
    const form = detailsOf('crash', 1000);
    const found = async () => {
      const kept = await details.find(form.idHash, 1000);
      return [kept?.cards.size, kept?.isLost, kept?.operationId];
    };
    await details.open(form);
    await details.submit(form.idHash, 0, 'sealed', 1000);
    expect(await found()).toEqual([1, false, undefined]);
    // The cards are gone with a crash, and the form knows it until one is entered again.
    await cluster().kill();
    await cluster().start();
    expect(await found()).toEqual([0, true, undefined]);
    expect(await details.submit(form.idHash, 0, 'again', 1000)).toBe(true);
    expect(await found()).toEqual([1, false, undefined]);
    await details.use(form.idHash, 'first', 'digest');
    await cluster().kill();
    await cluster().start();
    expect(await found()).toEqual([0, false, 'first']);
    await sql('alter database clerk reset synchronous_commit');
    await sql('alter system reset wal_writer_delay');
    await sql('select pg_reload_conf()');
  });

  test('gives up on a silent server and tries again on new connections', async () => {
    const { port } = new URL(url());
    const valve = await startValve('127.0.0.1', Number(port));
    ends(valve);
    const at = url().replace(port, String(valve.port));
    // Made before: a busy machine takes long for that.
    const schema = freshSchema();
    await open({ schema });
    const { operations } = await open({ at, schema, deadlineMs: 1_000, now: () => 1000 });
    await operations.insert(newOperation('a'), META);
    valve.shut = true;
    const began = performance.now();
    await Promise.all(Array.from({ length: 30 }, () => errorOf(operations.get('a'))));
    expect(performance.now() - began).toBeLessThan(10_000);
    valve.shut = false;
    expect(await operations.get('a')).toMatchObject({ id: 'a' });
  });
});
