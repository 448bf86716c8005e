/** The forty questions on both databases; what is over is asked again 70 and 400 days later. */
import { test } from 'vitest';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../campaigns/support/office.ts';
import { suiteDatabase } from '../../store/support/suite-database.ts';
import { expectExactAnswers } from './exact-answers.ts';

const database = suiteDatabase();

const DATABASES = {
  SQLite: (now: () => number) => openSqliteState(':memory:', { now }),
  PostgreSQL: (now: () => number) =>
    openPostgresState(database.url(), { schema: database.freshSchema(), now }) as Promise<State>,
} as const;

test.each(Object.entries(DATABASES))(
  'answers forty questions exactly from %s, and those of closed periods for ever',
  async (_, openState) => {
    await expectExactAnswers(openState, [70, 330]);
  },
);
