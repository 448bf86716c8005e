/** Local time of a station: offsets of IANA time zones, and instants written as the airline prints them. */

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, made);
  return made;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Minutes east of UTC in `zone` at the instant `at` (ms epoch). */
function offsetMinutes(zone: string, at: number): number {
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(offsetFormat(zone).format(at));
  if (match === null) return 0;
  const [, sign, hours, minutes] = match;
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -size : size;
}

/** True for a time zone name that this runtime knows. */
export function knownZone(zone: string): boolean {
  try {
    offsetFormat(zone);
    return true;
  } catch {
    return false;
  }
}

/** The instant (ms epoch) of `minutes` after midnight of the local `date` (YYYY-MM-DD); a skipped hour moves on. */
export function localInstant(zone: string, date: string, minutes: number): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE;
  const first = wall - offsetMinutes(zone, wall) * MINUTE;
  return wall - offsetMinutes(zone, first) * MINUTE;
}

/** Local date (YYYY-MM-DD) of an instant. */
export function localDate(zone: string, at: number): string {
  return new Date(at + offsetMinutes(zone, at) * MINUTE).toISOString().slice(0, 10);
}

/** `2026-12-01T08:00:00.000+03:00`: local time with its offset, as docs/wire/interface.md prints flight times. */
export function localDateTime(zone: string, at: number): string {
  const offset = offsetMinutes(zone, at);
  const wall = new Date(at + offset * MINUTE).toISOString().slice(0, 23);
  const size = Math.abs(offset);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${wall}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** True for a calendar date that exists. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
