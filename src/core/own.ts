/** Looks into objects and tables safely if a value or key comes from outside, and compares values that JSON can hold. */

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

/** Whether two values that JSON can hold are equal, with their fields in any order. An undefined field is absent. */
export function sameJson(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  if (!isObjectOrList(value) || !isObjectOrList(other) || Array.isArray(value) !== Array.isArray(other)) return false;
  return Object.keys({ ...value, ...other }).every((key) => sameJson(value[key], other[key]));
}

function isObjectOrList(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
