/**
 * Golden messages: JSON written by hand from docs/wire with made-up values. No encoder of this project made them. A
 * variant of a message or of a branch is its difference from another one: `base`, the file (by default the same one),
 * and `at`, the branch of it, then what to `remove` and to `set`, by JSON pointer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isObject, rewrite } from './support/rewrite.ts';

export type Dialect = 'rail' | 'airline';
type Folder = 'requests' | 'replies' | 'fixtures';

interface Variant {
  readonly base?: string;
  readonly at?: string;
  readonly remove?: readonly string[];
  readonly set?: Readonly<Record<string, unknown>>;
}

const isVariant = (value: unknown): value is Variant =>
  isObject(value) && (typeof value.base === 'string' || typeof value.at === 'string');

export function golden(folder: Folder, name: string): unknown {
  const written = JSON.parse(readFileSync(new URL(`./${folder}/${name}.json`, import.meta.url), 'utf8'));
  const filled = (tree: unknown): unknown =>
    rewrite(tree, (value) => {
      if (!isVariant(value)) return value;
      const { base, at = '' } = value;
      const branch = base === undefined ? filled(branchOf(written, at)) : branchOf(golden(folder, base), at);
      return patched(branch, value);
    });
  return filled(written);
}

/** RFC 6901, without escapes. */
function branchOf(tree: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((node, key) => (node as Record<string, unknown>)[key], tree);
}

/** Removes and sets branches in their order; each pointer must lead somewhere. */
function patched(message: unknown, { remove = [], set = {} }: Variant): unknown {
  const place = (pointer: string) => {
    const end = pointer.lastIndexOf('/');
    return { key: pointer.slice(end + 1), node: branchOf(message, pointer.slice(0, end)) as Record<string, unknown> };
  };
  for (const pointer of remove) {
    const { key, node } = place(pointer);
    if (!(key in node)) throw new Error(`the base has no ${pointer}`);
    if (Array.isArray(node)) node.splice(Number(key), 1);
    else delete node[key];
  }
  for (const [pointer, value] of Object.entries(set)) {
    const { key, node } = place(pointer);
    node[key] = value;
  }
  return message;
}

export function goldenNames(folder: Folder): string[] {
  return readdirSync(new URL(`./${folder}`, import.meta.url)).map((file) => file.replace(/\.json$/, ''));
}

/** The golden request with each `{"copied": path}` replaced by that branch of the reading, unknown fields included. */
export function goldenRequest(name: string, reading?: unknown): unknown {
  return rewrite(golden('requests', name), (value) => {
    if (!isObject(value) || !Array.isArray(value.copied)) return value;
    return value.copied.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], reading);
  });
}

/** Every leaf with its path; empty lists and objects are leaves. */
export function leaves(
  value: unknown,
  path: readonly (string | number)[] = [],
): (readonly [(string | number)[], unknown])[] {
  const items = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return items.length === 0 ? [[[...path], value]] : items.flatMap(([key, item]) => leaves(item, [...path, key]));
}

/** What is sent beside the published message, what is missing, and what has another value: empty when they are equal. */
export function differences(sent: unknown, published: unknown): string[] {
  const flat = (tree: unknown) =>
    new Map(leaves(tree).map(([path, value]) => [path.join('.'), JSON.stringify(value)] as const));
  const [left, right] = [flat(sent), flat(published)];
  const missing = [...right].filter(([path]) => !left.has(path)).map(([path, value]) => `missing ${path} = ${value}`);
  const wrong = [...left].flatMap(([path, value]) => {
    const due = right.get(path);
    if (due === undefined) return [`not published: ${path} = ${value}`];
    return due === value ? [] : [`${path} is ${value}, published ${due}`];
  });
  return [...missing, ...wrong];
}
