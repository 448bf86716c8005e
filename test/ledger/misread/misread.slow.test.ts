/**
 * Statements that people write easily and that give another figure than they ask for: each is right, by the books of the airlines, or its
 * answer says what may be wrong. In the night the same on PostgreSQL.
 */
import { expect, test } from 'vitest';
import { inParallel } from '../../campaigns/support/pace.ts';
import { tokensIn } from '../../support/tokens.ts';
import { atNight } from '../../support/whole.ts';
import { booksOf } from '../sixty/ask.ts';
import { judge } from '../sixty/judge.ts';
import { playStory } from '../sixty/story.ts';
import { bothDatabases } from '../support/both-databases.ts';
import { TOLD, WANTED } from './statements.ts';

const { SQLite, PostgreSQL } = bothDatabases();
/** Of a hint. */
const MOST_TOKENS = 25;
/** Asks every so many of the statements, as many at once. */
const [NTH, AT_ONCE] = [atNight(1, 3), 2];
const LEA = { asker: 'lea' } as const;

test.each(Object.entries({ SQLite, ...atNight({ PostgreSQL }, {}) }))(
  '%s: each statement gives the figure that is wanted, or a line says what is wrong with it',
  async (_, openState) => {
    const played = await playStory(openState);
    try {
      const books = booksOf(played, LEA);
      const asked = WANTED.flatMap(({ answer, statements }) =>
        statements.map(([told, sql]) => ({ told, sql, wanted: answer(books) })),
      ).filter((_one, i) => i % NTH === 0);
      const answered = await inParallel(asked, AT_ONCE, async ({ told, sql, wanted }) => {
        const { structured, text } = await played.desks.result('lea', 'query_ledger', { sql, from: '2026-09-01' });
        const { hints = [] } = structured as { hints?: readonly string[] };
        const verdict = judge({ kind: 'scalar', currency: 'EUR' }, [[wanted]], structured);
        const isTold = told !== 'right' && [...hints, text].some((line) => TOLD[told].test(line));
        return { sql, wanted, told, verdict, isTold, hints, text };
      });
      const wrong = answered.filter(({ wanted, told, verdict, isTold, hints }) => {
        const isRight = told === 'right' ? verdict === 'exact' && hints.length === 0 : verdict === 'hint' && isTold;
        return wanted <= 0 || !isRight || hints.length > 2;
      });
      expect(wrong).toEqual([]);
      const long = answered.flatMap(({ hints }) => hints).filter((hint) => tokensIn(hint) > MOST_TOKENS);
      expect(long).toEqual([]);
      expect(played.desks.failures).toEqual([]);
    } finally {
      await played.close();
    }
  },
);

test('has more than fifty statements that give another figure than is wanted', () => {
  const statements = WANTED.flatMap((wanted) => wanted.statements);
  expect(statements.filter(([told]) => told !== 'right').length).toBeGreaterThanOrEqual(53);
});
