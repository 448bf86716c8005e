/** Lists of days as text. */
import { datesFrom, showDay } from '../../core/times.ts';

/** `1 day`, `14 days`. */
export function dayCount(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

/** Days in a row as one text: `2026-12-01/2026-12-05`, `2026-12-09`. */
export function daySpans(dates: readonly string[]): string[] {
  const found: { first: string; last: string }[] = [];
  for (const day of dates) {
    const run = found.at(-1);
    if (run !== undefined && datesFrom(run.last, day).length === 2) run.last = day;
    else found.push({ first: day, last: day });
  }
  return found.map(({ first, last }) => (first === last ? first : `${first}/${last}`));
}

/** What a note says of such a list. */
export const SPANS = '`2026-12-01/2026-12-05` is each day from the first to the last';

/** `Tue 1 Dec to Sat 5 Dec, Wed 9 Dec`. */
export function showSpans(spans: readonly string[]): string {
  return spans.map((span) => span.split('/').map(showDay).join(' to ')).join(', ');
}

/** The calendar and a search can disagree: neither is believed over the other. */
export const UNLISTED = 'The calendar can lack a service: call search_fares for a day without one if it is wanted.';
