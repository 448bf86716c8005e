/** The tariff: what a passenger of each type pays for a segment in a fare, by distance, day and demand. */
import type { Money } from '../core/money.ts';
import { multiply, parseAmount, share, sum } from './amounts.ts';
import type { Charge, Fare, FareType, Network } from './network.ts';
import { seededRandom } from './seeded-random.ts';
import type { Departure, Timetable } from './timetable.ts';

export const FARE_TYPES: readonly FareType[] = ['ADT', 'CHD', 'INF'];
/** A day's price is drawn: so many per cent of the tariff at least, and so many more at most. */
const LOWEST_DAY_PERCENT = 90;
const DAY_PERCENT_RANGE = 40;

/** What a passenger of each type pays for a segment. */
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

/** Computes the prices of a fare on a departure, with `loadPercent` of its cabin sold. */
export function fareTable(timetable: Timetable, departure: Departure, fare: Fare, loadPercent: number): FareTable {
  const adult = adultBase(timetable, departure, fare, loadPercent);
  return Object.fromEntries(FARE_TYPES.map((type) => [type, passengerFare(timetable.network, type, adult)]));
}

function adultBase({ network, seed }: Timetable, departure: Departure, fare: Fare, loadPercent: number): Money {
  const { price, currency } = network;
  const { stops } = departure.service;
  // The scheduled minutes, since a delay changes no price.
  const minutes = (stops[departure.toStop]?.arrives ?? 0) - (stops[departure.fromStop]?.departs ?? 0);
  const travel = multiply(tariffMoney(network, price.perMinute), minutes);
  const distancePrice = sum(currency, [tariffMoney(network, price.start), travel]);

  const draw = seededRandom(seed, 'price', departure.number, departure.dayNumber);
  const dayPercent = LOWEST_DAY_PERCENT + Math.floor(DAY_PERCENT_RANGE * draw);
  // Three rates in per cent: their product is in millionths, and `share` takes ten thousandths.
  const rate = Math.round((fare.percent * dayPercent * demandPercent(loadPercent)) / 100);
  return roundUpTo(share(distancePrice, rate), tariffMoney(network, price.step));
}

/** Returns the per cent of the tariff that is charged when `loadPercent` of the cabin is sold. */
function demandPercent(loadPercent: number): number {
  if (loadPercent >= 80) return 135;
  return loadPercent >= 50 ? 115 : 100;
}

function roundUpTo(money: Money, step: Money): Money {
  return { ...money, minor: Math.ceil(money.minor / step.minor) * step.minor };
}

function passengerFare(network: Network, type: FareType, adult: Money): PassengerFare {
  const base = share(adult, network.typePercent[type] * 100);
  const taxOrFeeLines = (kind: TaxOrFee['kind'], charges: readonly Charge[]): TaxOrFee[] =>
    charges
      .filter((charge) => (charge.types ?? FARE_TYPES).includes(type))
      .map((charge) => ({ kind, code: charge.code, name: charge.name, amount: chargeAmount(network, charge, base) }));
  const lines = [...taxOrFeeLines('tax', network.taxes), ...taxOrFeeLines('fee', network.fees)];
  return { base, lines, total: sum(network.currency, [base, ...lines.map((line) => line.amount)]) };
}

function chargeAmount(network: Network, { percent, amount = '0' }: Charge, base: Money): Money {
  return percent === undefined ? tariffMoney(network, amount) : share(base, Math.round(percent * 100));
}

/** Parses an amount of the network file, in its currency. */
export function tariffMoney(network: Network, amount: string): Money {
  return parseAmount(amount, network.currency);
}

/** Returns the cabin whose seats a fare sells. */
export function soldCabin(fare: Fare): string {
  return fare.cabin ?? fare.bookingClass;
}
