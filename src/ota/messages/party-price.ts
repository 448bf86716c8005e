/**
 * The price of a party in the availability record (docs/wire/notes.md, Availability record): its own sums, else those of its passenger
 * types, with the taxes and fees of all of them.
 */
import { zero } from '../../core/money.ts';
import type { Price, PriceLine, TypePrice } from '../../domain/booking/fare.ts';
import { negative, readAmountIn, sumIn, type Wire } from './reader.ts';

/** Reads the sums that a fare or a profile of the record states. */
export function readRecordPrice(wire: Wire, currency: string, lines: readonly PriceLine[]): Price | undefined {
  const [statedBase, statedTax, statedTotal] = [wire.base, wire.tax, wire.total].map((sum) =>
    readAmountIn(sum, currency),
  );
  const taxes = statedTax ?? zero(currency);
  const total = statedTotal ?? (statedBase && sumIn([statedBase, taxes], currency));
  const base = statedBase ?? (total && sumIn([total, negative(taxes)], currency));
  if (base === undefined || total === undefined) return undefined;
  // The rest of the total is fees: the record has no field for them at this level.
  const rest = sumIn([total, negative(base), negative(taxes)], currency);
  const fees = rest !== undefined && rest.minor > 0 ? rest : zero(currency);
  return { base, taxes, fees, total, lines, baggage: [], remarks: [] };
}

/** The taxes and fees of all types, each with its sum. */
function partyLines(perType: readonly TypePrice[]): PriceLine[] {
  const lines = new Map<string, PriceLine>();
  for (const line of perType.flatMap((row) => row.price?.lines ?? [])) {
    const key = `${line.kind} ${line.code} ${line.vatHundredths ?? ''}`;
    const earlier = lines.get(key);
    const sum = earlier && sumIn([earlier.amount, line.amount], line.amount.currency);
    lines.set(key, earlier === undefined || sum === undefined ? line : { ...earlier, amount: sum });
  }
  return [...lines.values()];
}

/** The price of the party: the fare's own sums, else the sums of its profiles. */
export function partyPrice(fare: Wire, currency: string, perType: readonly TypePrice[]): Price | undefined {
  const lines = partyLines(perType);
  const statedPrice = readRecordPrice(fare, currency, lines);
  if (statedPrice !== undefined) return statedPrice;
  const prices = perType.flatMap((row) => row.price ?? []);
  if (prices.length === 0 || prices.length < perType.length) return undefined;
  const [base, taxes, fees, total] = (['base', 'taxes', 'fees', 'total'] as const).map((part) =>
    sumIn(
      prices.map((price) => price[part]),
      currency,
    ),
  );
  if (base === undefined || taxes === undefined || fees === undefined || total === undefined) return undefined;
  return { base, taxes, fees, total, lines, baggage: [], remarks: [] };
}
