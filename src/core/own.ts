/** Objects from outside: what they are, and what they have. */

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a table says of a word from outside: its own entries alone. Every object also answers to `constructor` and
 * `toString`, and an airline may send these as codes. `lint/own-keys.grit` refuses other look-ups in tables with any
 * text as key.
 */
export function own<V>(table: Readonly<Record<string, V>>, key: string | undefined): V | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
