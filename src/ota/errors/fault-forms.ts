/**
 * Recognises an error in a reply. docs/wire/interface.md shows no error format; these are the five published forms of
 * docs/wire/notes.md, Errors.
 */
import { plainText } from '../../domain/time-and-text/clean-text.ts';
import type { AirlineFault } from '../../errors.ts';
import { asList, isObject } from '../transport/json.ts';
import { blamesSystem, partsOf } from './system-errors.ts';

type Json = Readonly<Record<string, unknown>>;

const MAX_TITLE = 120;
const MAX_CODE = 40;
const MAX_CORRELATION = 80;
/** How far down a chain of causes a title is looked for. */
const MAX_CAUSES = 32;

/** What a reply's body says went wrong; undefined where it holds no error form. */
export interface FaultForm extends AirlineFault {
  /** The status written in the body, which can differ from the HTTP status. */
  readonly bodyStatus?: number;
  /** The form blames a system rather than a rule: after a send it proves nothing, whatever its code and status. */
  readonly system?: true;
}

export function readFault(httpStatus: number, body: unknown): FaultForm | undefined {
  if (!isObject(body)) return undefined;
  const form = otaErrors(body) ?? errorList(body) ?? errorObject(body) ?? flatForm(httpStatus, body);
  if (form === undefined) return undefined;
  const bodyStatus = httpStatusOf(body.status) ?? httpStatusOf(form.from.status);
  const fault = faultOf(httpStatus, form, body);
  return {
    ...fault,
    ...(bodyStatus === undefined ? {} : { bodyStatus }),
    ...(blamesSystem(body, fault.code) ? { system: true } : {}),
  };
}

/** Text of a stranger made safe to show: one line, no control or direction characters, at most `limit` characters. */
export function cleanText(value: unknown, limit = MAX_TITLE): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value)
    .slice(0, limit * 8)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : [...text].slice(0, limit).join('').trimEnd();
}

/** Words of the airline: plain, and without a quotation mark that would end ours. */
function saying(value: unknown): string | undefined {
  const words = cleanText(value);
  return words === undefined ? undefined : plainText(words.replace(/["“”„‟«»]/g, "'"), MAX_TITLE) || undefined;
}

/** A code or a reference as support asks for it; what is no part of one is left out. */
function wordOf(value: unknown, limit: number): string | undefined {
  const word = cleanText(value, limit)?.replace(/[^\w.:/+=@ -]/g, '');
  return word?.replace(/\/{2,}/g, '/').trim() || undefined;
}

interface Found {
  /** The object that holds code and words. */
  readonly from: Json;
  readonly title: unknown;
}

/** `{errors: {error: [{type, code, shortText, value}]}}`: OpenTravel ErrorsType. */
function otaErrors(body: Json): Found | undefined {
  if (!isObject(body.errors)) return undefined;
  const first = asList(body.errors.error).find(isObject);
  return first === undefined ? undefined : { from: first, title: firstText(first.shortText, first.value) };
}

/** `{errors: [{type, code, message, field?}], requestId}`. */
function errorList(body: Json): Found | undefined {
  if (!Array.isArray(body.errors)) return undefined;
  const first = body.errors.find(isObject);
  if (first === undefined) return undefined;
  return { from: first, title: firstText(first.message, first.title, first.shortText, innermostTitle(first)) };
}

/** `{error: {code, title, detail}}`. */
function errorObject(body: Json): Found | undefined {
  const error = body.error;
  if (!isObject(error)) return undefined;
  return { from: error, title: firstText(error.title, innermostTitle(error), error.message, error.detail) };
}

/**
 * `{status, error, code, title, detail?, correlationId, cause?}`, and the older
 * `{timestamp, status, error, exception, message, path}`.
 */
function flatForm(httpStatus: number, body: Json): Found | undefined {
  const failed = httpStatus >= 400 || (httpStatusOf(body.status) ?? 0) >= 400 || nonEmpty(body.error);
  const worded = ['code', 'title', 'error', 'exception', 'message', 'correlationId'].some((key) => key in body);
  const coded = codeOf(body.code) !== undefined && 'title' in body;
  if (!(failed && worded) && !coded) return undefined;
  return { from: body, title: firstText(body.title, innermostTitle(body), body.message, body.detail, body.error) };
}

function faultOf(httpStatus: number, found: Found, body: Json): AirlineFault {
  const code = codeOf(found.from.code);
  const title = saying(found.title);
  const correlationId = wordOf(
    firstText(
      body.correlationId,
      found.from.correlationId,
      ...partsOf(body, ['errors', 'error', 'cause']).map((part) => part.correlationId),
      body.requestId,
      found.from.requestId,
    ),
    MAX_CORRELATION,
  );
  return {
    status: httpStatus,
    ...(code === undefined ? {} : { code }),
    ...(title === undefined ? {} : { title }),
    ...(correlationId === undefined ? {} : { correlationId }),
  };
}

/** Causes nest the same shape and are ignored, except that an empty outer title falls back to the innermost one. */
function innermostTitle(form: Json): string | undefined {
  let title: string | undefined;
  let cause = form.cause;
  for (let depth = 0; depth < MAX_CAUSES && isObject(cause); depth += 1) {
    title = firstText(cause.title) ?? title;
    cause = cause.cause;
  }
  return title;
}

function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const text = cleanText(value, MAX_TITLE);
    if (text !== undefined) return text;
  }
  return undefined;
}

function nonEmpty(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** A code is digits as text or number; services of this family also send words. `0` and empty mean none. */
function codeOf(value: unknown): string | undefined {
  const code = wordOf(value, MAX_CODE);
  return code === undefined || /^0+$/.test(code) ? undefined : code;
}

function httpStatusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && status >= 100 && status <= 599 ? status : undefined;
}
