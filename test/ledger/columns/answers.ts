/** What the books say to the questions about columns, and what the ledger answers. */
import { setTimeout as wait } from 'node:timers/promises';
import { inParallel } from '../../campaigns/support/pace.ts';
import { booksOf } from '../sixty/ask.ts';
import { withLocators } from '../sixty/statements.ts';
import type { Played } from '../sixty/story.ts';
import { type ColumnQuestion, QUESTIONS } from './questions.ts';

/** As many statements run at once. */
const AT_ONCE = 2;
/** How often one question is asked at most, and how long after it was put off, milliseconds. */
const MOST_TIMES = 5;
const PAUSE_MS = 2_000;
/** The supervisor in Berlin asks. */
const LEA = { asker: 'lea' } as const;

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

/** What the books say to each question. */
export function expectedAnswers(played: Played): Readonly<Record<string, readonly string[]>> {
  const books = booksOf(played, LEA);
  return Object.fromEntries(QUESTIONS.map(({ asks, answer }) => [asks, sorted(answer(books))]));
}

interface LedgerAnswer {
  readonly rows?: readonly unknown[];
  readonly hints?: unknown;
  readonly error?: { readonly code: string };
}

/** Asks again, as the answer says, while other questions take all the time of a busy machine. */
async function answerTo(played: Played, args: object): Promise<LedgerAnswer> {
  for (let asked = 1; ; asked++) {
    const { structured } = await played.desks.result(LEA.asker, 'query_ledger', args);
    const answer = structured as LedgerAnswer;
    if (answer.error?.code !== 'E_LIMIT' || asked === MOST_TIMES) return answer;
    await wait(PAUSE_MS);
  }
}

/** What the ledger answers: the rows, or all of an answer with hints, which are read in vain beside a right one. */
export async function answersTo(
  played: Played,
  questions: readonly ColumnQuestion[],
): Promise<Readonly<Record<string, unknown>>> {
  const { locator } = booksOf(played, LEA);
  const answers = await inParallel(questions, AT_ONCE, async ({ asks, sql }) => {
    const args = { sql: withLocators(sql, locator), from: '2026-09-01' };
    const structured = await answerTo(played, args);
    const { rows, hints } = structured;
    return [asks, rows !== undefined && hints === undefined ? sorted(rows) : structured] as const;
  });
  return Object.fromEntries(answers);
}
