/** Reads from the calendar the days with service on a route within a span of dates, and writes them as spans. */
import { dayError, inputError } from '../../core/errors.ts';
import {
  addDays,
  dateOf,
  datesBetween,
  daysBetween,
  earliestToday,
  isRealDate,
  showDay,
  utcDay,
} from '../../core/times.ts';
import type { CalendarDates } from '../../domain/airline.ts';
import { type ArgsOf, readCall, type ToolContext } from '../definition/define.ts';
import { noted } from '../definition/field-notes.ts';
import { date, listedDate, station } from '../definition/input-fields.ts';
import { assertApart, callWithStations, type StationAnswer } from './resolve-stations.ts';

/** The calendar and a search can disagree, and neither is certain. */
export const CALENDAR_CAN_LACK =
  'The calendar can lack a service: call search_fares for a day without one if it is wanted.';

/** Makes the fields of a search in a span of dates. `end`: what the note of the last day adds. */
export function windowFields(end = '') {
  return {
    from: noted('Where the trip begins.', station()),
    to: noted('Where the trip ends.', station()),
    start_date: noted('First day to look at. Days that are past are skipped.', listedDate()),
    end_date: noted(`Last day to look at, included${end}.`, date()),
  };
}

type Window = ArgsOf<typeof windowFields>;

export interface ServiceDays {
  readonly from: string;
  readonly to: string;
  /** The first day searched: past days are skipped. */
  readonly start: string;
  readonly dates: readonly string[];
  /** The days without service. */
  readonly unlisted: readonly string[];
  /** The days that the calendar leaves out: whether there is service on them is not known. */
  readonly unsaid: readonly string[];
}

/** Checks the stations and the span of dates. Throws E_INPUT. `most`: days. */
export function assertWindow({ from, to, start_date: start, end_date: end }: Window, most: number, now: number): void {
  assertApart(from, to, 'to');
  assertSpan(start, end, 'end_date', most);
  if (end < earliestToday(now)) throw dayError('end_date', `a date not past (today is ${utcDay(now)})`);
}

/** Throws E_INPUT for more than `most` days from start to end, both included. */
export function assertSpan(start: string, end: string, field: string, most: number): void {
  const days = daysBetween(start, end) + 1;
  if (days < 1) throw dayError(field, `a date not before the first (${start})`);
  if (days <= most) return;
  throw inputError(
    field,
    `expected at most ${most} days: to ${addDays(start, most - 1)}, and later days in another call.`,
  );
}

/** Reads the airline's calendar. Each day appears once, in order. `direct`: only days with a departure without changes. */
export function readServiceDays(
  window: Window,
  ctx: ToolContext,
  { direct = false }: { readonly direct?: boolean | undefined } = {},
): Promise<StationAnswer<ServiceDays>> {
  const { start_date: startDate, end_date: endDate } = window;
  const today = earliestToday(ctx.now());
  const start = startDate < today ? today : startDate;

  const places = [
    { field: 'from', text: window.from },
    { field: 'to', text: window.to },
  ];

  const read = async ([from = '', to = '']: readonly string[]): Promise<ServiceDays> => {
    assertApart(from, to, 'to');
    const calendar = await ctx.airline.calendar({ from, to, startDate, endDate, direct }, readCall(ctx));
    return { from, to, start, ...daysOf(calendar, datesBetween(start, endDate)) };
  };

  return callWithStations(places, ctx, read, ({ dates }) => dates.length === 0);
}

/**
 * Says of each day whether the calendar lists service, lists none, or is not for that day at all: it may begin later or end earlier than it
 * was asked for, or be of another month.
 */
function daysOf(
  { dates, startDate, endDate }: Pick<CalendarDates, 'dates' | 'startDate' | 'endDate'>,
  days: readonly string[],
): Pick<ServiceDays, 'dates' | 'unlisted' | 'unsaid'> {
  const listed = new Set(dates.map(dateOf));
  const others = days.filter((day) => !listed.has(day));
  const unsaid = others.filter(
    (day) => (isRealDate(startDate) && day < startDate) || (isRealDate(endDate) && day > endDate),
  );

  return {
    dates: days.filter((day) => listed.has(day)),
    unlisted: others.filter((day) => !unsaid.includes(day)),
    unsaid,
  };
}

/** Names the days that the calendar leaves out. Undefined if there are none. */
export function unsaidText({ unsaid }: ServiceDays): string | undefined {
  if (unsaid.length === 0) return undefined;
  return `The airline's calendar leaves out ${showSpans(daySpans(unsaid))}: whether there is service then is not known.`;
}

/** Writes days in a row as one text: `2026-12-01/2026-12-05`, `2026-12-09`. */
export function daySpans(dates: readonly string[]): string[] {
  const spans: { first: string; last: string }[] = [];
  for (const day of dates) {
    const span = spans.at(-1);
    if (span !== undefined && datesBetween(span.last, day).length === 2) span.last = day;
    else spans.push({ first: day, last: day });
  }
  return spans.map(({ first, last }) => (first === last ? first : `${first}/${last}`));
}

/** `Tue 1 Dec to Sat 5 Dec, Wed 9 Dec`. */
export function showSpans(spans: readonly string[]): string {
  return spans.map((span) => span.split('/').map(showDay).join(' to ')).join(', ');
}
