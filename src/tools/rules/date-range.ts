/**
 * A window of dates, both ends included.
 */
import { addDays, daysBetween, earliestToday, isRealDate, utcToday } from '../../domain/time-and-text/times.ts';
import { inputError } from '../../errors.ts';

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

/** Where a window begins that may reach into the past: nobody can travel then, and the airline names no service. */
export function firstDay(start: string, now: number): string {
  const today = earliestToday(now);
  return start < today ? today : start;
}

/** Of the days that an airline names, those within a window: each once, in order. */
export function daysWithin(named: readonly string[], start: string, end: string): string[] {
  const days = named.map((each) => each.slice(0, 10)).filter((day) => isRealDate(day) && day >= start && day <= end);
  return [...new Set(days)].sort();
}
