/** Lists of days as text. */
import { showDay } from '../../core/local-times.ts';
import { datesFrom } from '../../core/times.ts';

/** `1 day`, `14 days`. */
export function dayCount(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

/** Days in a row are one span: `Tue 1 Dec to Sat 5 Dec, Wed 9 Dec`. */
export function showDays(dates: readonly string[]): string {
  const found: { first: string; last: string }[] = [];
  for (const day of dates) {
    const run = found.at(-1);
    if (run !== undefined && datesFrom(run.last, day).length === 2) run.last = day;
    else found.push({ first: day, last: day });
  }
  return found
    .map(({ first, last }) => (first === last ? showDay(first) : `${showDay(first)} to ${showDay(last)}`))
    .join(', ');
}

/** The calendar and a search can disagree: neither is believed over the other. */
export function unlistedText(dates: readonly string[]): string {
  const these = dates.length === 1 ? 'this day' : 'these days';
  return `The calendar lists no service on ${these}; a search can still find some: ${showDays(dates)}.`;
}
