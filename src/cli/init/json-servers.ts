/**
 * The servers that a host lists in JSON, with comments or without. A parser says where our entry stands or belongs; no other byte
 * changes.
 */
import { isDeepStrictEqual } from 'node:util';
import { createScanner, findNodeAtLocation, type Node, parse, parseTree } from 'jsonc-parser';
import { isObject } from '../../core/own.ts';
import { type ListedServers, SERVER_NAME } from './hosts.ts';
import { applyTextEdits, lineEnd, type TextEdit } from './text-edits.ts';

/** How a file is written. */
interface JsonStyle {
  readonly text: string;
  readonly eol: string;
  /** One step of its indent. */
  readonly step: string;
}

/** @returns undefined if the text is not JSON, or its field `field` is no object */
export function jsonServers(given: string, field: string): ListedServers | undefined {
  const text = given.trim() === '' ? '{}\n' : given;
  const parsed = (json: string): unknown => {
    const errors: unknown[] = [];
    const tree: unknown = parse(json, errors as [], { allowTrailingComma: true });
    return errors.length === 0 ? tree : undefined;
  };
  const tree = parsed(text);
  const root = parseTree(text, undefined, { allowTrailingComma: true });
  if (!isObject(tree) || root === undefined) return undefined;
  const servers = tree[field] ?? {};
  if (!isObject(servers)) return undefined;
  const { [SERVER_NAME]: entry, ...otherServers } = servers;
  return {
    entry,
    otherCount: Object.keys(otherServers).length,
    with(ours) {
      const form: JsonStyle = { text, eol: lineEnd(text), step: stepOf(text) };
      const changed = applyTextEdits(text, editsOf(root, { form, field, ours }));
      // A file that names a server twice: the edit is in one place, and hosts read the other.
      const wanted = { ...tree, [field]: { ...servers, [SERVER_NAME]: ours } };
      return isDeepStrictEqual(parsed(changed), wanted) ? changed : undefined;
    },
  };
}

function editsOf(
  root: Node,
  { form, field, ours }: { readonly form: JsonStyle; readonly field: string; readonly ours: object },
): readonly TextEdit[] {
  const old = findNodeAtLocation(root, [field, SERVER_NAME]);
  if (old !== undefined) {
    const { offset, length } = old;
    return [{ offset, length, content: written(ours, form, indentAt(offset, form.text)) }];
  }
  const list = findNodeAtLocation(root, [field]);
  if (list?.type === 'object') return insertion(list, form, SERVER_NAME, ours);
  if (list === undefined) return insertion(root, form, field, { [SERVER_NAME]: ours });
  // `null`, which lists none.
  const { offset, length } = list;
  return [{ offset, length, content: written({ [SERVER_NAME]: ours }, form, indentAt(offset, form.text)) }];
}

/** Adds a field at the end of an object. Comments behind the field before it stay with that one. */
function insertion(object: Node, form: JsonStyle, name: string, value: object): readonly TextEdit[] {
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
  const { behind, hasComma } = lineBehind(last.offset + last.length, text);
  const isOneLine = !text.slice(object.offset, last.offset).includes('\n');
  const indent = indentAt(last.offset, text);
  const field = isOneLine
    ? ` "${name}": ${JSON.stringify(value)}`
    : `${eol}${indent}"${name}": ${written(value, form, indent)}`;
  if (hasComma) return [{ offset: behind, length: 0, content: `${field},` }];
  // Where no comment is between them both are at one place: the comma comes first.
  return [
    { offset: behind, length: 0, content: field },
    { offset: last.offset + last.length, length: 0, content: ',' },
  ];
}

/** Where the comma and the comments end that stand behind a field in its line. */
function lineBehind(from: number, text: string) {
  const scanner = createScanner(text);
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
function written(value: object, { eol, step }: JsonStyle, indent: string): string {
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
