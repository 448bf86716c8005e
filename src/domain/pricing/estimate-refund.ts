/**
 * Estimates the refund of a cancellation from the penalty rules in force. An estimate is never reported as the refund
 * itself (docs/wire/notes.md, Money and rules).
 */

import { showDeadline } from '../../core/local-times.ts';
import type { Money } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { instantOf, utcText } from '../../core/times.ts';
import type { Booking } from '../booking/booking.ts';
import { amountPaid } from '../booking/paid-and-refunded.ts';
import type { PenaltyLine, RuleGap } from './apply-penalty-rules.ts';
import { laterWords, refundWords } from './describe-refund.ts';
import { cancelLimit, segmentsLeft } from './fare-units.ts';
import { type CancelledPart, type RefundAmount, refundAmount } from './refund-amount.ts';
import { type RuleWindow, windowsOf } from './rule-windows.ts';

export interface RefundEstimate extends RefundAmount {
  readonly lines: readonly PenaltyLine[];
  /** Parts to which no rule can be applied. */
  readonly gaps: readonly RuleGap[];
  /** The rule in words, or why there is no estimate. */
  readonly rule: string;
  /** Until when the estimate is valid, UTC. */
  readonly until?: string;
  /** The next window with a rule, with its estimate. */
  readonly next?: RefundAmount & { readonly at: string; readonly rule: string };
  /** Cancelling has ended: there is no refund. */
  readonly tooLate?: true;
  /** No time limit of the airline has passed: that cancelling has ended is an estimate too. */
  readonly departed?: true;
}

export interface EstimateOptions {
  /** Overrides what orders and tickets say, for a booking about to be paid. */
  readonly paid?: Money | undefined;
  /** Language of the airline's words. Default `en`. */
}

/** `now`: milliseconds since 1970. */
export function estimateRefund(
  booking: Booking,
  given: CancelledPart,
  now: number,
  { paid }: EstimateOptions = {},
): RefundEstimate {
  const { today, later, ends } = windowsOf(booking, given, now);
  if (ends !== undefined && ends <= now) return afterEnd(booking, given, now);
  const refund = refundAmount(booking, given, today, paid);
  const { until = today.lines.length > 0 ? ends : undefined, next } = nextChange(later);
  const then = next && refundAmount(booking, given, next.assessment, paid);
  return {
    ...today,
    rule: refundWords(today, given.travelers.length, refund),
    ...refund,
    ...(until !== undefined && { until: utcText(until) }),
    ...(next && then && { next: { at: utcText(next.at), rule: laterWords(next.assessment, then), ...then } }),
  };
}

function afterEnd(booking: Booking, { options }: CancelledPart, now: number): RefundEstimate {
  const limit = instantOf(cancelLimit(booking, options));
  const late = { lines: [], gaps: [], tooLate: true } as const;
  if (limit === undefined || limit > now) {
    return { ...late, rule: 'Everything has departed, and the last refund rule is over.', departed: true };
  }
  const passed = showDeadline(utcText(limit), segmentsLeft(options)[0]?.departs);
  return { ...late, rule: `The time limit for cancelling passed on ${passed}.` };
}

interface RuleChange {
  /** When the rules in force end, milliseconds since 1970. */
  readonly until?: number;
  /** When other rules begin: later, if there is a gap without rules. */
  readonly next?: RuleWindow;
}

function nextChange(windows: Iterable<RuleWindow>): RuleChange {
  let until: number | undefined;
  for (const window of windows) {
    until ??= window.at;
    const { lines, gaps } = window.assessment;
    if (lines.length > 0 || gaps.some(({ words }) => words)) return { until, next: window };
  }
  return omitUndefined({ until });
}

/** The amount that limits count: the estimate, else the most that can be refunded, else all that was paid. */
export function refundAtStake(booking: Booking, estimate: RefundEstimate): Money | undefined {
  return estimate.amount ?? estimate.bounds?.atMost ?? amountPaid(booking) ?? booking.pricing?.total?.total;
}
