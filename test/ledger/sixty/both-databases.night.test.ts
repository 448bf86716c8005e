/** The sixty questions on both databases. */
import { test } from 'vitest';
import { bothDatabases } from '../support/both-databases.ts';
import { QUESTIONS } from './questions.ts';
import { expectVerdicts } from './verdicts.ts';

test.each(Object.entries(bothDatabases()))(
  'answers sixty questions exactly from %s, in one call each, and none wrong in silence',
  async (_, openState) => {
    await expectVerdicts(openState, QUESTIONS, import.meta.dirname);
  },
);
