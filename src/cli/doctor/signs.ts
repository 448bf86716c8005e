/**
 * What replies show of the airline's dialect: the things that the interface leaves open, and fields that are not read.
 * Names and kinds only; no value of anybody.
 */

import { LEFT_OUT } from '../../ota/messages/left-out.ts';
import { asList, isObject } from '../../ota/transport/json.ts';

export interface ReplySigns {
  /** `success` was there: an empty object, something else, or absent. */
  readonly success: 'empty_object' | 'other' | 'absent';
  readonly version: 'number' | 'text' | 'absent';
  /** Spellings of the extensions branch. */
  readonly extensions: readonly string[];
  /** How flight times are written. */
  readonly times: 'offset' | 'utc' | 'no_zone' | 'mixed' | 'none';
  /** Which of the two pricing parents holds the breakdown per passenger type. */
  readonly breakdowns: readonly string[];
  readonly nulls: boolean;
  /** Paths of fields that were sent and that nothing reads. */
  readonly unread: readonly string[];
}

const SPELLINGS = ['tpaextensions', 'tpaExtensions', 'TPA_Extensions'];
const FLIGHT_TIMES = new Set(['departureDateTime', 'arrivalDateTime', 'departureTime', 'arrivalTime']);
/** The highest ones come first. */
const MOST_UNREAD = 60;

export function signsOf(body: unknown, decode: (body: unknown) => unknown): ReplySigns {
  const spellings = new Set<string>();
  const breakdowns = new Set<string>();
  const times = new Set<'offset' | 'utc' | 'no_zone'>();
  let nulls = false;
  walk(body, (key, value, parent) => {
    if (SPELLINGS.includes(key)) spellings.add(key);
    if (key === 'ptcfareBreakdowns') breakdowns.add(parent);
    if (FLIGHT_TIMES.has(key) && typeof value === 'string') times.add(zoneOf(value));
    if (value === null) nulls = true;
  });
  const root = isObject(body) ? body : {};
  const [time] = times;
  return {
    success: successOf(root.success),
    version: typeof root.version === 'number' ? 'number' : typeof root.version === 'string' ? 'text' : 'absent',
    extensions: [...spellings],
    times: times.size > 1 ? 'mixed' : (time ?? 'none'),
    breakdowns: [...breakdowns],
    nulls,
    unread: unreadOf(body, decode),
  };
}

function successOf(value: unknown): ReplySigns['success'] {
  if (value === undefined) return 'absent';
  return isObject(value) && Object.keys(value).length === 0 ? 'empty_object' : 'other';
}

export function zoneOf(text: string): 'offset' | 'utc' | 'no_zone' {
  if (/z$/i.test(text)) return 'utc';
  return /[+-]\d{2}:?\d{2}$/.test(text) ? 'offset' : 'no_zone';
}

/** Every value under a name anywhere in a reply, whatever its letters and underscores; lists are opened. */
export function all(body: unknown, name: string, exact = false): readonly unknown[] {
  const plain = (text: string): string => (exact ? text : text.toLowerCase().replaceAll('_', ''));
  const found: unknown[] = [];
  walk(body, (key, value) => {
    if (plain(key) === plain(name)) found.push(...asList(value));
  });
  return found;
}

type Visit = (key: string, value: unknown, parent: string) => void;

function walk(value: unknown, visit: Visit, parent = ''): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit, parent);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      visit(key, item, parent);
      walk(item, visit, key);
    }
  }
}

/** Decodes a body that notes which of its fields are looked at, and tells the others; empty ones are nothing to read. */
function unreadOf(body: unknown, decode: (body: unknown) => unknown): readonly string[] {
  const read = new Set<string>();
  try {
    decode(noting(body, '', read));
  } catch {
    return [];
  }
  const unread = new Set<string>();
  gather(body, '', read, unread);
  const depth = (path: string): number => path.split('.').length;
  return [...unread].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, MOST_UNREAD);
}

function noting(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key, receiver) {
      const item: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || (Array.isArray(target) && !/^\d+$/.test(key))) return item;
      const below = Array.isArray(target) ? path : join(path, key);
      read.add(below);
      return noting(item, below, read);
    },
  });
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
const NAME = /^[A-Za-z_][\w-]{0,40}$/;

function gather(value: unknown, path: string, read: ReadonlySet<string>, unread: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) gather(item, path, read, unread);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const below = join(path, NAME.test(key) ? key : '?');
      if (isEmpty(item) || isLeftOut(below)) continue;
      if (!read.has(below)) unread.add(below);
      else gather(item, below, read, unread);
    }
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isLeftOut(path: string): boolean {
  return Object.keys(LEFT_OUT).some((end) => path === end || path.endsWith(`.${end}`));
}

export interface ErrorSigns {
  readonly form: 'flat' | 'error_object' | 'error_list' | 'opentravel' | 'older' | 'none';
  readonly codeType: 'text' | 'number' | 'absent';
  /** Fields at the top of it. */
  readonly fields: readonly string[];
}

/** Which of the error forms of docs/wire/notes.md a refusal has. */
export function errorSigns(body: unknown): ErrorSigns {
  if (!isObject(body)) return { form: 'none', codeType: 'absent', fields: [] };
  const { form, code } = formOf(body);
  const codeType = typeof code === 'number' ? 'number' : typeof code === 'string' && code !== '' ? 'text' : 'absent';
  return {
    form,
    codeType,
    fields: Object.keys(body)
      .filter((key) => NAME.test(key))
      .slice(0, 20),
  };
}

type Body = Readonly<Record<string, unknown>>;

function formOf(body: Body): { form: ErrorSigns['form']; code: unknown } {
  const first = (list: unknown): Body => (Array.isArray(list) && isObject(list[0]) ? list[0] : {});
  if (isObject(body.errors)) return { form: 'opentravel', code: first(body.errors.error).code };
  if (Array.isArray(body.errors)) return { form: 'error_list', code: first(body.errors).code };
  if (isObject(body.error)) return { form: 'error_object', code: body.error.code };
  if ('code' in body || 'title' in body || 'correlationId' in body) return { form: 'flat', code: body.code };
  if ('exception' in body || 'message' in body || 'error' in body) return { form: 'older', code: undefined };
  return { form: 'none', code: undefined };
}
