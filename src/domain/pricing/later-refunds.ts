/** The refund in each later window of the penalty rules, until nothing can be cancelled any more. */
import type { Booking } from '../booking/booking.ts';
import { omitUndefined } from '../time-and-text/omit-undefined.ts';
import { instantOf, utcText } from '../time-and-text/times.ts';
import { type Assessment, assess } from './apply-penalty-rules.ts';
import { cancelLimit, segmentsLeft, unitsOf } from './fare-units.ts';
import { type Money, zero } from './money.ts';
import { cutOf, paidShare } from './paid-share.ts';
import { type RulesInForce, rulesAt } from './penalty-rules.ts';
import { type CancelledPart, type RefundAmount, refundAmount } from './refund-amount.ts';
import { limitAhead, windowsAfter } from './rule-windows.ts';

export interface LaterRefund extends RefundAmount {
  /** UTC. */
  readonly from: string;
  /** UTC; absent for the last window. */
  readonly until?: string;
  readonly assessment: Assessment;
  /** The time limit for cancelling has passed by then: nothing comes back. */
  readonly closed?: true;
}

/** Bounds the work for a booking with very many rules. */
export const MOST_WINDOWS = 24;

/** `more`: there are later windows than these. `paid` overrides what orders and tickets say. */
export function laterRefunds(
  booking: Booking,
  given: CancelledPart,
  now: number,
  paid?: Money,
): { readonly windows: readonly LaterRefund[]; readonly more: boolean } {
  const limit = instantOf(cancelLimit(booking, given.options));
  if (limit !== undefined && limit <= now) return { windows: [], more: false };
  const going = unitsOf(booking, given.options);
  const assessAt = (holding: RulesInForce) => assess(booking, going, holding, given.travelers);
  const today = assessAt(rulesAt(going.units, now));
  const end = limitAhead(limit, given);
  const found: (Omit<LaterRefund, 'from'> & { readonly at: number })[] = [];
  for (const { at, assessment } of windowsAfter(going.units, given.travelers, { today, assessAt }, now)) {
    if (at >= (end ?? Number.POSITIVE_INFINITY) || found.length > MOST_WINDOWS) break;
    found.push({ at, assessment, ...refundAmount(booking, given, assessment, paid) });
  }
  if (end !== undefined && found.length <= MOST_WINDOWS) found.push(closedAt(booking, given, end, paid));
  const windows = found.map(({ at, ...window }, i) => {
    const next = found[i + 1]?.at;
    return omitUndefined({ from: utcText(at), until: next === undefined ? undefined : utcText(next), ...window });
  });
  return { windows: windows.slice(0, MOST_WINDOWS), more: windows.length > MOST_WINDOWS };
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
