import { dateIn } from '../../support/people.ts';
import type { Result } from '../support/office.ts';

/**
 * What a caller knows: filled in where a scene's texts and arguments name it, and learned from results.
 */
export type Memory = Map<string, string>;

/** `{name}` in texts, deep; a text that is nothing but one name becomes its value. */
export function filled<T>(value: T, memory: Memory, now: number): T {
  if (typeof value === 'string')
    return value.replace(/\{([\w+-]+)\}/g, (whole, name) => known(name, memory, now) ?? whole) as T;
  if (Array.isArray(value)) return value.map((each) => filled(each, memory, now)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, memory, now)])) as T;
}

function known(name: string, memory: Memory, now: number): string | undefined {
  const days = /^day([+-]\d+)$/.exec(name)?.[1];
  return days === undefined ? memory.get(name) : dateIn(now, Number(days));
}

interface Structured {
  readonly offers?: readonly { readonly offer_id: string; readonly total: string }[];
  readonly booking?: { readonly locator?: string; readonly total?: string };
  readonly approval?: { readonly id: string };
  readonly details?: { readonly id: string };
  readonly operation_id?: string;
  readonly plan_id?: string;
  readonly new_locator?: string;
  readonly segments?: readonly {
    readonly cabins?: readonly { readonly seats?: readonly { readonly seat: string; readonly status: string }[] }[];
  }[];
}

/**
 * Which half of each result a caller reads: hosts differ (docs/reference/host-sources.md). `hurried`: of the text only its beginning and its
 * last line, as a small model in a hurry does.
 */
export type Reads = 'structured' | 'text' | 'hurried';

/** Keeps the handles of a result, as a caller would carry them along. */
export function learn(memory: Memory, result: Pick<Result, 'text' | 'structured'>, reads: Reads): void {
  const facts = reads === 'structured' ? ofFields(result.structured) : ofText(heard(result.text, reads));
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) memory.set(name, value);
}

type Learned = Readonly<Record<string, string | undefined>>;

function ofFields(structured: Result['structured']): Learned {
  const { offers, booking, approval, details, operation_id, plan_id, new_locator, segments } = structured as Structured;
  const free = segments
    ?.flatMap(({ cabins = [] }) => cabins.flatMap(({ seats = [] }) => seats))
    .find(({ status }) => status === 'free');
  return {
    offer: offers?.[0]?.offer_id,
    total: offers?.[0]?.total ?? booking?.total,
    locator: booking?.locator,
    approval: approval?.id,
    details: details?.id,
    operation: operation_id,
    plan: plan_id,
    new_locator,
    seat: free?.seat,
  };
}

const BEGINNING = 6;

function heard(text: string, reads: Reads): string {
  const lines = text.split('\n');
  return reads === 'hurried' ? [...lines.slice(0, BEGINNING), lines.at(-1)].join('\n') : text;
}

/** What stands where in a text. Names of handles are looked for, never sentences. */
const WRITTEN: Readonly<Record<string, readonly RegExp[]>> = {
  offer: [/^(o[0-9a-z]{8,}) {2}/m],
  total: [/^o[0-9a-z]{8,} {2}([\d,]+\.\d\d)/m, /\b[A-Z]{3} ([\d,]+\.\d\d)/],
  locator: [/\b[Bb]ooking ([A-Z0-9]{5,8})\b/],
  approval: [/\b(ap_[\w-]+)/],
  details: [/\bdetails: "([\w-]{43})"/],
  operation: [/\b[Oo]peration ([0-9a-f-]{36})/],
  plan: [/^Plan ([\w-]{6,})/m],
  new_locator: [/\b[Nn]ew booking ([A-Z0-9]{5,8})\b/],
  seat: [/^ *\d+: (?:[^|\n]*[| ])*?(\d+[A-Z]?)(?![\d)*A-Z])/m],
};

function ofText(text: string): Learned {
  const facts = Object.entries(WRITTEN).map(([name, patterns]) => {
    const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find((each) => each !== undefined);
    return [name, found?.replaceAll(',', '')] as const;
  });
  return Object.fromEntries(facts);
}
