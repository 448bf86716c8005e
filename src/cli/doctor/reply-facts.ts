/** Collects what the interface leaves open, and fields that nothing reads. Names and kinds only, no values. */
import { LEFT_OUT } from '../../ota/messages/left-out.ts';
import { record } from '../../ota/messages/parts/reader.ts';
import { asList, isObject } from '../../ota/transport/json.ts';

const SPELLINGS = ['tpaextensions', 'tpaExtensions', 'TPA_Extensions'];
const FLIGHT_TIMES = ['departureDateTime', 'arrivalDateTime', 'departureTime', 'arrivalTime'];
/** The paths nearest to the root come first. */
const MOST_UNREAD = 60;

export type ReplyFacts = ReturnType<typeof replyFacts>;

/** `breakdowns` are the pricing parents that hold prices per passenger type; `unread` are paths that nothing reads. */
export function replyFacts(body: unknown, decode: (body: unknown) => unknown) {
  const [spellings, breakdowns, times] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let nulls = false;
  walk(body, (key, value, path) => {
    if (SPELLINGS.includes(key)) spellings.add(key);
    if (key === 'ptcfareBreakdowns') breakdowns.add(path.split('.').at(-2) ?? '');
    if (FLIGHT_TIMES.includes(key) && typeof value === 'string') times.add(zoneOf(value));
    if (value === null) nulls = true;
  });
  const { success, version } = isObject(body) ? body : {};
  const [time = 'none'] = times;
  return {
    success: success === undefined ? 'absent' : isObject(success) && isEmpty(success) ? 'empty_object' : 'other',
    version: kindOf(version),
    extensions: [...spellings],
    times: times.size > 1 ? 'mixed' : time,
    breakdowns: [...breakdowns],
    nulls,
    unread: unreadOf(body, decode),
  };
}

const kindOf = (value: unknown): 'number' | 'text' | 'absent' =>
  typeof value === 'number' ? 'number' : typeof value === 'string' && value !== '' ? 'text' : 'absent';

export function zoneOf(time: string): 'utc' | 'offset' | 'no_zone' {
  if (/z$/i.test(time)) return 'utc';
  return /[+-]\d{2}:?\d{2}$/.test(time) ? 'offset' : 'no_zone';
}

/** Finds every value with this name in a reply and flattens lists. Ignores case and underscores unless `exact`. */
export function all(body: unknown, name: string, exact = false): readonly unknown[] {
  const plain = (text: string): string => (exact ? text : text.toLowerCase().replaceAll('_', ''));
  const found: unknown[] = [];
  walk(body, (key, value) => {
    if (plain(key) === plain(name)) found.push(...asList(value));
  });
  return found;
}

const NAME = /^[A-Za-z_][\w-]{0,40}$/;
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** @param visit returns false to leave out what lies below */
function walk(value: unknown, visit: (key: string, value: unknown, path: string) => unknown, path = ''): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit, path);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const below = join(path, NAME.test(key) ? key : '?');
      if (visit(key, item, below) !== false) walk(item, visit, below);
    }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
const isLeftOut = (path: string): boolean => Object.keys(LEFT_OUT).some((end) => `.${path}`.endsWith(`.${end}`));

/** Returns the fields that the decoder does not read, without empty ones. */
function unreadOf(body: unknown, decode: (body: unknown) => unknown): readonly string[] {
  const read = new Set<string>();
  try {
    decode(noting(body, '', read));
  } catch {
    return [];
  }
  const unread = new Set<string>();
  walk(body, (_, value, path) => {
    if (isEmpty(value) || isLeftOut(path)) return false;
    if (!read.has(path)) unread.add(path);
    return read.has(path);
  });
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

export type ErrorFacts = ReturnType<typeof errorFacts>;

/** Names the error form of a refusal (docs/wire/notes.md). */
export function errorFacts(body: unknown) {
  const fields = record(body);
  const { errors, error } = fields;
  const has = (...keys: readonly string[]): boolean => keys.some((key) => key in fields);
  const forms: readonly (readonly [applies: boolean, form: string, code?: unknown])[] = [
    [isObject(errors), 'opentravel', record(record(errors).error).code],
    [Array.isArray(errors), 'error_list', record(errors).code],
    [isObject(error), 'error_object', record(error).code],
    [has('code', 'title', 'correlationId'), 'flat', fields.code],
    [has('exception', 'message', 'error'), 'older'],
    [true, 'none'],
  ];
  const [, form = 'none', code] = forms.find(([applies]) => applies) ?? [];
  const named = Object.keys(fields).filter((key) => NAME.test(key));
  return { form, codeType: kindOf(code), fields: named.slice(0, 20) };
}
