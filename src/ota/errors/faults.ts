/**
 * An airline's error as a reply states it (docs/wire/notes.md, Errors): how its form is read. What it proves of a send is in
 * what-refusals-prove.ts, and what we tell a caller of it in exchange-errors.ts.
 */
import { plainText } from '../../core/clean-text.ts';
import type { AirlineFault } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import { asList } from '../messages/json.ts';
import type { Wire } from '../messages/reader.ts';
import type { OtaOperation } from '../transport/options.ts';
import { codeWord, type FaultForm, isSystemFailure, rowByCode } from './what-refusals-prove.ts';

/** Characters of the airline's texts that are shown. */
const MAX_TITLE = 120;
const MAX_CODE = 40;
const MAX_CORRELATION = 80;
/** Characters that are cleaned for each one that is shown: many can be invisible. */
const CLEANED_PER_SHOWN = 8;
/** A longer text is not a code or a word of the protocol, characters. */
const LONGEST_WORD = 59;
/** How deep a chain of causes is searched for a title. */
const MAX_CAUSES = 32;
/** How many forms, and how deep, are searched for signs of a failed system. */
const MOST_FORMS = 64;
const DEEPEST_FORM = 32;

/** TIMEOUT, SYSTEM_ERROR, INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE and their relatives. */
const SYSTEM_WORD = /(?:^|_)(?:TIMEOUT|SYSTEM_ERROR|SERVER_ERROR|SERVICE_UNAVAILABLE|BAD_GATEWAY)$/;
const SYSTEM_TYPE = /^SYSTEM(?:_|$)/;
/** OpenTravel's error types "processing exception" and "application error". */
const FAILED_TYPES = new Set(['12', '13']);
const CODE_FIELDS = ['code', 'error', 'type'] as const;
const WORD_FIELDS = ['title', 'message', 'shortText', 'value'] as const;

/** Reads the error form of a body, in any of its four kinds. Undefined if the body holds none. */
export function readFault(httpStatus: number, body: unknown): FaultForm | undefined {
  if (!isObject(body)) return undefined;
  const form = errorForm(body) ?? (isErrorForm(httpStatus, body) ? body : undefined);
  if (form === undefined) return undefined;
  const bodyStatus = readStatus(body.status) ?? readStatus(form.status);
  const fault = describeFault(httpStatus, form, body);
  return { ...fault, bodyStatus, system: bodyShowsSystemFailure(body, fault.code) || undefined };
}

/**
 * The error in a body: the first of `{errors: {error: [{type, code, shortText, value}]}}` (OpenTravel ErrorsType) or of
 * `{errors: [{type, code, message, field?}]}`, or that of `{error: {code, title, detail}}`.
 */
function errorForm({ errors, error }: Wire): Wire | undefined {
  const list = isObject(errors) ? asList(errors.error) : asList(errors);
  return [...list, error].find(isObject);
}

/**
 * Whether the body itself is an error: `{status, error, code, title, detail?, correlationId, cause?}`, or the older
 * `{timestamp, status, error, exception, message, path}`.
 */
function isErrorForm(httpStatus: number, body: Wire): boolean {
  const isFailure =
    httpStatus >= 400 ||
    (readStatus(body.status) ?? 0) >= 400 ||
    (typeof body.error === 'string' && body.error.trim() !== '');
  const hasWords = ['code', 'title', 'error', 'exception', 'message', 'correlationId'].some((key) => key in body);
  const hasCode = readCode(body.code) !== undefined && 'title' in body;
  return (isFailure && hasWords) || hasCode;
}

function describeFault(httpStatus: number, form: Wire, body: Wire): AirlineFault {
  const causes = nestedForms(body, ['errors', 'error', 'cause']).map((part) => part.correlationId);
  const reference = firstText(body.correlationId, form.correlationId, ...causes, body.requestId, form.requestId);
  const { shortText, title, message, value, detail, error } = form;

  return {
    status: httpStatus,
    code: readCode(form.code),
    title: quotableWords(firstText(shortText, title, innermostTitle(form), message, value, detail, error)),
    correlationId: cleanWord(reference, MAX_CORRELATION),
  };
}

/** The title of the innermost cause, used only if the outer title is empty. */
function innermostTitle(form: Wire): string | undefined {
  let title: string | undefined;
  let cause = form.cause;
  for (let depth = 0; depth < MAX_CAUSES && isObject(cause); depth += 1) {
    title = firstText(cause.title) ?? title;
    cause = cause.cause;
  }
  return title;
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.map((value) => oneLine(value)).find((text) => text !== undefined);
}

/** Text that is safe to show: one line, no control or direction characters, at most `limit` characters. */
function oneLine(value: unknown, limit = MAX_TITLE): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;

  const text = String(value)
    .slice(0, limit * CLEANED_PER_SHOWN)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : [...text].slice(0, limit).join('').trimEnd();
}

/** The airline's words, without quotation marks that would end ours. */
function quotableWords(value: unknown): string | undefined {
  const words = oneLine(value);
  return words === undefined
    ? undefined
    : plainText(words.replace(/["\u201C-\u201F\u00AB\u00BB]/g, "'"), MAX_TITLE) || undefined;
}

/** A code or a reference, without characters that are not part of one. */
function cleanWord(value: unknown, limit: number): string | undefined {
  const word = oneLine(value, limit)?.replace(/[^\w.:/+=@ -]/g, '');
  return word?.replace(/\/{2,}/g, '/').trim() || undefined;
}

/** Digits as text or number, or a word. `0` and empty mean none. */
function readCode(value: unknown): string | undefined {
  const code = cleanWord(value, MAX_CODE);
  return code === undefined || /^0+$/.test(code) ? undefined : code;
}

function readStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && status >= 100 && status <= 599 ? status : undefined;
}

/** Whether a body shows that the airline's system failed, as {@link formShowsSystemFailure} and by its causes and words. */
function bodyShowsSystemFailure(body: Wire, code: string | undefined): boolean {
  const statedForms = nestedForms(body, ['errors', 'error']);
  if (statedForms.some(formShowsSystemFailure) || listedWords(body).some(wordShowsSystemFailure)) return true;
  // A known code decides: causes and words with it are ignored (docs/wire/notes.md, Errors).
  if (rowByCode(code) !== undefined) return false;

  return nestedForms(body, ['errors', 'error', 'cause']).some(
    (part) =>
      formShowsSystemFailure(part) ||
      FAILED_TYPES.has(shortText(part.type)) ||
      WORD_FIELDS.some((key) => wordShowsSystemFailure(part[key])),
  );
}

/** An error form and the objects under these keys in it, outermost first. */
function nestedForms(body: Wire, keys: readonly string[]): readonly Wire[] {
  const forms: Wire[] = [];
  let level: readonly Wire[] = [body];
  for (let depth = 0; depth < DEEPEST_FORM && level.length > 0 && forms.length < MOST_FORMS; depth += 1) {
    forms.push(...level);
    level = level.flatMap((part) => keys.flatMap((key) => asList(part[key]).filter(isObject))).slice(0, MOST_FORMS);
  }
  return forms;
}

/** Words in lists, such as `errors: ["TIMEOUT"]`, together with an error in another form. */
function listedWords(body: Wire): readonly unknown[] {
  return [body.errors, body.error].flatMap((value) => (Array.isArray(value) ? value : []));
}

/** Whether an error form shows that the airline's system failed: by its status, type or code. */
function formShowsSystemFailure(form: Wire): boolean {
  const status = Number(shortText(form.status));
  if (status === 408 || (status >= 500 && status <= 599)) return true;
  if (SYSTEM_TYPE.test(codeWord(shortText(form.type)))) return true;
  if (rowByCode(shortText(form.code))?.system === true) return true;
  return CODE_FIELDS.some((key) => wordShowsSystemFailure(form[key]));
}

function wordShowsSystemFailure(value: unknown): boolean {
  return SYSTEM_WORD.test(codeWord(shortText(value)));
}

/** A short text, or a number as text. Empty for anything else. */
function shortText(value: unknown): string {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_WORD) ? String(value) : '';
}

/** The request that an error answers. */
export interface Circumstance {
  readonly operation: OtaOperation;
  /** True for a message that books, pays or changes. */
  readonly sending: boolean;
}

export interface FaultContext extends Circumstance {
  readonly retryAfterSeconds?: number;
  readonly legs?: number;
}

/** Whether the booking system itself says that it has no such booking. */
export function provesAbsence(fault: FaultForm): boolean {
  return rowByCode(fault.code)?.noSuchBooking === true && !isSystemFailure(fault);
}

/** The fault as callers see it. */
export function toAirlineFault(fault: FaultForm): AirlineFault {
  const { bodyStatus: _, system: __, ...rest } = fault;
  return rest;
}
