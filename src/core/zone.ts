/** Converts days and clock times of the desk's time zone (IANA name). */
import { memoize } from './memoize.ts';
import { addDays, atOffset, DAY_MS, offsetMs } from './times.ts';

/** Days whose offsets are kept for each zone. */
const MOST_DAYS = 1_000;

const offsetFormat = memoize(
  (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
);

/** Whether this program's calendar knows a zone of this name. */
export function isTimeZone(name: string): boolean {
  // A format costs a start 10 ms, the list 1 ms. It has only one name of each zone.
  if (Intl.supportedValuesOf('timeZone').includes(name)) return true;

  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** How far the zone's clock is ahead of UTC at an instant, milliseconds. */
export function offsetAt(instant: number, zone: string): number {
  return offsetMs(offsetText(instant, zone));
}

/** The offsets at which days of UTC begin. A calendar takes longer than all else of a time. */
const offsetsOfDays = memoize((zone: string) =>
  memoize((day: number) => calendarOffset(day * DAY_MS, zone), MOST_DAYS),
);

/** The zone's offset at an instant as text: `+03:00`. Asks the calendar for it only on a day on which the clocks change. */
export function offsetText(instant: number, zone: string): string {
  const offsetOf = offsetsOfDays(zone);
  const day = Math.floor(instant / DAY_MS);
  const offset = offsetOf(day);
  return offset === offsetOf(day + 1) ? offset : calendarOffset(instant, zone);
}

/** The zone's offset at an instant, from the calendar. */
function calendarOffset(instant: number, zone: string): string {
  const name = offsetFormat(zone)
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value;
  // `GMT`, `GMT+03:00`; until 1972 some zones have seconds.
  return /[+-]\d{2}:\d{2}/.exec(name ?? '')?.[0] ?? '+00:00';
}

/** The date of an instant in the zone, YYYY-MM-DD. */
export function dayIn(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 10);
}

/** The minute of an instant in the zone: `2026-11-24T01:30+03:00`. */
export function minuteIn(instant: number, zone: string): string {
  const offset = offsetText(instant, zone);
  return `${atOffset(instant, offset).slice(0, 16)}${offset}`;
}

/** The second of an instant in the zone: `2026-11-24T01:30:09+03:00`. */
export function secondIn(instant: number, zone: string): string {
  const offset = offsetText(instant, zone);
  return `${atOffset(instant, offset).slice(0, 19)}${offset}`;
}

/**
 * When a day begins in the zone, milliseconds since 1970. Midnight has the offset of the day before or of the day after; if
 * the clocks change on this day:
 * - they skip midnight (Santiago, 2026-09-06): only the offset before gives an instant on this day, when the clocks go on;
 * - midnight comes twice (Havana, 2026-11-01): both do, and the day begins at the first;
 * - the zone skips the day (Apia, 2011-12-30): neither does, and the result is when the next day begins.
 */
export function dayStart(date: string, zone: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  const midnights = [offsetAt(utc - DAY_MS, zone), offsetAt(utc + DAY_MS, zone)].map((offset) => utc - offset);
  const midnightsOnThisDay = midnights.filter((midnight) => dayIn(midnight, zone) === date);
  if (midnightsOnThisDay.length === 0) return utc - offsetAt(utc, zone);
  return Math.min(...midnightsOnThisDay);
}

/** The instants of a period of whole days in the zone, both days included: [from, to), milliseconds since 1970. */
export function daysIn(first: string, last: string, zone: string): { readonly from: number; readonly to: number } {
  return { from: dayStart(first, zone), to: dayStart(addDays(last, 1), zone) };
}
