/**
 * test/golden/paths.md: every documented path of requests and replies, one row each. A row's cell names the argument that causes the path,
 * or the field of a result that shows it; these are measured (`arguments-sent.ts`, `shown-fields.ts`). Or the cell is a reason, which
 * somebody wrote: it stays as it is, and nothing here writes one.
 */
import { readFileSync } from 'node:fs';
import { golden, leaves } from './golden.ts';
import { isObject, rewrite } from './support/rewrite.ts';

export const PATHS_FILE = new URL('../../golden/paths.md', import.meta.url);
const INTERFACE = new URL('../../../docs/wire/interface.md', import.meta.url);

interface Row {
  readonly path: string;
  readonly cell: string;
}

export interface Section {
  readonly title: string;
  /** The line below the title. */
  readonly about: string;
  /** Golden requests that have exactly these paths between them; none for replies. */
  readonly goldens: readonly string[];
  readonly heads: string;
  readonly rows: readonly Row[];
}

/** Words with which a written reason begins. */
const REASON = /^(left out|fixed|not shown): \S.{14,}/;

export const isReason = (cell: string): boolean => REASON.test(cell);
export const isLeftOut = (cell: string): boolean => cell.startsWith('left out: ');

/** Splits the page into what is before its tables, and its tables. */
export function readTable(page = readFileSync(PATHS_FILE, 'utf8')): readonly Section[] {
  return page
    .split(/^### /m)
    .slice(1)
    .map((text): Section => {
      const [title = '', , about = '', , heads = '', , ...lines] = text.split('\n');
      const rows = lines.flatMap((line) => {
        const [, path, cell] = /^\| `([^`]+)` \| (.*?) ?\|$/.exec(line) ?? [];
        return path === undefined ? [] : [{ path, cell: cell ?? '' }];
      });
      const goldens = /Sent in: ([^.]+)\./.exec(about)?.[1]?.split(', ') ?? [];
      return { title, about, goldens, heads, rows };
    });
}

/** The page with another cell for each row, where `cellOf` has one and the row has no reason. */
export function rewritten(page: string, cellOf: (section: Section, row: Row) => string | undefined): string {
  const sections = readTable(page);
  const [before = '', ...texts] = page.split(/^### /m);
  const written = texts.map((text, i) => {
    const section = sections[i];
    if (section === undefined) return text;
    return text.replace(/^\| `([^`]+)` \| (.*?) ?\|$/gm, (line, path: string, cell: string) =>
      isReason(cell) ? line : `| \`${path}\` | ${cellOf(section, { path, cell }) ?? ''} |`,
    );
  });
  return [before, ...written].join('### ');
}

/** `a{b, c.d}, e` → `a.b`, `a.c.d`, `e`. */
function expand(written: string): string[] {
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

export const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

/** Sections of docs/wire/interface.md that have no paths of messages: their names are of headers, credentials and rules. */
const NO_MESSAGES = ['Operations', 'Message conventions', 'Request headers', 'Authentication', 'Limits and versions'];
/** Values, beside which the page does not say that they are none of the names. */
const VALUES = new Set(['fare', 'fee', 'downloadTicket', 'attendantRph', 'false']);
/** What a table of fields is about. */
const FIELDS_OF: Readonly<Record<string, string>> = {
  'Point of sale': 'pos.source.',
  'Flight segment': 'flightSegment.',
  Traveller: 'airTraveler.',
  Ticket: 'ticketing.',
};

const spansOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll(/\[\]|\?/g, ''));

/** Names and paths, not values, messages and addresses. */
const isPath = (span: string): boolean => /^[a-z][\w.{},\s]*$/.test(span) && !VALUES.has(span);

/** The paths of a row: those of its first cell, and those that its notes list of a list. */
function pathsInRow(cells: readonly string[], prefix: string): readonly (readonly string[])[] {
  const [first = '', ...notes] = cells;
  const named = spansOf(first).filter(isPath).flatMap(expand);
  const parent = named[0]?.includes('.') ? `${named[0].split('.').slice(0, -1).join('.')}.` : '';
  const own = named.map((path) => [`${prefix}${path}`, `${prefix}${parent}${path}`]);
  const isList = named.length === 1 && /\[\](\.value)?`/.test(first);
  const listed = isList ? notes.flatMap(spansOf).filter(isPath).flatMap(expand) : [];
  return [...own, ...listed.map((path) => [`${prefix}${named[0]}.${path}`])];
}

/** Every path of docs/wire/interface.md, with the forms in which a row may have it. */
export function interfacePaths(page = readFileSync(INTERFACE, 'utf8')): readonly (readonly string[])[] {
  const sections = page.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const title = section.slice(0, section.indexOf('\n'));
    if (NO_MESSAGES.includes(title) || title === 'Not documented') return [];

    const lines = section.split('\n');
    const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
    const prefix = FIELDS_OF[title] ?? '';
    const prose = lines.filter((line) => !line.startsWith('|')).join(' ');
    const inProse = spansOf(prose).filter(isPath).flatMap(expand);
    return [...rows.flatMap((cells) => pathsInRow(cells, prefix)), ...inProse.map((path) => [path])];
  });
}

/** Whether a row is for a path, or below it: `rules.vat` of `…penaltyRules.rules.vat`. */
export function hasRow(sections: readonly Section[], path: string): boolean {
  const name = path
    .replaceAll(/\b(tpaExtensions|TPA_Extensions)\b/g, 'tpaextensions')
    .replace(/^.*\bflightSegmentInfo\b/, 'flightSegment')
    .replaceAll(/\b(priceInfo|airItineraryPricingInfo)\b/g, 'pricing')
    .replaceAll(/\b(itinTotalFare|passengerFare)\b/g, 'fare');
  return sections.some(({ rows }) =>
    rows.some((row) =>
      `.${row.path.replaceAll(/\b(tpaExtensions|TPA_Extensions)\b/g, 'tpaextensions')}.`.includes(`.${name}.`),
    ),
  );
}
