/**
 * /metrics beside a real PostgreSQL that stops or is slow while Prometheus reads.
 */
import client from 'postgres';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { raw } from '../http/support/raw.ts';
import { serve } from '../http/support/serve.ts';
import { openTinyClerk } from '../http/support/tiny-clerk.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';

const { cluster, url, freshSchema, ends, open } = suiteDatabase();
type State = Awaited<ReturnType<typeof open>>;

const IN_DOUBT = 'fareclerk_operations_in_doubt';
const UP = 'fareclerk_state_store_up';
const AGE = 'fareclerk_state_counts_age_seconds';

/** Serves metrics of the state without a cache, so that every scrape reads the state. */
async function serving(state: State) {
  const metrics = createMetrics({ process: false, state: { freshMs: 0, waitMs: 300 } });
  const tiny = await openTinyClerk();
  const clerk = { ...tiny.clerk, runtime: async () => ({ ...tiny.parts, state }) };
  const served = await serve({ metrics }, { ...tiny, clerk });
  ends(served);
  return async () => {
    const headers = [['host', `127.0.0.1:${served.port}`]] as const;
    const { status, body } = await raw(served.port, { method: 'GET', path: '/metrics', headers });
    expect(status).toBe(200);
    return (series: string) => {
      const line = body.split('\n').find((one) => one.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    };
  };
}

async function enter(state: State, id: string): Promise<void> {
  const now = state.clock?.now() ?? 0;
  await state.operations.insert(newOperation(id, { locator: id }), { now, owner: 'p1', leaseUntil: now });
  await state.operations.transition(id, { from: ['intent'], to: 'in_doubt', patch: {} }, { now, actor: 'p1' });
}

test('answers every scrape with the last known counts while PostgreSQL restarts', async () => {
  const state = await open();
  const scrape = await serving(state);
  await enter(state, 'a');
  // The first scrape opens the connection that counts, and on a busy machine does not wait for it to the end.
  await expect.poll(async () => (await scrape())(UP)).toBe(1);
  const before = await scrape();
  expect([before(UP), before(IN_DOUBT), before('fareclerk_operations_needing_person')]).toEqual([1, 1, 0]);
  const scrapes = Array.from({ length: 20 }, () => scrape());
  await cluster().kill();
  for (const seen of await Promise.all(scrapes)) expect(seen(IN_DOUBT)).toBe(1);
  const away = await scrape();
  expect([away(UP), away(IN_DOUBT)]).toEqual([0, 1]);
  expect(away(AGE)).toBeGreaterThan(0);
  await cluster().start();
  await enter(state, 'b');
  await expect.poll(async () => (await scrape())(IN_DOUBT)).toBe(2);
  expect((await scrape())(UP)).toBe(1);
});

test('runs one count at a time while a lock blocks it, and leaves the journal its connection', async () => {
  const schema = freshSchema();
  const state = await open({ schema, deadlineMs: 4_000 });
  const scrape = await serving(state);
  await enter(state, 'a');
  await expect.poll(async () => (await scrape())(UP)).toBe(1);
  const pids = async () => {
    const sql = "select pid, query from pg_stat_activity where application_name = 'fareclerk' and state is not null";
    return (await cluster().sql('clerk', sql)) as readonly { readonly pid: number; readonly query: string }[];
  };
  const counting = async () => (await pids()).filter(({ query }) => query.includes('as needs_person'));
  const journal = (await pids()).filter(({ query }) => !query.includes('as needs_person')).map(({ pid }) => pid);
  expect(journal).toHaveLength(1);
  const locker = client(url(), { max: 1 });
  const unlocked = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = locker.begin(async (sql) => {
    await sql.unsafe(`lock table ${schema}.approval in access exclusive mode`);
    locked.resolve();
    await unlocked.promise;
  });
  await locked.promise;
  const until = performance.now() + 3_000;
  let scrapes = 0;
  for (; performance.now() < until; scrapes++) {
    const seen = await scrape();
    expect([seen(UP), seen(IN_DOUBT)]).toEqual([0, 1]);
    // The journal can still be read.
    expect(await state.operations.get('a')).toMatchObject({ state: 'in_doubt' });
    expect((await counting()).length).toBeLessThanOrEqual(1);
  }
  // None waited for the lock.
  expect(scrapes).toBeGreaterThan(2);
  unlocked.resolve();
  await lock;
  await locker.end();
  await expect.poll(async () => (await scrape())(UP)).toBe(1);
  expect((await pids()).map(({ pid }) => pid)).toEqual(expect.arrayContaining(journal));
});
