/**
 * Parses a tool's arguments. Accepts what models commonly write where it can mean only one thing, and always as the same arguments,
 * because an approval is bound to them. An error names every field at fault, what was expected, and the nearest field; it
 * never repeats the value that it received. In order: lengths, parsing, coercing, fields with an unknown name, the other faults.
 */

import type * as z from 'zod';
import { type ClerkError, IF_UNKNOWN, type InputFault, inputError, inputFaults } from '../core/errors.ts';
import { nearest } from '../core/nearest-word.ts';
import { isObject, objectInJson, own } from '../core/own.ts';
import { MOST_CHARACTERS, MOST_LEVELS, nestsDeeper, tooLong } from '../core/text-limits.ts';
import { withFullStop } from '../core/words.ts';
import { PASSENGER_TYPES } from '../domain/booking/status-codes.ts';
import { WAYS_TO_PAY } from '../tools/definition/input-fields.ts';
import { blankAdvice, isBlank } from './blank-fields.ts';
import type { JsonSchema } from './schemas.ts';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/** By code: words, in lower case, that mean only this code. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ...PASSENGER_TYPES,
  Male: ['m'],
  Female: ['f'],
  passport: ['p'],
  national_id: ['id', 'id_card', 'identity_card', 'national_id_card'],
};

/** By field: what models call it by other conventions. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  order_by: ['sort', 'sort_by', 'sort_order', 'order'],
};

/** By field: the other part of a name. */
const OTHER_NAME_PART: Readonly<Record<string, string>> = { given_name: 'surname', surname: 'given_name' };
const ONE_NAME =
  ' A traveller with one name: carriers repeat it, or write FNU as given_name; ask the person which the airline wants.';

/** Matches a plausible field name. Other text may be a value in the wrong place, so no error repeats it. */
const FIELD_NAME = /^[a-z]{1,24}(?:[_A-Z][a-z]{0,24}){0,5}$/;

/** What stands for a character that could not be decoded (Unicode, U+FFFD): the name that it was in is not known. */
const LOST_CHARACTER = '\uFFFD';
const HAS_LOST_CHARACTER = 'has a sign that stands for a character which was lost on the way (U+FFFD).';

/**
 * Looks at the length of every text, every name and all of them together, at how deep they nest, and for lost characters. A list
 * or an object that a model wrote as JSON text is looked into: its own texts have the same limits.
 * @throws ClerkError that names the field, and what is wrong with it
 */
export function checkTexts(raw: unknown): void {
  let total = 0;

  function add(length: number): void {
    total += length;
    if (total > MOST_CHARACTERS.arguments) throw refusal('arguments', tooLong(MOST_CHARACTERS.arguments));
  }

  function checkText(text: string, path: string, level: number): void {
    add(text.length);
    if (text.includes(LOST_CHARACTER)) throw inputError(path, HAS_LOST_CHARACTER, 'Ask for the text as it is written.');
    if (text.length <= MOST_CHARACTERS.argument && !mayBeJson(text)) return;

    const written = mayBeJson(text) ? writtenObject(text, path) : undefined;
    if (written !== undefined) {
      // Its texts were counted with it.
      total -= text.length;
      check(written, path, level);
    } else if (text.length > MOST_CHARACTERS.argument) throw refusal(path, tooLong(MOST_CHARACTERS.argument));
  }

  function checkFields(value: object, path: string, level: number): void {
    if (level > MOST_LEVELS) throw refusal(path, nestsTooDeep());

    for (const [name, inner] of Object.entries(value)) {
      if (Array.isArray(value)) {
        add(1);
        check(inner, `${path}[${name}]`, level + 1);
        continue;
      }

      add(name.length + 1);
      if (name.length > MOST_CHARACTERS.argumentName) {
        throw refusal(path === '' ? 'a field name' : `${path} (a field name)`, tooLong(MOST_CHARACTERS.argumentName));
      }

      const shown = FIELD_NAME.test(name) ? name : '?';
      check(inner, path === '' ? shown : `${path}.${shown}`, level + 1);
    }
  }

  function check(value: unknown, path: string, level: number): void {
    if (typeof value === 'string') checkText(value, path, level);
    else if (typeof value === 'object' && value !== null) checkFields(value, path, level);
  }

  check(raw, '', 1);
}

/** Whether a text begins as JSON text of an object or a list does. Reads only the white space before it. */
function mayBeJson(text: string): boolean {
  let at = 0;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return text.charAt(at) === '{' || text.charAt(at) === '[';
}

/** The object or list that a JSON text holds. Undefined if it is none. */
function writtenObject(text: string, path: string): object | undefined {
  if (nestsDeeper(text, MOST_LEVELS)) throw refusal(path, nestsTooDeep());
  return objectInJson(text);
}

function nestsTooDeep(): string {
  return `nests too deep: at most ${MOST_LEVELS} levels are read.`;
}

function refusal(path: string, problem: string): ClerkError {
  const field = path === '' ? 'arguments' : path;
  return inputError(field, problem, `Call the tool again with a shorter value of ${field}.`);
}

/**
 * Coerces what models commonly write, then parses by the schema.
 * @param at the place of the arguments in the call, for errors; empty: they are the call's own
 * @throws ClerkError
 */
export function parseInput<T>(schema: z.ZodType<T>, shape: JsonSchema, raw: unknown, at = ''): T {
  const unknown: UnknownField[] = [];
  const coerced = coerce(asObject(raw, at), shape, { path: at, unknown, root: shape });
  const parsed = schema.safeParse(coerced);
  if (parsed.success && unknown.length === 0) return parsed.data;

  const faults = (parsed.error?.issues ?? []).map((issue) => describeFault(issue, coerced, { shape, at }));
  // A field that is missing because its name was mistyped is one fault.
  const others = faults.filter(({ field }) => unknown.every(({ meant }) => meant !== field));
  const lacks = others.some(({ isMissing }) => isMissing);
  throw inputFaults([...unknown, ...others], lacks ? IF_UNKNOWN : '');
}

function asObject(raw: unknown, at: string): Record<string, unknown> {
  if (raw === undefined || raw === null) return {};
  const value = typeof raw === 'string' ? objectInJson(raw) : raw;
  if (isObject(value)) return value;
  const next = 'Call the tool again with an object of named fields.';
  throw inputError(at === '' ? 'arguments' : at, 'expected one JSON object.', next);
}

/** A fault that names the field which may be meant. */
interface UnknownField extends InputFault {
  readonly meant: string | undefined;
}

/** The place of a value in the arguments. */
interface Place {
  readonly path: string;
  /** Collects the unknown fields. */
  readonly unknown: UnknownField[];
  /** The schema of all the arguments. */
  readonly root: JsonSchema;
}

/** Returns the place of a field or an item inside a place. */
function placeInside({ path, ...place }: Place, name: string | number): Place {
  if (typeof name === 'number') return { ...place, path: `${path}[${name}]` };
  return { ...place, path: path === '' ? name : `${path}.${name}` };
}

/**
 * Writes a value as the schema has it, if it can mean only one thing; else returns it as it came, and the schema refuses it:
 *
 * | schema           | accepted                        | becomes                        |
 * | ---------------- | ------------------------------- | ------------------------------ |
 * | array, object    | `"[1]"`, `'{"from":"MED"}'`     | `[1]`, `{from: "MED"}`         |
 * | array of texts   | `"1, 2"`, `["1, 2"]`, `1`       | `["1","2"]`, the same, `["1"]` |
 * | array of texts   | `[{"offer_id": "o1"}]`          | `["o1"]`, of `offer_ids`       |
 * | array of objects | `{…}` with a field of the items | `[{…}]`                        |
 * | object           | a field that is null            | the field is absent            |
 * | object           | `""`, `{}` (blank-fields.ts)    | the field is absent            |
 * | object           | `…_refs: "all"`, not required   | absent; `all: true` if it has  |
 * | number           | `"2"`                           | `2`                            |
 * | boolean          | `"yes"`                         | `true`                         |
 * | text, money      | `2`                             | `"2"`                          |
 * | enum             | `"adult"`, `"adt"`              | `"ADT"`                        |
 */
function coerce(value: unknown, shape: JsonSchema | undefined, place: Place): unknown {
  if (shape === undefined) return value;
  if (typeof value === 'string') return coerceText(value, shape, place);

  if (Array.isArray(value)) {
    const items = isTexts(shape) ? value.flatMap((item) => textsIn(item, place)) : value;
    return items.map((item, i) => coerce(item, shape.items, placeInside(place, i)));
  }

  if (isObject(value)) {
    if (looksLikeItem(shape, value)) return [coerce(value, shape.items, placeInside(place, 0))];
    return coerceFields(value, shape, place);
  }

  if (typeof value !== 'number') return value;
  if (isTexts(shape)) return [coerce(value, shape.items, placeInside(place, 0))];

  // A ref may be written as a number, and so may money, unless it has more digits than money has.
  const isText = shape.type === 'string' && (Number.isSafeInteger(value) || isAmount(shape));
  return isText ? String(value) : value;
}

/** Whether a text is an amount of money: its examples are. */
function isAmount({ examples }: JsonSchema): boolean {
  return Array.isArray(examples) && examples.some((example) => /^\d+\.\d\d$/.test(example));
}

function coerceText(text: string, shape: JsonSchema, place: Place): unknown {
  // JSON text of a list or an object may be longer, but only where one is expected.
  const takesJson = shape.type === 'array' || shape.type === 'object';
  if (!takesJson && text.length > MOST_CHARACTERS.argument)
    throw inputError(place.path, tooLong(MOST_CHARACTERS.argument));

  switch (shape.type) {
    case 'array':
    case 'object': {
      const parsed = (/^\s*[[{]/.test(text) && objectInJson(text)) || text;
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

const isTexts = ({ type, items }: JsonSchema) => type === 'array' && items?.type === 'string';

/** The texts of an item: a list in a text, or an object that says its name once more. */
function textsIn(item: unknown, { path }: Place): readonly unknown[] {
  if (typeof item === 'string') return splitList(item);
  if (!isObject(item)) return [item];
  const [[name, value] = [], ...others] = Object.entries(item);
  const field = path.slice(path.lastIndexOf('.') + 1);
  return others.length === 0 && field === `${name}s` ? [value] : [item];
}

/** Splits `1, 2`, `1 2`, `Amal and Boris`: no item of a list has a comma, and spaces alone separate only numbers. */
function splitList(text: string): string[] {
  const texts = /^[\d\s]+$/.test(text) ? text.trim().split(/\s+/) : text.split(/[,;]|\s(?:and|&)\s/i);
  const items = texts.map((item) => item.trim()).filter((item) => item !== '');
  return items.length === 0 ? [text] : items;
}

/** Finds the code, in the schema's spelling, for its name in any case or for a word that means only this code. */
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

/** Whether an object is one item of a list, written without the list: it has a field that the items have. */
function looksLikeItem(shape: JsonSchema, value: object): boolean {
  const known = shape.type === 'array' ? (shape.items?.properties ?? {}) : {};
  return Object.keys(value).some((name) => Object.hasOwn(known, name));
}

function coerceFields(value: Record<string, unknown>, shape: JsonSchema, place: Place): Record<string, unknown> {
  const known = shape.properties ?? {};
  const result: Record<string, unknown> = {};

  for (const [name, field] of Object.entries(value)) {
    const fieldShape = own(known, name);
    const isOptional = fieldShape !== undefined && shape.required?.includes(name) !== true;
    const innerPlace = placeInside(place, name);

    if (fieldShape === undefined && shape.additionalProperties === false) {
      place.unknown.push(unknownField(innerPlace.path, name, Object.keys(known), place.root));
    } else if (meansAll(name, field, shape, value)) {
      if (known.all !== undefined) result.all = true;
    } else if (field !== null && field !== undefined && !(isOptional && isBlank(name, field, fieldShape))) {
      result[name] = coerce(field, fieldShape, innerPlace);
    }
  }

  return result;
}

/**
 * Whether a field is `segment_refs: "all"`, and a call without it is about all of them: the field is not required, and
 * `all` is not false.
 */
function meansAll(name: string, field: unknown, shape: JsonSchema, { all }: Record<string, unknown>): boolean {
  if (!name.endsWith('_refs') || !isWordAll(field)) return false;
  // The arguments of a plan's step are open here: their own tool reads them.
  if (shape.additionalProperties !== false) return false;
  if (shape.required?.includes(name)) return false;
  const isContradicted = BOOLEANS.get(String(all)) === false;
  return !isContradicted;
}

/** Whether a value is `"all"` or `["all"]`. */
function isWordAll(value: unknown): boolean {
  const [word, ...others] = Array.isArray(value) ? value : [value];
  return others.length === 0 && typeof word === 'string' && word.trim().toLowerCase() === 'all';
}

/** Finds a field of this name anywhere in a schema: `legs[].departs_between`. */
function placeOf(name: string, { properties = {}, items }: JsonSchema, at = ''): string | undefined {
  if (items !== undefined) return placeOf(name, items, `${at}[]`);
  const inside = (field: string) => (at === '' ? field : `${at}.${field}`);
  if (own(properties, name) !== undefined) return inside(name);
  return Object.entries(properties)
    .map(([field, inner]) => placeOf(name, inner, inside(field)))
    .find((place) => place !== undefined);
}

/**
 * Describes a field that the schema does not have here: says where it belongs, else suggests the nearest one, else lists the known ones.
 * @param path of the field, which ends with its `name`
 * @param known names of the fields at this place
 * @param root the schema of all the arguments
 */
function unknownField(path: string, name: string, known: readonly string[], root: JsonSchema): UnknownField {
  const isRepeatable = FIELD_NAME.test(name);
  const parent = path.slice(0, -name.length);
  const field = isRepeatable ? path : `${parent}?`;
  const elsewhere = isRepeatable ? placeOf(name, root) : undefined;
  if (elsewhere !== undefined) {
    const problem = `there is no such field here; it belongs at ${elsewhere}.`;
    return { meant: elsewhere, field, problem, next: `Call the tool again with ${elsewhere} instead.` };
  }

  const suggested = known.find((field) => own(OTHER_NAMES, field)?.includes(name)) ?? nearest(name, known);
  if (suggested !== undefined) {
    const problem = `there is no such field. Nearest: ${suggested}.`;
    const next = `Call the tool again with ${suggested} instead, if that is meant.`;
    return { meant: `${parent}${suggested}`, field, problem, next };
  }

  const problem = `there is no such field. Known fields: ${known.join(', ')}.`;
  // A name that no error repeats cannot stand in the list of surplus fields.
  const advice = isRepeatable ? { surplus: true } : { next: 'Call the tool again without it.' };
  return { meant: undefined, field, problem, ...advice };
}

type Issue = z.core.$ZodIssue;

/** What the arguments are checked by, as {@link parseInput} got it. */
interface ArgumentRules {
  readonly shape: JsonSchema;
  readonly at: string;
}

/** Describes a fault that zod found. `isMissing`: nothing was given for the field. */
function describeFault(
  issue: Issue,
  args: unknown,
  rules: ArgumentRules,
): InputFault & { readonly isMissing: boolean } {
  const field = pathText(issue.path, rules.at);
  const [name = '', ...inner] = issue.path.map(String);
  const isOptional = inner.length === 0 && rules.shape.required?.includes(name) !== true;
  const advice = isOptional ? blankAdvice(name, valueAt(args, issue.path)) : oneNameAdvice(issue.path, args);
  const problem = `${problemText(issue, args, rules)}${advice}`;
  const isMissing = valueAt(args, issue.path) === undefined;
  return { field, problem, isMissing };
}

/** Says what carriers do about a missing part of a name whose other part is there. Empty for any other field. */
function oneNameAdvice(path: readonly PropertyKey[], args: unknown): string {
  const otherPart = own(OTHER_NAME_PART, String(path.at(-1)));
  if (otherPart === undefined || valueAt(args, path) !== undefined) return '';
  return typeof valueAt(args, [...path.slice(0, -1), otherPart]) === 'string' ? ONE_NAME : '';
}

function pathText(path: readonly PropertyKey[], at: string): string {
  const text = at + path.map((p) => (typeof p === 'number' ? `[${p}]` : `.${String(p)}`)).join('');
  return text === '' ? 'arguments' : text.replace(/^\./, '');
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function shapeAt(argumentsShape: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let shape: JsonSchema | undefined = argumentsShape;
  for (const key of path) shape = typeof key === 'number' ? shape?.items : shape?.properties?.[String(key)];
  return shape;
}

/** Says what was expected of a field. */
function problemText(issue: Issue, args: unknown, { shape }: ArgumentRules): string {
  const value = valueAt(args, issue.path);

  switch (issue.code) {
    case 'invalid_type': {
      if (issue.expected === 'string' && typeof value === 'number') return 'expected text in quotes.';
      const form = formText(issue.expected, shapeAt(shape, issue.path));
      return value === undefined ? `is required (${form}).` : `expected ${form}.`;
    }
    case 'invalid_value':
      if (value !== undefined && isExpectation(issue)) return withFullStop(issue.message);
      return `expected ${value === undefined ? 'a value: ' : ''}one of ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return `expected at least ${issue.minimum}${unit(issue.origin)}.`;
    case 'too_big':
      return `expected at most ${issue.maximum}${unit(issue.origin)}.`;
    case 'unrecognized_keys':
      return `there is no such field: ${issue.keys.length} unknown.`;
    default:
      return withFullStop(issue.message);
  }
}

/** Names an expected type, and the fields of an object: `an object with type, holder_name`. */
function formText(expected: string, shape: JsonSchema | undefined): string {
  const fields = expected === 'object' ? Object.keys(shape?.properties ?? {}) : [];
  return `${article(expected)}${fields.length > 0 ? ` with ${fields.join(', ')}` : ''}`;
}

/** Names an expected type, with its article. */
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

/** Whether the schema itself says what it expects, because no valid value is near. */
const isExpectation = ({ message }: Issue): boolean => message === WAYS_TO_PAY;
