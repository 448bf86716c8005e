/** Separates a failed system, which proves nothing about a send, from a refusal (docs/wire/notes.md, Errors). */
import type { Wire } from '../messages/parts/reader.ts';
import { asList, isObject } from '../transport/json.ts';
import { rowByCode, wordIn } from './fault-table.ts';

/** TIMEOUT, SYSTEM_ERROR, INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE and their relatives. */
const SYSTEM_WORD = /(?:^|_)(?:TIMEOUT|SYSTEM_ERROR|SERVER_ERROR|SERVICE_UNAVAILABLE|BAD_GATEWAY)$/;
const SYSTEM_TYPE = /^SYSTEM(?:_|$)/;
/** OpenTravel's error types "processing exception" and "application error". */
const FAILED_TYPES = new Set(['12', '13']);
const NAMES = ['code', 'error', 'type'] as const;
const WORDS = ['title', 'message', 'shortText', 'value'] as const;

const MOST_PARTS = 64;
const DEEPEST = 32;

export function blamesSystem(body: Wire, code: string | undefined): boolean {
  const said = partsOf(body, ['errors', 'error']);
  if (said.some(isSystem) || bareWords(body).some(isSystemWord)) return true;
  if (rowByCode(code) !== undefined) return false;
  // A known code decides: causes and words with it are ignored (docs/wire/notes.md, Errors).
  return partsOf(body, ['errors', 'error', 'cause']).some(
    (part) => isSystem(part) || FAILED_TYPES.has(wordOf(part.type)) || WORDS.some((key) => isSystemWord(part[key])),
  );
}

/** An error form and the objects under these keys in it, outermost first. */
export function partsOf(body: Wire, keys: readonly string[]): readonly Wire[] {
  const parts: Wire[] = [];
  let level: readonly Wire[] = [body];
  for (let depth = 0; depth < DEEPEST && level.length > 0 && parts.length < MOST_PARTS; depth += 1) {
    parts.push(...level);
    level = level.flatMap((part) => keys.flatMap((key) => asList(part[key]).filter(isObject))).slice(0, MOST_PARTS);
  }
  return parts;
}

/** `errors: ["TIMEOUT"]`, together with an error in another form. */
function bareWords(body: Wire): readonly unknown[] {
  return [body.errors, body.error].flatMap((value) => (Array.isArray(value) ? value : []));
}

function isSystem(part: Wire): boolean {
  const status = Number(wordOf(part.status));
  if (status === 408 || (status >= 500 && status <= 599)) return true;
  if (SYSTEM_TYPE.test(wordIn(wordOf(part.type)))) return true;
  if (rowByCode(wordOf(part.code))?.blind === true) return true;
  return NAMES.some((key) => isSystemWord(part[key]));
}

function isSystemWord(value: unknown): boolean {
  return SYSTEM_WORD.test(wordIn(wordOf(value)));
}

/** A short text, or a number as text. Empty for anything else. */
function wordOf(value: unknown): string {
  return typeof value === 'number' || (typeof value === 'string' && value.length < 60) ? String(value) : '';
}
