/**
 * Golden messages: JSON written by hand from docs/wire with made-up values. No encoder of this project made them. A
 * variant of a message is its difference from another one: `base`, then what to `remove` and to `set`, by JSON pointer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isObject, rewrite } from './rewrite.ts';

export type Dialect = 'rail' | 'airline';

interface Variant {
  readonly base: string;
  readonly remove?: readonly string[];
  readonly set?: Readonly<Record<string, unknown>>;
}

export function golden(folder: 'requests' | 'replies', name: string): unknown {
  const message = JSON.parse(readFileSync(new URL(`./${folder}/${name}.json`, import.meta.url), 'utf8'));
  return typeof message.base === 'string' ? patched(golden(folder, message.base), message) : message;
}

/** Removes and sets branches in their order; each pointer must lead somewhere (RFC 6901, without escapes). */
function patched(message: unknown, { remove = [], set = {} }: Variant): unknown {
  const parent = (pointer: string) => {
    const keys = pointer.split('/').slice(1);
    const key = keys.pop() ?? '';
    return { key, node: keys.reduce((node, part) => node[part] as never, message as Record<string, unknown>) };
  };
  for (const pointer of remove) {
    const { key, node } = parent(pointer);
    if (!(key in node)) throw new Error(`the base has no ${pointer}`);
    if (Array.isArray(node)) node.splice(Number(key), 1);
    else delete node[key];
  }
  for (const [pointer, value] of Object.entries(set)) {
    const { key, node } = parent(pointer);
    node[key] = value;
  }
  return message;
}

export function goldenNames(folder: 'requests' | 'replies'): string[] {
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
