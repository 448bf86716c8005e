/** Reads replies as JSON: bounded depth, no keys that reach a prototype, no text of theirs in an error. */

/** The deepest documented reply has fewer than 20 levels. */
const MAX_DEPTH = 64;
/** A longer text is parsed only after its levels are counted. */
const LONG = 1 << 20;

export type NotJson = 'empty' | 'html' | 'not_json' | 'too_deep';

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: NotJson };

/** Keys that could touch a prototype, and the beginning of an escape that can spell an ASCII letter of one. */
const SUSPECT = /__proto__|constructor|prototype/;
const ESCAPE = '\\u00';
const DANGEROUS = ['__proto__', 'constructor', 'prototype'] as const;

export interface JsonBounds {
  /** Skips the check of depth, which is slow for a large reply. Only for a reply of which no branch is kept. */
  readonly anyDepth?: boolean;
}

export function readJson(text: string, { anyDepth = false }: JsonBounds = {}): JsonReading {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = /\S/.exec(body)?.[0];
  if (first === undefined) return { ok: false, problem: 'empty' };
  if (first === '<') return { ok: false, problem: 'html' };
  // A long text could be millions of levels deep.
  if (body.length > LONG && deeperThan(body, MAX_DEPTH)) return { ok: false, problem: 'too_deep' };
  try {
    const value: unknown = JSON.parse(body);
    if (!anyDepth && isDeeper(value, MAX_DEPTH)) return { ok: false, problem: 'too_deep' };
    // Two looks at a long text are quicker than one expression for both.
    if (body.includes(ESCAPE) || SUSPECT.test(body)) dropDangerousKeys(value);
    return { ok: true, value };
  } catch {
    return { ok: false, problem: deeperThan(body, MAX_DEPTH) ? 'too_deep' : 'not_json' };
  }
}

/** Quicker than counting brackets in the text. */
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
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An array as it is, undefined and null as an empty list, any other value as a list of one. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
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

/** JSON.parse makes `__proto__` an own property, which does harm when it is copied. */
function dropDangerousKeys(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) dropDangerousKeys(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of DANGEROUS) if (Object.hasOwn(value, key)) Reflect.deleteProperty(value, key);
    for (const item of Object.values(value)) dropDangerousKeys(item);
  }
}
