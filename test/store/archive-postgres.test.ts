/** Archives of the journal on PostgreSQL. */
import { type ArchiveStore, archiveSuite, NOW } from './archive-suite.ts';
import { suiteDatabase } from './support/suite-database.ts';
import { verifySuite } from './verify-suite.ts';

const { cluster, freshSchema, open } = suiteDatabase();

const store = async (): Promise<ArchiveStore> => {
  const schema = freshSchema();
  const sql = (text: string) => cluster().sql('clerk', text.replaceAll('$.', `${schema}.`));
  return {
    open: () => open({ schema, now: () => NOW }),
    tamper: (text) => sql(`set session_replication_role = replica; ${text}`),
    sql,
    renumbered: ', place = 99',
  };
};

archiveSuite('PostgreSQL', store);
verifySuite('PostgreSQL', store);
