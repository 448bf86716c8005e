/**
 * Flight times as people read them: the airport's own time where it was sent, UTC marked with Z.
 */
import { dateOf } from '../../domain/times.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

function clock(text: string): string {
  if (!TIME.test(text)) return '?';
  return text.slice(11, 16) + (/z$/i.test(text) ? 'Z' : '');
}

/** `2026-12-01 08:00`. A text that is no time is not repeated. */
export function showTime(text: string): string {
  return TIME.test(text) ? `${dateOf(text)} ${clock(text)}` : '(no time)';
}

/** `2026-12-01 08:00-10:10`; another day of arrival as `+1`. */
export function showSpan(departs: string, arrives: string): string {
  const days = Math.round((Date.parse(dateOf(arrives)) - Date.parse(dateOf(departs))) / 86_400_000);
  const later = Number.isNaN(days) || days === 0 ? '' : `${days > 0 ? '+' : ''}${days}`;
  return `${showTime(departs)}-${clock(arrives)}${later}`;
}
