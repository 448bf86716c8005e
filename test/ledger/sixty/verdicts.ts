/** What the sixty prove: at most two answers are not exact in one call, and none of all is wrong in silence. */
import { expect } from 'vitest';
import type { State } from '../../campaigns/support/office.ts';
import { askSixty } from './ask.ts';
import { QUESTIONS } from './questions.ts';
import { keptStatements } from './statements.ts';

const MOST_NOT_EXACT = 2;
/** Of all answers together: a hint beside a right one is read in vain. */
const MOST_HINTS = 2;
/** Characters that an answer has on average: they are paid for on every call. */
const USUAL_LENGTH = 600;

/** @param nth asks every so many of the questions */
export async function expectVerdicts(openState: (now: () => number) => Promise<State>, nth = 1): Promise<void> {
  const statements = keptStatements(QUESTIONS);
  const { judged, answers, failures } = await askSixty(openState, statements, nth);
  // What has no rows would prove little.
  for (const { id } of QUESTIONS) expect(answers.get(id)?.length, id).toBeGreaterThan(0);
  expect(failures).toEqual([]);
  expect(judged).toHaveLength(Math.ceil(statements.size / nth));
  expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  const lengths = judged.map(({ text }) => text.length);
  expect(lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toBeLessThanOrEqual(USUAL_LENGTH);
  const hinted = judged.filter(({ verdict }) => verdict === 'hint');
  expect(hinted.length, JSON.stringify(hinted)).toBeLessThanOrEqual(MOST_NOT_EXACT);
  expect(judged.flatMap(({ hints }) => hints).length, JSON.stringify(hinted)).toBeLessThanOrEqual(MOST_HINTS);
}
