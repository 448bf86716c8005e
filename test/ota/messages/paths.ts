/** Paths of messages: those that requests send, and of replies those that docs/wire documents and what becomes of each. */

import { golden, goldenNames, leaves } from './golden.ts';
import { type Documented, REPLIES } from './support/documented-replies.ts';
import { LEFT_OUT } from './support/left-out.ts';
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

export function leftOut(name: string): string | undefined {
  return Object.keys(LEFT_OUT).find((field) => covers(field, name));
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

/** Paths of a golden request; a branch copied from the reading is one path. */
function sentPaths(name: string): string[] {
  if (name === 'plain') return plainPaths();
  const body = rewrite(golden('requests', name), (value) =>
    isObject(value) && Array.isArray(value.copied) ? 'copied' : value,
  );
  return leaves(body).map(([path]) => path.filter((key) => typeof key === 'string').join('.'));
}

/** Paths with their structures' names, once each; an empty list that is filled elsewhere counts by its members. */
export function withoutBranches(paths: Iterable<string>): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other.startsWith(`${path}.`)));
}

function requestList(name: string): string {
  const paths = [...new Set(sentPaths(name))].map((path) => `- \`${path}\``);
  return `### ${name}\n\n${paths.join('\n')}\n`;
}

function replyTable({ title, dialect, paths }: Documented): string {
  const rows = expand(paths).map((path) => `| \`${path}\` | ${replyFate(path)} |`);
  return `### ${title}\n\nDialect: ${dialect}.\n\n| path | handling |\n| --- | --- |\n${rows.join('\n')}\n`;
}

function replyFate(path: string): string {
  const field = leftOut(shared(path));
  return field === undefined ? 'read' : `left out: ${LEFT_OUT[field]}`;
}

/**
 * test/golden/paths.md: each path that a golden request sends, and each documented path of replies. `read`: reaches the domain. The others
 * are left out with their reason. Structures that several replies share stand once ({@link shared}).
 */
export function pathsList(): string {
  const requests = goldenNames('requests').toSorted().map(requestList);
  const replies = REPLIES.map(replyTable);
  return `## Requests\n\n${requests.join('\n')}\n## Replies\n\n${replies.join('\n')}`;
}
