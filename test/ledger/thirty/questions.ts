/** Thirty more questions over the story of the sixty, of finance, operations and support, with the answers that the books give. */

import type { DeskQuestion } from '../sixty/question.ts';
import { FINANCE } from './finance.ts';
import { OPERATIONS, SUPPORT } from './trips.ts';

export const QUESTIONS: readonly DeskQuestion[] = [...FINANCE, ...OPERATIONS, ...SUPPORT];
