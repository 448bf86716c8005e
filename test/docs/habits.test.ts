/** What tires a reader does not become more: colons, semicolons, dashes and hidden actors in 1,000 words of what people read. */
import { expect, test } from 'vitest';
import { countsByRow } from '../../scripts/words.ts';

/** At most, per 1,000 words: colons, semicolons, dashes, `a person`. Lower a value when its texts have fewer. */
const MOST: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'README and home': [0.8, 1.5, 0, 0.8],
  start: [6.5, 2.7, 0, 1.2],
  guides: [8.4, 6, 0, 1.8],
  concepts: [7.7, 6.2, 0, 2.9],
  pages: [27.8, 0.8, 0, 0],
  questions: [67.1, 14.9, 0, 0],
  outcomes: [43.4, 11.4, 0, 1.2],
  results: [59.6, 18.1, 0, 1.4],
  errors: [67.1, 11.7, 0, 0],
  demo: [24.1, 4.3, 0, 0],
};

test.each(Object.entries(countsByRow()))(
  '%s: colons, semicolons, dashes and hidden actors do not rise',
  (row, counts) => {
    const { words, ...habits } = counts;
    const [colons, semicolons, dashes, person] = MOST[row] ?? [0, 0, 0, 0];
    const most = { colons, semicolons, dashes, 'a person': person };
    const above = Object.entries(habits).filter(([habit, count]) => count > most[habit as keyof typeof most]);
    expect(above, `of ${words} words; \`node scripts/words.ts\` prints all`).toEqual([]);
    expect(words).toBeGreaterThan(500);
  },
);
