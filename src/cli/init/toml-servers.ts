/**
 * The servers that a host lists in TOML: `[mcp_servers.fareclerk]`. A parser says where our entry stands; only those bytes are
 * replaced, so that comments, order and form of all others stay.
 */
import { isDeepStrictEqual } from 'node:util';
import { type AST, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { isObject } from '../../core/own.ts';
import { type ListedServers, SERVER_NAME } from './hosts.ts';
import { applyTextEdits, lineEnd, type TextEdit } from './text-edits.ts';

/** @returns undefined if the text is not TOML, or its `field` is no table */
export function tomlServers(text: string, field: string): ListedServers | undefined {
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
      const changed = edits && applyTextEdits(text, edits);
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
function addition(text: string, field: string, ours: object): TextEdit {
  const eol = lineEnd(text);
  const end = text === '' || text.endsWith('\n') ? '' : eol;
  const gap = text.trim() === '' ? '' : eol;
  const lines = tomlLines(field, ours).join(eol);
  return { offset: text.length, length: 0, content: `${end}${gap}${lines}${eol}` };
}

interface Wanted {
  readonly text: string;
  readonly field: string;
  readonly ours: object;
}

/** Replaces our entry in its place. Undefined if it is no table of its own: `mcp_servers.fareclerk.command = …`. */
function replacement({ body: [top] }: AST.TOMLProgram, { text, field, ours }: Wanted): readonly TextEdit[] | undefined {
  const tables = top.body.filter((node) => node.type === 'TOMLTable');
  const isOurs = ({ resolvedKey: [first, second] }: AST.TOMLTable) => first === field && second === SERVER_NAME;
  const [own, ...below] = tables.filter(isOurs);
  // `[[mcp_servers.fareclerk]]` is a list of tables.
  if (typeof own?.resolvedKey[2] === 'number') return undefined;
  if (own !== undefined) {
    const [from, to] = own.range;
    const lines = tomlLines(field, ours).join(lineEnd(text));
    return [{ offset: from, length: to - from, content: lines }, ...below.map((table) => removal(text, table))];
  }
  const list = tables.filter(({ resolvedKey }) => resolvedKey.length === 1 && resolvedKey[0] === field);
  const row =
    list.flatMap(({ body }) => body).find(({ key }) => isPath(key, [SERVER_NAME])) ??
    top.body.filter((node) => node.type === 'TOMLKeyValue').find(({ key }) => isPath(key, [field, SERVER_NAME]));
  if (row === undefined) return undefined;
  const [from, to] = row.value.range;
  return [{ offset: from, length: to - from, content: tomlValue(ours) }];
}

function isPath({ keys }: AST.TOMLKey, path: readonly string[]): boolean {
  return isDeepStrictEqual(
    keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value)),
    path,
  );
}

/** Removes a table, and the end of its line if nothing follows there. */
function removal(text: string, { range: [from, to] }: AST.TOMLTable): TextEdit {
  const [blank = ''] = /^[ \t]*\r?\n/.exec(text.slice(to)) ?? [];
  return { offset: from, length: to + blank.length - from, content: '' };
}

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
