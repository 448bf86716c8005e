/** The questions about columns on both databases. */
import { expect, test } from 'vitest';
import { bothDatabases } from '../support/both-databases.ts';
import { openAskedStory } from './answers.ts';
import { QUESTIONS } from './questions.ts';

test.each(Object.entries(bothDatabases()))(
  'answers every question about a column exactly from %s',
  async (_, openState) => {
    const story = await openAskedStory(openState);
    try {
      expect(await story.answersTo(QUESTIONS)).toEqual(story.expected);
    } finally {
      await story.close();
    }
  },
);
