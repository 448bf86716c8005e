/**
 * States on which programs are opened, each time in a place of their own: those in test/store/kept, which the next version takes over,
 * and fresh ones of this version.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import * as presentPostgres from '../../../src/store/postgres/state.ts';
import * as presentSqlite from '../../../src/store/sqlite/state.ts';
import { nextVersionTo } from '../../support/next-version.ts';
import { scratch } from './journals.ts';
import type { State } from './ports.ts';
import { suiteDatabase } from './suite-database.ts';

const KEPT = fileURLToPath(new URL('../kept', import.meta.url));
export const VERSIONS = readdirSync(KEPT, { withFileTypes: true })
  .flatMap((one) => (one.isDirectory() ? [one.name] : []))
  .toSorted();
/** The newest version that is kept. */
export const EARLIER = VERSIONS.at(-1) ?? '';
/** Half an hour after the last row that is kept. */
export const NOW = Date.parse('2026-11-22T09:30:00Z');

/** What each hold keeps of its people, since version 21. */
export const KEPT_PEOPLE = { salt: 'kept', people: { passengers: [{ type: 'ADT', names: ['kept'] }] } };

/** The reason of each cancellation, and the key of one booking and of each hold, since version 23. */
export const [KEPT_REASON, KEPT_CUSTOMER] = ['illness', 'CRM-88213'] as const;

/** The ids of two details forms that are kept: their sealed cards hold an invented surname. */
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

/** Called at the top of a file. Without a version, a state is fresh and this program opens it. */
export function keptStates() {
  const { url, cluster, freshSchema, ends } = suiteDatabase();
  const folder = scratch('kept');
  const next = folder.at('next');
  let nextSqlite: typeof presentSqlite;
  let nextPostgres: typeof presentPostgres;
  beforeAll(async () => {
    nextVersionTo(next);
    nextSqlite = await import(pathToFileURL(join(next, 'src/store/sqlite/state.ts')).href);
    nextPostgres = await import(pathToFileURL(join(next, 'src/store/postgres/state.ts')).href);
  });
  afterAll(() => folder.remove());

  async function sqlite(version?: string): Promise<Kept & { readonly file: string }> {
    const name = freshSchema();
    const [file, secondRecords] = [folder.at(`${name}/journal.sqlite`), folder.at(`${name}/records`)];
    const sql = async (text: string) => {
      using db = new DatabaseSync(file);
      return db.prepare(text.replaceAll('$.', '')).all();
    };
    const own = { secondRecords, now: () => NOW, airline: 'kept' };
    const { openSqliteState } = version === undefined ? presentSqlite : nextSqlite;
    if (version === undefined) await (await openSqliteState(file, own)).close();
    else cpSync(join(KEPT, version), folder.at(name), { recursive: true });
    return {
      ...{ file, records: secondRecords, sql, version: () => versionBy(sql) },
      open: async (more = {}) => ends(await openSqliteState(file, { ...own, ...more })),
    };
  }

  async function postgres(version?: string): Promise<Kept & { readonly schema: string }> {
    const schema = freshSchema();
    const own = { schema, secondRecords: folder.at(schema), now: () => NOW, airline: 'kept' };
    const { openPostgresState } = version === undefined ? presentPostgres : nextPostgres;
    if (version === undefined) {
      await (await openPostgresState(url(), own)).close();
    } else {
      const script = readFileSync(join(KEPT, version, 'postgres.sql'), 'utf8');
      const named = script.replace('create schema kept;', `create schema ${schema};`).replaceAll('kept.', `${schema}.`);
      await cluster().sql('clerk', named);
      cpSync(join(KEPT, version, 'postgres-records'), folder.at(schema), { recursive: true });
    }
    const sql = (text: string) => cluster().sql('clerk', text.replaceAll('$.', `${schema}.`));
    return {
      ...{ schema, records: own.secondRecords, sql, version: () => versionBy(sql) },
      open: async ({ at = url(), ...more } = {}) => ends(await openPostgresState(at, { ...own, ...more })),
    };
  }

  return { sqlite, postgres, cluster, url, ends, next };
}
