/**
 * A window of dates, both ends included.
 */
import { addDays, daysBetween, earliestToday, utcToday } from '../domain/times.ts';
import { inputError } from '../errors.ts';

/** At most so many days from start to end. */
export function assertSpan(start: string, end: string, field: string, most: number): void {
  const days = daysBetween(start, end) + 1;
  if (days < 1) throw inputError(field, `expected a date not before the first; nearest valid: ${start}.`);
  if (days <= most) return;
  throw inputError(field, `expected at most ${most} days; nearest valid: ${addDays(start, most - 1)}.`);
}

/** A window to travel in: not all of it is past. */
export function assertWindow(start: string, end: string, most: number, now: number): void {
  assertSpan(start, end, 'end_date', most);
  if (end >= earliestToday(now)) return;
  throw inputError('end_date', `expected a date not past; nearest valid: ${utcToday(now)}.`);
}
