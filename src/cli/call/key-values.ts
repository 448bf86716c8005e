/** Reads `key=value` words into the arguments of a tool: dots for nested fields, commas or repeated keys for lists. */

import type { JsonSchema } from '../../clerk/schemas.ts';
import { UsageError } from '../../config/problem.ts';
import { nearest } from '../../core/nearest-word.ts';
import { own } from '../../core/own.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** An object or a list of the arguments, while it is filled. */
type Branch = Record<string, unknown> | unknown[];

/** A key that an error may repeat: other text may be a value in the wrong place, such as a card number. */
const SHOWABLE_KEY = /^[a-z_]{1,30}(?:\.(?:\d{1,2}|[a-z_]{1,30}))*$/;
/** The most items of a list: more than any tool takes. */
const MOST_ITEMS = 100;

const shownKey = (key: string): string => (SHOWABLE_KEY.test(key) ? key : 'a key');

/** @throws UsageError for an unknown key; it never repeats a value */
export function readKeyValues(words: readonly string[], schema: JsonSchema): ToolArguments {
  const args: Record<string, unknown> = {};
  for (const word of words) {
    const separator = word.indexOf('=');
    if (separator <= 0) throw new UsageError('call: expected inputs as key=value, or one JSON object alone.');
    addArgument(args, word.slice(0, separator), word.slice(separator + 1), schema);
  }
  refuseGaps(args, '');
  return args;
}

/** Follows the key from step to step, and sets the value at the last one. */
function addArgument(args: Record<string, unknown>, key: string, text: string, schema: JsonSchema): void {
  const steps = key.split('.');
  let branch: Branch = args;
  let branchSchema = schema;
  for (const [i, step] of steps.entries()) {
    const path = steps.slice(0, i + 1).join('.');
    const field = fieldSchema(branchSchema, path);
    if (i === steps.length - 1) setValue(branch, step, typedValue(text, field, path), path);
    else branch = childBranch(branch, step, field, path);
    branchSchema = field;
  }
}

/**
 * The schema of the last step of a path: of a field, or of an item of a list.
 * @param branchSchema of the object or list that the step is in
 * @param path the key up to and including the step
 * @throws UsageError if the schema has no such step
 */
function fieldSchema(branchSchema: JsonSchema, path: string): JsonSchema {
  const steps = path.split('.');
  const step = steps.at(-1) ?? '';
  const parent = steps.slice(0, -1).join('.');
  if (branchSchema.type === 'array') {
    const example = `${shownKey(parent)}.0`;
    if (/^\d{1,2}$/.test(step) && branchSchema.items !== undefined) return branchSchema.items;
    throw new UsageError(`call: ${shownKey(parent)} is a list: number its items from 0, such as ${example}.`);
  }
  const fields = branchSchema.properties ?? {};
  const field = own(fields, step);
  if (field !== undefined) return field;
  const names = Object.keys(fields);
  // An object that takes any field, such as the arguments of a step: lists in it need JSON.
  const takesAnyField = typeof branchSchema.additionalProperties === 'object';
  if (takesAnyField && /^[a-z]+(?:_[a-z]+)*$/.test(step)) return { type: 'string' };
  if (names.length === 0) throw new UsageError(`call: ${shownKey(parent) || 'this tool'} has no fields of its own.`);
  const nearestName = nearest(step, names);
  const hint = nearestName === undefined ? `Known: ${names.join(', ')}.` : `Nearest: ${nearestName}.`;
  throw new UsageError(`call: ${shownKey(path)}: there is no such input. ${hint}`);
}

/** The object or list at a step; makes it if there is none yet. @throws UsageError if a value is there */
function childBranch(branch: Branch, step: string, field: JsonSchema, path: string): Branch {
  const fields = branch as Record<string, unknown>;
  const child = fields[step];
  if (typeof child === 'object' && child !== null) return child as Branch;
  if (child !== undefined) throw new UsageError(`call: ${path} is given twice.`);
  const newChild: Branch = field.type === 'array' ? [] : {};
  fields[step] = newChild;
  return newChild;
}

/** Sets a value. A repeated key adds to a list. @throws UsageError if another value is there */
function setValue(branch: Branch, step: string, value: unknown, path: string): void {
  const fields = branch as Record<string, unknown>;
  const before = fields[step];
  if (before === undefined) fields[step] = value;
  else if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
  else throw new UsageError(`call: ${path} is given twice.`);
}

/** Reads the value as the schema types it. Text of another type stays text: the clerk says what it expected. */
function typedValue(text: string, field: JsonSchema, path: string): unknown {
  const { type, items } = field;
  if (type === 'object' || (type === 'array' && /^\s*\[/.test(text))) return parseJson(text, path);
  if (type === 'array') {
    if (items?.type === 'object') return [parseJson(text, path)];
    return text.split(',').map((item) => typedValue(item.trim(), items ?? {}, path));
  }
  if ((type === 'integer' || type === 'number') && /^-?\d{1,9}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function parseJson(text: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new UsageError(`call: ${path}: expected JSON in single quotes, or ${path}.FIELD=value.`);
}

/** @throws UsageError if the items of a list are not numbered from 0 without gaps */
function refuseGaps(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const missing = value.length > MOST_ITEMS ? MOST_ITEMS : [...value].indexOf(undefined);
    if (missing >= 0) throw new UsageError(`call: ${path}.${missing} is missing: number the items from 0.`);
  }
  for (const [name, field] of Object.entries(value)) refuseGaps(field, path === '' ? name : `${path}.${name}`);
}
