/** The tariff: what a passenger pays for one component (a segment in one fare), its rules, and the totals of a party. */
import type { Money } from '../core/money.ts';
import { decimal, nothing, parseAmount, share, sum, times } from './amounts.ts';
import type { Charge, Fare, FareType, Network, Penalty } from './network/network.ts';
import { seededRandom } from './seeded-random.ts';
import type { Departure, Timetable } from './timetable.ts';
import { DAY, HOUR } from './zone.ts';

/** A tax or fee. */
export interface TaxOrFee {
  readonly kind: 'tax' | 'fee';
  readonly code: string;
  readonly name: string;
  readonly amount: Money;
}

/** What one passenger of a type pays for one component. */
export interface PassengerFare {
  readonly base: Money;
  readonly lines: readonly TaxOrFee[];
  readonly total: Money;
}

export type FareTable = Readonly<Record<string, PassengerFare>>;

export const FARE_TYPES: readonly FareType[] = ['ADT', 'CHD', 'INF'];

/** An amount of the network file in its currency. */
function tariffMoney(network: Network, amount: string): Money {
  return parseAmount(amount, network.currency);
}

/** Per cent of the tariff when `loadPercent` of the class is sold: the price rises as it fills. */
function demandPercent(loadPercent: number): number {
  if (loadPercent >= 80) return 135;
  return loadPercent >= 50 ? 115 : 100;
}

function roundUpTo(money: Money, step: Money): Money {
  return { ...money, minor: Math.ceil(money.minor / step.minor) * step.minor };
}

function adultBase(timetable: Timetable, departure: Departure, fare: Fare, loadPercent: number): Money {
  const { network, seed } = timetable;
  const { price, currency } = network;
  const { stops } = departure.service;
  // As scheduled: a delay changes no price.
  const minutes = (stops[departure.toStop]?.arrives ?? 0) - (stops[departure.fromStop]?.departs ?? 0);
  const plain = sum(currency, [
    tariffMoney(network, price.start),
    times(tariffMoney(network, price.perMinute), minutes),
  ]);
  const ofDay = 90 + Math.floor(40 * seededRandom(seed, 'price', departure.number, departure.dayNumber));
  const factors = fare.percent * ofDay * demandPercent(loadPercent);
  return roundUpTo(share(plain, Math.round(factors / 100)), tariffMoney(network, price.step));
}

function chargeLine(network: Network, kind: 'tax' | 'fee', charge: Charge, base: Money): TaxOrFee {
  const amount =
    charge.percent === undefined
      ? tariffMoney(network, charge.amount ?? '0')
      : share(base, Math.round(charge.percent * 100));
  return { kind, code: charge.code, name: charge.name, amount };
}

function passengerFare(network: Network, type: FareType, adult: Money): PassengerFare {
  const base = share(adult, network.typePercent[type] * 100);
  const lines: TaxOrFee[] = [];
  for (const tax of network.taxes) if (tax.types.includes(type)) lines.push(chargeLine(network, 'tax', tax, base));
  for (const fee of network.fees) if (fee.types.includes(type)) lines.push(chargeLine(network, 'fee', fee, base));
  return { base, lines, total: sum(network.currency, [base, ...lines.map((line) => line.amount)]) };
}

/** Prices of a fare on a departure, with `loadPercent` of the class sold. */
export function fareTable(timetable: Timetable, departure: Departure, fare: Fare, loadPercent: number): FareTable {
  const adult = adultBase(timetable, departure, fare, loadPercent);
  return Object.fromEntries(FARE_TYPES.map((type) => [type, passengerFare(timetable.network, type, adult)]));
}

/** Whether a sub-fare is closed because its class is nearly full. */
export function fareIsOpen(fare: Fare, free: number, capacity: number): boolean {
  return free * 100 > capacity * fare.closesBelowPercent;
}

/** Cabin whose seats a fare sells. */
export function soldCabin(fare: Fare): string {
  return fare.cabin ?? fare.bookingClass;
}

/**
 * What the airline keeps of a fare on a refund or change: `base` without tax, `tax` on it, and `total`, per passenger
 * and fare component (docs/wire/notes.md, Money and rules).
 */
export interface Rule {
  readonly allowed: boolean;
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

const ACTS: Readonly<Record<RuleKind, readonly [string, string]>> = {
  refund: ['Refund', 'الاسترداد'],
  change: ['Change', 'التغيير'],
};

function wording(kind: RuleKind, penalty: Penalty, fee: Money): Rule['texts'] {
  const [english, arabic] = ACTS[kind];
  const amount = `${fee.currency} ${decimal(fee)}`;
  if (!penalty.allowed) {
    return [
      { locale: 'en', value: `${english} not permitted` },
      { locale: 'ar', value: `${arabic} غير مسموح` },
    ];
  }
  return [
    { locale: 'en', value: `${english} for a fee of ${amount} per passenger and segment` },
    { locale: 'ar', value: `${arabic} مقابل رسوم ${amount} لكل راكب وقطاع` },
  ];
}

/** The time windows of a fare's refund or change rule for one passenger type, without gaps until departure. */
export function fareRules(network: Network, kind: RuleKind, fare: Fare, departsAt: number, type: string): Rule[] {
  let from = departsAt - 331 * DAY;
  return fare[kind].map((penalty) => {
    const until = departsAt - penalty.untilHours * HOUR;
    const base = type === 'INF' ? nothing(network.currency) : tariffMoney(network, penalty.amount);
    const tax = share(base, Math.round(network.penaltyVatPercent * 100));
    const total = sum(network.currency, [base, tax]);
    const texts = wording(kind, penalty, total);
    const rule = { allowed: penalty.allowed, base, tax, total, vat: network.penaltyVatPercent, from, until, texts };
    from = until;
    return rule;
  });
}

/** The rule in force at `at` (ms epoch); undefined after departure. */
export function ruleAt(
  network: Network,
  kind: RuleKind,
  fare: Fare,
  departsAt: number,
  type: string,
  at: number,
): Rule | undefined {
  return fareRules(network, kind, fare, departsAt, type).find((rule) => at < rule.until);
}

export function cancelLimit(network: Network, departsAt: number): number {
  return departsAt - network.cancelCutoffMinutes * 60_000;
}

export type TypeCounts = Readonly<Record<string, number>>;

/** A component of a priced trip. */
export interface PricedSegment {
  readonly ref: string;
  readonly fare: Fare;
  readonly departure: Departure;
  readonly prices: FareTable;
  readonly cancelled: boolean;
  /** Status that a mishap set; absent: confirmed. */
  readonly status?: string;
}

/** Cancelled by the booking's owner or by the airline. */
export function isCancelled({ cancelled, departure }: PricedSegment): boolean {
  return cancelled || departure.cancelled;
}

export interface PricedOption {
  readonly ref: string;
  readonly segments: readonly PricedSegment[];
}

/** A trip with the passengers it is priced for. */
export interface PricedTrip {
  readonly options: readonly PricedOption[];
  readonly counts: TypeCounts;
}

export function segmentsIn(trip: { readonly options: readonly PricedOption[] }): readonly PricedSegment[] {
  return trip.options.flatMap((option) => option.segments);
}

export interface Price {
  readonly base: Money;
  readonly taxes: Money;
  readonly fees: Money;
  readonly total: Money;
  readonly lines: readonly TaxOrFee[];
  readonly baggage: readonly string[];
}

/** The price of `counts` passengers on all components. */
export function totalPrice(network: Network, segments: readonly PricedSegment[], counts: TypeCounts): Price {
  const { currency } = network;
  const lines = new Map<string, TaxOrFee>();
  const bases: Money[] = [];
  for (const segment of segments) {
    for (const type of FARE_TYPES) {
      const [passengerFare, count] = [segment.prices[type], counts[type] ?? 0];
      if (passengerFare === undefined || count === 0) continue;
      bases.push(times(passengerFare.base, count));
      for (const line of passengerFare.lines) {
        const key = `${line.kind} ${line.code}`;
        const before = lines.get(key);
        const added = times(line.amount, count);
        lines.set(key, { ...line, amount: before === undefined ? added : sum(currency, [before.amount, added]) });
      }
    }
  }
  const all = [...lines.values()];
  const ofKind = (kind: TaxOrFee['kind']): Money =>
    sum(
      currency,
      all.filter((line) => line.kind === kind).map((line) => line.amount),
    );
  const [base, taxes, fees] = [sum(currency, bases), ofKind('tax'), ofKind('fee')];
  const baggage = [...new Set(segments.map((segment) => segment.fare.baggage))];
  return { base, taxes, fees, total: sum(currency, [base, taxes, fees]), lines: all, baggage };
}
