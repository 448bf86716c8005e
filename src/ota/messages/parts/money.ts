/** Amounts on the wire: JSON numbers, or text in orders. */
import { formatMoney, type Money, parseMoney } from '../../../core/money.ts';
import { asList, isObject } from '../../transport/json.ts';
import { record, text, type Wire } from './reader.ts';

/** An amount without a currency of its own takes that of its siblings or parent. */
export function amount(value: unknown, currency: string | undefined): Money | undefined {
  if (isObject(value)) return amount(value.amount, currencyOf(value) ?? currency);
  const digits = text(value);
  return digits === undefined || currency === undefined ? undefined : parseMoney(digits, currency);
}

const CURRENCY = /^[A-Z]{3}$/;

/** `currencyCode`, or `currency` in penalty rules and pricing rows. Ignores anything but an ISO 4217 code. */
export function currencyOf(value: Wire): string | undefined {
  const code = (text(value.currencyCode) ?? text(value.currency))?.toUpperCase();
  return code !== undefined && CURRENCY.test(code) ? code : undefined;
}

/** `taxes` or `fees`: an object with its items, or the bare array of them (docs/wire/notes.md, Replies). */
export function branchOf(value: unknown, items: 'tax' | 'fee'): Wire {
  const bare = Array.isArray(value) && !value.some((one) => isObject(one) && one[items] !== undefined);
  return bare ? { [items]: value } : record(value);
}

/** The first currency that a fare (`itinTotalFare[]`, `passengerFare[]`) names. */
export function fareCurrency(fare: Wire): string | undefined {
  const [taxes, fees] = [branchOf(fare.taxes, 'tax'), branchOf(fare.fees, 'fee')];
  const parts = [fare.totalFare, fare.baseFare, taxes, fees, fare, ...asList(taxes.tax), ...asList(fees.fee)];
  for (const part of parts) {
    const code = currencyOf(record(part));
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Percent × 100: `15.00` is 1500. Read like an amount in no currency (`XXX`, ISO 4217). */
export function percentage(value: unknown): number | undefined {
  const digits = text(value);
  return digits === undefined ? undefined : parseMoney(digits, 'XXX')?.minor;
}

export function amountIn(value: unknown, currency: string): Money | undefined {
  const money = amount(value, currency);
  return money?.currency === currency ? money : undefined;
}

/** Sum of the amounts in this currency, without the others. Undefined if it is not exact. */
export function sumOf(amounts: readonly Money[], currency: string): Money | undefined {
  let minor = 0;
  for (const amount of amounts) {
    if (amount.currency === currency) minor += amount.minor;
    if (!Number.isSafeInteger(minor)) return undefined;
  }
  return { minor, currency };
}

export function negative(money: Money): Money {
  return { minor: -money.minor, currency: money.currency };
}

/** The JSON number comes from the digits, without float arithmetic. */
export function writeAmount(money: Money): { currencyCode: string; amount: number } {
  return { currencyCode: money.currency, amount: Number(formatMoney(money)) };
}
