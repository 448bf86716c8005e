/** Adds the fares of single passengers on single components to the totals of a party. */
import type { Money } from '../core/money.ts';
import { sum, times } from './amounts.ts';
import { FARE_TYPES, type FareTable, type Line } from './fares.ts';
import type { Fare, Network } from './network/network.ts';
import type { Departure } from './timetable.ts';

export type TypeCounts = Readonly<Record<string, number>>;

/** A component of a priced trip. */
export interface PricedPart {
  readonly ref: string;
  readonly fare: Fare;
  readonly departure: Departure;
  readonly prices: FareTable;
  readonly cancelled: boolean;
  /** Status that a mishap set; absent: confirmed. */
  readonly status?: string;
}

/** Cancelled by the booking's owner or by the airline. */
export function isOff({ cancelled, departure }: PricedPart): boolean {
  return cancelled || departure.cancelled;
}

export interface PricedOption {
  readonly ref: string;
  readonly parts: readonly PricedPart[];
}

/** A trip with the passengers it is priced for. */
export interface PricedTrip {
  readonly options: readonly PricedOption[];
  readonly counts: TypeCounts;
}

export function partsIn(trip: { readonly options: readonly PricedOption[] }): readonly PricedPart[] {
  return trip.options.flatMap((option) => option.parts);
}

export interface Price {
  readonly base: Money;
  readonly taxes: Money;
  readonly fees: Money;
  readonly total: Money;
  readonly lines: readonly Line[];
  readonly baggage: readonly string[];
}

/** The price of `counts` passengers on all components. */
export function priceOf(network: Network, parts: readonly PricedPart[], counts: TypeCounts): Price {
  const { currency } = network;
  const lines = new Map<string, Line>();
  const bases: Money[] = [];
  for (const part of parts) {
    for (const type of FARE_TYPES) {
      const [one, count] = [part.prices[type], counts[type] ?? 0];
      if (one === undefined || count === 0) continue;
      bases.push(times(one.base, count));
      for (const line of one.lines) {
        const key = `${line.kind} ${line.code}`;
        const before = lines.get(key);
        const added = times(line.amount, count);
        lines.set(key, { ...line, amount: before === undefined ? added : sum(currency, [before.amount, added]) });
      }
    }
  }
  const all = [...lines.values()];
  const ofKind = (kind: Line['kind']): Money =>
    sum(
      currency,
      all.filter((line) => line.kind === kind).map((line) => line.amount),
    );
  const [base, taxes, fees] = [sum(currency, bases), ofKind('tax'), ofKind('fee')];
  const baggage = [...new Set(parts.map((part) => part.fare.baggage))];
  return { base, taxes, fees, total: sum(currency, [base, taxes, fees]), lines: all, baggage };
}
