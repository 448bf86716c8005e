/** Times as people read them: local to the airport where the airline sent that, else UTC and marked so. */
import { dateOf, instantOf } from '../../domain/time-and-text/times.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

function clock(text: string): string {
  return TIME.test(text) ? text.slice(11, 16) : '?';
}

function zone(text: string): string {
  return TIME.test(text) && /z$/i.test(text) ? ' UTC' : '';
}

/** `2026-12-01 08:00`, `2026-12-01 05:00 UTC`. Other text is not repeated. */
export function showTime(text: string): string {
  return TIME.test(text) ? `${dateOf(text)} ${clock(text)}${zone(text)}` : '(no time)';
}

/**
 * `2026-12-01 08:00-10:10`, `2026-12-01 05:00-07:10 UTC`; another day of arrival as `+1`. An arrival on the same date at
 * an earlier hour, east over the date line, is marked: `23:55-09:25 same day`.
 */
export function showSpan(departs: string, arrives: string): string {
  const days = Math.round((Date.parse(dateOf(arrives)) - Date.parse(dateOf(departs))) / 86_400_000);
  const own = zone(departs) === zone(arrives) ? '' : zone(departs);
  const back = days === 0 && own === '' && zone(arrives) === '' && clock(arrives) < clock(departs);
  const later = Number.isNaN(days) || days === 0 ? (back ? ' same day' : '') : `${days > 0 ? '+' : ''}${days}`;
  const left = TIME.test(departs) ? `${dateOf(departs)} ${clock(departs)}${own}` : showTime(departs);
  return `${left}-${clock(arrives)}${later}${zone(arrives)}`;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const OFFSET = /[T ].*?([+-])(\d{2}):?(\d{2})$/;

/**
 * A deadline in the local time of a station: `Mon 7 Dec, 12:20 (UTC+3)`, else `Mon 7 Dec, 09:20 UTC`. `near`, a departure
 * there, supplies the offset; another year than its own is added.
 */
export function showDeadline(text: string, near: string | undefined): string {
  const ms = instantOf(text);
  if (ms === undefined) return '(no time)';
  const [, sign, hours = '0', minutes = '0'] = OFFSET.exec(near ?? '') ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const local = new Date(ms + offset * 60_000);
  const year = local.getUTCFullYear();
  const named = near?.startsWith(String(year)) ? '' : ` ${year}`;
  const half = minutes === '00' || sign === undefined ? '' : `:${minutes}`;
  const zone = sign === undefined || offset === 0 ? ' UTC' : ` (UTC${sign}${Number(hours)}${half})`;
  const day = `${DAYS[local.getUTCDay()]} ${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]}${named}`;
  return `${day}, ${local.toISOString().slice(11, 16)}${zone}`;
}
