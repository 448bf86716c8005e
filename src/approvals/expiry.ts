/** How long a question waits for its answer, and a yes to be carried out, with the words that tell a person. */

import { MINUTE_MS } from '../core/times.ts';
import { counted, countedInWords } from '../core/words.ts';
import { showClock } from '../domain/booking/deadlines.ts';
import { SET_MS } from '../journal/clock.ts';
import type { Approval } from './approval.ts';

/** How long a question waits for its answer, milliseconds. */
export const APPROVAL_MS = 10 * MINUTE_MS;

/** {@link APPROVAL_MS} within a sentence: `ten minutes`. */
export const APPROVAL_TIME = countedInWords(APPROVAL_MS / MINUTE_MS, 'minute');

/** If an approval expires later than this from now, the clock was set back after it was asked. Milliseconds. */
export const LONGEST_MS = APPROVAL_MS + SET_MS;

/** How long names and documents stay after a question or plan has expired, milliseconds. */
export const KEEP_NAMES_MS = 60 * 60_000;

/** Whether a question can be answered, and its yes be carried out, at this time. */
export function isInTime({ expiresAt }: Pick<Approval, 'expiresAt'>, now: number): boolean {
  return now < expiresAt && expiresAt <= now + LONGEST_MS;
}

/** Whether a yes can still be carried out after a wait. @param now milliseconds since 1970, as `expiresAt` */
export function outlasts({ expiresAt }: Pick<Approval, 'expiresAt'>, waitMs: number, now: number): boolean {
  return now + waitMs < expiresAt;
}

/** How long is left to answer, such as `9 minutes left`. */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return 'less than a minute left';
  return `${counted(minutes, 'minute')} left`;
}

/** The time until which a question can be answered, such as `18:42 (UTC+3)`. */
export function answerBy({ expiresAt, near }: Pick<Approval, 'expiresAt' | 'near'>): string {
  return showClock(new Date(expiresAt).toISOString(), near);
}
