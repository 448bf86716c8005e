/**
 * What one half of a result says and the other does not. Hosts show the model one half alone (docs/start/hosts.md), so both name
 * the same sums, times and handles, and the same next step.
 */
import type { Result } from '../../src/approvals/answer.ts';

type Half = Pick<Result, 'text' | 'structured'>;

/** Sums: decimal digits with two places, without marks between thousands. */
const SUM = /\b\d[\d,]*\.\d\d\b/g;
/** Of the words of a text: `21:18`, and of a field: `T21:18`. */
const CLOCK = /\b\d\d:\d\d\b(?![\d:])/g;
const FIELD_TIME = /^\d{4}-\d\d-\d\dT(\d\d:\d\d)/;
const HANDLE = /\b(?:ap_[\w-]{20,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\d{13})\b/g;

/** Fields whose times are records of our own, which no text needs. */
const RECORDS: ReadonlySet<string> = new Set(['searched_at', 'created_at', 'seen_at', 'expires_at', 'at']);

interface Facts {
  readonly sums: ReadonlySet<string>;
  readonly times: ReadonlySet<string>;
  readonly handles: ReadonlySet<string>;
}

function found(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([match]) => match);
}

const plain = (sum: string) => sum.replaceAll(',', '');

function ofText(text: string): Facts {
  // An offset is no time: `(UTC+05:30)`.
  const words = text.replace(/UTC[+-][\d:]+/g, '');
  return {
    sums: new Set(found(SUM, words).map(plain)),
    times: new Set(found(CLOCK, words)),
    handles: new Set(found(HANDLE, words)),
  };
}

function ofFields(structured: object): Facts {
  const facts = { sums: new Set<string>(), times: new Set<string>(), handles: new Set<string>() };
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, name);
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) visit(each, key);
    else if (typeof value === 'string') {
      const time = FIELD_TIME.exec(value)?.[1];
      if (time === undefined) {
        const words = ofText(value);
        for (const kind of ['sums', 'times', 'handles'] as const) for (const each of words[kind]) facts[kind].add(each);
      } else if (!RECORDS.has(name)) facts.times.add(time);
    }
  };
  visit(structured, '');
  return facts;
}

/** One line for each fact that only one half has. */
export function differences({ text, structured }: Half): readonly string[] {
  const [words, fields] = [ofText(text), ofFields(structured)];
  const lines = (['sums', 'times', 'handles'] as const).flatMap((kind) => [
    ...[...words[kind]].filter((each) => !fields[kind].has(each)).map((each) => `only in the text: ${each}`),
    ...[...fields[kind]].filter((each) => !words[kind].has(each)).map((each) => `only in the fields: ${each}`),
  ]);
  const {
    summary,
    next,
    warnings = [],
    error,
  } = structured as {
    readonly summary?: string;
    readonly next?: string;
    readonly warnings?: readonly string[];
    readonly error?: { readonly message: string; readonly next: string };
  };
  const said = error === undefined ? [summary, next, ...warnings] : [error.message, error.next];
  const unsaid = said
    .filter((each) => each !== undefined && !text.includes(each))
    .map((each) => `not in the text: ${each}`);
  return [...lines, ...unsaid, ...(summary === undefined && error === undefined ? ['there is no summary'] : [])];
}
