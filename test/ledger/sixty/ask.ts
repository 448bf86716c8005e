/** Plays the story, sends each statement in one call as who asks would, and has the answers judged by the books. */
import type { State } from '../../campaigns/support/office.ts';
import { inParallel } from '../../campaigns/support/pace.ts';
import { type Books, openBooks } from './books.ts';
import { judge, type Verdict } from './judge.ts';
import type { DeskQuestion, Rows } from './question.ts';
import { type Statements, withLocators } from './statements.ts';
import { type Played, playStory } from './story.ts';

/** As many statements run at once. */
const AT_ONCE = 2;

export interface Judged {
  readonly id: string;
  readonly verdict: Verdict;
  readonly expected: Rows;
  /** What the tool answered. */
  readonly text: string;
  readonly hints: readonly string[];
}

interface Proof {
  readonly judged: readonly Judged[];
  /** What the books say, by the id of each question, asked or not. */
  readonly answers: ReadonlyMap<string, Rows>;
  /** Mistakes inside the clerk. */
  readonly failures: readonly unknown[];
}

export const booksOf = ({ remembrance }: Pick<Played, 'remembrance'>, { asker }: Pick<DeskQuestion, 'asker'>): Books =>
  openBooks(asker === 'noa' ? 'hudson' : 'hanse', remembrance);

/** @param nth asks every so many of the questions that have a statement */
export async function askOnce(
  openState: (now: () => number) => Promise<State>,
  questions: readonly DeskQuestion[],
  statements: Statements,
  nth = 1,
): Promise<Proof> {
  const played = await playStory(openState);
  const answers = new Map<string, Rows>();
  const judged: Judged[] = [];
  const asked = new Set([...statements.keys()].filter((_, i) => i % nth === 0));
  const askAll = async (now: readonly DeskQuestion[]) => {
    for (const question of now) answers.set(question.id, question.answer(booksOf(played, question)));
    const some = now.filter(({ id }) => asked.has(id));
    judged.push(...(await inParallel(some, AT_ONCE, (question) => judgeOne(question, played, statements, answers))));
  };
  try {
    await askAll(questions.filter(({ later }) => later !== true));
    await played.later();
    await askAll(questions.filter(({ later }) => later === true));
    return { judged, answers, failures: [...played.desks.failures] };
  } finally {
    await played.close();
  }
}

async function judgeOne(
  question: DeskQuestion,
  played: Played,
  statements: Statements,
  answers: ReadonlyMap<string, Rows>,
): Promise<Judged> {
  const { id, asker } = question;
  const { locator } = booksOf(played, question);
  const args = Object.entries(statements.get(id) ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? withLocators(value, locator) : value,
  ]);
  const { structured, text } = await played.desks.result(asker, 'query_ledger', Object.fromEntries(args));
  const expected = answers.get(id) ?? [];
  const { hints = [] } = structured as { hints?: readonly string[] };
  return { id, verdict: judge(question, expected, structured), expected, text, hints };
}
