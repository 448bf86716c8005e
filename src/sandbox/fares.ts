/** The tariff: what a passenger of each type pays for a segment in a fare, by distance, day and demand. */
import type { Money } from '../core/money.ts';
import { parseAmount, share, sum, times } from './amounts.ts';
import type { Charge, Fare, FareType, Network } from './network/network.ts';
import { seededRandom } from './seeded-random.ts';
import type { Departure, Timetable } from './timetable.ts';

export const FARE_TYPES: readonly FareType[] = ['ADT', 'CHD', 'INF'];

/** What a passenger pays for a segment, by passenger type. */
export type FareTable = Readonly<Record<string, PassengerFare>>;

export interface PassengerFare {
  readonly base: Money;
  readonly lines: readonly TaxOrFee[];
  readonly total: Money;
}

export interface TaxOrFee {
  readonly kind: 'tax' | 'fee';
  readonly code: string;
  readonly name: string;
  readonly amount: Money;
}

/** Prices of a fare on a departure, with `loadPercent` of the class sold. */
export function fareTable(timetable: Timetable, departure: Departure, fare: Fare, loadPercent: number): FareTable {
  const adult = adultBase(timetable, departure, fare, loadPercent);
  return Object.fromEntries(FARE_TYPES.map((type) => [type, passengerFare(timetable.network, type, adult)]));
}

function adultBase({ network, seed }: Timetable, departure: Departure, fare: Fare, loadPercent: number): Money {
  const { price, currency } = network;
  const { stops } = departure.service;
  // As scheduled: a delay changes no price.
  const minutes = (stops[departure.toStop]?.arrives ?? 0) - (stops[departure.fromStop]?.departs ?? 0);
  const travel = times(tariffMoney(network, price.perMinute), minutes);
  const distancePrice = sum(currency, [tariffMoney(network, price.start), travel]);
  const dayPercent = 90 + Math.floor(40 * seededRandom(seed, 'price', departure.number, departure.dayNumber));
  const percents = fare.percent * dayPercent * demandPercent(loadPercent);
  return roundUpTo(share(distancePrice, Math.round(percents / 100)), tariffMoney(network, price.step));
}

/** Per cent of the tariff when `loadPercent` of the class is sold: the price rises as it fills. */
function demandPercent(loadPercent: number): number {
  if (loadPercent >= 80) return 135;
  return loadPercent >= 50 ? 115 : 100;
}

function roundUpTo(money: Money, step: Money): Money {
  return { ...money, minor: Math.ceil(money.minor / step.minor) * step.minor };
}

function passengerFare(network: Network, type: FareType, adult: Money): PassengerFare {
  const base = share(adult, network.typePercent[type] * 100);
  const charged = (kind: TaxOrFee['kind'], charges: readonly Charge[]): TaxOrFee[] =>
    charges
      .filter((charge) => charge.types.includes(type))
      .map((charge) => ({ kind, code: charge.code, name: charge.name, amount: chargeAmount(network, charge, base) }));
  const lines = [...charged('tax', network.taxes), ...charged('fee', network.fees)];
  return { base, lines, total: sum(network.currency, [base, ...lines.map((line) => line.amount)]) };
}

function chargeAmount(network: Network, { percent, amount = '0' }: Charge, base: Money): Money {
  return percent === undefined ? tariffMoney(network, amount) : share(base, Math.round(percent * 100));
}

/** An amount of the network file in its currency. */
export function tariffMoney(network: Network, amount: string): Money {
  return parseAmount(amount, network.currency);
}

/** Cabin whose seats a fare sells. */
export function soldCabin(fare: Fare): string {
  return fare.cabin ?? fare.bookingClass;
}
