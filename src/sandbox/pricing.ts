/**
 * Sums: from the fares of single passengers on single components to the totals of a party.
 */
import type { Price, PriceLine, Pricing, TypePrice } from '../domain/fare.ts';
import { addMoney, type Money, multiplyMoney, zero } from '../domain/money.ts';
import { FARE_TYPES, type FareTable, fareComponent, type Limits } from './fares.ts';
import type { Fare, Network } from './network/network.ts';
import type { MadeRefund } from './record.ts';
import type { Departure } from './timetable.ts';

export type Counts = Readonly<Record<string, number>>;

/** A component of a priced trip. */
export interface PricedPart {
  readonly ref: string;
  readonly fare: Fare;
  readonly departure: Departure;
  readonly prices: FareTable;
  readonly cancelled: boolean;
}

export interface Party {
  readonly counts: Counts;
  /** Pointers of the travellers of each type, where they are known. */
  readonly refs: Readonly<Record<string, readonly string[]>>;
}

function addLine(lines: Map<string, PriceLine>, line: PriceLine, times: number): void {
  const key = `${line.kind} ${line.code}`;
  const added = multiplyMoney(line.amount, times);
  const before = lines.get(key);
  lines.set(key, { ...line, amount: before === undefined ? added : addMoney(before.amount, added) });
}

function sum(amounts: readonly Money[], currency: string): Money {
  return addMoney(zero(currency), ...amounts);
}

/** The price of `counts` passengers on all parts together. */
export function priceOf(network: Network, parts: readonly PricedPart[], counts: Counts): Price {
  const lines = new Map<string, PriceLine>();
  const bases: Money[] = [];
  for (const part of parts) {
    for (const type of FARE_TYPES) {
      const one = part.prices[type];
      const count = counts[type] ?? 0;
      if (one === undefined || count === 0) continue;
      bases.push(multiplyMoney(one.base, count));
      for (const line of one.lines) addLine(lines, line, count);
    }
  }
  const all = [...lines.values()];
  const ofKind = (kind: string): Money[] => all.filter((line) => line.kind === kind).map((line) => line.amount);
  const base = sum(bases, network.currency);
  const taxes = sum(ofKind('tax'), network.currency);
  const fees = sum(ofKind('fee'), network.currency);
  const baggage = [...new Set(parts.map((part) => part.fare.baggage))];
  return { base, taxes, fees, total: addMoney(base, taxes, fees), lines: all, baggage, remarks: [] };
}

/** `priceInfo` or `airItineraryPricingInfo` of a party. */
export function pricingOf(
  network: Network,
  parts: readonly PricedPart[],
  party: Party,
  limits: Limits,
  made: { refunds?: readonly MadeRefund[]; quoteId?: string } = {},
): Pricing {
  const { refunds = [], quoteId } = made;
  const types = FARE_TYPES.filter((type) => (party.counts[type] ?? 0) > 0);
  const perType: TypePrice[] = types.map((type) => ({
    type,
    count: party.counts[type] ?? 0,
    price: priceOf(network, parts, { [type]: party.counts[type] ?? 0 }),
    refunds: refunds.flatMap((refund) => refund.perType[type] ?? []),
    fareBasis: parts.map((part) => ({ code: part.fare.basis, segmentRef: part.ref })),
    travelerRefs: party.refs[type] ?? [],
    segmentRefs: parts.map((part) => part.ref),
  }));
  return {
    total: priceOf(network, parts, party.counts),
    refunds: refunds.map((refund) => refund.whole),
    fares: parts.map((part) => fareComponent(network, { ...part, types }, limits)),
    perType,
    ...(quoteId === undefined ? {} : { quoteId }),
  };
}
