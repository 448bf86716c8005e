/** Until when a question can be answered: how long from now, and by the clock of the trip. */

import { showClock } from '../core/local-times.ts';
import type { Approval } from './ports.ts';

/** `9 minutes left` */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute left';
  return minutes === 1 ? '1 minute left' : `${minutes} minutes left`;
}

/** `18:42 (UTC+3)` */
export function answerBy({ expiresAt, near }: Pick<Approval, 'expiresAt' | 'near'>): string {
  return showClock(new Date(expiresAt).toISOString(), near);
}
