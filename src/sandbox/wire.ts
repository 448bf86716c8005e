/** JSON objects as they travel. */
export type Wire = Record<string, unknown>;

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that are there, for a reply. */
export function wire(fields: Wire): Wire {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

type Optional<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
type Given<T> = Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> };

/** The same without the fields that are undefined, for types whose fields may be missing. */
export function given<T extends object>(fields: T): Given<T> {
  return wire(fields as Wire) as Given<T>;
}
