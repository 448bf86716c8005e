/** Reads replies as JSON: bounded depth, no keys that reach a prototype, no text of theirs in an error. */
import { nestsDeeper } from '../../core/json-depth.ts';
import { isObject } from '../../core/own.ts';

/** The deepest documented reply has fewer than 20 levels. */
const MAX_DEPTH = 64;

export type NotJson = 'empty' | 'html' | 'not_json' | 'too_deep';

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: NotJson };

/** Keys that could touch a prototype, and the beginning of an escape that can spell an ASCII letter of one. */
const SUSPECT = /__proto__|constructor|prototype/;
const ESCAPE = '\\u00';
const DANGEROUS = ['__proto__', 'constructor', 'prototype'] as const;

export function readJson(text: string): JsonReading {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = /\S/.exec(body)?.[0];
  if (first === undefined) return { ok: false, problem: 'empty' };
  if (first === '<') return { ok: false, problem: 'html' };
  if (nestsDeeper(body, MAX_DEPTH)) return { ok: false, problem: 'too_deep' };
  try {
    const value: unknown = JSON.parse(body);
    // Two looks at a long text are quicker than one expression for both.
    if (body.includes(ESCAPE) || SUSPECT.test(body)) dropDangerousKeys(value);
    return { ok: true, value };
  } catch {
    return { ok: false, problem: 'not_json' };
  }
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
    for (const key of DANGEROUS) if (Object.hasOwn(value, key)) Reflect.deleteProperty(value, key);
    for (const item of Object.values(value)) dropDangerousKeys(item);
  }
}
