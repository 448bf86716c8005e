/**
 * Whether anybody may be asked about an act now: not while sending is held or paused, above a limit of money, while the booking has
 * another operation, or while the airline takes no requests of the kind. The store checks again when the operation is entered.
 */

import { whyNotSend } from '../journal/context.ts';
import { assertNotPaused } from './airline-pause.ts';
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
