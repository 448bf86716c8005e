import { addDays, daysBetween } from '../../domain/time-and-text/times.ts';
import { inputError } from '../../errors.ts';

/** At most so many days from start to end, both included. */
export function assertSpan(start: string, end: string, field: string, most: number): void {
  const days = daysBetween(start, end) + 1;
  if (days < 1) throw inputError(field, `expected a date not before the first; nearest valid: ${start}.`);
  if (days <= most) return;
  throw inputError(field, `expected at most ${most} days; nearest valid: ${addDays(start, most - 1)}.`);
}
