/** Words, lists and rows of text. */
import { expect, test } from 'vitest';
import { countedInWords } from '../../src/core/words.ts';

test('a count within a sentence is a word up to twelve, and a number above', () => {
  expect([0, 1, 10, 12, 13, 15].map((count) => countedInWords(count, 'minute'))).toEqual([
    'zero minutes',
    'one minute',
    'ten minutes',
    'twelve minutes',
    '13 minutes',
    '15 minutes',
  ]);
});
