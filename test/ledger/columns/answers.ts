/** What the books say to the questions about columns, and what the ledger answers. */
import { inParallel } from '../../campaigns/support/pace.ts';
import { booksOf } from '../sixty/ask.ts';
import { withLocators } from '../sixty/statements.ts';
import type { Played } from '../sixty/story.ts';
import { type ColumnQuestion, QUESTIONS } from './questions.ts';

/** As many statements run at once. */
const AT_ONCE = 2;
/** The supervisor in Berlin asks. */
const LEA = { asker: 'lea' } as const;

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

/** What the books say to each question. */
export function expectedAnswers(played: Played): Readonly<Record<string, readonly string[]>> {
  const books = booksOf(played, LEA);
  return Object.fromEntries(QUESTIONS.map(({ asks, answer }) => [asks, sorted(answer(books))]));
}

/** What the ledger answers: the rows, or all of an answer with hints, which are read in vain beside a right one. */
export async function answersTo(
  played: Played,
  questions: readonly ColumnQuestion[],
): Promise<Readonly<Record<string, unknown>>> {
  const { locator } = booksOf(played, LEA);
  const answers = await inParallel(questions, AT_ONCE, async ({ asks, sql }) => {
    const args = { sql: withLocators(sql, locator), from: '2026-09-01' };
    const { structured } = await played.desks.result(LEA.asker, 'query_ledger', args);
    const { rows, hints } = structured as { rows?: readonly unknown[]; hints?: unknown };
    return [asks, rows !== undefined && hints === undefined ? sorted(rows) : structured] as const;
  });
  return Object.fromEntries(answers);
}
