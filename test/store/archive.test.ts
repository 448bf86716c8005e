/** Archives of the journal on SQLite, and an archived journal that went backwards. */
import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { type ArchiveStore, archiveSuite, NOW } from './archive-suite.ts';
import { newOperation } from './new-operation.ts';
import { putBack, scratch } from './support/journals.ts';
import type { State } from './support/ports.ts';
import { verifySuite } from './verify-suite.ts';

const DAY = 86_400_000;
const folder = scratch('archive-sqlite');
const opened: State[] = [];
let n = 0;
afterAll(() => folder.remove());
afterEach(async () => {
  for (const state of opened.splice(0)) await state.close();
});

const store = async (): Promise<ArchiveStore> => {
  const file = folder.at(`${++n}/journal.sqlite`);
  const run = (before: string) => async (sql: string) => {
    const db = new DatabaseSync(file);
    try {
      db.exec(before);
      db.exec(sql.replaceAll('$.', ''));
    } finally {
      db.close();
    }
  };
  return {
    async open() {
      const state = await openSqliteState(file);
      opened.push(state);
      return state;
    },
    tamper: run('pragma foreign_keys = off; drop trigger event_never_changes; drop trigger event_never_goes'),
    sql: run(''),
    renumbered: '',
  };
};

archiveSuite('SQLite', store);
verifySuite('SQLite', store);

async function paid({ operations }: State, id: string, at: number): Promise<void> {
  const meta = { now: at, actor: 'p1' };
  await operations.insert(newOperation(id, { locator: id.toUpperCase() }), { now: at, owner: 'p1', leaseUntil: at });
  await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: at }, meta);
  await operations.transition(id, ['dispatched'], 'succeeded', { outcome: { basis: 'reply' } }, meta);
}

async function open(file: string, witnesses: string): Promise<State> {
  const state = await openSqliteState(file, { witnesses });
  opened.push(state);
  return state;
}

test('sends on from a machine whose second record ends before the archive does', async () => {
  const file = folder.at('away/journal.sqlite');
  const away = await open(file, folder.at('away/one'));
  await paid(away, 'a', NOW - 90 * DAY);
  await away.close();
  const other = await open(file, folder.at('away/two'));
  await other.chain.keepUp();
  const confirming = await open(file, folder.at('away/one'));
  await confirming.chain.keepUp();
  await confirming.close();
  await paid(other, 'b', NOW - 80 * DAY);
  expect(
    await other.operations.archive({ file: folder.at('away/f'), before: NOW - 60 * DAY, by: 'x', now: NOW }),
  ).toMatchObject({ operations: 2 });
  const back = await open(file, folder.at('away/one'));
  await paid(back, 'c', NOW);
  expect((await back.chain.status()).hold).toBeUndefined();
  expect(await back.operations.verify()).toBeUndefined();
});

test('holds after a copy from before the archive was put back, and misses only what came after the copy', async () => {
  const file = folder.at('back/journal.sqlite');
  const witnesses = folder.at('back/witness');
  const archived = { file: folder.at('back/f'), before: NOW - 60 * DAY, by: 'x', now: NOW };
  const state = await open(file, witnesses);
  await paid(state, 'a', NOW - 90 * DAY);
  await paid(state, 'b', NOW);
  const db = new DatabaseSync(file);
  db.exec(`vacuum into '${folder.at('back/copy')}'`);
  db.close();
  await state.operations.archive(archived);
  await paid(state, 'c', NOW);
  await state.close();
  copyFileSync(file, folder.at('back/newer'));
  putBack(folder.at('back/copy'), file);
  const older = await open(file, witnesses);
  expect((await older.chain.status()).hold).toBeDefined();
  const lost = await older.chain.lost();
  expect(lost.acts.map(({ sent, end }) => sent?.id ?? end?.id)).toEqual(['c']);
  expect(await older.chain.release(lost.links, 'x', NOW)).toEqual({ kind: 'released' });
  expect(await older.operations.archive(archived)).toMatchObject({ operations: 1 });
  expect(await older.operations.verify()).toBeUndefined();
});

test('misses nothing that is in an archive after a copy of an archived journal was put back', async () => {
  const file = folder.at('after/journal.sqlite');
  const witnesses = folder.at('after/witness');
  const state = await open(file, witnesses);
  await paid(state, 'a', NOW - 90 * DAY);
  await state.operations.archive({ file: folder.at('after/f'), before: NOW - 60 * DAY, by: 'x', now: NOW });
  const db = new DatabaseSync(file);
  db.exec(`vacuum into '${folder.at('after/copy')}'`);
  db.close();
  await paid(state, 'b', NOW);
  await state.close();
  putBack(folder.at('after/copy'), file);
  const older = await open(file, witnesses);
  const lost = await older.chain.lost();
  expect(lost.acts.map(({ sent }) => sent?.id)).toEqual(['b']);
});
