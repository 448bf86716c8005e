/** States as large as those of years, filled by SQL: a file of SQLite, or a database of a server. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import type { State } from '../../src/store/state.ts';
import type { Cluster } from '../../test/campaigns/support/postgres.ts';
import { END, postgresWords, SQLITE, type Words } from './many-acts.ts';

export const SCHEMA = 'fareclerk';
const now = () => END;

export interface Filled {
  /** A file, or an address. */
  readonly place: string;
  /** Opens the same state again and again. */
  readonly open: () => Promise<State>;
}

/** What fills it, in the words of its database. */
type Fill = (words: Words) => readonly string[];

export async function filledFile(folder: string, fill: Fill): Promise<Filled> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'fareclerk.sqlite');
  const open = () => openSqliteState(file, { now });
  await (await open()).close();
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off');
  for (const sql of fill(SQLITE)) db.exec(sql);
  db.close();
  return { place: file, open };
}

export async function filledDatabase(cluster: Cluster, name: string, fill: Fill): Promise<Filled> {
  const url = await cluster.database(name);
  const open = () => openPostgresState(url, { now, schema: SCHEMA });
  await (await open()).close();
  for (const sql of fill(postgresWords(SCHEMA))) await cluster.sql(name, sql);
  await cluster.sql(name, 'vacuum analyze');
  return { place: url, open };
}
