/** Asks the questions about columns of the story, and says which are answered as the books say. */
import type { State } from '../../campaigns/support/office.ts';
import { inParallel } from '../../campaigns/support/pace.ts';
import { openBooks } from '../sixty/books.ts';
import { withLocators } from '../sixty/statements.ts';
import { playStory } from '../sixty/story.ts';
import { type ColumnQuestion, QUESTIONS } from './questions.ts';

/** As many statements run at once. */
const AT_ONCE = 2;

export type AskedStory = Awaited<ReturnType<typeof openAskedStory>>;

/** Plays the story, for questions of the supervisor in Berlin. */
export async function openAskedStory(openState: (now: () => number) => Promise<State>) {
  const { desks, remembrance, close } = await playStory(openState);
  const books = openBooks('hanse', remembrance);
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  return {
    close,
    /** What the books say to each question. */
    expected: Object.fromEntries(QUESTIONS.map(({ asks, answer }) => [asks, sorted(answer(books))])),
    /** What the ledger answers: the rows, or all of an answer with hints, which are read in vain beside a right one. */
    async answersTo(questions: readonly ColumnQuestion[]) {
      const answers = await inParallel(questions, AT_ONCE, async ({ asks, sql }) => {
        const statement = withLocators(sql, books.locator);
        const { structured } = await desks.result('lea', 'query_ledger', { sql: statement, from: '2026-09-01' });
        const { rows, hints } = structured as { rows?: readonly unknown[]; hints?: unknown };
        return [asks, rows !== undefined && hints === undefined ? sorted(rows) : structured] as const;
      });
      return Object.fromEntries(answers);
    },
  };
}
