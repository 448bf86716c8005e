import * as z from 'zod';
import { cleanCode } from '../domain/time-and-text/clean-text.ts';
import { datesFrom } from '../domain/time-and-text/times.ts';
import { defineTool, optionalStrings, strings } from './definition/define.ts';
import { assertWindow, readServiceDays, windowFields } from './definition/service-days.ts';

export const getCalendarDates = defineTool({
  name: 'get_calendar_dates',
  title: 'Get calendar dates',
  description: 'Dates with service on a route, both ends included, and the gaps.',
  toolset: 'core',
  effect: 'read',
  input: () => ({ ...windowFields(), direct: z.boolean().optional() }),
  output: () => ({
    ...strings('from', 'to', 'start_date', 'end_date'),
    dates: z.array(z.string()),
    gaps: z.array(z.string()).optional(),
    ...optionalStrings('understood'),
  }),

  async run(args, ctx) {
    assertWindow(args, 366, ctx.now());
    const { answer, understood } = await readServiceDays(args, args.direct ?? false, ctx);
    const { from, to, start, dates } = answer;
    return {
      from: cleanCode(from, 8),
      to: cleanCode(to, 8),
      start_date: start,
      end_date: args.end_date,
      dates: [...dates],
      gaps: datesFrom(start, args.end_date).filter((day) => !dates.includes(day)),
      ...(understood !== undefined && { understood }),
    };
  },

  text({ from, to, start_date: start, end_date: end, dates, gaps = [], understood }, args) {
    return [
      `${from}-${to}: service on ${dates.length} of ${dates.length + gaps.length} days, ${start} to ${end}.`,
      start > args.start_date ? `Days before ${start} are past.` : undefined,
      understood,
      dates.length > 0 ? `Dates: ${runs(dates)}` : undefined,
      gaps.length > 0 ? `No service: ${runs(gaps)}` : undefined,
    ];
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
