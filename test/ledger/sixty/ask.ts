/** Sends each statement in one call as who asks would, and has the answers judged by the books. */
import { join } from 'node:path';
import { inParallel } from '../../campaigns/support/pace.ts';
import { QUESTIONS as THIRTY } from '../thirty/questions.ts';
import { type Books, openBooks } from './books.ts';
import { judge, type Verdict } from './judge.ts';
import type { DeskQuestion, Rows } from './question.ts';
import { QUESTIONS as SIXTY } from './questions.ts';
import { keptStatements, type Statements, withLocators } from './statements.ts';
import type { Played } from './story.ts';

/** As many statements run at once. */
const AT_ONCE = 2;

/** Questions with the statements that a reader wrote for them. */
export interface QuestionSet {
  readonly questions: readonly DeskQuestion[];
  readonly statements: Statements;
}

export const SETS: Readonly<Record<'sixty' | 'thirty', QuestionSet>> = {
  sixty: { questions: SIXTY, statements: keptStatements(SIXTY, import.meta.dirname) },
  thirty: { questions: THIRTY, statements: keptStatements(THIRTY, join(import.meta.dirname, '../thirty')) },
};

export interface Judged {
  readonly id: string;
  readonly verdict: Verdict;
  readonly expected: Rows;
  /** What the tool answered. */
  readonly text: string;
  readonly hints: readonly string[];
}

export const booksOf = ({ remembrance }: Pick<Played, 'remembrance'>, { asker }: Pick<DeskQuestion, 'asker'>): Books =>
  openBooks(asker === 'noa' ? 'hudson' : 'hanse', remembrance);

/**
 * Judges the questions of a set that are asked at this time of the story.
 * @param nth asks every so many of the questions; what the books say is known of each
 */
export async function judged(
  played: Played,
  { questions, statements }: QuestionSet,
  { later, nth }: { readonly later: boolean; readonly nth: number },
): Promise<readonly Judged[]> {
  const now = questions.filter((question) => (question.later === true) === later);
  const answers = new Map(now.map((question) => [question, question.answer(booksOf(played, question))]));
  for (const [{ id }, { length }] of answers) if (length === 0) throw new Error(`the books have no answer to ${id}`);
  const asked = [...answers].filter((_, i) => i % nth === 0);
  return inParallel(asked, AT_ONCE, ([question, expected]) => judgeOne(question, played, statements, expected));
}

async function judgeOne(
  question: DeskQuestion,
  played: Played,
  statements: Statements,
  expected: Rows,
): Promise<Judged> {
  const { id, asker } = question;
  const { locator } = booksOf(played, question);
  const args = Object.entries(statements.get(id) ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? withLocators(value, locator) : value,
  ]);
  const { structured, text } = await played.desks.result(asker, 'query_ledger', Object.fromEntries(args));
  const { hints = [] } = structured as { hints?: readonly string[] };
  return { id, verdict: judge(question, expected, structured), expected, text, hints };
}
