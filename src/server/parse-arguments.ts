/**
 * Parses a tool's arguments. Takes what models commonly write where it can mean only one thing, always as the same arguments: an
 * approval is bound to them. An error names every field at fault, what was expected and the nearest valid value; it never repeats
 * the given value.
 */

import type * as z from 'zod';
import type { ApprovalRuntime } from '../approvals/consent-call.ts';
import { namesAsked } from '../approvals/request.ts';
import { type InputFault, inputError, inputFaults } from '../core/errors.ts';
import { editDistance, nearest } from '../core/nearest-word.ts';
import { isObject, own } from '../core/own.ts';
import { addDays } from '../core/times.ts';
import { type BookingNames, bookingNames, type NamedRef, refsMeant } from '../domain/booking/booking-names.ts';
import type { ToolContext } from '../tools/definition/define.ts';
import { NEEDS_DATE } from '../tools/definition/input-fields.ts';
import { readNow } from '../tools/steps/record-booking.ts';
import type { JsonSchema } from './schemas.ts';

/**
 * Coerces what models commonly write, then parses by the schema. `today`, YYYY-MM-DD: for dates in errors. `at`: the place of these
 * arguments in the call, for errors; default: they are the call's own. @throws ClerkError
 */
export function parseInput<T>(schema: z.ZodType<T>, shape: JsonSchema, raw: unknown, today?: string, at = ''): T {
  const unknown: UnknownField[] = [];
  const coerced = coerce(asObject(raw, at), shape, { path: at, unknown, root: shape });
  const parsed = schema.safeParse(coerced);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const faults = (parsed.error?.issues ?? []).map((issue) => describeFault(issue, coerced, { shape, today, at }));
  // A field that is missing because its name was mistyped is one fault.
  const others = faults.filter(({ field }) => unknown.every(({ meant }) => meant !== field));
  throw inputFaults([...unknown, ...others]);
}

function asObject(raw: unknown, at: string): Record<string, unknown> {
  if (raw === undefined || raw === null) return {};
  const value = typeof raw === 'string' ? jsonOr(raw) : raw;
  if (isObject(value)) return value;
  const next = 'Call the tool again with an object of named fields.';
  throw inputError(at === '' ? 'arguments' : at, 'expected one JSON object.', next);
}

/** Parses JSON text; any other text stays as it is. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A fault that names the field which may be meant. */
interface UnknownField extends InputFault {
  readonly meant: string | undefined;
}

/** Where a value is, and the unknown fields so far. */
interface Place {
  readonly path: string;
  readonly unknown: UnknownField[];
  /** The schema of all the arguments. */
  readonly root: JsonSchema;
}

const inside = ({ path, ...place }: Place, name: string | number): Place => {
  if (typeof name === 'number') return { ...place, path: `${path}[${name}]` };
  return { ...place, path: path === '' ? name : `${path}.${name}` };
};

/** Accepts null for absent, JSON text for an array or object, one item for a list, and texts for numbers, booleans and codes. */
function coerce(value: unknown, shape: JsonSchema | undefined, place: Place): unknown {
  if (shape === undefined) return value;
  if (typeof value === 'string') return coerceText(value, shape, place);
  if (Array.isArray(value)) {
    const items = isTexts(shape)
      ? value.flatMap((item) => (typeof item === 'string' ? splitList(item) : [item]))
      : value;
    return items.map((item, i) => coerce(item, shape.items, inside(place, i)));
  }
  if (isObject(value)) {
    if (looksLikeItem(shape, value)) return [coerce(value, shape.items, inside(place, 0))];
    return coerceFields(value, shape, place);
  }
  if (typeof value !== 'number') return value;
  if (isTexts(shape)) return [coerce(value, shape.items, inside(place, 0))];
  // A ref may be written as a number, and so may money, unless it has more digits than money has.
  const isText = shape.type === 'string' && (Number.isSafeInteger(value) || shape.format === 'money');
  return isText ? String(value) : value;
}

function coerceText(text: string, shape: JsonSchema, place: Place): unknown {
  switch (shape.type) {
    case 'array':
    case 'object': {
      const parsed = /^\s*[[{]/.test(text) ? jsonOr(text) : text;
      if (typeof parsed !== 'string') return coerce(parsed, shape, place);
      return isTexts(shape) ? splitList(parsed) : parsed;
    }
    case 'integer':
    case 'number':
      return /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : text;
    case 'boolean':
      return BOOLEANS.get(text.trim().toLowerCase()) ?? text;
    default:
      return Array.isArray(shape.enum) ? codeFor(text, shape.enum) : text;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

const isTexts = ({ type, items }: JsonSchema) => type === 'array' && items?.type === 'string';

/** `1, 2`, `1 2`, `Amal and Boris`: no item of a list has a comma, and only numbers are parted by spaces alone. */
function splitList(text: string): string[] {
  const texts = /^[\d\s]+$/.test(text) ? text.trim().split(/\s+/) : text.split(/[,;]|\s(?:and|&)\s/i);
  const items = texts.map((item) => item.trim()).filter((item) => item !== '');
  return items.length === 0 ? [text] : items;
}

/** The code of the list in the schema's spelling, for its own name in any case or for a word that means only it. */
function codeFor(text: string, codes: readonly unknown[]): unknown {
  const normalized = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const found = codes.find(
    (code) => String(code).toLowerCase() === normalized || own(WORDS, String(code))?.includes(normalized) === true,
  );
  return found ?? text;
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  ADT: ['adult', 'adults'],
  CHD: ['child', 'children'],
  INF: ['infant', 'infants'],
  Male: ['m'],
  Female: ['f'],
  national_id: ['id', 'id_card', 'identity_card', 'national_id_card'],
};

function looksLikeItem(shape: JsonSchema, value: object): boolean {
  const known = shape.type === 'array' ? (shape.items?.properties ?? {}) : {};
  return Object.keys(value).some((name) => Object.hasOwn(known, name));
}

function coerceFields(value: Record<string, unknown>, shape: JsonSchema, place: Place): Record<string, unknown> {
  const known = shape.properties ?? {};
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const fieldShape = own(known, name);
    const inner = inside(place, name);
    if (fieldShape === undefined && shape.additionalProperties === false) {
      place.unknown.push(unknownField(inner.path, name, Object.keys(known), listFields(place.root)));
    } else if (meansAll(name, field, shape, value)) {
      if (known.all !== undefined) result.all = true;
    } else if (field !== null && field !== undefined) {
      result[name] = coerce(field, fieldShape, inner);
    }
  }
  return result;
}

/** `segment_refs: "all"`, where a call without refs, or with `all: true`, is about all of them. */
function meansAll(name: string, field: unknown, shape: JsonSchema, { all }: Record<string, unknown>): boolean {
  const [word, ...others] = Array.isArray(field) ? field : [field];
  if (!name.endsWith('_refs') || others.length > 0 || typeof word !== 'string') return false;
  // The arguments of a plan's step are open here: their own tool reads them.
  const isOptional = shape.additionalProperties === false && shape.required?.includes(name) !== true;
  return isOptional && word.trim().toLowerCase() === 'all' && BOOLEANS.get(String(all)) !== false;
}

/** A plausible field name; other text may be a value in the wrong place and is not repeated. */
const FIELD_NAME = /^[a-z]{1,24}(?:[_A-Z][a-z]{0,24}){0,5}$/;

/** Where each field of a schema stands, by its name: `legs[].departs_between`. */
function listFields(shape: JsonSchema, at = ''): ReadonlyMap<string, string> {
  const { properties = {}, items } = shape;
  const below = Object.entries(properties).flatMap(([name, inner]): (readonly [string, string])[] => {
    const path = at === '' ? name : `${at}.${name}`;
    return [[name, path], ...listFields(inner, path)];
  });
  const inItems = items === undefined ? [] : [...listFields(items, `${at}[]`)];
  // The place nearest to the top counts.
  return new Map([...below, ...inItems].toReversed());
}

function unknownField(
  path: string,
  name: string,
  known: readonly string[],
  places: ReadonlyMap<string, string>,
): UnknownField {
  const elsewhere = FIELD_NAME.test(name) ? places.get(name) : undefined;
  if (elsewhere !== undefined) {
    const problem = `there is no such field here; it belongs at ${elsewhere}.`;
    return { meant: undefined, field: path, problem, next: `Call the tool again with ${elsewhere} instead.` };
  }
  const nearestHere = nearest(name, known);
  const suggested = isSlip(name, nearestHere) ? nearestHere : (nearestPlace(name, places) ?? nearestHere);
  const parent = path.slice(0, -name.length);
  return {
    meant: suggested && `${parent}${suggested}`,
    field: FIELD_NAME.test(name) ? path : `${parent}?`,
    problem: `there is no such field. ${suggested ? `Nearest: ${suggested}.` : `Known fields: ${known.join(', ')}.`}`,
    ...(suggested !== undefined && { next: `Call the tool again with ${suggested} instead, if that is meant.` }),
    // A name that is not repeated cannot be named in a list.
    ...(suggested === undefined &&
      (FIELD_NAME.test(name) ? { surplus: true } : { next: 'Call the tool again without it.' })),
  };
}

/** A name that is nearly one elsewhere in the schema. */
function nearestPlace(name: string, places: ReadonlyMap<string, string>): string | undefined {
  const nearestName = nearest(name, places.keys());
  return isSlip(name, nearestName) ? places.get(nearestName) : undefined;
}

/** Whether a name is a slip of another: at most every third letter differs. */
function isSlip(name: string, near: string | undefined): near is string {
  return near !== undefined && editDistance(name.toLowerCase(), near) * 3 <= near.length;
}

type Issue = z.core.$ZodIssue;

interface ArgumentRules {
  readonly shape: JsonSchema;
  readonly today: string | undefined;
  readonly at: string;
}

function describeFault(issue: Issue, given: unknown, expected: ArgumentRules): InputFault {
  const field = pathText(issue.path, expected.at);
  return { field, problem: problem(issue, given, expected), next: adviseNearest(issue, given, field) };
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
      if (issue.expected === 'string' && typeof value === 'number') return 'expected text in quotes.';
      if (issue.expected === 'object') {
        const fields = Object.keys(shapeAt(shape, issue.path)?.properties ?? {});
        return `expected an object${fields.length > 0 ? ` with ${fields.join(', ')}` : ''}.`;
      }
      return `expected ${article(issue.expected)}.`;
    case 'invalid_value':
      if (value !== undefined && isExpectation(issue)) return sentence(issue.message);
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

/** A field with a message of its own, because no other value is near: a way to pay. */
const isExpectation = ({ message }: Issue) => message.startsWith('expected ');

/** Advises the nearest value, only for a slip of spelling: at most every second letter differs. */
function adviseNearest(issue: Issue, given: unknown, field: string): string | undefined {
  if (issue.code !== 'invalid_value' || isExpectation(issue)) return undefined;
  const value = valueAt(given, issue.path);
  const permitted = typeof value === 'string' ? nearest(value, issue.values.map(String)) : undefined;
  if (typeof value !== 'string' || permitted === undefined) return undefined;
  if (editDistance(value.toLowerCase(), permitted.toLowerCase()) * 2 > permitted.length) return undefined;
  return `Call the tool again with ${field} "${permitted}", if that is meant.`;
}

type Args = Readonly<Record<string, unknown>>;

/** A ref as bookings have them; a train's number is longer. */
const PLAIN_REF = /^\d{1,2}$/;
const WITH_CURRENCY = /^([A-Z]{3}) (\d.*)$/;

/** Whether anything is said by name: only then the booking is read for it. */
function saysNames(value: unknown, field = ''): boolean {
  if (typeof value === 'string') return isName(value, field);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => saysNames(inner, Array.isArray(value) ? field : name));
}

function isName(text: string, field: string): boolean {
  if (field === 'expected_total') return WITH_CURRENCY.test(text);
  return refKind(field) !== undefined && !PLAIN_REF.test(text);
}

function refKind(field: string): 'passengers' | 'segments' | undefined {
  if (/^passenger_refs?$/.test(field)) return 'passengers';
  return /^segment_refs?$/.test(field) ? 'segments' : undefined;
}

/**
 * The same arguments with what the booking calls what they name: `passenger_ref: "Ann Lee"` becomes `"1"`, a train's number its
 * segment's ref, `expected_total: "SAR 90.00"` the plain `"90.00"`. An approval is bound to the refs, so a call that repeats it
 * may use either form. A name that none bears, or several, stays: the tool refuses it, and says whom there is.
 * `handle`: of the question that the call is about; it has the names as they were then. @throws ClerkError
 */
export async function inRefs<T extends Args>(
  args: T,
  context: ToolContext,
  { state }: Pick<ApprovalRuntime, 'state'>,
  handle?: unknown,
): Promise<T> {
  if (typeof args.locator !== 'string' || !saysNames(args)) return args;
  const names =
    typeof handle === 'string'
      ? await namesAsked(state, handle, context.caller)
      : bookingNames(await readNow(args.locator, context));
  return names === undefined ? args : (replaced(args, names) as T);
}

function replaced(value: unknown, names: BookingNames, field = ''): unknown {
  const kind = refKind(field);
  if (typeof value === 'string') return kind ? findRef(value, names[kind]) : plainAmount(value, names, field);
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, names, field));
    return kind ? [...new Set(items)] : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, names, name)]));
}

/** The ref that a text means; the text itself if it could mean several, or none. */
function findRef(text: string, refs: readonly NamedRef[]): string {
  const [ref = text, ...others] = refsMeant(text, refs);
  return others.length === 0 ? ref : text;
}

/** The amount without the booking's currency. An amount in another currency stays: the tool refuses it. */
function plainAmount(text: string, { currency: bookingCurrency }: BookingNames, field: string): string {
  const [, currency, number] = field === 'expected_total' ? (WITH_CURRENCY.exec(text) ?? []) : [];
  return currency === bookingCurrency && number !== undefined ? number : text;
}
