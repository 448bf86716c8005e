/**
 * A state from before tenants excluded each other: two of them may each have an operation active on one booking.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTIVE_STATES } from '../../src/journal/operation.ts';
import type { OperationStore } from '../../src/journal/ports.ts';
import { postgresAt } from '../../src/store/postgres/database.ts';
import { PostgresOperations } from '../../src/store/postgres/operations.ts';
import * as postgresSchema from '../../src/store/postgres/schema.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { SqliteDatabase } from '../../src/store/sqlite/database.ts';
import { SqliteOperations } from '../../src/store/sqlite/operations.ts';
import { META, MIGRATIONS } from '../../src/store/sqlite/schema.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { type Cluster, startCluster } from '../campaigns/fleet/support/cluster.ts';
import { newOperation } from './new-operation.ts';

let folder: string;
let cluster: Cluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clerk-upgrade-'));
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

async function enter(operations: OperationStore, id: string, tenant: string): Promise<string> {
  const meta = { now: 1000, owner: 'p1', leaseUntil: 61_000 };
  return (await operations.insert(newOperation(id, { tenant }), meta)).kind;
}

async function enterTwo(operations: OperationStore): Promise<void> {
  expect(await enter(operations, 'a', 't')).toBe('inserted');
  expect(await enter(operations, 'b', 'u')).toBe('inserted');
}

/** No other enters while one of the two is active; each is settled as ever. */
async function bothEnd(operations: OperationStore): Promise<void> {
  expect(await operations.verify()).toBeUndefined();
  const open = await operations.list({ locator: 'ABC123', states: ACTIVE_STATES });
  expect(open.map(({ id }) => id).sort()).toEqual(['a', 'b']);
  for (const id of ['a', 'b']) {
    for (const tenant of ['t', 'u', 'v']) expect(await enter(operations, 'c', tenant)).toBe('busy');
    expect(await operations.transition(id, ['intent'], 'dispatched', {}, { now: 2000, actor: 'p1' })).toBe(true);
    for (const tenant of ['t', 'u', 'v']) expect(await enter(operations, 'c', tenant)).toBe('busy');
    expect(await operations.transition(id, ['dispatched'], 'succeeded', {}, { now: 2000, actor: 'p1' })).toBe(true);
  }
  expect(await enter(operations, 'c', 'v')).toBe('inserted');
  expect(await enter(operations, 'd', 't')).toBe('busy');
  expect(await operations.verify()).toBeUndefined();
}

/** A state file as an earlier version made it. */
function fileOf(version: number): [file: string, before: SqliteDatabase] {
  const file = join(folder, `version-${version}.db`);
  const raw = new DatabaseSync(file);
  for (const step of [META, ...MIGRATIONS.slice(0, version)]) raw.exec(step);
  raw.exec(`insert into meta(key, value) values('schema_version', '${version}')`);
  return [file, new SqliteDatabase(raw, 5000)];
}

test('a reply that was kept is there afterwards, until its operation is settled', async () => {
  const [file, before] = fileOf(4);
  const old = new SqliteOperations(before);
  await enter(old, 'a', 't');
  await old.transition('a', ['intent'], 'dispatched', {}, { now: 2000, actor: 'p1' });
  await old.keepReply('a', { status: 200, body: '{"Booking": 1}' });
  before.close();
  const { operations, close } = await openSqliteState(file);
  expect(await operations.reply('a')).toEqual({ status: 200, body: '{"Booking": 1}' });
  expect(await operations.transition('a', ['dispatched'], 'succeeded', {}, { now: 3000, actor: 'p1' })).toBe(true);
  expect(await operations.reply('a')).toBeUndefined();
  expect(await operations.verify()).toBeUndefined();
  await close();
});

test('a file is opened, and both come to their end', async () => {
  const [file, before] = fileOf(3);
  await enterTwo(new SqliteOperations(before));
  before.close();
  const state = await openSqliteState(file);
  await bothEnd(state.operations);
  await state.close();
});

test('a database is opened, by instances of both versions, and both come to their end', async () => {
  const url = await cluster.database('clerk');
  const db = postgresAt(url, 'old');
  const steps = [postgresSchema.META, ...postgresSchema.MIGRATIONS.slice(0, 1)].map((step) => step('old'));
  await db.script(`create schema old; ${steps.join(';')}; insert into old.meta values ('schema_version', '1')`);
  const before = new PostgresOperations(db, undefined);
  await enterTwo(before);
  const state = await openPostgresState(url, { schema: 'old', now: () => 1000 });
  expect(await enter(before, 'c', 'v')).toBe('busy');
  await bothEnd(state.operations);
  await state.close();
  await db.close();
});
