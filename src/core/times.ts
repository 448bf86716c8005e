/**
 * Reads and writes times, in this order: instants with a zone, calendar dates, and times as people read them. Does not
 * read the machine's clock or zone.
 *
 * - `instantOf`, `zonelessTime` and `latestPossibleInstant` for calculating: milliseconds since 1970, of a time with or
 *   without its zone, or of any date.
 * - `utcText` and `asUtc` for what is stored or compared: an instant in UTC, from milliseconds or from a text.
 * - `utcMinute` and `utcDay` for tables in UTC.
 * - `writtenDate` for dates as people type them; `isRealDate`, `addDays` and `daysBetween` for YYYY-MM-DD.
 * - `localMinute` for structured results: to the minute, at the station's offset.
 * - `showLocal` and `showTrip` for people: `Wed 9 Dec 18:40 (UTC+3)`. Deadlines: domain/booking/deadlines.ts.
 */
import { memoize } from './memoize.ts';

/** A time with its zone as airlines write it: the offset may lack its colon, the time its seconds. */
const LOOSE_INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})$/i;
/** Complete RFC 3339, which Date.parse accepts as it is. */
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/;
/** A UTC time on a day that every month has: it is valid without being parsed. */
const OBVIOUS_UTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;
const BEGINS_WITH_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
/** A time of day without a zone, or midnight in UTC, as programs write a date. */
const MIDNIGHT_OR_ZONELESS = /^(?:\d\d:\d\d(?::\d\d(?:\.\d+)?)?|00:00(?::00(?:\.0+)?)?Z)$/;
const OFFSET = /([+-])(\d{2}):?(\d{2})$/;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Characters: longer texts are not times and are not cached. */
const LONGEST_TIME = 40;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 604_800_000;

const knownInstant = /* @__PURE__ */ memoize(parseInstant);

/** Milliseconds since 1970 of an RFC 3339 time; undefined if it has no zone or is not a time. */
export function instantOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return text.length > LONGEST_TIME ? parseInstant(text) : knownInstant(text);
}

/**
 * Milliseconds since 1970 of a time without a zone; undefined for any other text.
 * @param stationTime a departure, whose offset is used; UTC without one
 */
export function zonelessTime(text: string, stationTime: string | undefined): number | undefined {
  const { sign, hours, minutes } = sentOffset(stationTime ?? '');
  return zoneOf(text) === '' ? instantOf(`${text}${sign}${hours}:${minutes}`) : undefined;
}

/** Milliseconds since 1970; for a date without a zone the end of that day at UTC−12, the latest instant that it can mean. */
export function latestPossibleInstant(text: string | undefined): number | undefined {
  const [date = ''] = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '') ?? [];
  return instantOf(text) ?? (date === '' ? undefined : unlessNaN(Date.parse(`${date}T23:59:59-12:00`)));
}

function parseInstant(text: string): number | undefined {
  if (RFC3339.test(text)) return unlessNaN(Date.parse(text));
  const match = LOOSE_INSTANT.exec(text.trim());
  if (match === null) return undefined;
  const [, date = '', time = '', zone = ''] = match;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  return unlessNaN(Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${offset}`));
}

function unlessNaN(ms: number): number | undefined {
  return Number.isNaN(ms) ? undefined : ms;
}

/** Writes an instant in UTC: `2026-12-01T05:00:00Z`. */
export const utcText = /* @__PURE__ */ memoize((ms: number) => `${new Date(ms).toISOString().slice(0, -5)}Z`);

/** `2026-11-20 07:40` in UTC, for tables. */
export function utcMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** The time in UTC, `2026-12-01T05:00:00Z`; undefined if the text is not an instant. */
export function asUtc(text: string | undefined): string | undefined {
  if (text !== undefined && OBVIOUS_UTC.test(text)) return text.length === 20 ? text : `${text.slice(0, 19)}Z`;
  const ms = instantOf(text);
  return ms === undefined ? undefined : utcText(ms);
}

/** An offset, `+03:00`, in milliseconds. */
export function offsetMs(offset: string): number {
  const [sign, hours, minutes] = [offset[0], offset.slice(1, 3), offset.slice(4, 6)];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
}

/** Writes an instant at an offset, with its milliseconds: `2026-12-01T08:00:00.000+03:00`. */
export function atOffset(instant: number, offset: string): string {
  return new Date(instant + offsetMs(offset)).toISOString().replace('Z', offset);
}

/** The date as written: local if the text has the airport's offset. */
export function dateOf(text: string): string {
  return text.slice(0, 10);
}

/** Whole minutes between two instants; undefined if the second is earlier or one is not an instant. */
export function minutesBetween(from: string | undefined, to: string | undefined): number | undefined {
  const start = instantOf(from);
  const end = instantOf(to);
  if (start === undefined || end === undefined || end < start) return undefined;
  return Math.round((end - start) / MINUTE_MS);
}

/** Finds the earliest instant, as sent; undefined if no text is an instant. */
export function earliestTime(texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => instantOf(text) !== undefined).toSorted(byInstant)[0];
}

/** Finds the latest instant, as sent; undefined if a text is not an instant, because it may be the latest. */
export function latestTime(texts: readonly (string | undefined)[]): string | undefined {
  if (texts.some((text) => instantOf(text) === undefined)) return undefined;
  return texts.toSorted(byInstant).at(-1);
}

function byInstant(a: string | undefined, b: string | undefined): number {
  return (instantOf(a) ?? 0) - (instantOf(b) ?? 0);
}

/** Whether a date YYYY-MM-DD exists: 2026-02-29 does not. */
export function isRealDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const date = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
  return date.toISOString().slice(0, 10) === text;
}

/**
 * Reads the only date that a typed text can mean, as YYYY-MM-DD: `2026-1-5`, `25/12/2026`. Undefined for `03/04/2026`,
 * which can mean two, and for other text.
 */
export function writtenDate(text: string): string | undefined {
  const [, year, month, day, time = '00:00'] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\S+))?$/.exec(text.trim()) ?? [];
  if (year !== undefined) return MIDNIGHT_OR_ZONELESS.test(time) ? realDate(year, month, day) : undefined;
  const dates = datesOfEitherOrder(text);
  return dates.length === 1 ? dates[0] : undefined;
}

/**
 * The days that a text which ends with its year can mean, day first and then month first: two of `03/04/2026`, one of `25/12/2026`
 * and `05/05/2026`. Empty for other text.
 */
export function datesOfEitherOrder(text: string): readonly string[] {
  const [, first, , second, endYear] = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(text.trim()) ?? [];
  const dates = [realDate(endYear, second, first), realDate(endYear, first, second)].flatMap((date) => date ?? []);
  return [...new Set(dates)];
}

/** Writes `2026-01-05` from its parts as people type them: `2026`, `1`, `5`. The day need not exist. */
export function dateText(year: string, month: string | number, day: string | number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function realDate(year = '', month = '', day = ''): string | undefined {
  const date = dateText(year, month, day);
  return isRealDate(date) ? date : undefined;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of a later month, or that month's last day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  // Date.UTC counts months from 0, and day 0 is the last day of the month before: this is the last day of the later month.
  const result = new Date(Date.UTC(year, month + months, 0));
  result.setUTCDate(Math.min(day, result.getUTCDate()));
  return result.toISOString().slice(0, 10);
}

/** Days from one date to another; negative when the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Lists every date from `start` to `end`, both included. */
export function datesBetween(start: string, end: string): string[] {
  return Array.from({ length: Math.max(0, daysBetween(start, end) + 1) }, (_, i) => addDays(start, i));
}

/** Today's date at UTC−12. Earlier dates are past at every airport. */
export function earliestToday(now: number): string {
  return utcDay(now - DAY_MS / 2);
}

/** The date of an instant in UTC. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Writes how much time is left: `30 min`, `31 hours`, `16 days`. */
export function showTimeLeft(minutes: number): string {
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / (24 * 60))} days`;
}

/** Writes a duration: `2h10`. */
export function showMinutes(minutes: number): string {
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}`;
}

/** Writes the day of a date or time: `Wed 9 Dec`. `(no date)` for other text. */
export function showDay(text: string): string {
  const date = new Date(`${dateOf(text)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return '(no date)';
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** As {@link showDay}, with the year if that is not the year of `yearOf`. */
export function showDayInYear(text: string, yearOf: string): string {
  const year = text.slice(0, 4);
  return yearOf.startsWith(year) ? showDay(text) : `${showDay(text)} ${year}`;
}

/** Finds the offset behind a time of day: the end of a date alone looks like one. */
function offsetIn(text: string): RegExpExecArray | null {
  const found = OFFSET.exec(text);
  return found !== null && /[T ]/.test(text.slice(0, found.index)) ? found : null;
}

/** Writes the zone of a time as sent: `UTC+3`, `UTC+5:30` or `UTC`; empty if it was sent without a zone. */
export function zoneOf(text: string): string {
  const [, sign, hours = '0', minutes = '0'] = offsetIn(text) ?? [];
  if (sign === undefined) return /z$/i.test(text) ? 'UTC' : '';
  if (Number(hours) + Number(minutes) === 0) return 'UTC';
  return `UTC${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

/** The zone that all these times have. Undefined where they differ, or were sent without one. */
export function commonZone(times: readonly string[]): string | undefined {
  const [zone, ...others] = new Set(times.map(zoneOf));
  return zone === '' || others.length > 0 ? undefined : zone;
}

/** `Times are in UTC`, `Times are local (UTC+3)`. */
export function zoneWords(zone: string): string {
  return `Times are ${zone === 'UTC' ? 'in UTC' : `local (${zone})`}`;
}

/** Writes a zone behind a time: ` (UTC+3)`; nothing for a time without a zone. */
function zoneSuffix(zone: string): string {
  return zone === '' ? '' : ` (${zone})`;
}

/** Writes a departure or arrival by its own offset: `Wed 9 Dec 18:40 (UTC+3)`. `(no time)` for other text. */
export function showLocal(text: string): string {
  if (!BEGINS_WITH_TIME.test(text)) return '(no time)';
  return `${showDay(text)} ${clockTime(text)}${zoneSuffix(zoneOf(text))}`;
}

/** The clock time of a text that {@link BEGINS_WITH_TIME}: `18:40`. */
export function clockTime(text: string): string {
  return text.slice(11, 16);
}

/** A departure and its arrival as texts. */
interface TripTimes {
  readonly day: string;
  /** `18:40`, with its zone if the arrival has another one. */
  readonly departure: string;
  /** `20:45`, `01:10 Thu 10 Dec`; `?` if it is not known. */
  readonly arrival: string;
  /** ` (UTC+3)` with the space before it, or empty. */
  readonly zone: string;
}

interface TripOptions {
  /** Omits the zone, which a heading names, unless departure and arrival have different ones. */
  readonly withoutZone?: boolean;
  /** A time whose year the text need not repeat. */
  readonly yearOf?: string | undefined;
}

/**
 * Writes departure and arrival: `Wed 9 Dec 18:40-20:45 (UTC+3)`, `23:50-01:10 Thu 10 Dec` for another day, both zones if they
 * differ.
 */
export function showTrip(departs: string, arrives: string, options: TripOptions = {}): string {
  const times = tripTimes(departs, arrives, options);
  if (times !== undefined) return `${times.day} ${times.departure}-${times.arrival}${times.zone}`;
  if (!BEGINS_WITH_TIME.test(arrives)) return '(no time)';
  const zone = options.withoutZone ? '' : zoneSuffix(zoneOf(arrives));
  return `arrives ${showDayInYear(arrives, arrives)} ${clockTime(arrives)}${zone}`;
}

/** The same as separate texts, for a timetable. Undefined if the departure is not known. */
export function tripTimes(
  departs: string,
  arrives: string,
  { withoutZone = false, yearOf = departs }: TripOptions = {},
): TripTimes | undefined {
  if (!BEGINS_WITH_TIME.test(departs)) return undefined;

  const [departureZone, arrivalZone] = [zoneOf(departs), zoneOf(arrives)];
  const hasTwoZones = BEGINS_WITH_TIME.test(arrives) && departureZone !== arrivalZone;
  const isSameDay = dateOf(departs) === dateOf(arrives);
  const arrivalClock = BEGINS_WITH_TIME.test(arrives) ? clockTime(arrives) : '?';

  return {
    day: showDayInYear(departs, yearOf),
    departure: `${clockTime(departs)}${hasTwoZones ? zoneSuffix(departureZone) : ''}`,
    arrival: isSameDay || arrivalClock === '?' ? arrivalClock : `${arrivalClock} ${showDayInYear(arrives, departs)}`,
    zone: withoutZone && !hasTwoZones ? '' : zoneSuffix(hasTwoZones ? arrivalZone : departureZone),
  };
}

/**
 * Writes a time as structured results show it, to the minute: `2026-12-07T12:20+03:00`. A text that is not an instant
 * stays as it is, cut to the minute.
 *
 * @param stationTime a departure, whose offset is used; UTC if it has none
 */
export function localMinute(text: string, stationTime: string | undefined = text): string {
  const local = stationClockTime(text, stationTime);
  if (local === undefined) return BEGINS_WITH_TIME.test(text) ? text.slice(0, 16) : text;
  const { sign, hours, minutes } = sentOffset(stationTime);
  const isUtc = hours === '00' && minutes === '00';
  return `${local.slice(0, 16)}${isUtc ? 'Z' : `${sign}${hours}:${minutes}`}`;
}

/** The time as the station's clock shows it, written as if it were UTC. Undefined if the text is not an instant. */
export function stationClockTime(text: string, stationTime: string | undefined): string | undefined {
  const ms = instantOf(text);
  if (ms === undefined) return undefined;
  const { sign, hours, minutes } = sentOffset(stationTime ?? '');
  return utcText(ms + offsetMs(`${sign}${hours}:${minutes}`));
}

/** The offset that a time was sent with: `+`, `03` and `00`. `+00:00` for UTC and for a time without a zone. */
function sentOffset(text: string) {
  const [, sign = '+', hours = '00', minutes = '00'] = offsetIn(text) ?? [];
  return { sign, hours, minutes };
}
