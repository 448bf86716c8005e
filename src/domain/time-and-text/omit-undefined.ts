/** Fields that may be undefined, as fields that may be absent. */
export type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined fields: an absent fact is no key, not an empty one. */
export function omitUndefined<T extends object>(fields: T): Present<T> {
  const kept: Record<string, unknown> = {};
  // Not Object.entries: this runs for every object of a reply and of a result.
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as Present<T>;
}
