import * as z from 'zod';
import { cleanCode } from '../domain/time-and-text/clean-text.ts';
import { datesFrom } from '../domain/time-and-text/times.ts';
import { defineTool, once } from './definition/define.ts';
import { date, station } from './definition/input-fields.ts';
import { assertApart, atStations, endsOf } from './definition/resolve-stations.ts';
import { assertWindow, daysWithin, firstDay } from './rules/date-range.ts';

const input = once(() =>
  z.strictObject({
    from: station(),
    to: station(),
    start_date: date(),
    end_date: date(),
    direct: z.boolean().optional(),
  }),
);

const output = once(() =>
  z.object({
    from: z.string(),
    to: z.string(),
    start_date: z.string(),
    end_date: z.string(),
    dates: z.array(z.string()),
    gaps: z.array(z.string()).optional(),
    understood: z.string().optional(),
  }),
);

export const getCalendarDates = defineTool({
  name: 'get_calendar_dates',
  title: 'Get calendar dates',
  description: 'Dates with service on a route, both ends included, and the gaps.',
  toolset: 'core',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    assertApart(args.from, args.to, 'to');
    assertWindow(args.start_date, args.end_date, 366, ctx.now());
    // What is past is no gap.
    const start = firstDay(args.start_date, ctx.now());
    const read = async ([from = '', to = '']: readonly string[]) => {
      assertApart(from, to, 'to');
      const found = await ctx.airline.calendar(
        { from, to, startDate: args.start_date, endDate: args.end_date, direct: args.direct ?? false },
        ctx.signal ? { signal: ctx.signal } : {},
      );
      return { from, to, served: new Set(daysWithin(found.dates, start, args.end_date)) };
    };
    const { answer, understood } = await atStations(endsOf(args), ctx, read, ({ served }) => served.size === 0);
    const { from, to, served } = answer;
    return {
      from: cleanCode(from, 8),
      to: cleanCode(to, 8),
      start_date: start,
      end_date: args.end_date,
      dates: [...served],
      gaps: datesFrom(start, args.end_date).filter((day) => !served.has(day)),
      ...(understood !== undefined && { understood }),
    };
  },

  text(output, args) {
    const { dates, gaps = [] } = output;
    return [
      `${output.from}-${output.to}: service on ${dates.length} of ${dates.length + gaps.length} days, ${output.start_date} to ${output.end_date}.`,
      ...(output.start_date > args.start_date ? [`Days before ${output.start_date} are past.`] : []),
      ...(output.understood === undefined ? [] : [output.understood]),
      ...(dates.length > 0 ? [`Dates: ${runs(dates)}`] : []),
      ...(gaps.length > 0 ? [`No service: ${runs(gaps)}`] : []),
    ].join('\n');
  },
});

/** `2026-12-01 to 2026-12-05, 2026-12-09`. */
function runs(dates: readonly string[]): string {
  const found: { first: string; last: string }[] = [];
  for (const day of dates) {
    const run = found.at(-1);
    if (run !== undefined && datesFrom(run.last, day).length === 2) run.last = day;
    else found.push({ first: day, last: day });
  }
  return found.map(({ first, last }) => (first === last ? first : `${first} to ${last}`)).join(', ');
}
