/**
 * Windows of refund rules: what applies now, and each later moment from which other rules apply, until cancelling
 * ends.
 */

import { instantOf, latestInstant } from '../../core/times.ts';
import type { Booking } from '../booking/booking.ts';
import { conditionsIn, rulesText } from './describe-refund.ts';
import { cancelLimit, fareUnits, uncancelledSegments } from './fare-units.ts';
import { type Assessment, assess, type RulesInForce, ruleChanges, rulesAt, rulesEnd } from './penalty-rules.ts';
import type { CancelledPart } from './refund-amount.ts';

export interface RuleWindow {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly assessment: Assessment;
}

export interface Windows {
  readonly today: Assessment;
  /** In order; each begins before `ends`, and says something else than the one before. */
  readonly later: Iterable<RuleWindow>;
  /** From when nothing comes back any more, milliseconds since 1970; undefined if that is not known. */
  readonly ends: number | undefined;
}

export function ruleWindows(booking: Booking, given: CancelledPart, now: number): Windows {
  const { options, travelers } = given;
  const going = fareUnits(booking, options);
  const assessAt = (holding: RulesInForce) => assess(booking, going, holding, travelers);
  const today = assessAt(rulesAt(going.units, now));
  const ends = cancellingEnds(booking, given);
  const types = new Set(travelers.map(({ type }) => type));
  const turns = () => ruleChanges(going.units, types, now);
  return { today, ends, later: { [Symbol.iterator]: () => windowsUntil(ends, today, turns(), assessAt) } };
}

function* windowsUntil(
  ends = Number.POSITIVE_INFINITY,
  today: Assessment,
  turns: ReturnType<typeof ruleChanges>,
  assessAt: (holding: RulesInForce) => Assessment,
): Generator<RuleWindow> {
  let words = inFull(today);
  for (const { at, holding } of turns) {
    if (at >= ends) return;
    const assessment = assessAt(holding);
    const then = inFull(assessment);
    if (then === words) continue;
    words = then;
    yield { at, assessment };
  }
}

/** Equal words mean equal rules. */
const inFull = (assessment: Assessment) => [rulesText(assessment), ...conditionsIn(assessment)].join('\n');

/**
 * The time limit for cancelling, which can be a year after the sale (docs/wire/notes.md, Limits). Where rules were
 * sent for every part, cancelling ends before it: once everything has departed and the last rule is over.
 */
export function cancellingEnds(booking: Booking, { options, travelers }: CancelledPart): number | undefined {
  // What the airline cancelled itself it refunds later too, and nobody knows until when.
  if (isOwed({ options })) return undefined;
  const limit = instantOf(cancelLimit(booking, options));
  const over = everythingOver(booking, { options, travelers });
  return over === undefined ? limit : Math.min(limit ?? over, over);
}

/** What the airline cancelled itself, of these options. */
export function isOwed({ options }: Pick<CancelledPart, 'options'>): boolean {
  return uncancelledSegments(options).some(({ owed }) => owed !== undefined);
}

/** Undefined if a part has no rule, or its rules or departure have no known end. */
function everythingOver(booking: Booking, { options, travelers }: CancelledPart): number | undefined {
  const { units, uncovered } = fareUnits(booking, options);
  const segments = uncancelledSegments(options);
  if (uncovered.length > 0) return undefined;
  const departs = Math.max(...segments.map(({ departs: at }) => latestInstant(at) ?? Number.NaN));
  const types = [...new Set(travelers.map(({ type }) => type))];
  const ends = units.flatMap(({ refundRules }) => types.map((type) => rulesEnd(refundRules, type, departs)));
  const over = Math.max(departs, ...ends);
  return Number.isFinite(over) ? over : undefined;
}
