/**
 * The database's clock, and what a process whose clock is ahead of it may do.
 */
import { describe, expect, test } from 'vitest';
import { StoredApprovals } from '../../src/store/approvals.ts';
import { PostgresClock } from '../../src/store/postgres/clock.ts';
import { postgresAt } from '../../src/store/postgres/database.ts';
import { PostgresOperations } from '../../src/store/postgres/operations.ts';
import { newOperation } from './new-operation.ts';
import { errorOf, suiteDatabase } from './support/suite-database.ts';

const MINUTES = 60_000;

const { cluster, url, freshSchema, ends, open } = suiteDatabase();

const sql = (text: string) => cluster().sql('clerk', text);

describe("the database's clock", () => {
  test("uses the database's clock in all instances between two readings of it", async () => {
    const { clock } = await open();
    if (clock === undefined) throw new Error('no clock');
    const before = await databaseNow();
    const here = clock.now();
    const after = await databaseNow();
    expect(here).toBeGreaterThanOrEqual(before - 50);
    expect(here).toBeLessThanOrEqual(after + 50);
  });

  test('sets the clock only by an answer that contradicts it', async () => {
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

  test('turns the clock back only by a great correction', async () => {
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
    const db = postgresAt(url(), schema, {}, true);
    ends(db);
    await clock.watch(databaseNow, (at) => at);
    jump *= 2;
    return { clock, operations: new PostgresOperations(db, clock), approvals: new StoredApprovals(db), schema };
  }

  test('keeps a process whose clock is ahead from entering, moving, leasing or deciding anything', async () => {
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
    await sql(`insert into ${schema}.approval(handle_hash, operation_id, tenant, caller, decision, asked_by, created_at, expires_at, body)
      values ('h', 'o', 't', 'c', 'pending', 'page', ${now - 10 * MINUTES}, ${now - 1}, '{}')`);
    expect(await approvals.decide('h', 'granted', 'page', now - 5 * MINUTES)).toBe(false);
  });

  async function databaseNow(): Promise<number> {
    const [row] = await sql('select extract(epoch from clock_timestamp()) * 1000 as at');
    return Number(row?.at);
  }
});
