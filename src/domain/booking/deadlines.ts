/** Time limits of a booking or an offer: the earliest of all its fares. */

import { rememberedFor } from '../../core/remembered.ts';
import { asUtc, earliest, instantOf } from '../../core/times.ts';
import type { Pricing } from '../pricing/fare.ts';
import type { Booking } from './booking.ts';
import { type BookingState, payBy } from './booking-state.ts';
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
    payBy: asUtc(earliest(fares.map((fare) => fare.payBy))),
    namesUntil: asUtc(earliest(fares.map((fare) => fare.namesUntil))),
    cancelUntil: asUtc(earliest(fares.map((fare) => fare.cancelUntil))),
  };
}

/** `payBy` is absent once the booking is paid. Many rules and views read the limits of one booking. */
export const bookingDeadlines = /* @__PURE__ */ rememberedFor(
  (booking: Booking): Deadlines => ({
    ...fareDeadlines(booking.pricing),
    payBy: isPaid(booking) ? undefined : asUtc(payBy(booking)),
  }),
);

export type DeadlineName = 'pay_by' | 'names_until' | 'cancel_until';

/** The next limit ahead; undefined for a cancelled or expired booking. `now`: milliseconds since 1970. */
export function nextDeadline(
  deadlines: Deadlines,
  state: BookingState,
  now: number,
): { what: DeadlineName; at: string; inMinutes: number } | undefined {
  if (state === 'cancelled' || state === 'expired') return undefined;
  const named: [DeadlineName, string | undefined][] = [
    ['pay_by', deadlines.payBy],
    ['names_until', deadlines.namesUntil],
    ['cancel_until', deadlines.cancelUntil],
  ];
  const ahead = named.flatMap(([what, at]) => {
    const ms = instantOf(at);
    return at !== undefined && ms !== undefined && ms > now ? [{ what, at, ms }] : [];
  });
  const first = ahead.sort((a, b) => a.ms - b.ms)[0];
  return first && { what: first.what, at: first.at, inMinutes: Math.floor((first.ms - now) / 60_000) };
}

export function hasPassed(limit: string | undefined, now: number): boolean {
  const ms = instantOf(limit);
  return ms !== undefined && ms <= now;
}
