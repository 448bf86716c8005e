/**
 * Parses a tool's arguments. An error names the field, what was expected and the nearest valid value; it never repeats
 * the given value.
 */
import type * as z from 'zod';
import { ClerkError, inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest-word.ts';
import { addDays } from '../core/times.ts';
import { NEEDS_DATE } from '../tools/definition/input-fields.ts';
import type { JsonSchema } from './schemas.ts';

/**
 * Coerces what models commonly write, then parses by the schema. `today`, YYYY-MM-DD: for dates in errors. `at`: the place of these
 * arguments in the call, for errors; default: they are the call's own.
 */
export function parseInput<T>(schema: z.ZodType<T>, shape: JsonSchema, raw: unknown, today?: string, at = ''): T {
  const given = asObject(raw, at);
  const coerced = coerce(given, shape, at);
  const parsed = schema.safeParse(coerced);
  if (parsed.success) return parsed.data;
  throw issueError(parsed.error.issues, coerced, { shape, today, at });
}

function asObject(raw: unknown, at: string): Record<string, unknown> {
  if (raw === undefined || raw === null) return {};
  const value = typeof raw === 'string' ? jsonOr(raw) : raw;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const next = 'Call the tool again with an object of named fields.';
    throw inputError(at === '' ? 'arguments' : at, 'expected one JSON object.', next);
  }
  return value as Record<string, unknown>;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Accepts null for absent, JSON text for an array or object, one item for a list, and digits in text for a number. */
function coerce(value: unknown, shape: JsonSchema | undefined, path: string): unknown {
  if (shape === undefined) return value;
  if (typeof value === 'string' && (shape.type === 'array' || shape.type === 'object')) {
    const parsed = /^\s*[[{]/.test(value) ? jsonOr(value) : value;
    // A single text becomes a list of one.
    if (typeof parsed === 'string') return shape.type === 'array' && shape.items?.type === 'string' ? [parsed] : parsed;
    return coerce(parsed, shape, path);
  }
  if (Array.isArray(value)) return value.map((item, i) => coerce(item, shape.items, `${path}[${i}]`));
  if (typeof value === 'object' && value !== null) {
    if (isItemOf(shape, value)) return [coerce(value, shape.items, `${path}[0]`)];
    return coerceFields(value as Record<string, unknown>, shape, path);
  }
  if (typeof value === 'string' && (shape.type === 'integer' || shape.type === 'number')) {
    return /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : value;
  }
  if (typeof value === 'string' && shape.type === 'boolean') {
    if (value === 'true') return true;
    return value === 'false' ? false : value;
  }
  // A ref may be written as a number; money may not, because a number may have lost digits.
  if (typeof value === 'number' && shape.type === 'string' && Number.isSafeInteger(value) && shape.format !== 'money') {
    return String(value);
  }
  return value;
}

function isItemOf(shape: JsonSchema, value: object): boolean {
  const known = shape.type === 'array' ? (shape.items?.properties ?? {}) : {};
  return Object.keys(value).some((name) => Object.hasOwn(known, name));
}

function coerceFields(value: Record<string, unknown>, shape: JsonSchema, path: string): Record<string, unknown> {
  const known = shape.properties ?? {};
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const fieldShape = Object.hasOwn(known, name) ? known[name] : undefined;
    if (fieldShape === undefined && shape.additionalProperties === false) {
      throw unknownField(path === '' ? name : `${path}.${name}`, name, Object.keys(known));
    }
    if (field === null || field === undefined) continue;
    result[name] = coerce(field, fieldShape, path === '' ? name : `${path}.${name}`);
  }
  return result;
}

/** A plausible field name; other text may be a value in the wrong place and is not repeated. */
const FIELD_NAME = /^[a-z]{1,24}(?:[_A-Z][a-z]{0,24}){0,5}$/;

function unknownField(path: string, name: string, known: readonly string[]): ClerkError {
  const near = nearest(name, known);
  const parent = path.slice(0, -name.length);
  const shown = FIELD_NAME.test(name) ? path : `${parent}?`;
  return inputError(
    shown,
    `there is no such field. ${near ? `Nearest: ${near}.` : `Known fields: ${known.join(', ')}.`}`,
    near ? `Call the tool again with ${near} instead, if that is meant.` : 'Call the tool again without it.',
  );
}

type Issue = z.core.$ZodIssue;

interface ArgumentRules {
  readonly shape: JsonSchema;
  readonly today: string | undefined;
  readonly at: string;
}

function issueError(issues: readonly Issue[], given: unknown, expected: ArgumentRules): ClerkError {
  const [first, ...others] = issues.map((issue) => ({
    path: pathText(issue.path, expected.at),
    problem: problem(issue, given, expected),
  }));
  if (first === undefined) return inputError('arguments', 'not valid.');
  const rest = others.slice(0, 4).map((o) => ` ${o.path}: ${o.problem}`);
  const near = nearestOf(issues[0], given, expected.at);
  return new ClerkError('E_INPUT', `${first.path}: ${first.problem}${rest.join('')} Nothing was sent.`, {
    next: near ?? `Call the tool again with a valid value for ${first.path}.`,
  });
}

function pathText(path: readonly PropertyKey[], at: string): string {
  const text = at + path.map((p) => (typeof p === 'number' ? `[${p}]` : `.${String(p)}`)).join('');
  return text === '' ? 'arguments' : text.replace(/^\./, '');
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    given,
  );
}

function shapeAt(shape: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (at, key) => (typeof key === 'number' ? at?.items : at?.properties?.[String(key)]),
    shape,
  );
}

function problem(issue: Issue, given: unknown, { shape, today }: ArgumentRules): string {
  const value = valueAt(given, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return `is required (${article(issue.expected)}).`;
      if (issue.expected === 'string' && typeof value === 'number') return 'expected text in quotes, such as "172.50".';
      if (issue.expected === 'object') {
        const fields = Object.keys(shapeAt(shape, issue.path)?.properties ?? {});
        return `expected an object${fields.length > 0 ? ` with ${fields.join(', ')}` : ''}.`;
      }
      return `expected ${article(issue.expected)}.`;
    case 'invalid_value':
      return `expected ${value === undefined ? 'a value: ' : ''}one of ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return `expected at least ${issue.minimum}${unit(issue.origin)}.`;
    case 'too_big':
      return `expected at most ${issue.maximum}${unit(issue.origin)}.`;
    case 'unrecognized_keys':
      return `there is no such field: ${issue.keys.length} unknown.`;
    case 'custom':
      if (today !== undefined && issue.params?.[NEEDS_DATE] === true)
        return `${issue.message}${dateToCome(value, today)}.`;
      return sentence(issue.message);
    default:
      return sentence(issue.message);
  }
}

function sentence(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}

const DAYS_FROM_TODAY: ReadonlyMap<unknown, number> = new Map([
  ['today', 0],
  ['tomorrow', 1],
]);

/** A valid date for an error; days are UTC. */
function dateToCome(value: unknown, today: string): string {
  const days = DAYS_FROM_TODAY.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
  return days === undefined ? `, such as ${addDays(today, 30)}` : `; nearest valid: ${addDays(today, days)}`;
}

function article(expected: string): string {
  if (expected === 'int' || expected === 'number') return 'a whole number';
  if (expected === 'array') return 'a list';
  if (expected === 'string') return 'text';
  if (expected === 'boolean') return 'true or false';
  return `an ${expected}`.replace(/^an (?![aeiou])/, 'a ');
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  if (origin === 'array') return ' items';
  return '';
}

function nearestOf(issue: Issue | undefined, given: unknown, at: string): string | undefined {
  if (issue?.code !== 'invalid_value') return undefined;
  const value = valueAt(given, issue.path);
  const near = typeof value === 'string' ? nearest(value, issue.values.map(String)) : undefined;
  return near && `Call the tool again with ${pathText(issue.path, at)} "${near}", if that is meant.`;
}
