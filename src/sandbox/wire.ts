/** JSON objects as they travel. */
export type Wire = Record<string, unknown>;

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields without those that are undefined. */
export function definedFields<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Returns a copy without some fields. */
export function without(object: Wire, ...keys: readonly string[]): Wire {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

export type Dialect = 'rail' | 'airline';
