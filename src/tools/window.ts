/**
 * A window of dates, both ends included.
 */
import { addDays, daysBetween, earliestToday } from '../domain/times.ts';
import { inputError } from '../errors.ts';

/** At most so many days, and not all of them past. */
export function assertWindow(start: string, end: string, most: number, now: number): void {
  const days = daysBetween(start, end) + 1;
  if (days < 1) throw inputError('end_date', `expected a date not before start_date; nearest valid: ${start}.`);
  if (days > most) {
    throw inputError('end_date', `expected at most ${most} days; nearest valid: ${addDays(start, most - 1)}.`);
  }
  const today = earliestToday(now);
  if (end < today) throw inputError('end_date', `expected a date not past; nearest valid: ${today}.`);
}
