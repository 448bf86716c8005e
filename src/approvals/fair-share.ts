/**
 * What one person may take of what all share: questions that wait, and plans that are kept. So that nobody's many questions keep
 * people from another's few, or fill the disk: each is stored with its terms.
 */
import { ClerkError } from '../core/errors.ts';
import { HOUR_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';

/**
 * `open`: of one person, whatever application asks. `replaced`: of one caller and booking within `replacedMs`: a question that is
 * replaced time and again could not be answered.
 */
export const QUESTIONS = { open: 100, replaced: 5, replacedMs: HOUR_MS } as const;

/** Of one person, about 20 MB at most. */
export const PLANS = { kept: 50 } as const;

/** @param until when a part of the share is free again, milliseconds from now */
export function shareUsedUp(what: string, next: string, until: number): ClerkError {
  return new ClerkError('E_LIMIT', what, { next, retry: `after_s:${Math.ceil(until / 1000)}` });
}

/** `100 questions of this caller wait for an answer.` */
export function tooManyOpen(until: number): ClerkError {
  return shareUsedUp(
    `${counted(QUESTIONS.open, 'question')} of this caller wait for an answer. Nothing was asked or sent.`,
    'A person must answer them (`fareclerk approve` lists them), or wait until they expire, ten minutes after they were asked.',
    until,
  );
}
