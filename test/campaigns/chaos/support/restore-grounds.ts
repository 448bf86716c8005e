/**
 * Stores whose journal can be made to go backwards, in each way that it happens.
 */
import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgresState } from '../../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import type { State } from '../../../../src/store/state.ts';
import { newFolder } from '../../support/folders.ts';
import { type Cluster, startCluster, UNCHECKED } from '../../support/postgres.ts';

/**
 * `restored`: an older copy is put back while nothing runs; `under`: beneath running instances, as a database does;
 * `removed`, `replaced`, `emptied`: the file or the tables, beneath running instances; `gone`: while nothing runs.
 */
export type Loss = 'restored' | 'under' | 'removed' | 'replaced' | 'emptied' | 'gone';

export interface Ground {
  readonly name: string;
  readonly losses: readonly Loss[];
  open(): Promise<State>;
  copy(): Promise<void>;
  lose(loss: Loss): Promise<void>;
  isUnderRunning(loss: Loss): boolean;
  /** What runs cannot go on, and says so. */
  needsRestart(loss: Loss): boolean;
  /** Everything of this drill is forgotten. */
  clear(): Promise<void>;
}

export async function openGrounds(): Promise<{ readonly all: readonly Ground[]; close(): Promise<void> }> {
  const folder = newFolder('restore');
  const cluster = await startCluster();
  const url = await cluster.database('clerk');
  return {
    all: [sqliteGround(folder), postgresGround(cluster, url, folder), liveOnly(cluster, url)],
    async close() {
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Node.js reports a target that somebody writes at that moment as error 0, "not an error". */
async function patientBackup(from: DatabaseSync, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await backup(from, to);
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== 0 || tries === 50) throw error;
      await wait(20);
    }
  }
}

function sqliteGround(root: string): Ground {
  let drill = 0;
  const at = (name: string) => join(root, `drill-${drill}`, name);
  const file = () => at('state/fareclerk.sqlite');
  const remove = () => {
    for (const tail of ['', '-wal', '-shm']) rmSync(file() + tail, { force: true });
  };
  return {
    name: 'SQLite',
    losses: ['restored', 'under', 'removed', 'replaced', 'emptied', 'gone'],
    open: () => openSqliteState(file(), { witnesses: at('witness') }),
    async copy() {
      const db = new DatabaseSync(file());
      await patientBackup(db, at('copy.sqlite'));
      db.close();
    },
    async lose(loss) {
      if (loss === 'under') {
        const copy = new DatabaseSync(at('copy.sqlite'));
        await patientBackup(copy, file());
        copy.close();
      } else if (loss === 'restored') {
        remove();
        copyFileSync(at('copy.sqlite'), file());
      } else if (loss === 'replaced') {
        copyFileSync(at('copy.sqlite'), at('other.sqlite'));
        renameSync(at('other.sqlite'), file());
        for (const tail of ['-wal', '-shm']) rmSync(file() + tail, { force: true });
      } else if (loss === 'emptied') {
        truncateSync(file());
        for (const tail of ['-wal', '-shm']) rmSync(file() + tail, { force: true });
      } else remove();
    },
    isUnderRunning: (loss) => !['restored', 'gone'].includes(loss),
    needsRestart: (loss) => ['removed', 'replaced', 'emptied'].includes(loss),
    async clear() {
      drill += 1;
    },
  };
}

function postgresGround(cluster: Cluster, url: string, folder: string): Ground {
  let drill = 0;
  const schema = () => `drill_${drill}`;
  const sql = (text: string) => cluster.sql('clerk', text);
  return {
    name: 'PostgreSQL',
    losses: ['restored', 'under', 'emptied', 'gone'],
    open: () => openPostgresState(url, { schema: schema(), witnesses: join(folder, 'witness') }),
    copy: () => cluster.copy('clerk', schema()),
    async lose(loss) {
      if (loss === 'gone') await sql(`drop schema ${schema()} cascade`);
      else if (loss === 'emptied') {
        const all = await cluster.tables('clerk', schema());
        const due = all.filter((table) => !['meta', 'chain'].includes(table));
        await sql(UNCHECKED + due.map((table) => `delete from ${schema()}.${table};`).join(''));
        await sql(`update ${schema()}.chain set n = 0, hash = repeat('0', 64)`);
      } else await cluster.putBack('clerk', schema());
    },
    isUnderRunning: (loss) => !['restored', 'gone'].includes(loss),
    needsRestart: () => false,
    async clear() {
      await sql(`drop schema if exists ${schema()} cascade`);
      drill += 1;
    },
  };
}

/** Instances without a lasting disk: they notice among themselves while they live. */
function liveOnly(cluster: Cluster, url: string): Ground {
  const ground = postgresGround(cluster, url, '');
  let drill = 0;
  return {
    ...ground,
    name: 'PostgreSQL without a disk',
    losses: ['under'],
    open: () => openPostgresState(url, { schema: `drill_${drill}` }),
    async clear() {
      await ground.clear();
      drill += 1;
    },
  };
}
