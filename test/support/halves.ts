/**
 * What one half of a result says and the other does not. Hosts show the model one half alone (docs/reference/host-sources.md), so
 * both name the same sums, times and handles, and the same next step. What people read names no tools: those belong to `next`.
 */
import { showDay } from '../../src/core/times.ts';
import { CATALOG } from '../../src/tools/index.ts';

interface Halves {
  readonly text: string;
  readonly structured: object;
}

/** An answer with its fields as a client reads them: JSON has no undefined. */
export function asSent<T extends { readonly kind: string }>(answer: T): T {
  return 'structured' in answer ? { ...answer, structured: JSON.parse(JSON.stringify(answer.structured)) } : answer;
}

/** Sums: decimal digits with two places. */
const SUM = /\b\d[\d,]*\.\d\d\b/g;
/** Of the words of a text: `21:18`, and of a field: `T21:18`. */
const CLOCK = /\b\d\d:\d\d\b(?!\d|:\d)/g;
const FIELD_TIME = /^\d{4}-\d\d-\d\dT(\d\d:\d\d)/;
/** As an airline may send it; a text says that there is no time. */
const BROKEN_TIME = /\dT\d\d:/;
const HANDLE = /\b(?:ap_[\w-]{20,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\d{13})\b/g;

/** Fields that a text may leave out: records of our own, what programs keep, and parts of a sum that it names whole. */
const ONLY_FIELDS: ReadonlySet<string> = new Set([
  ...['searched_at', 'made', 'seen_at', 'expires_at', 'at', 'operation_id'],
  ...['base', 'tax', 'taxes', 'fees', 'net', 'vat', 'vat_percent'],
]);

const KINDS = ['sums', 'times', 'handles'] as const;
type Facts = Readonly<Record<(typeof KINDS)[number], Set<string>>>;

const empty = (): Facts => ({ sums: new Set(), times: new Set(), handles: new Set() });
const found = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([match]) => match);
/** Said in words: nothing. */
const isNothing = (sum: string) => Number(sum) === 0;

function ofText(text: string): Facts {
  // An offset is no time: `(UTC+05:30)`.
  const words = text.replace(/UTC[+-][\d:]+/g, '');
  const sums = found(SUM, words).map((sum) => sum.replaceAll(',', ''));
  return { sums: new Set(sums), times: new Set(found(CLOCK, words)), handles: new Set(found(HANDLE, words)) };
}

/** `wanted`: a text has to have them too. */
function ofFields(structured: object): { readonly all: Facts; readonly wanted: Facts } {
  const [all, wanted] = [empty(), empty()];
  const add = (value: string, isWanted: boolean) => {
    const time = FIELD_TIME.exec(value)?.[1];
    const words = BROKEN_TIME.test(value) ? '' : value;
    const facts = time === undefined ? ofText(words) : { ...empty(), times: new Set([time]) };
    for (const kind of KINDS)
      for (const each of facts[kind]) {
        all[kind].add(each);
        if (isWanted) wanted[kind].add(each);
      }
  };
  const visit = (value: unknown, isWanted: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, isWanted);
    else if (typeof value === 'object' && value !== null) {
      // The price of a booking in short stands there for programs.
      const isShort = 'locator' in value && 'state' in value && Object.keys(value).length <= 4;
      for (const [key, each] of Object.entries(value))
        visit(each, isWanted && !ONLY_FIELDS.has(key) && !(isShort && key === 'total'));
    } else if (typeof value === 'string') add(value, isWanted);
    // An amount among the rows of a question. The text may leave it out with its row.
    else if (typeof value === 'number') add(value.toFixed(2), false);
  };
  // Where the next call is to be without it, nobody needs the approval.
  const { next, approval } = structured as { next?: string; approval?: object };
  const isAnew = next?.includes('without approval_id') === true;
  visit(isAnew ? { ...structured, approval: { ...approval, id: undefined } } : structured, true);
  return { all, wanted };
}

/** Fields with words for a person, in any depth: views and pages show them as they are. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['summary', 'why', 'note', 'notes', 'warnings']);
const TOOL_NAME = new RegExp(`\\b(?:${CATALOG.map(({ name }) => name).join('|')})\\b`);

/** What the next call takes as it is. */
const TAKEN: ReadonlySet<string> = new Set(['locator', 'new_locator', 'offer_id', 'plan_id', 'finding_ids']);

function faultsIn(text: string, value: unknown, field = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => faultsIn(text, each, field));
  if (typeof value === 'object') return Object.entries(value ?? {}).flatMap(([key, each]) => faultsIn(text, each, key));
  if (typeof value !== 'string') return [];
  return [
    ...(FOR_PEOPLE.has(field) && TOOL_NAME.test(value) ? [`${field} names a tool: ${value}`] : []),
    ...(TAKEN.has(field) && !text.includes(value) ? [`only in the fields: ${field} ${value}`] : []),
  ];
}

/** One line for each fact that only one half has, and for each tool that is named to people. */
export function differences({ text, structured }: Halves): readonly string[] {
  const [words, { all, wanted }] = [ofText(text), ofFields(structured)];
  const lines = KINDS.flatMap((kind) => {
    const inText = [...words[kind]].filter((each) => !all[kind].has(each) && !isNothing(each));
    const inFields = [...wanted[kind]].filter((each) => !words[kind].has(each) && !isNothing(each));
    return [
      ...inText.map((each) => `only in the text: ${each}`),
      ...inFields.map((each) => `only in the fields: ${each}`),
    ];
  });
  const { summary, next, warnings, error } = structured as {
    readonly summary?: string;
    readonly next?: string;
    readonly warnings?: readonly string[];
    readonly error?: { readonly message: string; readonly next: string };
  };
  const head = error === undefined ? [summary, next, ...(warnings ?? [])] : [error.message, error.next];
  const unsaid = head.filter((each) => each !== undefined && !text.includes(each));
  if (summary === undefined && error === undefined) lines.push('there is no summary');
  lines.push(...faultsIn(text, structured));
  return [...lines, ...unsaid.map((each) => `not in the text: ${each}`)];
}

/** What a person needs of a view beyond sums, times and handles: days, numbers of trains, commands and addresses. */
const DAY = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/g;
const NUMBER = /\bHHR\d+\b/g;
const BOOKING = /(?<=Booking )[A-Z0-9]{6}\b/g;
const PLACE_TO_ANSWER = /fareclerk approve [0-9a-f-]+|https:\/\/[^\s,]+/g;
const ISO_DAY = /\b\d{4}-\d\d-\d\d/g;

/** One line for each fact that a view draws and a half of its results lacks: where the view stays blank it would be lost. */
export function unsaid(drawn: string, results: readonly Halves[]): readonly string[] {
  const facts = (words: string) => {
    const { sums, times, handles } = ofText(words);
    return new Set([
      ...[...sums].filter((sum) => !isNothing(sum)),
      ...times,
      ...handles,
      ...[DAY, NUMBER, PLACE_TO_ANSWER].flatMap((pattern) => found(pattern, words)),
    ]);
  };
  const text = facts(results.map((each) => each.text).join('\n'));
  const structured = results.map((each) => each.structured);
  const json = JSON.stringify(structured);
  const { all } = ofFields({ structured });
  const fields = new Set([
    ...Object.values(all).flatMap((some) => [...some]),
    ...facts(json),
    ...found(ISO_DAY, json).map((day) => showDay(day)),
  ]);
  const locators = found(BOOKING, drawn);
  for (const locator of locators) {
    if (results.some((each) => each.text.includes(locator))) text.add(locator);
    if (json.includes(locator)) fields.add(locator);
  }
  return [...facts(drawn), ...locators].flatMap((fact) => [
    ...(text.has(fact) ? [] : [`not in the text: ${fact}`]),
    ...(fields.has(fact) ? [] : [`not in the fields: ${fact}`]),
  ]);
}
