/** Windows of penalty rules: the later moments from which other rules apply to what is cancelled. */
import type { Traveler } from '../people/traveler.ts';
import { earliest, instantOf } from '../time-and-text/times.ts';
import type { Assessment } from './apply-penalty-rules.ts';
import { rulesText } from './describe-refund.ts';
import { type FareUnit, segmentsLeft } from './fare-units.ts';
import { type RulesInForce, ruleChanges } from './penalty-rules.ts';
import type { CancelledPart } from './refund-amount.ts';

export interface RuleWindow {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly assessment: Assessment;
}

interface Assessed {
  readonly today: Assessment;
  readonly assessAt: (holding: RulesInForce) => Assessment;
}

/** Yields each later window for these travellers. Ignores rules for others, and rules that say the same as before. */
export function* windowsAfter(
  units: readonly FareUnit[],
  travelers: readonly Traveler[],
  { today, assessAt }: Assessed,
  now: number,
): Generator<RuleWindow> {
  const types = new Set(travelers.map(({ type }) => type));
  let words = rulesText(today);
  for (const { at, holding } of ruleChanges(units, types, now)) {
    const assessment = assessAt(holding);
    const then = rulesText(assessment);
    if (then === words) continue;
    words = then;
    yield { at, assessment };
  }
}

/** Ignores a time limit after the departure: it can be a year after the sale (docs/wire/notes.md, Limits). */
export function limitAhead(limit: number | undefined, { options }: CancelledPart): number | undefined {
  const departs = instantOf(earliest(segmentsLeft(options).map((segment) => segment.departs)));
  return limit !== undefined && departs !== undefined && departs <= limit ? undefined : limit;
}
