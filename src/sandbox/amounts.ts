/** The airline's arithmetic with amounts. It shares no code with the clients, so that tests find their mistakes. */
import type { Money } from '../core/money.ts';

const splitWords = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Currencies of ISO 4217 whose minor unit is not a hundredth. */
const WITHOUT_DECIMALS = splitWords('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF');
const WITH_THREE_DECIMALS = splitWords('BHD IQD JOD KWD LYD OMR TND');
/** Units and fraction of an amount. */
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

function minorDigits(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

function safeAmount(minor: bigint, currency: string): Money {
  const number = Number(minor);
  if (!Number.isSafeInteger(number)) throw new RangeError(`an amount in ${currency} is too large`);
  return { minor: number, currency };
}

/** Divides, and rounds half away from zero. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const half = denominator / 2n;
  return (numerator + (numerator < 0n ? -half : half)) / denominator;
}

/** Reads an amount of the network file, rounded to the currency's digits. Throws RangeError. */
export function parseAmount(text: string, currency: string): Money {
  const [, units, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (units === undefined) throw new RangeError(`not an amount: ${text}`);
  const scaled = BigInt(units + fraction) * 10n ** BigInt(minorDigits(currency));
  return safeAmount(divideRounded(scaled, 10n ** BigInt(fraction.length)), currency);
}

/** Reads an amount that a client sent; undefined if it has more digits than the currency. */
export function exactAmount(value: number, currency: string): Money | undefined {
  const text = String(value);
  const fraction = text.split('.')[1] ?? '';
  if (!DECIMAL.test(text) || fraction.length > minorDigits(currency)) return undefined;
  return parseAmount(text, currency);
}

export function zeroAmount(currency: string): Money {
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

export function subtract(money: Money, subtrahend: Money): Money {
  return sum(money.currency, [money, { ...subtrahend, minor: -subtrahend.minor }]);
}

export function multiply(money: Money, count: number): Money {
  return safeAmount(BigInt(money.minor) * BigInt(count), money.currency);
}

/** Returns a share of an amount, given in hundredths of a per cent: 1500 is 15 %. */
export function share(money: Money, percentHundredths: number): Money {
  return safeAmount(divideRounded(BigInt(money.minor) * BigInt(percentHundredths), 10_000n), money.currency);
}

export function minAmount(a: Money, b: Money): Money {
  return a.minor <= b.minor ? a : b;
}

/** Writes an amount as a decimal: `172.50`, `400`, `0.125`. */
export function toDecimal({ minor, currency }: Money): string {
  const digits = minorDigits(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns an amount as a JSON number. */
export function toNumber(money: Money): number {
  return Number(toDecimal(money));
}
