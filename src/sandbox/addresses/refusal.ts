/**
 * A request that does not keep to the interface, as the airline refuses it: 321 for a missing field, 320 for all else,
 * with the path of the field.
 */
import * as z from 'zod';
import { ClerkError } from '../../errors.ts';
import { Fault } from '../fault.ts';

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

/** A union reports its branches: the one that went deepest says best what is wrong. */
function deepest(issue: z.core.$ZodIssue, above: Path): { issue: z.core.$ZodIssue; path: Path } {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union') return { issue, path };
  const inner = issue.errors.flatMap((branch) => branch.map((one) => deepest(one, path)));
  const best = inner.toSorted((a, b) => b.path.length - a.path.length)[0];
  return best ?? { issue, path };
}

/** `body` is what was parsed, to tell a missing field from a wrong one. */
export function refusalOf(error: z.ZodError, body: unknown): Fault {
  const [first] = error.issues;
  if (first === undefined) return new Fault('320', '$');
  const { issue, path } = deepest(first, []);
  const at = written(path);
  if (issue.code === 'unrecognized_keys') {
    return new Fault('320', `${written([...path, issue.keys[0] ?? ''])}: unknown field`);
  }
  if (path.at(-1) === 'paymentType' && valueAt(body, path) !== undefined)
    return new Fault('163', `${at}: ${issue.message}`);
  const missing = path.length > 0 && valueAt(body, path) === undefined;
  return new Fault(missing ? '321' : '320', `${at}: ${missing ? 'missing' : issue.message}`);
}

/** Runs `read`; a ZodError becomes the airline's refusal. */
export function strictly<T>(body: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof z.ZodError) throw refusalOf(error, body);
    // The shared readers say so where a reservation that came back has no locator.
    if (error instanceof ClerkError) throw new Fault('87', '$.airReservation.bookingReferenceID');
    throw error;
  }
}
