/** Days with service on a route within a span of dates, read from the calendar and written as spans. */
import { inputError } from '../../core/errors.ts';
import {
  addDays,
  dateOf,
  datesFrom,
  daysBetween,
  earliestToday,
  isRealDate,
  showDay,
  utcDay,
} from '../../core/times.ts';
import { showRoute } from '../../domain/booking/stations.ts';
import type { FareQuery } from '../../domain/pricing/offers.ts';
import { type ArgsOf, readCall, type ToolContext } from '../definition/define.ts';
import { noted } from '../definition/field-notes.ts';
import { date, station } from '../definition/input-fields.ts';
import { type AtStations, assertApart, atStations } from './resolve-stations.ts';

/** `end`: what the note of the last day adds. */
export function windowFields(end = '') {
  return {
    from: noted('Where the trip begins.', station()),
    to: noted('Where the trip ends.', station()),
    start_date: noted('First day to look at. Days that are past are skipped.', date()),
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
}

export function assertWindow({ from, to, start_date: start, end_date: end }: Window, most: number, now: number): void {
  assertApart(from, to, 'to');
  assertSpan(start, end, 'end_date', most);
  if (end < earliestToday(now)) {
    throw inputError('end_date', `expected a date not past; nearest valid: ${utcDay(now)}.`);
  }
}

/** Throws E_INPUT for more than `most` days from start to end, both included. */
export function assertSpan(start: string, end: string, field: string, most: number): void {
  const days = daysBetween(start, end) + 1;
  if (days < 1) throw inputError(field, `expected a date not before the first; nearest valid: ${start}.`);
  if (days <= most) return;
  throw inputError(field, `expected at most ${most} days; nearest valid: ${addDays(start, most - 1)}.`);
}

/** Reads the airline's calendar. Each day appears once, in order. */
export function readServiceDays(window: Window, direct: boolean, ctx: ToolContext): Promise<AtStations<ServiceDays>> {
  const { start_date: startDate, end_date: endDate } = window;
  const today = earliestToday(ctx.now());
  const isPast = startDate < today;
  const start = isPast ? today : startDate;
  const places = [
    { field: 'from', text: window.from },
    { field: 'to', text: window.to },
  ];
  const read = async ([from = '', to = '']: readonly string[]): Promise<ServiceDays> => {
    assertApart(from, to, 'to');
    const { dates } = await ctx.airline.calendar({ from, to, startDate, endDate, direct }, readCall(ctx));
    const days = dates.map((each) => each.slice(0, 10));
    const within = days.filter((day) => isRealDate(day) && day >= start && day <= endDate);
    return { from, to, start, dates: [...new Set(within)].sort() };
  };
  return atStations(places, ctx, read, ({ dates }) => dates.length === 0);
}

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

/** Whether it is sold out or does not run, by the calendar; empty if that cannot be read. */
export async function calendarText(legs: FareQuery['legs'], ctx: ToolContext): Promise<string> {
  const listed = await Promise.all(legs.map((leg) => isListed(leg, ctx).catch(() => undefined)));
  if (listed.includes(undefined)) return '';
  const idle = legs.filter((_, i) => listed[i] === false);
  if (idle.length === 0) return ' Its calendar lists service: it looks sold out for this party.';
  return ` Its calendar lists no service ${idle.map((leg) => showRoute(leg, ctx.airline.placeName)).join(', ')} then.`;
}

async function isListed(leg: FareQuery['legs'][number], ctx: ToolContext): Promise<boolean> {
  const { from, to, date, daysBefore, daysAfter } = leg;
  const [startDate, endDate] = [addDays(date, -daysBefore), addDays(date, daysAfter)];
  const { dates } = await ctx.airline.calendar({ from, to, startDate, endDate, direct: false }, readCall(ctx));
  return dates.some((day) => dateOf(day) >= startDate && dateOf(day) <= endDate);
}
