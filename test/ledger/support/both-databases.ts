/** A state on each database for the stories that questions are asked of. */
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../campaigns/support/office.ts';
import { suiteDatabase } from '../../store/support/suite-database.ts';

/** Opens a state with the clock of the story. */
type OpenState = (now: () => number) => Promise<State>;

/** To be called once in a test file: the server ends with it. */
export function bothDatabases(): Readonly<Record<'SQLite' | 'PostgreSQL', OpenState>> {
  const database = suiteDatabase();
  return {
    SQLite: (now) => openSqliteState(':memory:', { now }),
    PostgreSQL: (now) => openPostgresState(database.url(), { schema: database.freshSchema(), now }) as Promise<State>,
  };
}
