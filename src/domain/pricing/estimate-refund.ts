/**
 * Estimates the refund of a cancellation from the penalty rules in force. An estimate is never reported as the refund
 * itself (docs/wire/notes.md, Money and rules).
 */
import type { Booking } from '../booking/booking.ts';
import { amountPaid } from '../booking/payment-state.ts';
import { showDeadline } from '../time-and-text/local-times.ts';
import { omitUndefined } from '../time-and-text/omit-undefined.ts';
import { instantOf, utcText } from '../time-and-text/times.ts';
import { type Assessment, assess, type PenaltyLine, type RuleGap } from './apply-penalty-rules.ts';
import { laterWords, refundWords } from './describe-refund.ts';
import { cancelLimit, ruleTexts, segmentsLeft, unitsOf } from './fare-units.ts';
import type { Money } from './money.ts';
import { type RulesInForce, rulesAt } from './penalty-rules.ts';
import { type CancelledPart, type RefundAmount, refundAmount } from './refund-amount.ts';
import { limitAhead, type RuleWindow, windowsAfter } from './rule-windows.ts';

export interface RefundEstimate extends RefundAmount {
  readonly lines: readonly PenaltyLine[];
  /** Parts to which no rule can be applied. */
  readonly gaps: readonly RuleGap[];
  /** The rule in words, or why there is no estimate. */
  readonly rule: string;
  /** The airline's text of the rule, as sent, if it sent no other rule. */
  readonly airlineWords: readonly string[];
  /** Until when the estimate is valid, UTC. */
  readonly until?: string;
  /** The next window, with its estimate. */
  readonly next?: RefundAmount & { readonly at: string; readonly rule: string };
  /** The time limit for cancelling has passed: there is no refund. */
  readonly tooLate?: true;
}

/** `now`: milliseconds since 1970. `paid` overrides what orders and tickets say, for a booking about to be paid. */
export function estimateRefund(booking: Booking, given: CancelledPart, now: number, paid?: Money): RefundEstimate {
  const limit = instantOf(cancelLimit(booking, given.options));
  if (limit !== undefined && limit <= now) return afterLimit(limit, given);
  const going = unitsOf(booking, given.options);
  const assessAt = (holding: RulesInForce) => assess(booking, going, holding, given.travelers);
  const today = assessAt(rulesAt(going.units, now));
  const refund = refundAmount(booking, given, today, paid);
  const change = nextChange(windowsAfter(going.units, given.travelers, { today, assessAt }, now));
  const { until, next } = withinLimit(change, today, limitAhead(limit, given));
  const then = next && refundAmount(booking, given, next.assessment, paid);
  return {
    ...today,
    rule: refundWords(today, given.travelers.length, refund),
    airlineWords: airlineWords(given, today.gaps),
    ...refund,
    ...(until !== undefined && { until: utcText(until) }),
    ...(next && then && { next: { at: utcText(next.at), rule: laterWords(next.assessment, then), ...then } }),
  };
}

function afterLimit(limit: number, { options }: CancelledPart): RefundEstimate {
  const near = segmentsLeft(options)[0]?.departs;
  const rule = `The time limit for cancelling passed on ${showDeadline(utcText(limit), near)}.`;
  return { lines: [], gaps: [], rule, airlineWords: [], tooLate: true };
}

/** Penalty rules apply only until the time limit for cancelling. */
function withinLimit({ until, next }: RuleChange, { lines }: Assessment, limit = Number.POSITIVE_INFINITY): RuleChange {
  const end = lines.length > 0 ? Math.min(until ?? Number.POSITIVE_INFINITY, limit) : until;
  return omitUndefined({
    until: end !== undefined && end <= limit && Number.isFinite(end) ? end : undefined,
    next: next !== undefined && next.at < limit ? next : undefined,
  });
}

function airlineWords({ options }: CancelledPart, gaps: readonly RuleGap[]): readonly string[] {
  const refs = new Set(gaps.filter(({ why }) => why === 'in_words').flatMap(({ segmentRefs }) => segmentRefs));
  return ruleTexts(segmentsLeft(options).filter(({ ref }) => refs.has(ref)));
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
    if (window.assessment.lines.length > 0) return { until, next: window };
  }
  return omitUndefined({ until });
}

/** The amount that limits count: the estimate, else the most that can be refunded, else all that was paid. */
export function refundAtStake(booking: Booking, estimate: RefundEstimate): Money | undefined {
  return estimate.amount ?? estimate.bounds?.atMost ?? amountPaid(booking) ?? booking.pricing?.total?.total;
}
