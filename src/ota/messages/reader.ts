/**
 * Reads texts, times, references and amounts from parsed JSON. Every reader takes any value, never throws, and accepts a value of
 * another type if its meaning is plain (docs/wire/interface.md does not say which reply fields are required).
 */
import { visibleText } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import { formatMoney, type Money, parseMoney, plainDecimal } from '../../core/money.ts';
import { isObject } from '../../core/own.ts';
import { zonelessTime } from '../../core/times.ts';
import { isTimeZone, offsetAt, offsetText } from '../../core/zone.ts';
import type { BookingReference } from '../../domain/booking/booking.ts';
import { asList } from './json.ts';

export type Wire = Record<string, unknown>;

const NO_FIELDS: Wire = Object.freeze({});
const NO_RECORDS: readonly never[] = Object.freeze([]);

/** Characters: far more than any field needs. Results cut texts shorter; this bounds what is stored and compared. */
const LONGEST_TEXT = 4_000;
/** Letters and digits, with single hyphens or underscores between them. */
const POINTER = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;
/** Characters. */
const LONGEST_POINTER = 40;
/** A date, or a time with or without its zone. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
/** A time in other spellings, in its parts: day, time of day, offset and the name of its zone. */
const OTHER_TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?(?:\[([\w/+-]{1,40})\])?$/i;
/** The parts of a time: to the minute, seconds, their fraction, zone. */
const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;
/** Characters of a limit that cannot be read. */
const LONGEST_LIMIT = 60;
const CURRENCY = /^[A-Z]{3}$/;

/** OpenTravel unique id types (docs/wire/interface.md, Message conventions). */
export const RESERVATION = '14';
export const GROUP = '9';
/** A locator of the reservation system (docs/wire/notes.md, Tolerated in replies). The operator's locators are longer. */
const LOCATOR = /^[A-Z0-9]{6}$/;

/** Returns an object, the first object of an array, or an empty object. */
export function record(value: unknown): Wire {
  if (isObject(value)) return value;
  if (Array.isArray(value)) return value.find(isObject) ?? NO_FIELDS;
  return NO_FIELDS;
}

/** Returns the objects of an array, or a single object as a list. */
export function records(value: unknown): readonly Wire[] {
  if (isObject(value)) return [value];
  return Array.isArray(value) ? value.filter(isObject) : NO_RECORDS;
}

/** Reads each object of a list. Drops those that `read` cannot make sense of. */
export function readAll<T>(value: unknown, read: (wire: Wire) => T | undefined): T[] {
  return readEach(records(value), read);
}

function readEach<T, R>(items: readonly T[], read: (item: T) => R | undefined): R[] {
  const values: R[] = [];
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) values.push(value);
  }
  return values;
}

function visibleScalar(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const visible = visibleText(value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT) : value);
    return visible === '' || (visible !== value && visible.trim() === '') ? undefined : visible;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

/** Visible text that is not empty. Reads numbers as digits, and opens `{value}` and an array of one. */
export function text(value: unknown): string | undefined {
  const plain = visibleScalar(value);
  if (plain !== undefined || typeof value !== 'object' || value === null) return plain;
  if (Array.isArray(value))
    return value.length === 1 ? (visibleScalar(value[0]) ?? visibleScalar(record(value[0]).value)) : undefined;
  return visibleScalar((value as Wire).value);
}

export function texts(value: unknown): string[] {
  return readEach(asList(value), text);
}

/**
 * A pointer, locator, ticket number or passenger type. Our own sentences show it, so any character that could be more
 * than part of a word becomes a hyphen. It then matches nothing of the airline's.
 */
export function readPointer(value: unknown): string | undefined {
  const word = text(value)?.trim();
  if (word === undefined || (word.length <= LONGEST_POINTER && POINTER.test(word))) return word;
  const cleanWord = word.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return cleanWord.slice(0, LONGEST_POINTER) || undefined;
}

/** A date, or a time with or without its zone, as sent; in RFC 3339 if it is spelled in another way. Ignores anything else. */
export function readTime(value: unknown): string | undefined {
  const word = text(value)?.trim();
  return word === undefined || TIME.test(word) ? word : respelled(word);
}

/** Reads `2026-11-28 18:21:00,5+03` as `2026-11-28T18:21:00.5+03:00`, and the offset of a zone that is only named. */
function respelled(word: string): string | undefined {
  const [, day = '', time = '', offset, zone] = OTHER_TIME.exec(word) ?? [];
  if (day === '') return undefined;
  const local = `${day}T${time.replace(',', '.')}`;
  if (offset !== undefined) return `${local}${offset.length === 3 ? `${offset}:00` : offset}`;
  const utc = zonelessTime(local, undefined);
  if (zone === undefined || utc === undefined) return local;
  return isTimeZone(zone) ? `${local}${offsetText(utc - offsetAt(utc, zone), zone)}` : undefined;
}

/** A date, as sent; some airlines write it with the midnight of nowhere behind it. */
export function readDate(value: unknown): string | undefined {
  return readTime(value)?.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '');
}

/** A time that the interface has as UTC: one without a zone gets it. */
export function readUtcTime(value: unknown): string | undefined {
  const time = readTime(value);
  return time !== undefined && zonelessTime(time, undefined) !== undefined ? `${time}Z` : time;
}

/** A time limit. A text that is no time stays as sent: limits.ts takes it out of the limits that count. */
export function readTimeLimit(value: unknown): string | undefined {
  return readTime(value) ?? text(value)?.trim().slice(0, LONGEST_LIMIT);
}

/** Writes a time as RFC 3339 with milliseconds. `defaultZone`: for a time that has none; without it that time stays as it is. */
function withZone(value: string, defaultZone: string | undefined): string {
  const match = DATE_TIME.exec(value.trim());
  if (match === null) return value;

  const [, minutes = '', seconds = ':00', fraction = '', zone] = match;
  const offset = zone ?? defaultZone;
  if (offset === undefined) return value;

  const millis = fraction.slice(1, 4).padEnd(3, '0');
  const colon = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  return `${minutes.toUpperCase()}${seconds}.${millis}${colon}`;
}

/** Writes a time with milliseconds, as requests need it (RFC 3339). Leaves a time without a zone for the check to refuse. */
export function toMillis(value: string): string {
  return withZone(value, undefined);
}

/** Writes a time of the availability record, which is UTC, with milliseconds and `Z`. */
export function toUtc(value: string): string {
  return withZone(value, 'Z');
}

/** Reads pointers: texts, or objects `{rph}`. */
export function readPointers(value: unknown): string[] {
  return readEach(asList(value), (item) => readPointer(isObject(item) ? (item.rph ?? item.value) : item));
}

export function readCount(value: unknown): number | undefined {
  const digits = text(value);
  if (digits === undefined || !/^-?\d{1,15}(?:\.0+)?$/.test(digits)) return undefined;
  return Number(digits);
}

export function readDecimal(value: unknown): string | undefined {
  const digits = text(value);
  return digits === undefined ? undefined : plainDecimal(digits);
}

export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = text(value)?.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}

/** An airport or station: `{locationCode}`, `{code}` or the bare code, which some airlines write in small letters. */
export function readStationCode(value: unknown): string | undefined {
  const code = isObject(value) ? (text(value.locationCode) ?? text(value.code) ?? text(value.value)) : text(value);
  return code?.toUpperCase();
}

/** Code of a company: `{code}`, `{value}` or the bare code. */
export function readCompanyCode(value: unknown): string | undefined {
  return isObject(value) ? (text(value.code) ?? text(value.value)) : text(value);
}

/** The extensions branch in any of its spellings, merged (docs/wire/notes.md, Tolerated in replies). */
export function extensions(value: Wire): Wire {
  const { tpaextensions, tpaExtensions, TPA_Extensions } = value;
  const branches = [tpaextensions, tpaExtensions, TPA_Extensions].filter((branch) => branch !== undefined);
  // Nearly every reply has one spelling: its branch is not copied.
  if (branches.length < 2) return record(branches[0]);
  return { ...record(TPA_Extensions), ...record(tpaExtensions), ...record(tpaextensions) };
}

export function unlessEmpty<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function readReferences(value: unknown): BookingReference[] {
  return readAll(value, (wire): BookingReference | undefined => {
    // The id of a group is the name that a person gave it, in any words.
    const id = text(wire.type) === GROUP ? text(wire.id) : readPointer(wire.id);
    if (id === undefined) return undefined;
    const segmentRefs = readPointers(wire.flightRefNumberRPHList);
    return { id, type: text(wire.type), system: readCompanyCode(wire.companyName), segmentRefs };
  });
}

/** The reservation system's locator, else another system's. */
export function chooseLocator(references: readonly BookingReference[]): string | undefined {
  const locators = references.filter((reference) => reference.type !== GROUP);
  return (locators.find((reference) => LOCATOR.test(reference.id)) ?? locators[0])?.id;
}

/** @param part names what is missing or malformed */
export function replyError(part: string): ClerkError {
  return new ClerkError('E_AIRLINE_REPLY', `The airline's reply could not be read: ${part} is missing or malformed.`, {
    next: 'Ask the operator to run `fareclerk doctor`; a person should check with the airline before the call is repeated.',
  });
}

/** Throws E_AIRLINE_REPLY unless the body is a JSON object. */
export function replyBody(value: unknown): Wire {
  if (!isObject(value)) throw replyError('the body');
  return value;
}

/** Reads an amount. One that names no currency has `currency`, that of its siblings or parent. */
export function readAmount(value: unknown, currency: string | undefined): Money | undefined {
  if (isObject(value)) return readAmount(value.amount, readCurrency(value) ?? currency);
  const digits = text(value);
  return digits === undefined || currency === undefined ? undefined : parseMoney(digits, currency);
}

/** `currencyCode`, or `currency` in penalty rules and pricing rows. Ignores anything but an ISO 4217 code. */
export function readCurrency(value: Wire): string | undefined {
  const code = (text(value.currencyCode) ?? text(value.currency))?.toUpperCase();
  return code !== undefined && CURRENCY.test(code) ? code : undefined;
}

/** `taxes` or `fees`: an object with its items, or the bare array of them (docs/wire/notes.md, Replies). */
export function readBranch(value: unknown, items: 'tax' | 'fee'): Wire {
  const isBareList = Array.isArray(value) && !value.some((item) => isObject(item) && item[items] !== undefined);
  return isBareList ? { [items]: value } : record(value);
}

/** The first currency that a fare (`itinTotalFare[]`, `passengerFare[]`) names. */
export function fareCurrency(fare: Wire): string | undefined {
  const [taxes, fees] = [readBranch(fare.taxes, 'tax'), readBranch(fare.fees, 'fee')];
  const branches = [fare.totalFare, fare.baseFare, taxes, fees, fare, ...asList(taxes.tax), ...asList(fees.fee)];
  for (const branch of branches) {
    const code = readCurrency(record(branch));
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Percent × 100: `15.00` is 1500. Read like an amount in no currency (`XXX`, ISO 4217). */
export function readPercentage(value: unknown): number | undefined {
  const digits = text(value);
  return digits === undefined ? undefined : parseMoney(digits, 'XXX')?.minor;
}

/** Reads an amount in this currency. Undefined if it is in another. */
export function readAmountIn(value: unknown, currency: string): Money | undefined {
  const money = readAmount(value, currency);
  return money?.currency === currency ? money : undefined;
}

/** Adds the amounts in this currency and leaves out the others. Undefined if the sum is not exact. */
export function sumIn(amounts: readonly Money[], currency: string): Money | undefined {
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

/** Writes an amount. Its JSON number comes from the digits, without float arithmetic. */
export function writeAmount(money: Money): { currencyCode: string; amount: number } {
  return { currencyCode: money.currency, amount: Number(formatMoney(money)) };
}
