/** Looks into objects, tables and JSON safely if a value or key comes from outside, compares values that JSON can hold, and pairs rows. */

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Looks up a word from outside among a table's own entries. Every object also answers to `constructor` and
 * `toString`, and an airline may send these as codes. `lint/own-keys.grit` refuses other look-ups in tables with any
 * text as key.
 */
export function own<V>(table: Readonly<Record<string, V>>, key: string | undefined): V | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** A field of a value from outside. Undefined if the value is no object, or has no such field of its own. */
export function field(value: unknown, name: string): unknown {
  return isObjectOrList(value) ? own(value, name) : undefined;
}

/** Whether two values that JSON can hold are equal, with their fields in any order. An undefined field is absent. */
export function sameJson(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  if (!isObjectOrList(value) || !isObjectOrList(other) || Array.isArray(value) !== Array.isArray(other)) return false;
  const isAbsent = (key: string) => other[key] === undefined || Object.hasOwn(value, key);
  return Object.keys(value).every((key) => sameJson(value[key], other[key])) && Object.keys(other).every(isAbsent);
}

function isObjectOrList(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The value of a JSON text. Undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object or list of a JSON text. Undefined for any other text. */
export function objectInJson(text: string): object | undefined {
  const value = jsonIn(text);
  return isObjectOrList(value) ? value : undefined;
}

/** How rows are paired: segments, coupons or orders of two readings, or what was asked for with what is held. */
export interface PairingRules<Row, Candidate = Row> {
  /** What two rows must share to be the same one. */
  readonly mayBeSame: (row: Row, candidate: Candidate) => boolean;
  /** What makes it likely that they are, from certain to likely. */
  readonly likenesses: readonly ((row: Row, candidate: Candidate) => boolean)[];
  /** Of several candidates that are equally likely, the one at the least distance is taken. */
  readonly distance: (row: Row, candidate: Candidate) => number;
}

/** Gives each row the candidate that is the same one, each candidate once. All certain pairs come before a likely one. */
export function pairRows<Row, Candidate = Row>(
  rows: readonly Row[],
  candidates: readonly Candidate[],
  { mayBeSame, likenesses, distance }: PairingRules<Row, Candidate>,
): ReadonlyMap<Row, Candidate> {
  const pairs = new Map<Row, Candidate>();
  const unpaired = new Set(candidates);

  for (const isLike of likenesses) {
    if (unpaired.size === 0 || pairs.size === rows.length) break;

    for (const row of rows) {
      if (pairs.has(row)) continue;
      const [nearest] = [...unpaired]
        .filter((candidate) => mayBeSame(row, candidate) && isLike(row, candidate))
        .sort((a, b) => distance(row, a) - distance(row, b));
      if (nearest === undefined) continue;
      pairs.set(row, nearest);
      unpaired.delete(nearest);
    }
  }

  return pairs;
}
