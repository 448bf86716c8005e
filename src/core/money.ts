/**
 * Reads, writes and adds money: integer minor units of an ISO 4217 currency. Two currencies are never added. At the end:
 * amounts as people type them.
 */
import { withoutTrailing } from './words.ts';

export interface Money {
  /** Integer count of the currency's smallest unit: 17250 for SAR 172.50, 400 for JPY 400. */
  readonly minor: number;
  /** ISO 4217 alphabetic code. */
  readonly currency: string;
}

/** ISO 4217 currencies that do not have two decimal digits. */
const NO_DIGITS = /* @__PURE__ */ new Set(
  /* @__PURE__ */ 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const THREE_DIGITS = /* @__PURE__ */ new Set(/* @__PURE__ */ 'BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** How many decimal digits a currency has by ISO 4217; 2 for any code that is not listed. */
export function minorDigits(currency: string): number {
  if (NO_DIGITS.has(currency)) return 0;
  return THREE_DIGITS.has(currency) ? 3 : 2;
}

/** A decimal without an exponent. */
const DECIMAL = /^[+-]?\d{1,15}(?:\.\d{1,20})?$/;
/** As JSON writes very small and very large numbers: `5.684341886080802e-14`. */
const EXPONENT = /^([+-]?)(\d{1,15})(?:\.(\d{1,20}))?e([+-]?\d{1,3})$/i;
/** Digits after the point that are read. */
const MOST_FRACTION = 20;

/** Writes a decimal without an exponent; undefined if the text is not a decimal. */
export function plainDecimal(decimal: string): string | undefined {
  const text = decimal.trim();
  const [, sign = '', integer = '', fraction = '', exponent] = EXPONENT.exec(text) ?? [];
  const plain = exponent === undefined ? text : sign + shiftPoint(integer, fraction, Number(exponent));
  return DECIMAL.test(plain) ? plain : undefined;
}

/**
 * Moves the decimal point to the right, or to the left if `places` is negative: 1.5 by 2 is 150, by -3 it is 0.0015. Cuts
 * digits beyond {@link MOST_FRACTION}: no currency has so many.
 */
function shiftPoint(integer: string, fraction: string, places: number): string {
  const digits = '0'.repeat(Math.max(0, -places)) + integer + fraction + '0'.repeat(Math.max(0, places));
  const point = Math.max(0, -places) + integer.length + places;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const after = withoutTrailing(digits.slice(point, point + MOST_FRACTION), '0');
  return after === '' ? before : `${before}.${after}`;
}

/**
 * Reads an amount from its decimal digits, without float arithmetic. Rounds digits that the currency does not have,
 * halves away from zero, because airlines send float noise (`172.49999999999997`). Undefined if the text is not a
 * decimal or the amount is not an exact integer.
 */
export function parseMoney(amount: string | number, currency: string): Money | undefined {
  const text = plainDecimal(String(amount));
  if (text === undefined) return undefined;

  const isNegative = text.startsWith('-');
  const unsigned = isNegative || text.startsWith('+') ? text.slice(1) : text;
  const digits = minorDigits(currency);
  const [integer = '', fraction] = unsigned.split('.');
  const minor = fraction === undefined ? Number(integer) * 10 ** digits : toMinorUnits(integer, fraction, digits);
  if (!Number.isSafeInteger(minor)) return undefined;

  return { minor: isNegative && minor !== 0 ? -minor : minor, currency };
}

/**
 * Converts an unsigned decimal to minor units, rounded.
 * @param digits how many decimal digits the currency has
 */
function toMinorUnits(integer: string, fraction: string, digits: number): number {
  const minorPart = fraction.slice(0, digits).padEnd(digits, '0');
  const roundedUp = (fraction[digits] ?? '0') >= '5' ? 1 : 0;
  return Number(integer + minorPart) + roundedUp;
}

/** Writes the amount as a decimal string with the currency's own digits: `"172.50"`, `"400"`, `"-0.125"`. */
export function formatMoney(money: Money): string {
  const digits = minorDigits(money.currency);
  const text = String(Math.abs(money.minor)).padStart(digits + 1, '0');
  const sign = money.minor < 0 ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `SAR 1,725.00`. */
export function showMoney(money: Money): string {
  return showAmount(formatMoney(money), money.currency);
}

/** As {@link showMoney}, of an amount that {@link formatMoney} wrote. */
export function showAmount(amount: string, currency: string): string {
  return `${currency} ${withThousands(amount)}`;
}

/** Writes `1,725.00`, for a text that names the currency elsewhere. */
export function withThousands(amount: string): string {
  const [integer = '', ...fraction] = amount.split('.');
  let grouped = integer;
  for (let at = integer.length - 3; at > 0 && /\d/.test(integer[at - 1] ?? ''); at -= 3)
    grouped = `${grouped.slice(0, at)},${grouped.slice(at)}`;
  return [grouped, ...fraction].join('.');
}

/** Adds amounts of one currency. Throws RangeError for two currencies or an inexact sum. */
export function addMoney(first: Money, ...others: readonly Money[]): Money {
  let minor = first.minor;
  for (const other of others) {
    if (other.currency !== first.currency) throw new RangeError(`cannot add ${other.currency} to ${first.currency}`);
    minor += other.minor;
  }
  if (!Number.isSafeInteger(minor)) throw new RangeError('amount too large');
  return { minor, currency: first.currency };
}

/** Adds amounts; undefined for no amounts, two currencies or an inexact sum. */
export function sumMoney(amounts: readonly Money[]): Money | undefined {
  const [first, ...rest] = amounts;
  if (first === undefined || rest.some(({ currency }) => currency !== first.currency)) return undefined;
  const minor = amounts.reduce((sum, amount) => sum + amount.minor, 0);
  return Number.isSafeInteger(minor) ? { minor, currency: first.currency } : undefined;
}

/** The sum of amounts that are all known; else undefined, as in {@link sumMoney}. */
export function sumIfAllKnown(amounts: readonly (Money | undefined)[]): Money | undefined {
  return sumMoney(amounts.every((amount) => amount !== undefined) ? amounts : []);
}

/** The greatest of amounts that are all known and in one currency; else undefined. */
export function greatestIfAllKnown(amounts: readonly (Money | undefined)[]): Money | undefined {
  if (sumIfAllKnown(amounts) === undefined) return undefined;
  return amounts.flatMap((amount) => amount ?? []).toSorted((a, b) => b.minor - a.minor)[0];
}

/** The sum of numbers that are all known, such as counts: 0 without any. Undefined if one is not known. */
export function totalIfAllKnown(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length < numbers.length ? undefined : known.reduce((sum, number) => sum + number, 0);
}

export function subtractMoney(from: Money, amount: Money): Money {
  return addMoney(from, { minor: -amount.minor, currency: amount.currency });
}

export function multiplyMoney(money: Money, times: number): Money {
  const minor = money.minor * times;
  if (!Number.isSafeInteger(minor)) throw new RangeError('amount too large');
  return { minor, currency: money.currency };
}

/** A percentage of an amount, rounded half away from zero. `hundredths` is the percentage × 100: 1500 for 15 %. */
export function percentOf(money: Money, hundredths: number): Money {
  const scaled = BigInt(money.minor) * BigInt(hundredths);
  const half = scaled < 0n ? -5000n : 5000n;
  return { minor: Number((scaled + half) / 10000n), currency: money.currency };
}

export function sameMoney(a: Money | undefined, b: Money | undefined): boolean {
  return a?.minor === b?.minor && a?.currency === b?.currency;
}

/** Whether amounts add up to a total. Each may be one minor unit off, because airlines round. */
export function addUpTo(amounts: readonly Money[], total: Money | undefined): boolean {
  const sum = amounts.length === 0 ? total && zero(total.currency) : sumMoney(amounts);
  return sum !== undefined && sum.currency === total?.currency && Math.abs(sum.minor - total.minor) <= amounts.length;
}

export function zero(currency: string): Money {
  return { minor: 0, currency };
}

/** `1725`, `438.84`, `SAR 1,725.00` as {@link showMoney} writes it, `1725.00 SAR`. */
const TYPED = /^(?:([A-Z]{3}) ?)?(\d{1,12}(?:\.\d{1,4})?|\d{1,3}(?:,\d{3})+\.\d{1,4})(?: ?([A-Z]{3}))?$/i;

/** An amount as a person or a model typed it. */
export interface TypedAmount {
  /** With at least two decimals: `1725.00`. */
  readonly decimal: string;
  /** Undefined: typed without a currency. */
  readonly currency?: string;
}

/** Reads a typed amount. Undefined for a text that is not an amount, or may be two: `1,725`. */
export function typedAmount(typed: string): TypedAmount | undefined {
  const [, before, amount, behind = before] = TYPED.exec(typed.trim()) ?? [];
  if (amount === undefined || (before !== undefined && behind !== before)) return undefined;
  const [integer = '', fraction = ''] = amount.replaceAll(',', '').split('.');
  const decimals = withoutTrailing(fraction, '0').padEnd(2, '0');
  const decimal = `${integer.replace(/^0+(?=\d)/, '')}.${decimals}`;
  return behind === undefined ? { decimal } : { decimal, currency: behind.toUpperCase() };
}

/**
 * Makes money of a typed amount. Undefined if it was typed with another currency, or with more decimals than the currency has.
 * @param currency the one that is meant where none was typed
 */
export function moneyIn(typed: TypedAmount, currency: string): Money | undefined {
  const money = parseMoney(typed.decimal, currency);
  if (money === undefined || (typed.currency ?? currency) !== currency) return undefined;
  // More decimals than the currency has are read as rounded.
  return Number(formatMoney(money)) === Number(typed.decimal) ? money : undefined;
}
