/** What questions of the story prove: at most two answers are not exact in one call, and none of all is wrong in silence. */
import { expect } from 'vitest';
import type { State } from '../../campaigns/support/office.ts';
import { askOnce } from './ask.ts';
import type { DeskQuestion } from './question.ts';
import { keptStatements } from './statements.ts';

const MOST_NOT_EXACT = 2;
/** Of all answers together: a hint beside a right one is read in vain. */
const MOST_HINTS = 2;
/** Characters that an answer has on average: they are paid for on every call. */
const USUAL_LENGTH = 600;

/**
 * @param folder where the statements of the questions are
 * @param nth asks every so many of the questions
 */
export async function expectVerdicts(
  openState: (now: () => number) => Promise<State>,
  questions: readonly DeskQuestion[],
  folder: string,
  nth = 1,
): Promise<void> {
  const statements = keptStatements(questions, folder);
  const { judged, answers, failures } = await askOnce(openState, questions, statements, nth);
  // What has no rows would prove little.
  for (const { id } of questions) expect(answers.get(id)?.length, id).toBeGreaterThan(0);
  expect(failures).toEqual([]);
  expect(judged).toHaveLength(Math.ceil(statements.size / nth));
  expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  const lengths = judged.map(({ text }) => text.length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(USUAL_LENGTH * lengths.length);
  const hinted = judged.filter(({ verdict }) => verdict === 'hint');
  expect(hinted.length, JSON.stringify(hinted)).toBeLessThanOrEqual(MOST_NOT_EXACT);
  expect(judged.flatMap(({ hints }) => hints).length, JSON.stringify(hinted)).toBeLessThanOrEqual(MOST_HINTS);
}
