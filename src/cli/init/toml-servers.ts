/**
 * The servers that a host lists in TOML: `[mcp_servers.fareclerk]`. A parser says where our entry stands; only those bytes are
 * replaced, so that comments, order and form of all others stay.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AST } from 'toml-eslint-parser';
import { isObject } from '../../core/own.ts';
import type { ListedServers } from './host-file.ts';
import { SERVER_NAME } from './hosts.ts';

/** A part of the text, and what stands there instead. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** @returns undefined if the text is not TOML, or its `field` is no table */
export async function tomlServers(text: string, field: string): Promise<ListedServers | undefined> {
  const { parseTOML, getStaticTOMLValue } = await import('toml-eslint-parser');
  const parsed = (toml: string) => {
    try {
      const program = parseTOML(toml);
      return { program, tree: getStaticTOMLValue(program) as unknown };
    } catch {
      return undefined;
    }
  };
  const before = parsed(text);
  const servers = before && split(before.tree, field);
  if (before === undefined || servers === undefined) return undefined;
  return {
    entry: servers.entry,
    otherCount: Object.keys(servers.others).length,
    with(ours) {
      const isThere = servers.entry !== undefined;
      const edits = isThere ? replacement(before.program, { text, field, ours }) : [addition(text, field, ours)];
      const changed = edits && applied(text, edits);
      const after = changed === undefined ? undefined : split(parsed(changed)?.tree, field);
      const isAsMeant =
        after !== undefined &&
        JSON.stringify(after.entry) === JSON.stringify(ours) &&
        isDeepStrictEqual([after.others, after.rest], [servers.others, servers.rest]);
      return isAsMeant ? changed : undefined;
    },
  };
}

/** Parts a file into our entry, the other servers and everything else. Undefined if its servers are no table. */
function split(tree: unknown, field: string) {
  if (!isObject(tree)) return undefined;
  const { [field]: servers = {}, ...rest } = tree;
  if (!isObject(servers)) return undefined;
  const { [SERVER_NAME]: entry, ...others } = servers;
  return { entry, others, rest };
}

/** Adds our entry as the last table: what stands above keeps its bytes. */
function addition(text: string, field: string, ours: object): Edit {
  const eol = lineEnd(text);
  const end = text === '' || text.endsWith('\n') ? '' : eol;
  const gap = text.trim() === '' ? '' : eol;
  const lines = tomlLines(field, ours).join(eol);
  return { from: text.length, to: text.length, text: `${end}${gap}${lines}${eol}` };
}

interface Wanted {
  readonly text: string;
  readonly field: string;
  readonly ours: object;
}

/** Replaces our entry in its place. Undefined if it is no table of its own: `mcp_servers.fareclerk.command = …`. */
function replacement({ body: [top] }: AST.TOMLProgram, { text, field, ours }: Wanted): readonly Edit[] | undefined {
  const tables = top.body.filter((node) => node.type === 'TOMLTable');
  const isOurs = ({ resolvedKey: [first, second] }: AST.TOMLTable) => first === field && second === SERVER_NAME;
  const [own, ...below] = tables.filter(isOurs);
  // `[[mcp_servers.fareclerk]]` is a list of tables.
  if (typeof own?.resolvedKey[2] === 'number') return undefined;
  if (own !== undefined) {
    const [from, to] = own.range;
    const lines = tomlLines(field, ours).join(lineEnd(text));
    return [{ from, to, text: lines }, ...below.map((table) => removal(text, table))];
  }
  const list = tables.filter(({ resolvedKey }) => resolvedKey.length === 1 && resolvedKey[0] === field);
  const row =
    list.flatMap(({ body }) => body).find(({ key }) => isPath(key, [SERVER_NAME])) ??
    top.body.filter((node) => node.type === 'TOMLKeyValue').find(({ key }) => isPath(key, [field, SERVER_NAME]));
  if (row === undefined) return undefined;
  const [from, to] = row.value.range;
  return [{ from, to, text: tomlValue(ours) }];
}

function isPath({ keys }: AST.TOMLKey, path: readonly string[]): boolean {
  return isDeepStrictEqual(
    keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value)),
    path,
  );
}

/** Removes a table, and the end of its line if nothing follows there. */
function removal(text: string, { range: [from, to] }: AST.TOMLTable): Edit {
  const [blank = ''] = /^[ \t]*\r?\n/.exec(text.slice(to)) ?? [];
  return { from, to: to + blank.length, text: '' };
}

function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((changed, edit) => changed.slice(0, edit.from) + edit.text + changed.slice(edit.to), text);
}

const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

// Writing: an entry has texts, lists of texts and tables of texts.

/** An entry as a table of its own. */
export function tomlLines(field: string, entry: unknown): readonly string[] {
  if (!isObject(entry)) return [`${field}.${SERVER_NAME} = ${tomlValue(entry)}`];
  const rows = Object.entries(entry).map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`);
  return [`[${field}.${SERVER_NAME}]`, ...rows];
}

function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isObject(value)) return tomlString(String(value));
  const rows = Object.entries(value).map(([key, inner]) => `${tomlKey(key)} = ${tomlValue(inner)}`);
  return rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }`;
}

const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : tomlString(key));

/** A basic string has the escapes of JSON, and one more character to escape. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`);
