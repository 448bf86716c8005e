/** The states in test/store/kept, each time in a place of their own. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { scratch } from './journals.ts';
import type { State } from './ports.ts';
import { suiteDatabase } from './suite-database.ts';

const KEPT = fileURLToPath(new URL('../kept', import.meta.url));
export const VERSIONS = readdirSync(KEPT, { withFileTypes: true })
  .flatMap((one) => (one.isDirectory() ? [one.name] : []))
  .toSorted();
export const EARLIER = VERSIONS[0] ?? '';
export const PRESENT = VERSIONS.at(-1) ?? '';
/** Half an hour after the last row that is kept. */
export const NOW = Date.parse('2026-11-22T09:30:00Z');

/** The ids of two details forms that are kept from version 20 on: their sealed cards hold an invented surname. */
export const [OPEN_DETAILS, USED_DETAILS] = ['A'.repeat(43), 'B'.repeat(43)] as const;

export interface Opening {
  readonly reads?: true;
  readonly now?: () => number;
  readonly airline?: string;
  readonly at?: string;
  readonly tookOver?: (from: number) => void;
  /** SQLite: how long a write waits for another process, milliseconds. */
  readonly busyMs?: number;
}

export interface Kept {
  /** `at`: another address of the database. */
  open(more?: Opening): Promise<State>;
  /** The second records of this machine. */
  readonly records: string;
  sql(sql: string): Promise<readonly Record<string, unknown>[]>;
  version(): Promise<string>;
}

const versionBy = async (sql: Kept['sql']) =>
  String((await sql("select value from $.meta where key = 'schema_version'"))[0]?.value);

/** Called at the top of a file. */
export function keptStates() {
  const { url, cluster, freshSchema, ends } = suiteDatabase();
  const folder = scratch('kept');
  afterAll(() => folder.remove());
  async function sqlite(version: string): Promise<Kept & { readonly file: string }> {
    const name = freshSchema();
    cpSync(join(KEPT, version), folder.at(name), { recursive: true });
    const [file, secondRecords] = [folder.at(`${name}/journal.sqlite`), folder.at(`${name}/records`)];
    const sql = async (text: string) => {
      using db = new DatabaseSync(file);
      return db.prepare(text.replaceAll('$.', '')).all();
    };
    return {
      ...{ file, records: secondRecords, sql, version: () => versionBy(sql) },
      open: async (more = {}) =>
        ends(await openSqliteState(file, { secondRecords, now: () => NOW, airline: 'kept', ...more })),
    };
  }

  async function postgres(version: string): Promise<Kept & { readonly schema: string }> {
    const schema = freshSchema();
    const script = readFileSync(join(KEPT, version, 'postgres.sql'), 'utf8');
    const named = script.replace('create schema kept;', `create schema ${schema};`).replaceAll('kept.', `${schema}.`);
    await cluster().sql('clerk', named);
    cpSync(join(KEPT, version, 'postgres-records'), folder.at(schema), { recursive: true });
    const own = { schema, secondRecords: folder.at(schema), now: () => NOW, airline: 'kept' };
    const sql = (text: string) => cluster().sql('clerk', text.replaceAll('$.', `${schema}.`));
    return {
      ...{ schema, records: own.secondRecords, sql, version: () => versionBy(sql) },
      open: async ({ at = url(), ...more } = {}) => ends(await openPostgresState(at, { ...own, ...more })),
    };
  }

  return { sqlite, postgres, cluster, url, ends };
}
