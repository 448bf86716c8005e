/**
 * Rewrites JSON trees: the drifts that replies show (docs/wire/notes.md, tolerate on read).
 */

type Visit = (value: unknown, key: string) => unknown;

/** A copy of the tree, every node replaced by what `visit` makes of it, leaves first. */
export function rewrite(value: unknown, visit: Visit, key = ''): unknown {
  if (Array.isArray(value)) {
    return visit(
      value.map((item) => rewrite(item, visit, key)),
      key,
    );
  }
  if (typeof value !== 'object' || value === null) return visit(value, key);
  const copy = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rewrite(item, visit, name)]));
  return visit(copy, key);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Renames keys wherever they are. */
export function renamed(tree: unknown, names: Readonly<Record<string, string>>): unknown {
  return rewrite(tree, (value) => {
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [names[name] ?? name, item]));
  });
}

/** The tree with one branch replaced, or dropped where `value` is undefined. `path` holds keys and indices. */
export function put(tree: unknown, path: readonly (string | number)[], value: unknown): Record<string, unknown> {
  const copy = structuredClone(tree);
  const keys = path.slice(0, -1);
  const last = path.at(-1) ?? '';
  let node = copy as Record<string | number, unknown>;
  for (const key of keys) node = node[key] as Record<string | number, unknown>;
  if (!(last in node) && value === undefined) throw new Error(`the fixture has no ${path.join('.')}`);
  if (value === undefined) delete node[last];
  else node[last] = value;
  return copy as Record<string, unknown>;
}

/** The branch at a path of keys and indices. */
export function at(tree: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], tree);
}
