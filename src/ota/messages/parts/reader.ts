/**
 * Small total readers over parsed JSON: they take anything, never throw, and read a value of another type than
 * expected where its meaning is plain (docs/wire/interface.md does not say which reply fields are required).
 */

import { plainDecimal } from '../../../domain/pricing/money.ts';
import { visibleText } from '../../../domain/time-and-text/clean-text.ts';
import { ClerkError } from '../../../errors.ts';

export { omitUndefined as defined } from '../../../domain/time-and-text/omit-undefined.ts';

/** A JSON object of the airline's interface. */
export type Wire = Record<string, unknown>;

const NOTHING: Wire = Object.freeze({});
const EMPTY: readonly never[] = Object.freeze([]);

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object, or the first object of an array, or an empty one. */
export function record(value: unknown): Wire {
  if (isRecord(value)) return value;
  if (Array.isArray(value)) return value.find(isRecord) ?? NOTHING;
  return NOTHING;
}

/** An array as it is, one value as an array of one, nothing as an empty array. */
export function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? EMPTY : [value];
}

export function records(value: unknown): readonly Wire[] {
  if (isRecord(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord) : EMPTY;
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const seen = visibleText(value);
    return seen === '' || (seen !== value && seen.trim() === '') ? undefined : seen;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

/** Visible text that is not empty; numbers as their digits; `{value}` and an array of one are opened. */
export function text(value: unknown): string | undefined {
  const plain = scalar(value);
  if (plain !== undefined || typeof value !== 'object' || value === null) return plain;
  if (Array.isArray(value))
    return value.length === 1 ? (scalar(value[0]) ?? scalar(record(value[0]).value)) : undefined;
  return scalar((value as Wire).value);
}

/** Every text of a list; `null` and empty items are dropped. */
export function texts(value: unknown): string[] {
  const found: string[] = [];
  for (const item of list(value)) {
    const one = text(item);
    if (one !== undefined) found.push(one);
  }
  return found;
}

const POINTER = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;
const LONGEST_POINTER = 40;

/**
 * A pointer, the name of a booking or a ticket, a type of passenger. It stands in our own sentences and comes back as
 * input: what could be more than a word there becomes a hyphen, and then fits nothing of the airline's.
 */
export function readPointer(value: unknown): string | undefined {
  const word = text(value)?.trim();
  if (word === undefined || (word.length <= LONGEST_POINTER && POINTER.test(word))) return word;
  const kept = word.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return kept.slice(0, LONGEST_POINTER) || undefined;
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A date, or a time with or without its zone, as sent. What is none of these is not there. */
export function readTime(value: unknown): string | undefined {
  const word = text(value)?.trim();
  return word !== undefined && TIME.test(word) ? word : undefined;
}

/** Pointers: texts, or objects `{rph}`. */
export function pointers(value: unknown): string[] {
  const found: string[] = [];
  for (const item of list(value)) {
    const one = isRecord(item) ? readPointer(item.rph ?? item.value) : readPointer(item);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** A whole number, from a number or its digits. */
export function count(value: unknown): number | undefined {
  const digits = text(value);
  if (digits === undefined || !/^-?\d{1,15}(?:\.0+)?$/.test(digits)) return undefined;
  return Number(digits);
}

/** A decimal as its plain digits (`"172.5"`), from a number or text. */
export function decimal(value: unknown): string | undefined {
  const digits = text(value);
  return digits === undefined ? undefined : plainDecimal(digits);
}

export function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = text(value)?.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}

/** An airport or station: `{locationCode}`, `{code}` or the bare code. */
export function place(value: unknown): string | undefined {
  if (!isRecord(value)) return text(value);
  return text(value.locationCode) ?? text(value.code) ?? text(value.value);
}

/** Code of a company: `{code}`, `{value}` or the bare code. */
export function company(value: unknown): string | undefined {
  return isRecord(value) ? (text(value.code) ?? text(value.value)) : text(value);
}

/**
 * The extensions branch in any of its spellings (docs/wire/notes.md, Tolerated in replies); several are read as one.
 */
export function extensions(value: Wire): Wire {
  const a = value.tpaextensions;
  const b = value.tpaExtensions;
  const c = value.TPA_Extensions;
  if (b === undefined && c === undefined) return record(a);
  if (a === undefined && c === undefined) return record(b);
  if (a === undefined && b === undefined) return record(c);
  return { ...record(c), ...record(b), ...record(a) };
}

/** An array of exactly one, as the schemas know it. */
export function only<T>(value: T): [T] {
  return [value];
}

/** A list where it has something in it. */
export function unlessEmpty<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** A reply that lacks what it must name. Nothing is known to have changed by reading it. */
export function replyError(part: string): ClerkError {
  return new ClerkError('E_AIRLINE_REPLY', `The airline's reply could not be read: ${part} is missing or malformed.`, {
    next: 'Ask the operator to run fareclerk doctor; a person should check with the airline before the call is repeated.',
  });
}

/** The body of a reply, which must be a JSON object. */
export function replyBody(value: unknown): Wire {
  if (!isRecord(value)) throw replyError('the body');
  return value;
}
