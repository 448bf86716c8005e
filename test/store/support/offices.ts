/**
 * One journal on each database, and the machines that share it. It can be copied, put back, and changed from outside.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { afterAll } from 'vitest';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { putBack, scratch } from './journals.ts';
import type { Hold, State } from './ports.ts';
import { suiteDatabase } from './suite-database.ts';

export interface Office {
  /** A process on a machine with second records of its own. */
  open(machine?: string, more?: { readonly airline?: string }): Promise<State>;
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
  /** The same without triggers. */
  tamper(sql: string): Promise<unknown>;
  /** What a copy of a row needs besides, to be another row. */
  readonly renumbered: string;
}

/** A machine whose disk takes no second records, and one that is to keep none. */
export const NO_DISK = 'plain/below';
export const NO_RECORDS = '';

/** Called at the top of a file; gives the ways to open an office, for `describe.each`. */
export function offices(now: () => number) {
  const { url, cluster, freshSchema, ends } = suiteDatabase();
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
    };
  }

  function postgres(): Office {
    const { name, holds, records, options } = common();
    const sql = (text: string) => cluster().sql('clerk', text.replaceAll('$.', `${name}.`));
    const tamper = (text: string) => sql(`set session_replication_role = replica; ${text}`);
    const each = (text: (table: string) => string) =>
      tamper(['operation', 'event', 'chain', 'meta', 'lost', 'note'].map(text).join(''));
    const putCopyBack = async () =>
      void (await each(
        (table) =>
          `delete from $.${table}; insert into $.${table} overriding system value table ${name}_copy.${table};`,
      ));
    return {
      ...{ holds, records, sql, tamper, renumbered: ', place = 99' },
      open: async (machine = 'one', more = {}) =>
        ends(await openPostgresState(url(), { schema: name, ...options(machine), ...more })),
      async copy() {
        await sql(`drop schema if exists ${name}_copy cascade; create schema ${name}_copy`);
        await each((table) => `create table ${name}_copy.${table} as table $.${table};`);
      },
      putBack: putCopyBack,
      putBackBeneath: putCopyBack,
      lose: async () => void (await sql(`drop schema ${name} cascade`)),
    };
  }
  return {
    both: [
      { name: 'SQLite', office: sqlite },
      { name: 'PostgreSQL', office: postgres },
    ],
    sqlite,
    postgres,
    folder,
  };
}
