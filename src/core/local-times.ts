/**
 * Times as people read them: weekday, day and clock time of the station, with its zone: `Wed 9 Dec 18:40 (UTC+3)`. Structured
 * results keep RFC 3339.
 */
import { dateOf, instantOf, utcText } from './times.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const OFFSET = /[T ].*?([+-])(\d{2}):?(\d{2})$/;

/** `Wed 9 Dec` of a date or time as written. `(no date)` for other text. */
export function showDay(text: string): string {
  const date = new Date(`${dateOf(text)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return '(no date)';
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** With its year, if that is not the year of `near`. */
function showDayNear(text: string, near: string): string {
  const year = text.slice(0, 4);
  return near.startsWith(year) ? showDay(text) : `${showDay(text)} ${year}`;
}

/** `UTC+3`, `UTC+5:30` or `UTC`, of a time as sent; empty if it was sent without a zone. */
export function zoneOf(text: string): string {
  const [, sign, hours = '0', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (sign === undefined) return /z$/i.test(text) ? 'UTC' : '';
  if (Number(hours) + Number(minutes) === 0) return 'UTC';
  return `UTC${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

const inBrackets = (zone: string): string => (zone === '' ? '' : ` (${zone})`);

/** A departure or arrival by its own offset: `Wed 9 Dec 18:40 (UTC+3)`. `(no time)` for other text. */
export function showLocal(text: string): string {
  return TIME.test(text) ? `${showDay(text)} ${text.slice(11, 16)}${inBrackets(zoneOf(text))}` : '(no time)';
}

/** A departure and its arrival in parts. `zone` begins with a space, if there is one to say. */
interface TripTimes {
  readonly day: string;
  /** `18:40`; with its zone, if the arrival has another. */
  readonly left: string;
  /** `20:45`, `01:10 Thu 10 Dec`; `?` if it is not known. */
  readonly there: string;
  readonly zone: string;
}

/**
 * Departure and arrival: `Wed 9 Dec 18:40-20:45 (UTC+3)`, `23:50-01:10 Thu 10 Dec` for another day, both zones if they
 * differ. `bare`: without the zone, where a heading names it. `near`: a time whose year goes without saying.
 */
export function showTrip(departs: string, arrives: string, bare = false, near = departs): string {
  const times = tripTimes(departs, arrives, bare, near);
  if (times !== undefined) return `${times.day} ${times.left}-${times.there}${times.zone}`;
  if (!TIME.test(arrives)) return '(no time)';
  return `arrives ${showDayNear(arrives, arrives)} ${arrives.slice(11, 16)}${bare ? '' : inBrackets(zoneOf(arrives))}`;
}

/** The same in parts, for a timetable. Undefined if the departure is not known. */
export function tripTimes(departs: string, arrives: string, bare = false, near = departs): TripTimes | undefined {
  if (!TIME.test(departs)) return undefined;
  const [left, there] = [zoneOf(departs), zoneOf(arrives)];
  const apart = TIME.test(arrives) && left !== there;
  const sameDay = dateOf(departs) === dateOf(arrives);
  const clock = TIME.test(arrives) ? arrives.slice(11, 16) : '?';
  const arrival = sameDay || clock === '?' ? clock : `${clock} ${showDayNear(arrives, departs)}`;
  const leftZone = apart ? inBrackets(left) : '';
  const zone = bare && !apart ? '' : inBrackets(apart ? there : left);
  return { day: showDayNear(departs, near), left: `${departs.slice(11, 16)}${leftZone}`, there: arrival, zone };
}

/**
 * A deadline in the local time of `near`, a departure there: `Mon 7 Dec 12:20 (UTC+3)`; else in UTC. The year is shown if
 * it differs from that of `near`.
 */
export function showDeadline(text: string, near: string | undefined): string {
  const local = localOf(text, near);
  if (local === undefined) return '(no time)';
  return `${showDayNear(local, near ?? '')} ${local.slice(11, 16)} (${zoneOf(near ?? '') || 'UTC'})`;
}

/** The clock time alone, in the local time of `near`; else in UTC: `12:20 (UTC+3)`. */
export function showClock(text: string, near: string | undefined): string {
  const local = localOf(text, near);
  return local === undefined ? '(no time)' : `${local.slice(11, 16)} (${zoneOf(near ?? '') || 'UTC'})`;
}

/**
 * The time as fields have it: to the minute, by the clock of `near`, a departure there, or by its own. `2026-12-07T12:20+03:00`; in
 * UTC if `near` has no offset. A text that is no instant keeps what it has.
 */
export function localMinute(text: string, near: string | undefined = text): string {
  const local = localOf(text, near);
  if (local === undefined) return TIME.test(text) ? text.slice(0, 16) : text;
  const [, sign = '+', hours = '00', minutes = '00'] = OFFSET.exec(near) ?? [];
  const isUtc = hours === '00' && minutes === '00';
  return `${local.slice(0, 16)}${isUtc ? 'Z' : `${sign}${hours}:${minutes}`}`;
}

/** The time by the clock of `near`. */
function localOf(text: string, near: string | undefined): string | undefined {
  const ms = instantOf(text);
  if (ms === undefined) return undefined;
  const [, sign, hours = '0', minutes = '0'] = OFFSET.exec(near ?? '') ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return utcText(ms + offset * 60_000);
}
