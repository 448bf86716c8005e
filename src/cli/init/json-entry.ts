/** Puts one entry into a JSON text. Finds where it stands or belongs; no other character changes. */
import { isObject, sameJson } from '../../core/own.ts';

/** A field of an object: where its value begins and ends in the text. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
/** A number or a word, such as `true`. */
const SCALAR = /[^\s,\]}]+/y;

/**
 * Returns the text with this value as `list[name]`. A list that is missing is added.
 * @param text JSON whose outermost value is an object, or nothing but blanks
 * @returns undefined if the text is not such JSON (a comment, a trailing comma), has the list or the entry twice, or a list that is no object
 */
export function withEntry(text: string, list: string, name: string, value: object): string | undefined {
  const json = text.trim() === '' ? '{}\n' : text;
  const root = parsed(json);
  if (!isObject(root)) return undefined;

  const entries = Object.hasOwn(root, list) ? root[list] : {};
  if (!isObject(entries)) return undefined;

  const changed = edited(json, list, name, value);
  const wanted = { ...root, [list]: { ...entries, [name]: value } };
  return sameJson(parsed(changed), wanted) ? changed : undefined;
}

/** How many other entries the list has. */
export function otherEntries(text: string, list: string, name: string): number {
  const root = parsed(text);
  const entries = isObject(root) ? root[list] : undefined;
  return isObject(entries) ? Object.keys(entries).filter((each) => each !== name).length : 0;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function edited(json: string, list: string, name: string, value: object): string {
  const rootStart = json.indexOf('{');
  const inRoot = membersOf(json, rootStart);
  const found = inRoot.find((member) => member.name === list);
  if (found === undefined) return withMember(json, rootStart, inRoot, { name: list, value: { [name]: value } });

  const inList = membersOf(json, found.start);
  const entry = inList.find((member) => member.name === name);
  if (entry === undefined) return withMember(json, found.start, inList, { name, value });

  return json.slice(0, entry.start) + written(value, json, indentAt(json, entry.start)) + json.slice(entry.end);
}

/** Adds a field behind the last one of the object that begins at `start`. */
function withMember(
  json: string,
  start: number,
  members: readonly Member[],
  { name, value }: { readonly name: string; readonly value: object },
): string {
  const last = members.at(-1);
  const outer = indentAt(json, start);
  const isOneLine = last !== undefined && !json.slice(start, last.start).includes('\n');
  const indent = last === undefined || isOneLine ? outer + stepOf(json) : indentAt(json, last.start);
  const field = `${JSON.stringify(name)}: ${written(value, json, indent)}`;

  if (last === undefined) {
    const close = json.indexOf('}', start);
    return `${json.slice(0, start + 1)}${lineEnd(json)}${indent}${field}${lineEnd(json)}${outer}${json.slice(close)}`;
  }

  const blank = isOneLine ? ' ' : lineEnd(json) + indent;
  return `${json.slice(0, last.end)},${blank}${field}${json.slice(last.end)}`;
}

/** The fields of the object that begins at `start`, in valid JSON. */
function membersOf(json: string, start: number): readonly Member[] {
  const members: Member[] = [];
  let at = blanksEnd(json, start + 1);

  while (json[at] === '"') {
    const nameEnd = matchEnd(STRING, json, at);
    const name: string = JSON.parse(json.slice(at, nameEnd));
    const valueStart = blanksEnd(json, blanksEnd(json, nameEnd) + 1);
    const end = valueEnd(json, valueStart);
    members.push({ name, start: valueStart, end });
    const behind = blanksEnd(json, end);
    at = json[behind] === ',' ? blanksEnd(json, behind + 1) : behind;
  }

  return members;
}

/** The end of the value that begins here. */
function valueEnd(json: string, start: number): number {
  let at = start;
  let depth = 0;

  do {
    const character = json[at] ?? '';
    if (character === '"') at = matchEnd(STRING, json, at);
    else if ('[{'.includes(character)) [at, depth] = [at + 1, depth + 1];
    else if (']}'.includes(character)) [at, depth] = [at + 1, depth - 1];
    else if (character === ',' || character === ':') at += 1;
    else at = matchEnd(SCALAR, json, at);
    if (depth > 0) at = blanksEnd(json, at);
  } while (depth > 0);

  return at;
}

function matchEnd(pattern: RegExp, json: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(json)?.[0].length ?? 1);
}

function blanksEnd(json: string, at: number): number {
  let end = at;
  while (/\s/.test(json[end] ?? '')) end += 1;
  return end;
}

/** Writes a value for a line with this indent, as the file is written. */
function written(value: object, json: string, indent: string): string {
  return JSON.stringify(value, undefined, stepOf(json)).replaceAll('\n', lineEnd(json) + indent);
}

/** The blanks with which the line of this place begins. */
function indentAt(json: string, at: number): string {
  const start = json.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(json.slice(start, at))?.[0] ?? '';
}

const lineEnd = (json: string): string => (json.includes('\r\n') ? '\r\n' : '\n');

/** One step of the file's indent; two spaces for a new one. */
const stepOf = (json: string): string => /^\{\r?\n([ \t]+)/.exec(json.trimStart())?.[1] ?? '  ';
