/**
 * Reads a request by its schema: 321 for a missing field, 320 for a wrong type or value, with the path of the field. A
 * field that the schema does not know is reported, not refused, as such services ignore it.
 */
import type * as z from 'zod';
import { Refusal } from '../refusal.ts';
import { isRecord } from '../wire.ts';

export interface Parsed<T> {
  readonly value: T;
  /** Paths of fields that the airline does not know. */
  readonly unknown: readonly string[];
}

type Path = readonly PropertyKey[];

function written(path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    '$',
  );
}

function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function refusalOf(error: z.ZodError, body: unknown): Refusal {
  const [issue] = error.issues;
  if (issue === undefined) return new Refusal('320', '$');
  const at = written(issue.path);
  const isThere = valueAt(body, issue.path) !== undefined;
  if (issue.path.at(-1) === 'paymentType' && isThere) return new Refusal('163', `${at}: ${issue.message}`);
  return isThere || issue.path.length === 0
    ? new Refusal('320', `${at}: ${issue.message}`)
    : new Refusal('321', `${at}: missing`);
}

/** What was sent and is not in what was read: schemas drop fields that they do not know. */
function unknownIn(sent: unknown, read: unknown, path: Path): string[] {
  if (Array.isArray(sent) && Array.isArray(read)) {
    return sent.flatMap((item, i) => unknownIn(item, read[i], [...path, i]));
  }
  if (!isRecord(sent) || !isRecord(read)) return [];
  return Object.keys(sent).flatMap((key) =>
    key in read ? unknownIn(sent[key], read[key], [...path, key]) : [written([...path, key])],
  );
}

/** Schemas must not transform. Throws Refusal. */
export function parse<S extends z.ZodType>(schema: S, body: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(body);
  if (!result.success) throw refusalOf(result.error, body);
  return { value: result.data, unknown: unknownIn(body, result.data, []) };
}
