/**
 * Deadlines of a booking: to pay, to change names, to cancel. Which is next; and in which zone people read one: that of a departure of the
 * trip, else UTC, never the one of this machine or of the desk. The limit to pay as the airline sent it decides the state, so it is read
 * beside that: payBy in booking-state.ts.
 */

import { quoted } from '../../core/clean-text.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import {
  asUtc,
  clockTime,
  earliestTime,
  instantOf,
  MINUTE_MS,
  showDayInYear,
  stationClockTime,
  zoneOf,
} from '../../core/times.ts';
import type { Booking } from './booking.ts';
import { type BookingState, bookingState, payBy } from './booking-state.ts';
import type { LooseLimit, Pricing } from './fare.ts';
import { isPaid } from './paid-and-refunded.ts';

/** UTC, `2026-12-01T05:00:00Z`. */
export interface Deadlines {
  readonly payBy: string | undefined;
  readonly namesUntil: string | undefined;
  readonly cancelUntil: string | undefined;
}

export function fareDeadlines(pricing: Pricing | undefined): Deadlines {
  const fares = pricing?.fares ?? [];
  return {
    payBy: asUtc(earliestTime(fares.map((fare) => fare.payBy))),
    namesUntil: asUtc(earliestTime(fares.map((fare) => fare.namesUntil))),
    cancelUntil: asUtc(earliestTime(fares.map((fare) => fare.cancelUntil))),
  };
}

/** `payBy` is absent once the booking is paid. Many rules and views read the limits of one booking. */
export const bookingDeadlines = /* @__PURE__ */ memoizeByObject(
  (booking: Booking): Deadlines => ({
    ...fareDeadlines(booking.pricing),
    payBy: isPaid(booking) ? undefined : asUtc(payBy(booking)),
  }),
);

export const DEADLINE_NAMES = ['pay_by', 'names_until', 'cancel_until'] as const;
export type DeadlineName = (typeof DEADLINE_NAMES)[number];

/** The next limit ahead; undefined for a cancelled or expired booking. `now`: milliseconds since 1970. */
export function nextDeadline(
  deadlines: Deadlines,
  state: BookingState,
  now: number,
): { what: DeadlineName; at: string; inMinutes: number } | undefined {
  if (state === 'cancelled' || state === 'expired') return undefined;

  const limits: [DeadlineName, string | undefined][] = [
    ['pay_by', deadlines.payBy],
    ['names_until', deadlines.namesUntil],
    ['cancel_until', deadlines.cancelUntil],
  ];

  const limitsAhead = limits.flatMap(([what, at]) => {
    const ms = instantOf(at);
    return at !== undefined && ms !== undefined && ms > now ? [{ what, at, ms }] : [];
  });
  const first = limitsAhead.sort((a, b) => a.ms - b.ms)[0];
  return first && { what: first.what, at: first.at, inMinutes: Math.floor((first.ms - now) / MINUTE_MS) };
}

const LIMIT_WORDS: Readonly<Record<LooseLimit['what'], string>> = {
  pay_by: 'to pay',
  names_until: 'for names',
  cancel_until: 'to cancel',
  rule: 'of a fare rule',
};

/** Says of each limit that is no exact time what the airline sent. */
export function looseLimitTexts(limits: readonly LooseLimit[] = []): readonly string[] {
  return limits.map(({ what, sent }) => `The airline's limit ${LIMIT_WORDS[what]} is not exact: ${quoted(sent)}.`);
}

/** As {@link looseLimitTexts}, of the limits that still matter. `now`: milliseconds since 1970. */
export function looseLimitsOf(booking: Booking, now: number): readonly string[] {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled' || state === 'expired') return [];
  return looseLimitTexts(booking.looseLimits?.filter(({ what }) => what !== 'pay_by' || !isPaid(booking)));
}

/**
 * Writes a deadline in local time: `Mon 7 Dec 12:20 (UTC+3)`. The year is shown if it differs from that of `stationTime`.
 *
 * @param stationTime a departure, whose offset is used; UTC without one
 */
export function showDeadline(text: string, stationTime: string | undefined): string {
  const local = stationClockTime(text, stationTime);
  if (local === undefined) return '(no time)';
  return `${showDayInYear(local, stationTime ?? '')} ${clockTime(local)} (${zoneOf(stationTime ?? '') || 'UTC'})`;
}

/** As {@link showDeadline}, the clock time alone: `12:20 (UTC+3)`. */
export function showClock(text: string, stationTime: string | undefined): string {
  const local = stationClockTime(text, stationTime);
  return local === undefined ? '(no time)' : `${clockTime(local)} (${zoneOf(stationTime ?? '') || 'UTC'})`;
}
