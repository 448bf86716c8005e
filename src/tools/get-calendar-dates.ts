/** The tool that lists the days with service on a route, from the airline's calendar. */
import * as z from 'zod';
import { cleanCode } from '../core/clean-text.ts';
import { addDays, datesBetween, showDay } from '../core/times.ts';
import { counted, joined } from '../core/words.ts';
import { namedIn, namedPlaces, showRoute, understoodText } from '../domain/booking/stations.ts';
import { defineTool } from './definition/define.ts';
import { filled, noted, optionalTexts, placeFields, strings } from './definition/field-notes.ts';
import { EXAMPLE_ROUTE } from './definition/input-fields.ts';
import {
  assertWindow,
  CALENDAR_CAN_LACK,
  daySpans,
  readServiceDays,
  showSpans,
  unsaidText,
  windowFields,
} from './steps/service-days.ts';

const MOST_DAYS = 366;

export const getCalendarDates = defineTool({
  name: 'get_calendar_dates',
  title: 'Get calendar dates',
  description: "Days with service in the airline's calendar. Days missing here may still have service: search.",
  toolset: 'core',
  example: (today) => ({ ...EXAMPLE_ROUTE, start_date: addDays(today, 20), end_date: addDays(today, 30) }),
  effect: 'read',

  input: () => ({
    ...windowFields(),
    direct: noted('Only days with a departure {}.', z.boolean().optional().describe('without changes'), '`false`'),
  }),

  output: () => ({
    ...strings('from', 'to'),
    ...placeFields(),
    dates: z.array(z.string()),
    gaps: optionalTexts(),
  }),

  async run(args, ctx) {
    assertWindow(args, MOST_DAYS, ctx.now());
    const { answer, understood } = await readServiceDays(args, ctx, { direct: args.direct });
    const { from, to, start, dates } = answer;
    const allDays = datesBetween(start, args.end_date);

    const gaps = daySpans(answer.unlisted);
    const total = counted(allDays.length, 'day');
    const count = dates.length === allDays.length ? total : `${dates.length} of ${total}`;
    const past = start > args.start_date ? `Days before ${showDay(start)} are past.` : undefined;
    const span = `${showSpans(daySpans(allDays))} ${args.end_date.slice(0, 4)}`;
    const sentences = [`The calendar lists service on ${count}, ${span}.`, past, unsaidText(answer)];

    return {
      summary: joined(sentences, ' '),
      next: gaps.length === 0 ? undefined : CALENDAR_CAN_LACK,
      from: cleanCode(from, 8),
      to: cleanCode(to, 8),
      places: namedPlaces([from, to], ctx.airline.placeName),
      understood,
      dates: daySpans(dates),
      gaps: filled(gaps),
    };
  },

  text: ({ from, to, dates, gaps = [], places, understood }) => [
    `${showRoute({ from, to }, namedIn(places))}.`,
    understoodText({ places, understood }),
    dates.length > 0 && gaps.length > 0 ? `Service: ${showSpans(dates)}.` : undefined,
    gaps.length > 0 ? `No service listed: ${showSpans(gaps)}.` : undefined,
  ],
});
