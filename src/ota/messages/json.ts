/** Reads replies as JSON: with bounded depth, without keys that reach a prototype, and without their text in an error. */

import { isObject } from '../../core/own.ts';
import { jsonShape } from '../../core/text-limits.ts';

/** The deepest documented reply has fewer than 20 levels. */
const MAX_DEPTH = 64;

export type NotJson = 'empty' | 'html' | 'not_json' | 'too_deep';

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: NotJson };

/** Whether a text may have keys that reach a prototype: as they are, or with an escaped ASCII letter. */
const DANGEROUS_KEY = /__proto__|constructor|prototype/;
const ESCAPED_LETTER = '\\u00';
const DANGEROUS_KEYS = ['__proto__', 'constructor', 'prototype'] as const;
/** Significant digits that a JavaScript number always holds. */
const EXACT_DIGITS = 15;

/** `problem` says why a text is not JSON that can be used. */
export function readJson(text: string): JsonReading {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = /\S/.exec(body)?.[0];
  if (first === undefined) return { ok: false, problem: 'empty' };
  if (first === '<') return { ok: false, problem: 'html' };

  const { isTooDeep, longestNumber } = jsonShape(body, MAX_DEPTH);
  if (isTooDeep) return { ok: false, problem: 'too_deep' };

  try {
    const value: unknown = longestNumber > EXACT_DIGITS ? JSON.parse(body, keepDigits) : JSON.parse(body);
    // Two searches of a long text are quicker than one expression for both.
    if (body.includes(ESCAPED_LETTER) || DANGEROUS_KEY.test(body)) dropDangerousKeys(value);
    return { ok: true, value };
  } catch {
    return { ok: false, problem: 'not_json' };
  }
}

/**
 * Returns a number that a JavaScript number cannot hold as its text: a ticket number keeps its digits. The reviver of
 * `JSON.parse` gets the source of each number.
 */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
  const digits = (source.split(/e/i)[0] ?? '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length > EXACT_DIGITS ? source : value;
}

/** An array as it is, undefined and null as an empty list, any other value as a list of one. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** JSON.parse makes `__proto__` an own property, which does harm when it is copied. */
function dropDangerousKeys(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) dropDangerousKeys(item);
  } else if (isObject(value)) {
    for (const key of DANGEROUS_KEYS) if (Object.hasOwn(value, key)) Reflect.deleteProperty(value, key);
    for (const item of Object.values(value)) dropDangerousKeys(item);
  }
}
