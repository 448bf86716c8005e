/** The sixty questions on both databases. */
import { test } from 'vitest';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../campaigns/support/office.ts';
import { suiteDatabase } from '../../store/support/suite-database.ts';
import { QUESTIONS } from './questions.ts';
import { expectVerdicts } from './verdicts.ts';

const database = suiteDatabase();

const DATABASES = {
  SQLite: (now: () => number) => openSqliteState(':memory:', { now }),
  PostgreSQL: (now: () => number) =>
    openPostgresState(database.url(), { schema: database.freshSchema(), now }) as Promise<State>,
} as const;

test.each(Object.entries(DATABASES))(
  'answers sixty questions exactly from %s, in one call each, and none wrong in silence',
  async (_, openState) => {
    await expectVerdicts(openState, QUESTIONS, import.meta.dirname);
  },
);
