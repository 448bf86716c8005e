/** Refund and change rules of a fare: what the airline keeps, when, and until when a segment can be cancelled. */
import type { Money } from '../core/money.ts';
import { decimal, nothing, share, sum } from './amounts.ts';
import { tariffMoney } from './fares.ts';
import type { Fare, Network } from './network/network.ts';
import { DAY, HOUR, MINUTE } from './zone.ts';

/** What the airline keeps, per passenger and segment (docs/wire/notes.md, Money and rules). */
export interface Rule {
  readonly allowed: boolean;
  /** Without tax. */
  readonly base: Money;
  readonly tax: Money;
  readonly total: Money;
  /** Per cent that `tax` was computed with. */
  readonly vat: number;
  /** ms epoch; in force from `from` until before `until`. */
  readonly from: number;
  readonly until: number;
  readonly texts: readonly { readonly locale: string; readonly value: string }[];
}

export type RuleKind = 'refund' | 'change';

/** The time windows of a fare's refund or change rule for one passenger type, without gaps until departure. */
export function fareRules(network: Network, kind: RuleKind, fare: Fare, departsAt: number, type: string): Rule[] {
  const { currency, penaltyVatPercent: vat } = network;
  let from = departsAt - 331 * DAY;
  return fare[kind].map(({ allowed, amount, untilHours }) => {
    const until = departsAt - untilHours * HOUR;
    const base = type === 'INF' ? nothing(currency) : tariffMoney(network, amount);
    const tax = share(base, Math.round(vat * 100));
    const total = sum(currency, [base, tax]);
    const rule = { allowed, base, tax, total, vat, from, until, texts: ruleTexts(kind, allowed, total) };
    from = until;
    return rule;
  });
}

const KIND_NAMES: Readonly<Record<RuleKind, { readonly en: string; readonly ar: string }>> = {
  refund: { en: 'Refund', ar: 'الاسترداد' },
  change: { en: 'Change', ar: 'التغيير' },
};

function ruleTexts(kind: RuleKind, allowed: boolean, fee: Money): Rule['texts'] {
  const { en, ar } = KIND_NAMES[kind];
  const amount = `${fee.currency} ${decimal(fee)}`;
  return [
    { locale: 'en', value: allowed ? `${en} for a fee of ${amount} per passenger and segment` : `${en} not permitted` },
    { locale: 'ar', value: allowed ? `${ar} مقابل رسوم ${amount} لكل راكب وقطاع` : `${ar} غير مسموح` },
  ];
}

/** The limit for cancelling a segment, ms epoch. */
export function cancelLimit(network: Network, departsAt: number): number {
  return departsAt - network.cancelCutoffMinutes * MINUTE;
}
