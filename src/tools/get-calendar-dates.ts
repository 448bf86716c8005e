import * as z from 'zod';
import { cleanCode } from '../core/clean-text.ts';
import { addDays, datesFrom } from '../core/times.ts';
import { showRoute } from '../domain/booking/place-names.ts';
import { defineTool, optionalStrings, strings } from './definition/define.ts';
import { PAIR } from './definition/example-inputs.ts';
import { assertWindow, readServiceDays, windowFields } from './definition/service-days.ts';
import { dayCount, showDays, unlistedText } from './views/days.ts';

export const getCalendarDates = defineTool({
  name: 'get_calendar_dates',
  title: 'Get calendar dates',
  description:
    "Dates with service in the airline's calendar, both ends included, and the gaps; a search can still find service in a gap.",
  toolset: 'core',
  example: (today) => `${PAIR} start_date=${addDays(today, 20)} end_date=${addDays(today, 30)}`,
  effect: 'read',
  input: () => ({ ...windowFields(), direct: z.boolean().optional().describe('without changes') }),
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

  text({ from, to, start_date: start, end_date: end, dates, gaps = [], understood }, args, ctx) {
    const all = dates.length + gaps.length;
    const listed = dates.length === all ? dayCount(all) : `${dates.length} of ${dayCount(all)}`;
    return [
      `${showRoute({ from, to }, ctx.airline.placeName)}: the calendar lists service on ${listed}, ${start} to ${end}.`,
      start > args.start_date ? `Days before ${start} are past.` : undefined,
      understood,
      dates.length > 0 && gaps.length > 0 ? `Service: ${showDays(dates)}.` : undefined,
      gaps.length > 0 ? unlistedText(gaps) : undefined,
    ];
  },
});
