/**
 * Whether anybody may be asked about an act now: not while sending is held or paused, above a limit of money, while the booking has
 * another operation, or while the airline takes no requests of the kind. The store checks again when the operation is entered.
 */

import { ClerkError, callAgain } from '../core/errors.ts';
import { MINUTE_MS } from '../core/times.ts';
import { SHORT_PAUSE_MS } from '../domain/airline-pauses.ts';
import { showClock } from '../domain/booking/deadlines.ts';
import { whyNotSend } from '../journal/context.ts';
import { assertNotBusy } from './busy-booking.ts';
import type { ActCall, Question } from './consent-call.ts';
import { assertWithinDay, assertWithinLimits } from './money-limits.ts';
import { type Terms, termsDeparture } from './terms.ts';

/** Makes all checks at once that can refuse an act. If several refuse, throws the first error in their order. */
export async function assertMayAsk(call: ActCall, terms: Terms): Promise<void> {
  const checks = await Promise.allSettled([
    assertMaySend(call),
    (async () => assertWithinLimits(call.settings.limits, terms.money))(),
    assertNotBusy(call, terms.locator),
    assertWithinDay(call, terms.money),
    assertNotPaused(call, termsDeparture(terms)),
  ]);
  for (const check of checks) if (check.status === 'rejected') throw check.reason;
}

/** Throws E_NOT_PERMITTED while sending is held or paused. */
export async function assertMaySend({ runtime }: Pick<Question, 'runtime'>): Promise<void> {
  const status = await runtime.state.chain?.status();
  const why = status && whyNotSend(status);
  if (why !== undefined) throw why;
}

/**
 * Checks before a person is asked. A short rest of a pause is over before they answer.
 * @param near station time of the booking
 * @throws ClerkError E_AIRLINE_BUSY into a longer one
 */
export async function assertNotPaused({ act, runtime }: ActCall, near: string | undefined): Promise<void> {
  const leftMs = await act.pausedMs();
  if (leftMs <= SHORT_PAUSE_MS) return;
  const retry = `after_s:${secondsOf(leftMs)}` as const;
  const what = `${airlinePauseWords(leftMs, near, runtime.clock.now())} Nobody was asked, and nothing was sent.`;
  throw new ClerkError('E_AIRLINE_BUSY', what, { next: callAgain(retry), retry });
}

/** Says until when the airline pauses: the first whole minute after it. @param near station time of the booking */
export function airlinePauseWords(waitMs: number, near: string | undefined, now: number): string {
  const end = Math.ceil((now + waitMs) / MINUTE_MS) * MINUTE_MS;
  return `The airline asked for a pause of requests of this kind until ${showClock(new Date(end).toISOString(), near)}.`;
}

/** Whole seconds to wait, as `retry` has them. */
export function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
