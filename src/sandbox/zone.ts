/** Converts between instants and the local time of stations, by IANA time zones. */

export const MINUTE_MS = 60_000;
export const MINUTES_PER_DAY = 24 * 60;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached !== undefined) return cached;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  return format;
}

/** Clocks change at whole quarters of an hour: a timetable asks for the same ones many times. */
const QUARTER_MS = 15 * MINUTE_MS;
const MOST_OFFSETS = 10_000;
const offsets = new Map<string, number>();

/** Returns how many minutes `zone` is ahead of UTC at the instant `at` (ms epoch). */
function offsetMinutes(zone: string, at: number): number {
  const key = `${zone} ${Math.floor(at / QUARTER_MS)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= MOST_OFFSETS) offsets.clear();
  const offset = readOffset(zone, at);
  offsets.set(key, offset);
  return offset;
}

function readOffset(zone: string, at: number): number {
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(offsetFormat(zone).format(at));
  if (match === null) return 0;
  const [, sign, hours, minutes] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}

/** Returns the instant (ms epoch) so many minutes after midnight of a local date. Moves out of a skipped hour. */
export function localInstant(zone: string, date: string, minutes: number): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS;
  // A first guess at the instant, wrong by a change of the offset at most.
  const estimate = wall - offsetMinutes(zone, wall) * MINUTE_MS;
  return wall - offsetMinutes(zone, estimate) * MINUTE_MS;
}

/** Returns the local date (YYYY-MM-DD) of an instant (ms epoch). */
export function localDate(zone: string, at: number): string {
  return new Date(at + offsetMinutes(zone, at) * MINUTE_MS).toISOString().slice(0, 10);
}

/** Writes an instant as local time with its offset: `2026-12-01T08:00:00.000+03:00`. */
export function localDateTime(zone: string, at: number): string {
  const offset = offsetMinutes(zone, at);
  const wall = new Date(at + offset * MINUTE_MS).toISOString().slice(0, 23);
  const size = Math.abs(offset);
  const twoDigits = (n: number): string => String(n).padStart(2, '0');
  return `${wall}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a text is a date (YYYY-MM-DD) that exists. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
