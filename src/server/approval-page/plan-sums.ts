/** What bookings of a plan pay and get back, in a few words: of each row, and of all in the bar (script.ts: of what is ticked). */

import { type Money, minorDigits, showMoney } from '../../core/money.ts';
import type { LineView, PlanSum } from '../../plans/plan.ts';
import { sumsOf } from '../../plans/plan-money.ts';

export interface RowSums {
  readonly pays: string;
  readonly back: string;
}

export function movesOf(sums: readonly PlanSum[]): RowSums {
  const pays = sums
    .filter(({ paid }) => paid.minor > 0)
    .map(({ paid, paidAtMost }) => `${paidAtMost ? 'at most ' : ''}${showMoney(paid)}`);
  const back = sums
    .map(({ comesBack: least, comesBackAtMost: most = least }) => ({ least, most }))
    .filter(({ most }) => most.minor > 0)
    .map(({ least, most }) => rangeText(least, most));
  return {
    pays: all(
      pays,
      sums.some(({ paidUnknown }) => paidUnknown),
    ),
    back: all(
      back,
      sums.some(({ atLeast }) => atLeast),
    ),
  };
}

function rangeText(least: Money, most: Money): string {
  return most.minor > least.minor ? `${showMoney(least)} to ${showMoney(most)}` : showMoney(least);
}

function all(known: readonly string[], unknown: boolean): string {
  return [...known, ...(unknown ? ['an unknown sum'] : [])].join(' and ') || 'nothing';
}

/** Of what is asked of a booking. */
export function askedSums({ steps }: LineView): readonly PlanSum[] {
  return sumsOf(steps.filter(({ state }) => state === 'asked'));
}

/** For the script, in minor units. */
export function sumsForScript(sums: readonly PlanSum[]): string {
  return JSON.stringify(
    sums.map(({ paid, paidAtMost, paidUnknown, comesBack, comesBackAtMost = comesBack, atLeast }) => ({
      currency: paid.currency,
      digits: minorDigits(paid.currency),
      paid: paid.minor,
      atMost: paidAtMost === true,
      payUnknown: paidUnknown === true,
      least: comesBack.minor,
      most: comesBackAtMost.minor,
      backUnknown: atLeast === true,
    })),
  );
}
