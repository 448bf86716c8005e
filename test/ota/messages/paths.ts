/**
 * Paths of messages: those that docs/wire documents, those that fixtures have, and what becomes of each. test/golden/paths.md is
 * written from here by scripts/wire-paths.ts.
 */

import { golden, leaves } from './golden.ts';
import { type Documented, REQUESTS } from './support/documented.ts';
import { REPLIES } from './support/documented-replies.ts';
import { LEFT_OUT } from './support/left-out.ts';
import { NOT_SENT } from './support/not-sent.ts';
import { isObject, rewrite } from './support/rewrite.ts';

/** `a{b, c.d}, e` → `a.b`, `a.c.d`, `e`. */
export function expand(written: string): string[] {
  const paths: string[] = [];
  const parents: string[] = [];
  let name = '';
  const end = (): void => {
    if (name !== '') paths.push([...parents, name].join('.'));
    name = '';
  };
  for (const letter of written.replaceAll(/\s/g, '')) {
    if (letter === '{') {
      parents.push(name);
      name = '';
    } else if (letter === ',') end();
    else if (letter === '}') {
      end();
      parents.pop();
    } else name += letter;
  }
  end();
  return paths;
}

/** Structures that stand in several places and are read by one reader: their fields are one field. */
const SHARED: [RegExp, string][] = [
  [/\b(tpaExtensions|TPA_Extensions)\b/g, 'tpaextensions'],
  [/^.*\.(flightSegment|flightSegmentInfo)\./, 'flightSegment.'],
  [/^.*\.originDestinationOption\.rph$/, 'option.rph'],
  [/^.*\.(priceInfo|airItineraryPricingInfo)\./, 'pricing.'],
  [
    /^pricing\.(itinTotalFare|(ptcfareBreakdowns\.ptcfareBreakdown|ptc_FareBreakdowns)\.passengerFare)\b/,
    'pricing.fare',
  ],
  [/^airReservation\.travelerInfo\.(?=(airTraveler|specialReqDetails)\b)/, ''],
  [/^airReservation\.(?=(bookingReferenceID|ticketing|offer|createDateTime|emdinfo)\b)/, ''],
];

export function shared(name: string): string {
  return SHARED.reduce((short, [long, part]) => short.replace(long, part), name);
}

/** A field of a reply by its structure's own name. */
export function nameOf(path: readonly (string | number)[]): string {
  return shared(path.filter((key) => typeof key === 'string').join('.'));
}

/** The field is the end of the path, or a branch above it; a field of one word stands at the root. */
function covers(field: string, name: string): boolean {
  if (field.includes('/')) return name.startsWith(field);
  if (!field.includes('.')) return name === field || name.startsWith(`${field}.`);
  return `.${name}.`.includes(`.${field}.`);
}

export function leftOut(name: string, list: Readonly<Record<string, string>> = LEFT_OUT): string | undefined {
  return Object.keys(list).find((field) => covers(field, name));
}

/** Parameters and body fields of the calls that are no OTA messages, below the path of each. */
function plainPaths(): string[] {
  const calls = golden('requests', 'plain') as readonly { readonly path: string; readonly body?: object }[];
  return calls.flatMap(({ path, body = {} }) => {
    const { pathname, searchParams } = new URL(path, 'https://gateway.example.test');
    const fields = leaves(body).map(([keys]) => keys.filter((key) => typeof key === 'string').join('.'));
    const names = [...searchParams.keys(), ...fields].filter((name) => name !== '');
    const address = pathname.replace(/^\/(?:gateway|rest)\//, '').replace('K7PL2M', '[locator]');
    return names.length === 0 ? [address] : names.map((name) => `${address}.${name}`);
  });
}

/** Paths of golden requests; a branch copied from the reading is one path. */
export function sentPaths(names: readonly string[]): string[] {
  const paths = names.flatMap((name) => {
    if (name === 'plain') return plainPaths();
    const body = rewrite(golden('requests', name), (value) =>
      isObject(value) && Array.isArray(value.copied) ? 'copied' : value,
    );
    return leaves(body).map(([path]) => path.filter((key) => typeof key === 'string').join('.'));
  });
  return [...new Set(paths)];
}

/** Paths with their structures' names, once each; an empty list that is filled elsewhere counts by its members. */
export function withoutBranches(paths: Iterable<string>): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other.startsWith(`${path}.`)));
}

function table({ title, dialect, paths }: Documented, fate: (path: string) => string): string {
  const rows = expand(paths).map((path) => `| \`${path}\` | ${fate(path)} |`);
  return `### ${title}\n\nDialect: ${dialect}.\n\n| path | handling |\n| --- | --- |\n${rows.join('\n')}\n`;
}

function requestFate(goldens: readonly string[]): (path: string) => string {
  const sent = sentPaths(goldens);
  return (path) => {
    if (sent.some((one) => one === path || one.startsWith(`${path}.`))) return 'sent';
    const field = leftOut(path, NOT_SENT);
    return field === undefined ? 'unknown' : `not sent: ${NOT_SENT[field]}`;
  };
}

function replyFate(path: string): string {
  const field = leftOut(shared(path));
  return field === undefined ? 'read' : `left out: ${LEFT_OUT[field]}`;
}

/**
 * test/golden/paths.md: each documented path, and what becomes of it. `sent`: in the golden requests. `read`: reaches the domain. The others are
 * left out with their reason. A branch that a change copies is one path; structures that several replies share stand once ({@link shared}).
 */
export function pathsList(): string {
  const requests = REQUESTS.map((one) => table(one, requestFate(one.goldens)));
  const replies = REPLIES.map((one) => table(one, replyFate));
  return `## Requests\n\n${requests.join('\n')}\n## Replies\n\n${replies.join('\n')}`;
}
