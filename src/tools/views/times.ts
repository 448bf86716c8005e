/** Times for people: the airport's local time if the airline sent it, or else marked as UTC. */
import { dateOf } from '../../domain/time-and-text/times.ts';

export { showDeadline } from '../../domain/time-and-text/local-times.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

function clock(text: string): string {
  return TIME.test(text) ? text.slice(11, 16) : '?';
}

function zone(text: string): string {
  return TIME.test(text) && /z$/i.test(text) ? ' UTC' : '';
}

/** `2026-12-01 08:00` or `2026-12-01 05:00 UTC`. Never repeats other text. */
export function showTime(text: string): string {
  return TIME.test(text) ? `${dateOf(text)} ${clock(text)}${zone(text)}` : '(no time)';
}

/**
 * `2026-12-01 08:00-10:10`, `2026-12-01 05:00-07:10 UTC`; `+1` for arrival on the next day. Eastward across the date line:
 * `23:55-09:25 same day`.
 */
export function showSpan(departs: string, arrives: string): string {
  const days = Math.round((Date.parse(dateOf(arrives)) - Date.parse(dateOf(departs))) / 86_400_000);
  const own = zone(departs) === zone(arrives) ? '' : zone(departs);
  const back = days === 0 && own === '' && zone(arrives) === '' && clock(arrives) < clock(departs);
  const later = Number.isNaN(days) || days === 0 ? (back ? ' same day' : '') : `${days > 0 ? '+' : ''}${days}`;
  const left = TIME.test(departs) ? `${dateOf(departs)} ${clock(departs)}${own}` : showTime(departs);
  return `${left}-${clock(arrives)}${later}${zone(arrives)}`;
}
