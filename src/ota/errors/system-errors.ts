/**
 * Whether an error form blames a system rather than a rule. Such a form proves nothing about a send, whatever HTTP
 * status it comes with (docs/wire/notes.md, Errors).
 */

import { asList, isObject } from '../transport/json.ts';
import { rowByCode, wordIn } from './fault-table.ts';

type Json = Readonly<Record<string, unknown>>;

/** TIMEOUT, SYSTEM_ERROR, INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE and their relatives. */
const SYSTEM_WORD = /(?:^|_)(?:TIMEOUT|SYSTEM_ERROR|SERVER_ERROR|SERVICE_UNAVAILABLE|BAD_GATEWAY)$/;
const SYSTEM_TYPE = /^SYSTEM(?:_|$)/;
/** OpenTravel's error types "processing exception" and "application error". */
const FAILED_TYPES = new Set(['12', '13']);
const NAMES = ['code', 'error', 'type'] as const;
const WORDS = ['title', 'message', 'shortText', 'value'] as const;

const MOST_PARTS = 64;
const DEEPEST = 32;

export function blamesSystem(body: Json, code: string | undefined): boolean {
  const said = partsOf(body, ['errors', 'error']);
  if (said.some(isSystem) || bareWords(body).some(isSystemWord)) return true;
  if (rowByCode(code) !== undefined) return false;
  // A known code decides: causes and words beside it are ignored (docs/wire/notes.md, Errors). Else they are all there
  // is.
  return partsOf(body, ['errors', 'error', 'cause']).some(
    (part) => isSystem(part) || FAILED_TYPES.has(wordOf(part.type)) || WORDS.some((key) => isSystemWord(part[key])),
  );
}

/** An error form and the objects that it holds under these keys, outermost first. */
export function partsOf(body: Json, keys: readonly string[]): readonly Json[] {
  const parts: Json[] = [];
  let level: readonly Json[] = [body];
  for (let depth = 0; depth < DEEPEST && level.length > 0 && parts.length < MOST_PARTS; depth += 1) {
    parts.push(...level);
    level = level.flatMap((part) => keys.flatMap((key) => asList(part[key]).filter(isObject))).slice(0, MOST_PARTS);
  }
  return parts;
}

/** `errors: ["TIMEOUT"]`, beside an error in another form. */
function bareWords(body: Json): readonly unknown[] {
  return [body.errors, body.error].flatMap((value) => (Array.isArray(value) ? value : []));
}

function isSystem(part: Json): boolean {
  const status = Number(wordOf(part.status));
  if (status === 408 || (status >= 500 && status <= 599)) return true;
  if (SYSTEM_TYPE.test(wordIn(wordOf(part.type)))) return true;
  if (rowByCode(wordOf(part.code))?.blind === true) return true;
  return NAMES.some((key) => isSystemWord(part[key]));
}

function isSystemWord(value: unknown): boolean {
  return SYSTEM_WORD.test(wordIn(wordOf(value)));
}

/** A short text or a number as text; empty for anything else, which may be a stranger's object. */
function wordOf(value: unknown): string {
  return typeof value === 'number' || (typeof value === 'string' && value.length < 60) ? String(value) : '';
}
