/** The state on each database, and every row of it. */
import { join } from 'node:path';
import { openPostgresState } from '../../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../../src/store/sqlite/state.ts';
import type { Cluster } from '../../support/postgres.ts';
import { readFrom, tablesIn } from '../../support/sqlite.ts';
import type { Grounds } from './forgotten.ts';

export function sqliteGrounds(folder: string): Grounds {
  const file = join(folder, 'fareclerk.sqlite');
  return {
    folder,
    open: (now) => openSqliteState(file, { now, secondRecords: join(folder, 'witness') }),
    rows: async () =>
      readFrom(file, (db) => tablesIn(db).flatMap((table) => db.prepare(`select * from "${table}"`).all())),
  };
}

export async function postgresGrounds(folder: string, cluster: Cluster): Promise<Grounds> {
  const url = await cluster.database('forgotten');
  return {
    folder,
    open: (now) => openPostgresState(url, { schema: 'clerk', now, secondRecords: join(folder, 'witness') }),
    async rows() {
      const rows: Readonly<Record<string, unknown>>[] = [];
      for (const table of await cluster.tables('forgotten', 'clerk'))
        rows.push(...(await cluster.sql('forgotten', `select * from clerk.${table}`)));
      return rows;
    },
  };
}
