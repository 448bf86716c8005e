/**
 * Reads a reply's text as JSON without trusting it: bounded depth, no keys that reach an object's prototype, and a
 * name for what came instead of JSON. The text itself never becomes part of an error.
 */

/** Deepest nesting that is read; the deepest documented reply has fewer than 20 levels. */
const MAX_DEPTH = 64;

/** Characters of the longest text that is parsed without a count of its levels first. */
const LONG = 1 << 20;

/** What a body was, when it was not readable JSON. */
export type NotJson = 'empty' | 'html' | 'not_json' | 'too_deep';

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: NotJson };

/** Keys that could touch a prototype; `\u00` because an ASCII key can be spelled with escapes. */
const SUSPECT = /__proto__|constructor|prototype|\\u00/;
const DANGEROUS = ['__proto__', 'constructor', 'prototype'] as const;

export interface JsonBounds {
  /** Its branches are read by name and none is kept: how deep others go does not matter. Counting a large one's is dear. */
  readonly anyDepth?: boolean;
}

export function readJson(text: string, { anyDepth = false }: JsonBounds = {}): JsonReading {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = firstCharacter(body);
  if (first === '') return { ok: false, problem: 'empty' };
  if (first === '<') return { ok: false, problem: 'html' };
  // A long text could be millions of levels deep: not to be built before they are counted.
  if (body.length > LONG && deeperThan(body, MAX_DEPTH)) return { ok: false, problem: 'too_deep' };
  try {
    const value: unknown = JSON.parse(body);
    if (!anyDepth && isDeeper(value, MAX_DEPTH)) return { ok: false, problem: 'too_deep' };
    if (SUSPECT.test(body)) dropDangerousKeys(value);
    return { ok: true, value };
  } catch {
    return { ok: false, problem: deeperThan(body, MAX_DEPTH) ? 'too_deep' : 'not_json' };
  }
}

/** Whether a parsed value has more levels than that: quicker than counting brackets in its text. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const key in value) {
    const held = (value as Record<string, unknown>)[key];
    if (typeof held === 'object' && isDeeper(held, levels - 1)) return true;
  }
  return false;
}

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value as a list: an array as it is, undefined and null as empty, any other value as a list of one. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function firstCharacter(text: string): string {
  return /\S/.exec(text)?.[0] ?? '';
}

/** Counts brackets outside strings. Strings, most of any reply, are skipped by `indexOf`. */
function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}

/** JSON.parse makes `__proto__` an own property: harmless as it lies, poison once it is copied. */
function dropDangerousKeys(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) dropDangerousKeys(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of DANGEROUS) if (Object.hasOwn(value, key)) Reflect.deleteProperty(value, key);
    for (const item of Object.values(value)) dropDangerousKeys(item);
  }
}
