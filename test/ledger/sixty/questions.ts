/** Sixty questions of operations people in plain English, with the answers that the airlines' books and the play give. */
import { MONEY, MONEY_LATER } from './money.ts';
import { APPROVALS, APPROVALS_LATER, CLOCKS, OWN, TROUBLE } from './persons.ts';
import type { DeskQuestion } from './question.ts';
import { HOLDS, TRAINS } from './travel.ts';

export const QUESTIONS: readonly DeskQuestion[] = [
  ...[...MONEY, ...HOLDS, ...TRAINS, ...APPROVALS, ...TROUBLE, ...CLOCKS, ...OWN],
  ...[...MONEY_LATER, ...APPROVALS_LATER],
];
