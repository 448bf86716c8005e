/** Totals per passenger type. An airline may repeat a type for each segment or each passenger. */

import { type Money, sumMoney } from '../../core/money.ts';
import type { TypePrice } from './fare.ts';

interface TypeTotal {
  readonly type: string;
  readonly count: number;
  readonly total: Money;
}

/**
 * One total per type, in the order of the rows; none for a type with an unpriced row or two currencies. `party`: the
 * number of passengers per type, if known.
 */
export function totalsByType(
  rows: readonly TypePrice[],
  party: Readonly<Record<string, number>> = {},
): readonly TypeTotal[] {
  return [...Map.groupBy(rows, ({ type }) => type)].flatMap(([type, ofType]) => {
    const totals = ofType.flatMap(({ price }) => price?.total ?? []);
    const total = totals.length === ofType.length ? sumMoney(totals) : undefined;
    if (total === undefined) return [];
    const count = (Object.hasOwn(party, type) && party[type]) || countPassengers(ofType);
    return [{ type, count, total }];
  });
}

/** Number of passengers of one type. Rows that name neither passengers nor segments are for the same passengers. */
function countPassengers(rows: readonly TypePrice[]): number {
  const most = Math.max(...rows.map(({ count }) => count));
  if (rows.length === 1) return most;
  const named = new Set(rows.flatMap(({ travelerRefs }) => travelerRefs));
  if (named.size > 0 && rows.every(({ travelerRefs }) => travelerRefs.length > 0)) return named.size;
  const everywhere = rows.every(
    ({ segmentRefs }) => segmentRefs.length > 0 && sameSet(segmentRefs, rows[0]?.segmentRefs),
  );
  return everywhere ? rows.reduce((sum, { count }) => sum + count, 0) : most;
}

function sameSet(a: readonly string[], b: readonly string[] = []): boolean {
  return new Set([...a, ...b]).size === new Set(a).size && new Set(a).size === new Set(b).size;
}
