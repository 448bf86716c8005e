/**
 * The journal as a whole, on PostgreSQL: several instances, some without a disk.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { postgresAt } from '../../src/store/postgres/database.ts';
import { PostgresOperations } from '../../src/store/postgres/operations.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { newOperation } from './new-operation.ts';
import { scratch } from './support/journals.ts';
import type { Hold, State } from './support/ports.ts';
import { suiteDatabase } from './support/suite-database.ts';

const { url, cluster, freshSchema, open, ends } = suiteDatabase();
const folder = scratch('chain-postgres');
afterAll(() => folder.remove());

const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };
const AT = { now: 2000, actor: 'p1' };
const refused = { code: 'E_NOT_PERMITTED', effect: 'none' };
const now = () => 1000;

async function send({ operations }: Pick<State, 'operations'>, id: string): Promise<void> {
  await operations.insert(newOperation(id, { locator: id.toUpperCase() }), META);
  await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: 1500 }, AT);
}

/** An asynchronous failover: the newest entries are gone, beneath everybody. */
async function forget(schema: string, after: number): Promise<void> {
  await cluster().sql(
    'clerk',
    `set session_replication_role = replica; delete from ${schema}.event where n > ${after};
     delete from ${schema}.operation o where not exists (select from ${schema}.event e where e.operation_id = o.id);
     update ${schema}.chain set n = ${after}, hash = (select hash from ${schema}.event where n = ${after})`,
  );
}

describe('a database that went backwards', () => {
  test('stops sending in all running instances without a disk if the database went backwards', async () => {
    const schema = freshSchema();
    const holds: Hold[] = [];
    const noticed = (hold: Hold) => holds.push(hold);
    const [one, other] = [await open({ schema, now, noticed }), await open({ schema, now, noticed })];
    for (const id of ['a', 'b']) await send(one, id);
    await forget(schema, 2);
    await expect(send(one, 'c')).rejects.toMatchObject(refused);
    await expect(send(other, 'd')).rejects.toMatchObject(refused);
    expect(holds).toMatchObject([{ seen: { n: 4 }, head: { n: 3 } }]);
    const { links, acts } = await other.chain.lost();
    expect(acts.map(({ sent }) => sent?.id)).toEqual(['b']);
    expect(await other.chain.release(links + 1, 'os:ann', 3000)).toEqual({ kind: 'more_lost' });
    expect(await other.chain.release(links, 'os:ann', 3000)).toEqual({ kind: 'released' });
    await send(one, 'e');
    await send(other, 'f');
    expect(await one.operations.verify()).toBeUndefined();
  });

  test('detects a dropped database and does not treat it as new', async () => {
    const schema = freshSchema();
    const witnesses = folder.at(schema);
    const first = await openPostgresState(url(), { schema, now, witnesses });
    await send(first, 'a');
    await first.close();
    await cluster().sql('clerk', `drop schema ${schema} cascade`);
    const again = await open({ schema, now, witnesses });
    expect((await again.chain.status()).hold).toMatchObject({ seen: { n: 2 }, head: { n: 0 } });
    const { links } = await again.chain.lost();
    expect(await again.chain.release(links, 'os:ann', 3000)).toEqual({ kind: 'released' });
    await send(again, 'b');
    expect(await again.operations.verify()).toBeUndefined();
  });

  test('continues if its journal got another name and lost nothing', async () => {
    const schema = freshSchema();
    const state = await open({ schema, now });
    await send(state, 'a');
    await cluster().sql('clerk', `update ${schema}.meta set value = 'another' where key = 'journal_id'`);
    // The chain has all that was seen: nothing is lost, and it goes on under its new name.
    await send(state, 'b');
    expect((await state.chain.status()).hold).toBeUndefined();
  });
});

describe('a pause', () => {
  test('stops every instance with a pause, records it in the chain, and ends it', async () => {
    const schema = freshSchema();
    const [one, other] = [await open({ schema, now }), await open({ schema, now })];
    await one.chain.pause('the airline asked', 'os:ann', 5000);
    await expect(send(other, 'a')).rejects.toThrow('“os:ann” paused sending');
    const db = ends(postgresAt(url(), schema));
    const before = new PostgresOperations(db, undefined);
    await expect(send({ operations: before }, 'b')).rejects.toMatchObject({ effect: 'none' });
    const asked = `select ${schema}.move_operation('a', 'intent', 'dispatched', '{}', 2000, 'p0', false,
      (select value from ${schema}.meta where key = 'journal_id'), 0, '')`;
    await expect(cluster().sql('clerk', asked)).rejects.toMatchObject({ code: 'FC003' });
    expect(await other.chain.resume('os:bea', 6000)).toBe(true);
    expect(await other.chain.resume('os:bea', 6000)).toBe(false);
    await send(other, 'c');
    const steps = (await one.operations.events('')).map(({ to, actor }) => [to, actor]);
    expect(steps).toEqual([
      ['paused', 'os:ann'],
      ['resumed', 'os:bea'],
    ]);
    expect(await one.operations.verify()).toBeUndefined();
    await cluster().sql('clerk', `update ${schema}.note set body = '{}'`);
    expect(await one.operations.verify()).toEqual({ operationId: '', seq: 1 });
  });
});
