/** How people write days and times, and how a column does. */
import { offsetMs } from '../core/times.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** What days and times begin with: they are in order with such a text. */
const BEGINNING = /^\d{4}(?:-\d\d){0,2}$/;
const TIME_WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT[\d:]+$/;
const OFFSET = /[+-]\d\d:\d\d$/;
/** `03.12.2026`, with a day before its month. */
const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})/;
/** `2026-12-1`, `2026-12-10 00:00`, `2026/12/10T21:00:00.000Z`: year, month, day, time, zone. */
const LOOSE = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*(Z|[+-]\d\d:\d\d)?)?$/i;

export const isDay = (text: string): boolean => DAY.test(text);
export const isTime = (text: string): boolean => TIME.test(text);

/**
 * A day or time as a column writes it; itself if it is so. Undefined if it is neither.
 * @param sample a value of the column: `2026-12-03`, or a time with its offset
 */
export function timeAs(sample: string, text: string): string | undefined {
  const offset = OFFSET.exec(isTime(sample) ? sample : '')?.[0];
  if (BEGINNING.test(text) || (isTime(sample) && TIME_WITHOUT_ZONE.test(text))) return text;

  const [, year = '', month = '', day = '', time, zone] = LOOSE.exec(text.replace(DAY_FIRST, '$3-$2-$1')) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (year === '') return undefined;
  if (time === undefined || isDay(sample)) return date;
  if (zone === undefined || offset === undefined) return `${date}T${time}`;

  const instant = Date.parse(`${date}T${time}${zone}`);
  return new Date(instant + offsetMs(offset)).toISOString().slice(0, 11 + time.length);
}
