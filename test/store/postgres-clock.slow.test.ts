/**
 * The database's clock, and what a process whose clock is ahead of it may do.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { PostgresClock } from '../../src/store/postgres/clock.ts';
import { pendingApproval } from '../support/approvals.ts';
import { newOperation } from './support/new-operation.ts';
import { errorOf, suiteDatabase } from './support/suite-database.ts';

const MINUTES = 60_000;
const { cluster, open } = suiteDatabase();
afterEach(() => vi.restoreAllMocks());

async function databaseNow(): Promise<number> {
  const [row] = await cluster().sql('clerk', 'select extract(epoch from clock_timestamp()) * 1000 as at');
  return Number(row?.at);
}

test('is set only by an answer that contradicts it, and turned back only by a great correction', async () => {
  let tick = 1_000;
  const clock = new PostgresClock(() => tick);
  const look = (at: number, took = 0) =>
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
  await look(51_100);
  expect(clock.now()).toBe(51_100);
  await look(60_000, 4);
  expect(clock.now()).toBe(60_000);
  // Held up for half a minute: it was said at some time between, and what was believed may well be right.
  await look(60_010, 30_000);
  expect(clock.now()).toBe(90_000);
  expect(clock.sinceSet()).toBeGreaterThanOrEqual(30_000);
  await look(89_500);
  expect(clock.now()).toBe(90_000);
  tick += 600;
  expect(clock.now()).toBe(90_101);
  await look(80_000);
  expect(clock.now()).toBe(80_001);
});

test('is the same in all processes, and one that is ahead enters, moves, leases and decides nothing', async () => {
  const { clock, operations, approvals } = await open();
  if (clock === undefined) throw new Error('no clock');
  const before = await databaseNow();
  const here = clock.now();
  expect(here).toBeGreaterThanOrEqual(before - 50);
  expect(here).toBeLessThanOrEqual((await databaseNow()) + 50);

  const steady = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => steady() + 10 * MINUTES);
  const wrong = clock.now();
  expect(wrong - (await databaseNow())).toBeGreaterThan(9 * MINUTES);
  const error = await errorOf(
    operations.insert(newOperation('a'), { now: wrong, owner: 'p1', leaseUntil: wrong + MINUTES }),
  );
  expect(error).toMatchObject({ code: 'E_INTERNAL', effect: 'none', retry: 'same_call' });
  expect(await operations.get('a')).toBeUndefined();
  // It has been set meanwhile.
  const now = clock.now();
  expect(Math.abs(now - (await databaseNow()))).toBeLessThan(200);
  await operations.insert(newOperation('a'), { now, owner: 'p1', leaseUntil: now + MINUTES });
  const later = { now: now + 10 * MINUTES, actor: 'p2' };
  expect(await operations.lease('a', 'p2', later.now + MINUTES, later.now)).toBe(false);
  await errorOf(operations.transition('a', { from: ['intent'], to: 'not_executed', patch: {} }, later));
  await operations.transition('a', { from: ['intent'], to: 'in_doubt', patch: {} }, { now: clock.now(), actor: 'p1' });
  expect(await operations.note('a', 'p1', { negatives: 3, lastReadAt: later.now })).toBe(false);
  expect(await operations.get('a')).toMatchObject({ state: 'in_doubt', negatives: 0, owner: 'p1' });
  await approvals.put(pendingApproval({ createdAt: now - 10 * MINUTES, expiresAt: now - 1 }));
  expect(await approvals.decide('h1', { decision: 'granted', assurance: 'page' }, now - 5 * MINUTES)).toBe(false);
});
