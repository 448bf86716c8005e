/**
 * Flight times as people read them: the airport's own time where it was sent, UTC marked with Z.
 */
import { dateOf } from '../../domain/times.ts';

function clock(text: string): string {
  return text.slice(11, 16) + (/z$/i.test(text) ? 'Z' : '');
}

/** `2026-12-01 08:00`. */
export function showTime(text: string): string {
  return `${dateOf(text)} ${clock(text)}`;
}

/** `2026-12-01 08:00-10:10`; another day of arrival as `+1`. */
export function showSpan(departs: string, arrives: string): string {
  const days = Math.round((Date.parse(dateOf(arrives)) - Date.parse(dateOf(departs))) / 86_400_000);
  const later = Number.isNaN(days) || days === 0 ? '' : `${days > 0 ? '+' : ''}${days}`;
  return `${showTime(departs)}-${clock(arrives)}${later}`;
}
