/**
 * The servers that a host lists in JSON, with comments or without. A parser says where our entry stands or belongs; no other byte
 * changes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { isObject } from '../../core/own.ts';
import type { ListedServers } from './host-file.ts';
import { SERVER_NAME } from './hosts.ts';

type Library = typeof import('jsonc-parser');

/** A part of the text, and what stands there instead. */
interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** How a file is written. */
interface Form {
  readonly text: string;
  readonly eol: string;
  /** One step of its indent. */
  readonly step: string;
}

/** @returns undefined if the text is not JSON, or its field `field` is no object */
export async function jsonServers(given: string, field: string): Promise<ListedServers | undefined> {
  const library: Library = await import('jsonc-parser');
  const text = given.trim() === '' ? '{}\n' : given;
  const parsed = (json: string): unknown => {
    const errors: unknown[] = [];
    const tree: unknown = library.parse(json, errors as [], { allowTrailingComma: true });
    return errors.length === 0 ? tree : undefined;
  };
  const tree = parsed(text);
  const root = library.parseTree(text, undefined, { allowTrailingComma: true });
  if (!isObject(tree) || root === undefined) return undefined;
  const servers = tree[field] ?? {};
  if (!isObject(servers)) return undefined;
  const { [SERVER_NAME]: entry, ...otherServers } = servers;
  return {
    entry,
    otherCount: Object.keys(otherServers).length,
    with(ours) {
      const form: Form = { text, eol: text.includes('\r\n') ? '\r\n' : '\n', step: stepOf(text) };
      const changed = library.applyEdits(text, [...editsOf(library, root, { form, field, ours })]);
      // A file that names a server twice: the edit is in one place, and hosts read the other.
      const wanted = { ...tree, [field]: { ...servers, [SERVER_NAME]: ours } };
      return isDeepStrictEqual(parsed(changed), wanted) ? changed : undefined;
    },
  };
}

function editsOf(
  library: Library,
  root: Node,
  { form, field, ours }: { readonly form: Form; readonly field: string; readonly ours: object },
): readonly Edit[] {
  const old = library.findNodeAtLocation(root, [field, SERVER_NAME]);
  if (old !== undefined) {
    const { offset, length } = old;
    return [{ offset, length, content: written(ours, form, indentAt(offset, form.text)) }];
  }
  const list = library.findNodeAtLocation(root, [field]);
  if (list?.type === 'object') return insertion(library, list, form, SERVER_NAME, ours);
  if (list === undefined) return insertion(library, root, form, field, { [SERVER_NAME]: ours });
  // `null`, which lists none.
  const { offset, length } = list;
  return [{ offset, length, content: written({ [SERVER_NAME]: ours }, form, indentAt(offset, form.text)) }];
}

/** Adds a field at the end of an object. Comments behind the field before it stay with that one. */
function insertion(library: Library, object: Node, form: Form, name: string, value: object): readonly Edit[] {
  const { text, eol, step } = form;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const close = object.offset + object.length - 1;
    const inner = text.slice(object.offset + 1, close);
    const blank = inner.slice(inner.trimEnd().length);
    const indent = indentAt(object.offset, text);
    const end = blank.includes('\n') ? '' : `${eol}${indent}`;
    const content = `${eol}${indent}${step}"${name}": ${written(value, form, indent + step)}${end}`;
    const length = blank.includes('\n') ? 0 : blank.length;
    return [{ offset: close - blank.length, length, content }];
  }
  const { behind, hasComma } = lineBehind(library, last.offset + last.length, text);
  const isOneLine = !text.slice(object.offset, last.offset).includes('\n');
  const indent = indentAt(last.offset, text);
  const field = isOneLine
    ? ` "${name}": ${JSON.stringify(value)}`
    : `${eol}${indent}"${name}": ${written(value, form, indent)}`;
  if (hasComma) return [{ offset: behind, length: 0, content: `${field},` }];
  return [
    { offset: last.offset + last.length, length: 0, content: ',' },
    { offset: behind, length: 0, content: field },
  ];
}

/** Where the comma and the comments end that stand behind a field in its line. */
function lineBehind(library: Library, from: number, text: string) {
  const scanner = library.createScanner(text);
  scanner.setPosition(from);
  let [behind, hasComma] = [from, false];
  for (;;) {
    const token = scanner.scan();
    // The numbers of the library's tokens: 5 a comma, 12 and 13 comments, 15 blanks.
    if (![5, 12, 13, 15].includes(token)) return { behind, hasComma };
    if (token === 5) hasComma = true;
    if (token !== 15) behind = scanner.getTokenOffset() + scanner.getTokenLength();
  }
}

/** Writes a value for a line with this indent. */
function written(value: object, { eol, step }: Form, indent: string): string {
  return JSON.stringify(value, undefined, step).replaceAll('\n', `${eol}${indent}`);
}

/** The blanks with which the line of this place begins. */
function indentAt(offset: number, text: string): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** One step of the file's indent; two spaces for a new one. */
function stepOf(text: string): string {
  return /^[[{]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  ';
}
