/**
 * Amounts on the wire: JSON numbers (in orders, text) beside or below a currency code.
 */
import { formatMoney, type Money, parseMoney } from '../../../domain/pricing/money.ts';
import { isRecord, list, record, text, type Wire } from './reader.ts';

/** An amount without a currency of its own takes that of its siblings or parent. */
export function amount(value: unknown, currency: string | undefined): Money | undefined {
  if (isRecord(value)) return amount(value.amount, currencyOf(value) ?? currency);
  const digits = text(value);
  return digits === undefined || currency === undefined ? undefined : parseMoney(digits, currency);
}

const CURRENCY = /^[A-Z]{3}$/;

/** `currencyCode` of an amount; penalty rules and pricing rows say `currency`. What is no ISO 4217 code is none. */
export function currencyOf(value: Wire): string | undefined {
  const code = (text(value.currencyCode) ?? text(value.currency))?.toUpperCase();
  return code !== undefined && CURRENCY.test(code) ? code : undefined;
}

/** `taxes` or `fees`: an object with its items, or the bare array of them (docs/wire/notes.md, Replies). */
export function branchOf(value: unknown, items: 'tax' | 'fee'): Wire {
  const bare = Array.isArray(value) && !value.some((one) => isRecord(one) && one[items] !== undefined);
  return bare ? { [items]: value } : record(value);
}

/** The first currency that a fare (`itinTotalFare[]`, `passengerFare[]`) names anywhere. */
export function fareCurrency(fare: Wire): string | undefined {
  const [taxes, fees] = [branchOf(fare.taxes, 'tax'), branchOf(fare.fees, 'fee')];
  const whole = [fare.totalFare, fare.baseFare, taxes, fees, fare];
  for (const part of whole) {
    const code = currencyOf(record(part));
    if (code !== undefined) return code;
  }
  for (const part of [...list(taxes.tax), ...list(fees.fee)]) {
    const code = currencyOf(record(part));
    if (code !== undefined) return code;
  }
  return undefined;
}

/** A percentage as percent × 100: `15.00` is 1500. Read like an amount in no currency (`XXX`, ISO 4217). */
export function percentage(value: unknown): number | undefined {
  const digits = text(value);
  return digits === undefined ? undefined : parseMoney(digits, 'XXX')?.minor;
}

/** An amount that must be in one currency: in another it is none. */
export function amountIn(value: unknown, currency: string): Money | undefined {
  const money = amount(value, currency);
  return money?.currency === currency ? money : undefined;
}

/** Sum of the amounts in one currency; those in another are left out. Undefined where it is not exact. */
export function sumOf(amounts: readonly Money[], currency: string): Money | undefined {
  let minor = 0;
  for (const one of amounts) {
    if (one.currency === currency) minor += one.minor;
    if (!Number.isSafeInteger(minor)) return undefined;
  }
  return { minor, currency };
}

export function negative(money: Money): Money {
  return { minor: -money.minor, currency: money.currency };
}

/** The JSON number of an amount: digits first, so that no float arithmetic is done. */
function toNumber(money: Money): number {
  return Number(formatMoney(money));
}

export function writeAmount(money: Money): { currencyCode: string; amount: number } {
  return { currencyCode: money.currency, amount: toNumber(money) };
}
