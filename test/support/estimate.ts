/** Estimates of refunds by the rules that a booking has. */
import type { Money } from '../../src/core/money.ts';
import { utcText } from '../../src/core/times.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { estimateRefund, laterRefunds } from '../../src/domain/refund/estimate-refund.ts';
import type { CancelledPart } from '../../src/domain/refund/refund-amount.ts';
import { ruleWindows } from '../../src/domain/refund/rules-in-force.ts';

export function estimateAt(booking: Booking, part: CancelledPart, now: number, paid?: Money) {
  return estimateRefund(booking, part, { now, windows: ruleWindows(booking, part, now), paid });
}

/** All later windows, and when cancelling ends, UTC. */
export function laterWindows(booking: Booking, part: CancelledPart, now: number) {
  const windows = ruleWindows(booking, part, now);
  const ends = windows.ends === undefined ? undefined : utcText(windows.ends);
  return { windows: [...laterRefunds(booking, part, windows)], ends };
}
