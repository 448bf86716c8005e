/** Stores whose journal can be made to go backwards, in each way that it happens. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { openPostgresState } from '../../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import { newFolder } from '../../support/folders.ts';
import type { State } from '../../support/office.ts';
import { retried } from '../../support/pace.ts';
import { type Cluster, UNCHECKED } from '../../support/postgres.ts';

/**
 * `restored`: an older copy is put back while nothing runs; `under`: beneath running instances, as a database does;
 * `removed`, `replaced`, `emptied`: the file or the tables, beneath running instances; `gone`: while nothing runs;
 * `unrecorded`: an older copy is put back while nothing runs, and the second records of every machine are lost.
 */
export type Loss = 'restored' | 'under' | 'removed' | 'replaced' | 'emptied' | 'gone' | 'unrecorded';

export const isUnderRunning = (loss: Loss): boolean => !['restored', 'gone', 'unrecorded'].includes(loss);

export interface Ground {
  readonly name: string;
  open(): Promise<State>;
  copy(): Promise<void>;
  lose(loss: Loss): Promise<void>;
  /** What runs cannot go on, and says so. */
  needsRestart(loss: Loss): boolean;
  /** Everything of this drill is forgotten. */
  clear(): Promise<void>;
}

/** Node.js reports a target that somebody writes at that moment as error 0, "not an error". */
async function patientBackup(from: string, to: string): Promise<void> {
  const db = new DatabaseSync(from);
  const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === 0;
  await retried(50, 20, () => backup(db, to), isBusy);
  db.close();
}

function sqliteGround(): Ground {
  const root = newFolder('restore');
  let drill = 0;
  const at = (name: string) => join(root, `drill-${drill}`, name);
  const file = () => at('state/fareclerk.sqlite');
  const remove = (...tails: string[]) => {
    for (const tail of tails) rmSync(file() + tail, { force: true });
  };
  return {
    name: 'SQLite',
    open: () => openSqliteState(file(), { secondRecords: at('witness') }),
    copy: () => patientBackup(file(), at('copy.sqlite')),
    async lose(loss) {
      if (loss === 'under') return patientBackup(at('copy.sqlite'), file());
      if (loss === 'replaced') {
        copyFileSync(at('copy.sqlite'), at('other.sqlite'));
        renameSync(at('other.sqlite'), file());
      } else if (loss === 'emptied') truncateSync(file());
      else remove('');
      remove('-wal', '-shm');
      if (loss === 'unrecorded') rmSync(at('witness'), { recursive: true });
      if (loss === 'restored' || loss === 'unrecorded') copyFileSync(at('copy.sqlite'), file());
    },
    needsRestart: (loss) => ['removed', 'replaced', 'emptied'].includes(loss),
    async clear() {
      drill += 1;
    },
  };
}

/** @param secondRecords `''`: instances without a lasting disk, which notice among themselves while they live */
async function postgresGround(cluster: Cluster, secondRecords = newFolder('restore')): Promise<Ground> {
  const database = `clerk_${randomUUID().slice(0, 8)}`;
  const url = await cluster.database(database);
  let drill = 0;
  const schema = () => `drill_${drill}`;
  const sql = (text: string) => cluster.sql(database, text);
  return {
    name: secondRecords === '' ? 'PostgreSQL without a disk' : 'PostgreSQL',
    // The stores on SQLite are in this process too: each of their writes waits for the disk, and so does every answer meanwhile.
    open: () =>
      openPostgresState(url, { schema: schema(), deadlineMs: 60_000, ...(secondRecords !== '' && { secondRecords }) }),
    copy: () => cluster.copy(database, schema()),
    async lose(loss) {
      if (loss === 'gone') await sql(`drop schema ${schema()} cascade`);
      else if (loss === 'emptied') {
        const due = (await cluster.tables(database, schema())).filter((table) => !['meta', 'chain'].includes(table));
        await sql(UNCHECKED + due.map((table) => `delete from ${schema()}.${table};`).join(''));
        await sql(`update ${schema()}.chain set n = 0, hash = repeat('0', 64)`);
      } else await cluster.putBack(database, schema());
      if (loss === 'unrecorded' && secondRecords !== '') rmSync(secondRecords, { recursive: true });
    },
    needsRestart: () => false,
    async clear() {
      await sql(`drop schema if exists ${schema()} cascade`);
      drill += 1;
    },
  };
}

/** Each store, and the ways in which its journal is lost. A ground is for one drill at a time. */
export const STORES: readonly {
  readonly losses: readonly Loss[];
  readonly ground: (cluster: Cluster) => Ground | Promise<Ground>;
}[] = [
  { losses: ['restored', 'under', 'removed', 'replaced', 'emptied', 'gone', 'unrecorded'], ground: sqliteGround },
  { losses: ['restored', 'under', 'emptied', 'gone', 'unrecorded'], ground: (cluster) => postgresGround(cluster) },
  { losses: ['under', 'unrecorded'], ground: (cluster) => postgresGround(cluster, '') },
];
