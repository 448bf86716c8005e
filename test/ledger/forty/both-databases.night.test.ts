/** The forty questions on both databases; what is over is asked again 70 and 400 days later. */
import { test } from 'vitest';
import { bothDatabases } from '../support/both-databases.ts';
import { expectExactAnswers } from './exact-answers.ts';

test.each(Object.entries(bothDatabases()))(
  'answers forty questions exactly from %s, and those of closed periods for ever',
  async (_, openState) => {
    await expectExactAnswers(openState, [70, 330]);
  },
);
