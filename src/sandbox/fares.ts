/**
 * The tariff: what a passenger pays for one component (a segment in one fare), and the rules of that fare.
 */
import type { FareComponent, PenaltyRule, PriceLine } from '../domain/fare.ts';
import { addMoney, type Money, multiplyMoney, parseMoney, percentOf, showMoney, zero } from '../domain/money.ts';
import { chance } from './chance.ts';
import type { Charge, Fare, FareType, Network, Penalty } from './network/network.ts';
import type { Departure, Timetable } from './timetable.ts';

/** What one passenger of a type pays for one component. */
export interface PassengerFare {
  readonly base: Money;
  readonly lines: readonly PriceLine[];
  readonly total: Money;
}

export type FareTable = Readonly<Record<string, PassengerFare>>;

export const FARE_TYPES: readonly FareType[] = ['ADT', 'CHD', 'INF'];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** An amount of the network file in its currency. */
export function tariffMoney(network: Network, amount: string): Money {
  return parseMoney(amount, network.currency) ?? zero(network.currency);
}

/** The fuller the class, the dearer: per cent of the tariff at `loadPercent` of its seats sold. */
function demandPercent(loadPercent: number): number {
  if (loadPercent >= 80) return 135;
  return loadPercent >= 50 ? 115 : 100;
}

function roundUpTo(money: Money, step: Money): Money {
  return { ...money, minor: Math.ceil(money.minor / step.minor) * step.minor };
}

function adultBase(timetable: Timetable, departure: Departure, fare: Fare, loadPercent: number): Money {
  const { network, seed } = timetable;
  const { price } = network;
  const minutes = Math.round((departure.arrivesAt - departure.departsAt) / 60_000);
  const plain = addMoney(
    tariffMoney(network, price.start),
    multiplyMoney(tariffMoney(network, price.perMinute), minutes),
  );
  const ofDay = 90 + Math.floor(40 * chance(seed, 'price', departure.number, departure.serviceDate));
  const factors = fare.percent * ofDay * demandPercent(loadPercent);
  return roundUpTo(percentOf(plain, Math.round(factors / 100)), tariffMoney(network, price.step));
}

function chargeLine(network: Network, kind: 'tax' | 'fee', charge: Charge, base: Money): PriceLine {
  const amount =
    charge.percent === undefined
      ? tariffMoney(network, charge.amount ?? '0')
      : percentOf(base, Math.round(charge.percent * 100));
  return { kind, code: charge.code, name: charge.name, amount };
}

function passengerFare(network: Network, type: FareType, adult: Money): PassengerFare {
  const base = percentOf(adult, network.typePercent[type] * 100);
  const lines: PriceLine[] = [];
  for (const tax of network.taxes) if (tax.types.includes(type)) lines.push(chargeLine(network, 'tax', tax, base));
  for (const fee of network.fees) if (fee.types.includes(type)) lines.push(chargeLine(network, 'fee', fee, base));
  return { base, lines, total: addMoney(base, ...lines.map((line) => line.amount)) };
}

/** Prices of a fare on a departure, with `loadPercent` of the class sold. */
export function fareTable(timetable: Timetable, departure: Departure, fare: Fare, loadPercent: number): FareTable {
  const adult = adultBase(timetable, departure, fare, loadPercent);
  return Object.fromEntries(FARE_TYPES.map((type) => [type, passengerFare(timetable.network, type, adult)]));
}

/** A sub-fare closes when little of its class is left. */
export function fareIsOpen(fare: Fare, free: number, capacity: number): boolean {
  return free * 100 > capacity * fare.closesBelowPercent;
}

function wording(network: Network, kind: 'refund' | 'change', penalty: Penalty): PenaltyRule['texts'] {
  const fee = tariffMoney(network, penalty.amount);
  const act = kind === 'refund' ? 'Refund' : 'Change';
  const arabic = kind === 'refund' ? 'الاسترداد' : 'التغيير';
  if (!penalty.allowed) {
    return [
      { locale: 'en', text: `${act} not permitted` },
      { locale: 'ar', text: `${arabic} غير مسموح` },
    ];
  }
  return [
    { locale: 'en', text: `${act} for a fee of ${showMoney(fee)} per passenger and segment` },
    { locale: 'ar', text: `${arabic} مقابل رسوم ${showMoney(fee)} لكل راكب وقطاع` },
  ];
}

/** The windows of a fare's refund or change rule for one passenger type; they abut and end at departure. */
function penaltyRules(
  network: Network,
  kind: 'refund' | 'change',
  fare: Fare,
  departsAt: number,
  type: string,
): PenaltyRule[] {
  let from = departsAt - 331 * DAY;
  return fare[kind].map((penalty) => {
    const until = departsAt - penalty.untilHours * HOUR;
    const total = type === 'INF' ? zero(network.currency) : tariffMoney(network, penalty.amount);
    const rule: PenaltyRule = {
      passengerType: type,
      refundable: penalty.allowed,
      base: total,
      tax: zero(network.currency),
      total,
      vatHundredths: Math.round(network.penaltyVatPercent * 100),
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      texts: wording(network, kind, penalty),
    };
    from = until;
    return rule;
  });
}

/** The rule in force at `at` (ms epoch); undefined once the departure is past. */
export function penaltyRuleAt(
  network: Network,
  kind: 'refund' | 'change',
  fare: Fare,
  departsAt: number,
  type: string,
  at: number,
): PenaltyRule | undefined {
  return penaltyRules(network, kind, fare, departsAt, type).find((rule) => at < Date.parse(rule.until ?? ''));
}

export interface Limits {
  /** ms epoch. */
  readonly payBy: number;
  readonly namesUntil: number;
}

export function cancelLimit(network: Network, departsAt: number): number {
  return departsAt - network.cancelCutoffMinutes * 60_000;
}

/** One fare component as it is shown. */
export function fareComponent(
  network: Network,
  part: { ref: string; fare: Fare; departure: Departure; types: readonly string[]; cancelled: boolean },
  limits: Limits,
): FareComponent {
  const { fare, departure } = part;
  const head = {
    ref: part.ref,
    references: [{ code: fare.basis, bookingClass: fare.bookingClass }],
    filingAirline: network.carrier,
    from: departure.from.code,
    to: departure.to.code,
  };
  // No policy is returned for a cancelled segment (interface.md, price information).
  if (part.cancelled) return { ...head, refundRules: [], changeRules: [] };
  const rules = (kind: 'refund' | 'change'): PenaltyRule[] =>
    part.types.flatMap((type) => penaltyRules(network, kind, fare, departure.departsAt, type));
  return {
    ...head,
    cancelUntil: new Date(cancelLimit(network, departure.departsAt)).toISOString(),
    payBy: new Date(limits.payBy).toISOString(),
    namesUntil: new Date(limits.namesUntil).toISOString(),
    refundRules: rules('refund'),
    changeRules: rules('change'),
  };
}
