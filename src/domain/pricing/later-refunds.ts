/** The refund in each later window of the refund rules, until nothing can be cancelled any more. */

import { type Money, zero } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { utcText } from '../../core/times.ts';
import type { Booking } from '../booking/booking.ts';
import type { Assessment } from './apply-penalty-rules.ts';
import type { EstimateOptions } from './estimate-refund.ts';
import { segmentsLeft } from './fare-units.ts';
import { cutOf, paidShare } from './paid-share.ts';
import { type CancelledPart, type RefundAmount, refundAmount } from './refund-amount.ts';
import { windowsOf } from './rule-windows.ts';

export interface LaterRefund extends RefundAmount {
  /** UTC. */
  readonly from: string;
  /** UTC; absent for the last window. */
  readonly until?: string;
  readonly assessment: Assessment;
  /** Nothing can be cancelled any more by then: nothing comes back. */
  readonly closed?: true;
}

interface LaterRefunds {
  readonly windows: readonly LaterRefund[];
  /** There are later windows than these. */
  readonly more: boolean;
  /** From when nothing comes back any more, UTC; absent if that is not known. */
  readonly ends?: string;
}

/** Bounds the work for a booking with very many rules. */
const MOST_WINDOWS = 24;

export function laterRefunds(
  booking: Booking,
  given: CancelledPart,
  now: number,
  { paid }: EstimateOptions = {},
): LaterRefunds {
  const { later, ends } = windowsOf(booking, given, now);
  if (ends !== undefined && ends <= now) return { windows: [], more: false };
  const found: (Omit<LaterRefund, 'from'> & { readonly at: number })[] = [];
  for (const { at, assessment } of later) {
    if (found.length > MOST_WINDOWS) break;
    found.push({ at, assessment, ...refundAmount(booking, given, assessment, paid) });
  }
  if (ends !== undefined && found.length <= MOST_WINDOWS) found.push(closedAt(booking, given, ends, paid));
  const windows = found.map(({ at, ...window }, i) => {
    const next = found[i + 1]?.at;
    return omitUndefined({ from: utcText(at), until: next === undefined ? undefined : utcText(next), ...window });
  });
  return omitUndefined({
    windows: windows.slice(0, MOST_WINDOWS),
    more: windows.length > MOST_WINDOWS,
    ends: ends === undefined ? undefined : utcText(ends),
  });
}

/** What cancelling gives after the time limit: nothing. */
export function nothingBack(booking: Booking, given: CancelledPart, paid?: Money): RefundAmount {
  const penalty = paidShare(booking, cutOf(segmentsLeft(given.options), given.travelers), paid);
  const { currency } = penalty ?? paid ?? booking.pricing?.total?.total ?? {};
  return omitUndefined({ amount: currency === undefined ? undefined : zero(currency), penalty });
}

function closedAt(booking: Booking, given: CancelledPart, at: number, paid: Money | undefined) {
  return { at, assessment: { lines: [], gaps: [] }, closed: true as const, ...nothingBack(booking, given, paid) };
}
