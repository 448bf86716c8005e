/**
 * One journal on each database, and the machines that share it. It can be copied, put back, and changed from outside.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterAll } from 'vitest';
import { openPostgresState, type PostgresOptions } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { played } from './databases.ts';
import { putBack, scratch } from './journals.ts';
import type { Hold, State } from './ports.ts';
import { suiteDatabase } from './suite-database.ts';

export interface Office {
  /** A process on a machine with second records of its own. */
  open(machine?: string, more?: Pick<PostgresOptions, 'airline' | 'settings' | 'isServer'>): Promise<State>;
  /** What the processes noticed of a journal that went backwards. */
  readonly holds: readonly Hold[];
  /** Copies the journal, in place of an earlier copy. */
  copy(): Promise<void>;
  /** Puts the copy in the place of the journal, which no process has open. */
  putBack(): Promise<void>;
  /** The same beneath the processes that have it open. */
  putBackBeneath(): Promise<void>;
  /** The journal is gone, as if it had never been. */
  lose(): Promise<void>;
  /** Second records of a machine. */
  readonly records: (machine: string) => string;
  /** Runs SQL beside the program; `$.` precedes a table. */
  sql(sql: string): Promise<unknown>;
  /** What a backup has: the file with its log, or every row as text. */
  dump(): Promise<string>;
  /** Every byte on the disks: of the state, of the database server with its log, and of the second records. */
  disks(): Promise<string>;
  /** The same without triggers. */
  tamper(sql: string): Promise<unknown>;
  /** What a copy of a row needs besides, to be another row. */
  readonly renumbered: string;
}

/** A machine whose disk takes no second records, and one that is to keep none. */
export const NO_DISK = 'plain/below';
export const NO_RECORDS = '';

/** Called at the top of a file; gives the ways to open an office, for `describe.each`. */
export function offices(now: () => number, options: Parameters<typeof suiteDatabase>[0] = {}) {
  const { url, cluster, freshSchema, ends } = suiteDatabase(options);
  const folder = scratch('office');
  afterAll(() => folder.remove());

  function common() {
    const name = freshSchema();
    const holds: Hold[] = [];
    const records = (machine: string) => folder.at(`${name}-${machine}`);
    writeFileSync(records('plain'), '');
    const options = (machine: string) => ({
      ...{ now, noticed: (hold: Hold) => void holds.push(hold) },
      ...(machine !== NO_RECORDS && { secondRecords: records(machine) }),
    });
    return { name, holds, records, options };
  }

  /** Second records, of all machines. */
  const recordsOf = (name: string) => {
    const own = readdirSync(folder.at('')).filter((one) => one.startsWith(`${name}-`));
    return own.map((one) => bytesIn(folder.at(one))).join('\n');
  };

  function sqlite(): Office & { readonly file: string } {
    const { name, holds, records, options } = common();
    const [file, copy] = [folder.at(`${name}/journal.sqlite`), folder.at(`${name}.copy`)];
    const sql = async (text: string, path = file) => {
      using db = new DatabaseSync(path);
      db.exec(text.replaceAll('$.', ''));
    };
    const unguarded =
      'pragma foreign_keys = off; drop trigger if exists event_never_changes; drop trigger if exists event_never_goes;';
    return {
      ...{ file, holds, records, sql, renumbered: '' },
      open: async (machine = 'one', more = {}) =>
        ends(await openSqliteState(file, { busyMs: 50, ...options(machine), ...more })),
      async copy() {
        rmSync(copy, { force: true });
        await sql(`vacuum into '${copy}'`);
      },
      putBack: async () => putBack(copy, file),
      async putBackBeneath() {
        using source = new DatabaseSync(copy);
        await backup(source, file);
      },
      async lose() {
        rmSync(folder.at(name), { recursive: true });
      },
      tamper: (text) => sql(unguarded + text),
      dump: async () => bytesIn(folder.at(name)),
      disks: async () => bytesIn(folder.at(name)) + recordsOf(name),
    };
  }

  function postgres(): Office {
    const { name, holds, records, options } = common();
    const sql = (text: string) => cluster().sql('clerk', text.replaceAll('$.', `${name}.`));
    const tamper = (text: string) => sql(`set session_replication_role = replica; ${text}`);
    const each = (text: (table: string) => string) =>
      tamper(['operation', 'event', 'chain', 'meta', 'lost', 'note', 'details', 'card'].map(text).join(''));
    const putCopyBack = async () =>
      void (await each(
        (table) =>
          `delete from $.${table}; insert into $.${table} overriding system value table ${name}_copy.${table};`,
      ));
    const dump = async () => {
      const tables = await cluster().tables('clerk', name);
      const rows = await Promise.all(tables.map((table) => sql(`select t::text as row from $.${table} t`)));
      return rows.flatMap((some) => some.map(({ row }) => String(row))).join('\n');
    };
    return {
      ...{ holds, records, sql, tamper, dump, renumbered: ', place = 99' },
      open: async (machine = 'one', more = {}) =>
        ends(await openPostgresState(url(), { schema: name, ...options(machine), ...more })),
      async copy() {
        await sql(`drop schema if exists ${name}_copy cascade; create schema ${name}_copy`);
        await each((table) => `create table ${name}_copy.${table} as table $.${table};`);
      },
      putBack: putCopyBack,
      putBackBeneath: putCopyBack,
      async disks() {
        await sql('checkpoint');
        const [where] = await sql('show data_directory');
        return bytesIn(String(where?.data_directory)) + (await dump()) + recordsOf(name);
      },
      lose: async () => void (await sql(`drop schema ${name} cascade`)),
    };
  }
  return {
    both: played([
      { name: 'SQLite', office: sqlite },
      { name: 'PostgreSQL', office: postgres },
    ]),
    sqlite,
    postgres,
    cluster,
    folder,
  };
}

/** Of a file, or of all in a folder. */
function bytesIn(path: string): string {
  if (statSync(path).isFile()) return readFileSync(path, 'latin1');
  return readdirSync(path)
    .map((name) => bytesIn(join(path, name)))
    .join('\n');
}
