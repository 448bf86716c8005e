/** Reads `key=value` words into the arguments of a tool: dots for nested fields, commas or repeated keys for lists. */

import { UsageError } from '../../config/problem.ts';
import { nearest } from '../../core/nearest-word.ts';
import { own } from '../../core/own.ts';
import type { JsonSchema } from '../../server/schemas.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

type Branch = Record<string, unknown> | unknown[];

/** A key that may be shown: other text may be a value in the wrong place, such as a card number. */
const KEY = /^[a-z_]{1,30}(?:\.(?:\d{1,2}|[a-z_]{1,30}))*$/;
/** More than any tool takes. */
const MOST_ITEMS = 100;

const shown = (key: string): string => (KEY.test(key) ? key : 'a key');

/** @throws UsageError for an unknown key; it never repeats a value */
export function readKeyValues(words: readonly string[], schema: JsonSchema): ToolArguments {
  const args: Record<string, unknown> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at <= 0) throw new UsageError('call: expected inputs as key=value, or one JSON object alone.');
    place(args, word.slice(0, at), word.slice(at + 1), schema);
  }
  refuseGaps(args, '');
  return args;
}

function place(args: Record<string, unknown>, key: string, text: string, schema: JsonSchema): void {
  const parts = key.split('.');
  let branch: Branch = args;
  let shape = schema;
  for (const [i, part] of parts.entries()) {
    const path = parts.slice(0, i + 1).join('.');
    const field = fieldOf(shape, part, parts.slice(0, i).join('.'), path);
    if (i === parts.length - 1) set(branch, part, leafOf(text, field, path), path);
    else branch = stepInto(branch, part, field, path);
    shape = field;
  }
}

/** The schema of one part of a key. */
function fieldOf(shape: JsonSchema, part: string, parent: string, path: string): JsonSchema {
  if (shape.type === 'array') {
    const example = `${shown(parent)}.0`;
    if (/^\d{1,2}$/.test(part) && shape.items !== undefined) return shape.items;
    throw new UsageError(`call: ${shown(parent)} is a list: number its items from 0, such as ${example}.`);
  }
  const known = shape.properties ?? {};
  const field = own(known, part);
  if (field !== undefined) return field;
  const names = Object.keys(known);
  // An object that takes any field, such as the arguments of a step: lists in it need JSON.
  if (typeof shape.additionalProperties === 'object' && /^[a-z]+(?:_[a-z]+)*$/.test(part)) return { type: 'string' };
  if (names.length === 0) throw new UsageError(`call: ${shown(parent) || 'this tool'} has no fields of its own.`);
  const near = nearest(part, names);
  const hint = near === undefined ? `Known: ${names.join(', ')}.` : `Nearest: ${near}.`;
  throw new UsageError(`call: ${shown(path)}: there is no such input. ${hint}`);
}

function stepInto(branch: Branch, part: string, field: JsonSchema, path: string): Branch {
  const below = (branch as Record<string, unknown>)[part];
  if (typeof below === 'object' && below !== null) return below as Branch;
  if (below !== undefined) throw new UsageError(`call: ${path} is given twice.`);
  const made: Branch = field.type === 'array' ? [] : {};
  (branch as Record<string, unknown>)[part] = made;
  return made;
}

/** Sets a value once; a list grows with each repeated key. */
function set(branch: Branch, part: string, value: unknown, path: string): void {
  const fields = branch as Record<string, unknown>;
  const before = fields[part];
  if (before === undefined) fields[part] = value;
  else if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
  else throw new UsageError(`call: ${path} is given twice.`);
}

/** The value as the schema types it. The clerk checks it again, and says what was expected. */
function leafOf(text: string, field: JsonSchema, path: string): unknown {
  const { type, items } = field;
  if (type === 'object' || (type === 'array' && /^\s*\[/.test(text))) return jsonOf(text, path);
  if (type === 'array') {
    if (items?.type === 'object') return [jsonOf(text, path)];
    return text.split(',').map((item) => leafOf(item.trim(), items ?? {}, path));
  }
  if ((type === 'integer' || type === 'number') && /^-?\d{1,9}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function jsonOf(text: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new UsageError(`call: ${path}: expected JSON in single quotes, or ${path}.FIELD=value.`);
}

/** Items are numbered from 0 without gaps. */
function refuseGaps(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const missing = value.length > MOST_ITEMS ? MOST_ITEMS : [...value].indexOf(undefined);
    if (missing >= 0) throw new UsageError(`call: ${path}.${missing} is missing: number the items from 0.`);
  }
  for (const [name, field] of Object.entries(value)) refuseGaps(field, path === '' ? name : `${path}.${name}`);
}
