/** Looks into objects and tables safely if a value or key comes from outside. */

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
