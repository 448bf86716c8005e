/** What questions of the story prove: at most two answers are not exact in one call, and none of all is wrong in silence. */
import { expect } from 'vitest';
import type { Judged } from './ask.ts';

const MOST_NOT_EXACT = 2;
/** Of all answers together: a hint beside a right one is read in vain. */
const MOST_HINTS = 2;
/** Characters that an answer has on average: they are paid for on every call. */
const USUAL_LENGTH = 600;

export function expectVerdicts(judged: readonly Judged[]): void {
  expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  const lengths = judged.map(({ text }) => text.length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(USUAL_LENGTH * lengths.length);
  const hinted = judged.filter(({ verdict }) => verdict === 'hint');
  expect(hinted.length, JSON.stringify(hinted)).toBeLessThanOrEqual(MOST_NOT_EXACT);
  expect(judged.flatMap(({ hints }) => hints).length, JSON.stringify(hinted)).toBeLessThanOrEqual(MOST_HINTS);
}
