/** Trips with their prices, and the price that a party pays for them. */
import type { Money } from '../core/money.ts';
import { multiply, sum, zeroAmount } from './amounts.ts';
import { FARE_TYPES, type FareTable, type TaxOrFee } from './fares.ts';
import type { Fare, Network } from './network.ts';
import type { Departure } from './timetable.ts';

/** A trip with the passengers it is priced for. */
export interface PricedTrip {
  readonly options: readonly PricedOption[];
  readonly counts: TypeCounts;
}

/** Passengers of each type. */
export type TypeCounts = Readonly<Record<string, number>>;

export interface PricedOption {
  readonly ref: string;
  readonly segments: readonly PricedSegment[];
}

export interface PricedSegment {
  readonly ref: string;
  readonly fare: Fare;
  readonly departure: Departure;
  readonly prices: FareTable;
  /** Whether the booking's owner cancelled it. `departure.cancelled`: whether the airline did. */
  readonly cancelled: boolean;
  /** Status that a mishap set; absent: confirmed. */
  readonly status?: string;
}

export function segmentsIn(options: readonly PricedOption[]): readonly PricedSegment[] {
  return options.flatMap((option) => option.segments);
}

/** Whether the booking's owner or the airline cancelled a segment. */
export function isCancelled({ cancelled, departure }: PricedSegment): boolean {
  return cancelled || departure.cancelled;
}

export interface Price {
  readonly base: Money;
  readonly taxes: Money;
  readonly fees: Money;
  readonly total: Money;
  /** One for each tax and fee. */
  readonly lines: readonly TaxOrFee[];
  readonly baggage: readonly string[];
}

/** Computes what `counts` passengers pay for all segments. Adds up taxes and fees of the same code. */
export function totalPrice({ currency }: Network, segments: readonly PricedSegment[], counts: TypeCounts): Price {
  const bases: Money[] = [];
  const linesByCode = new Map<string, TaxOrFee>();

  for (const { prices } of segments) {
    for (const type of FARE_TYPES) {
      const [fare, count] = [prices[type], counts[type] ?? 0];
      if (fare === undefined || count === 0) continue;

      bases.push(multiply(fare.base, count));
      for (const line of fare.lines) {
        const key = `${line.kind} ${line.code}`;
        const earlierAmount = linesByCode.get(key)?.amount ?? zeroAmount(currency);
        linesByCode.set(key, { ...line, amount: sum(currency, [earlierAmount, multiply(line.amount, count)]) });
      }
    }
  }

  const lines = [...linesByCode.values()];
  const sumOf = (kind: TaxOrFee['kind']): Money => {
    const amounts = lines.filter((line) => line.kind === kind).map((line) => line.amount);
    return sum(currency, amounts);
  };

  const [base, taxes, fees] = [sum(currency, bases), sumOf('tax'), sumOf('fee')];
  const baggage = [...new Set(segments.map((segment) => segment.fare.baggage))];
  return { base, taxes, fees, total: sum(currency, [base, taxes, fees]), lines, baggage };
}
