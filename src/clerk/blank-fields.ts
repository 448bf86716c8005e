/**
 * What hosts that fill every field of a schema, and models, send for what nobody said. An optional field with such a value counts as
 * absent, as null does everywhere. Strict are the fields whose absence means more than was named: an error names the way out.
 */
import { isObject } from '../core/own.ts';
import type { JsonSchema } from './schemas.ts';

/** They bound a reading by day or place, or a payment: a blank may be a day, a place or a sum that got lost. */
const BOUNDS: ReadonlySet<string> = new Set(['departs_from', 'departs_to', 'from', 'to', 'expected_total']);

/** Without `segment_refs` or `passenger_refs`, all of the booking is meant. */
const isStrict = (name: string): boolean => BOUNDS.has(name) || name.endsWith('_refs');

/** What to do about a blank of an optional field that bounds what is read or paid. Empty for any other. */
export function blankAdvice(name: string, value: unknown): string {
  return BOUNDS.has(name) && isNothing(value) ? ' It is empty: leave it out if nobody named it.' : '';
}

/**
 * Whether the value of an optional field counts as absent.
 *
 * | type    | value                                                  |
 * | ------- | ------------------------------------------------------ |
 * | any     | `""`, `" "`, `"null"`, `[]`, `["null"]`, `{}`          |
 * | integer | 0, of a count that begins at 1                         |
 * | object  | one of which each field is such a value                |
 */
export function isBlank(name: string, value: unknown, shape: JsonSchema): boolean {
  if (isStrict(name)) return false;
  const isNoCount = value === 0 && shape.type === 'integer' && Number(shape.minimum) >= 1;
  return isNoCount || isNothing(value);
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || value === 'null';
  if (Array.isArray(value)) return value.every(isNothing);
  return value === null || value === undefined || (isObject(value) && Object.values(value).every(isNothing));
}
