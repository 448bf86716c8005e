/** Says what a rule keeps of a refund, or asks for a change: everywhere in the same words. */
import { type Money, showMoney } from '../../core/money.ts';
import { type FareRule, isPenalty, ruleWords } from '../booking/fare.ts';
import { keptBy } from './penalty-rules.ts';

/** What a rule says, as far as it is known. */
export interface RuleFigures {
  readonly kind: 'refund' | 'change';
  /** Money may come back, or the change is permitted. */
  readonly refundable?: boolean | undefined;
  /** Of one passenger for one fare, tax included. */
  readonly fee?: Money | undefined;
  readonly hasTax?: boolean;
  /** The airline sent words with the rule, which can state a condition: then nothing is called free. */
  readonly hasWords: boolean;
}

export function ruleFigures(kind: RuleFigures['kind'], rule: FareRule): RuleFigures {
  const hasWords = ruleWords(rule) !== undefined;
  if (!isPenalty(rule)) return { kind, refundable: rule.refundable, hasWords };
  const kept = keptBy(rule);
  // Impossible figures do not prove that money comes back.
  const refundable = kept === undefined && rule.refundable ? undefined : rule.refundable;
  return { kind, refundable, fee: kept?.total, hasTax: (kept?.tax.minor ?? 0) > 0, hasWords };
}

/** `a fee of SAR 46.00`, `no refund`; undefined if the rule is not clear. @param per ` per person`. With it, the words name the tax too */
export function feeInWords({ kind, refundable, fee, hasTax, hasWords }: RuleFigures, per?: string): string | undefined {
  if (refundable === false) return kind === 'refund' ? 'no refund' : 'no change permitted';
  if (fee === undefined) return refundable ? 'possible, no amount stated' : undefined;
  if (fee.minor === 0) return hasWords ? 'no fee' : `free ${kind === 'refund' ? 'cancellation' : 'change'}`;
  const tax = per !== undefined && hasTax ? ', tax included' : '';
  return `a fee of ${showMoney(fee)}${per ?? ''}${tax}`;
}
