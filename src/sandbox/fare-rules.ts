/** Refund and change rules of fares: the penalties by time, and until when a segment can be cancelled. */
import type { Money } from '../core/money.ts';
import { share, sum, toDecimal, zeroAmount } from './amounts.ts';
import { tariffMoney } from './fares.ts';
import type { Fare, Network } from './network.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './zone.ts';

/** A penalty for each passenger and segment, and when it is in force (docs/wire/notes.md, Money and rules). */
export interface Rule {
  readonly allowed: boolean;
  /** Without tax. */
  readonly base: Money;
  readonly tax: Money;
  readonly total: Money;
  /** The rate of `tax`, per cent. */
  readonly vat: number;
  /** ms epoch; in force from `from` until before `until`, which is `untilHours` before departure. */
  readonly from: number;
  readonly until: number;
  readonly untilHours: number;
  readonly texts: readonly { readonly locale: string; readonly value: string }[];
}

export type RuleKind = 'refund' | 'change';

/** The first rule is in force from so many days before departure: longer than a departure is on sale. */
const FIRST_RULE_DAYS = 331;

const KIND_NAMES: Readonly<Record<RuleKind, { readonly en: string; readonly ar: string }>> = {
  refund: { en: 'Refund', ar: 'الاسترداد' },
  change: { en: 'Change', ar: 'التغيير' },
};

/** Lists a fare's refund or change rules for a passenger type, without gaps until departure. */
export function fareRules(
  network: Network,
  kind: RuleKind,
  { fare, departsAt }: { readonly fare: Fare; readonly departsAt: number },
  type: string,
): Rule[] {
  const { currency, penaltyVatPercent: vat } = network;
  const rules: Rule[] = [];
  let from = departsAt - FIRST_RULE_DAYS * DAY_MS;

  for (const { allowed, amount = '0', untilHours } of fare[kind]) {
    const until = departsAt - untilHours * HOUR_MS;
    const base = type === 'INF' ? zeroAmount(currency) : tariffMoney(network, amount);
    const tax = share(base, Math.round(vat * 100));
    const total = sum(currency, [base, tax]);
    const texts = ruleTexts(kind, allowed, total);
    rules.push({ allowed, base, tax, total, vat, from, until, untilHours, texts });
    from = until;
  }

  return rules;
}

function ruleTexts(kind: RuleKind, allowed: boolean, fee: Money): Rule['texts'] {
  const { en, ar } = KIND_NAMES[kind];
  const amount = `${fee.currency} ${toDecimal(fee)}`;
  return [
    { locale: 'en', value: allowed ? `${en} for a fee of ${amount} per passenger and segment` : `${en} not permitted` },
    { locale: 'ar', value: allowed ? `${ar} مقابل رسوم ${amount} لكل راكب وقطاع` : `${ar} غير مسموح` },
  ];
}

/** Returns until when a segment can be cancelled or rebooked, ms epoch. */
export function cancelLimit(network: Network, departsAt: number): number {
  return departsAt - network.cancelCutoffMinutes * MINUTE_MS;
}
