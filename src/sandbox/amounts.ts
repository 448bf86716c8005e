/**
 * The airline's own arithmetic: whole minor units of one currency. It shares no code with its clients, so that
 * their mistakes show.
 */
import type { Money } from '../core/money.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** ISO 4217. */
const WHOLE = words('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF');
const THOUSANDTHS = words('BHD IQD JOD KWD LYD OMR TND');

function minorDigits(currency: string): number {
  if (WHOLE.has(currency)) return 0;
  return THOUSANDTHS.has(currency) ? 3 : 2;
}

function safeAmount(minor: bigint, currency: string): Money {
  const number = Number(minor);
  if (!Number.isSafeInteger(number)) throw new RangeError(`an amount in ${currency} is too large`);
  return { minor: number, currency };
}

/** Half away from zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const half = denominator / 2n;
  return (numerator + (numerator < 0n ? -half : half)) / denominator;
}

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** Reads an amount of the network file, rounded to the currency's digits. Throws RangeError. */
export function parseAmount(text: string, currency: string): Money {
  const [, units, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (units === undefined) throw new RangeError(`not an amount: ${text}`);
  const scaled = BigInt(units + fraction) * 10n ** BigInt(minorDigits(currency));
  return safeAmount(rounded(scaled, 10n ** BigInt(fraction.length)), currency);
}

/** Reads an amount that a client sent; undefined if it has more digits than the currency. */
export function exactAmount(value: number, currency: string): Money | undefined {
  const text = String(value);
  const fraction = text.split('.')[1] ?? '';
  if (!DECIMAL.test(text) || fraction.length > minorDigits(currency)) return undefined;
  return parseAmount(text, currency);
}

export function nothing(currency: string): Money {
  return { minor: 0, currency };
}

/** Adds amounts of one currency. Throws RangeError for two currencies. */
export function sum(currency: string, amounts: readonly Money[]): Money {
  let minor = 0n;
  for (const amount of amounts) {
    if (amount.currency !== currency) throw new RangeError(`${amount.currency} cannot be added to ${currency}`);
    minor += BigInt(amount.minor);
  }
  return safeAmount(minor, currency);
}

export function less(from: Money, what: Money): Money {
  return sum(from.currency, [from, { ...what, minor: -what.minor }]);
}

export function times(money: Money, count: number): Money {
  return safeAmount(BigInt(money.minor) * BigInt(count), money.currency);
}

/** `hundredths` of a per cent: 1500 is 15 %. */
export function share(money: Money, hundredths: number): Money {
  return safeAmount(rounded(BigInt(money.minor) * BigInt(hundredths), 10_000n), money.currency);
}

export function smaller(a: Money, b: Money): Money {
  return a.minor <= b.minor ? a : b;
}

/** `172.50`, `400`, `0.125`. */
export function decimal({ minor, currency }: Money): string {
  const digits = minorDigits(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The JSON number of an amount. */
export function number(money: Money): number {
  return Number(decimal(money));
}
