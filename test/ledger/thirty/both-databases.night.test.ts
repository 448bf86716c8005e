/** The thirty questions on both databases. */
import { test } from 'vitest';
import { expectVerdicts } from '../sixty/verdicts.ts';
import { bothDatabases } from '../support/both-databases.ts';
import { QUESTIONS } from './questions.ts';

test.each(Object.entries(bothDatabases()))(
  'answers thirty questions exactly from %s, in one call each, and none wrong in silence',
  async (_, openState) => {
    await expectVerdicts(openState, QUESTIONS, import.meta.dirname);
  },
);
