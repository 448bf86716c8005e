/**
 * What in a statement can mean something else than it says: one table of kinds, each with how it is found and the line that tells it. Most
 * are tried: the statement also runs as it was probably meant, and is told only if that gives other rows.
 */
import type { DatabaseSync } from 'node:sqlite';
import { once } from '../core/memoize.ts';
import { nearest } from '../core/nearest-word.ts';
import { own } from '../core/own.ts';
import { restricted } from './sql-permitted.ts';
import { overViews, sameRows, tablesOfAmounts, textsOf } from './sql-results.ts';
import type { SqlColumn, SqlHint, SqlRead, SqlRequest, SqlResult } from './sql-tables.ts';
import { type Edit, quoted, type SqlComparison, SqlWords } from './sql-words.ts';
import { isDay, isTime, timeAs } from './written-times.ts';

/** Most hints with an answer. */
const MOST_HINTS = 2;
/** Most values that a hint names, characters of them, and of a text in it. */
const MOST_VALUES = 4;
const LONGEST_VALUES = 36;
const LONGEST_TEXT = 20;
/** The part of the statement's CPU time after which it is not tried again. */
const TRIED_WITHIN = 0.3;

/** A comparison of a column with a text. */
interface Compared extends SqlComparison {
  readonly column: SqlColumn;
  readonly text: string;
  /** The subject over `source`. */
  readonly value: string;
  /** SELECT of the column in all tables of the statement that have it, without nulls. */
  readonly source: string;
}

/** A statement whose tables have their rows, and what it takes to try it. */
interface Tried {
  readonly database: DatabaseSync;
  readonly request: SqlRequest;
  readonly reads: readonly SqlRead[];
  readonly words: SqlWords;
  readonly compared: readonly Compared[];
  /** The result as the statement is written, of all currencies together. */
  readonly usual: () => SqlResult;
  /** Runs the statement, or another, for all its rows. */
  readonly run: (sql?: string) => SqlResult;
}

type Readable = Pick<Tried, 'database' | 'request' | 'reads'>;

/** What may be misread, and whether it makes other rows. Without that, it does for sure. */
type Suspicion = Partial<SqlHint> & { readonly matters?: () => boolean };

/** How a kind is found, and its line of at most 25 tokens. */
type Kind = readonly [find: (tried: Tried) => Iterable<Suspicion>, line: string];

/** The likeliest first. */
const KINDS: Readonly<Record<string, Kind>> = {
  no_value: [unknownWords, '{column} is never {text} here: {values}'],
  written: [otherwiseWritten, '{column} is written as {text}; for days use date().'],
  between: [turnedRanges, 'The ends of between are the wrong way round: write the smaller one first.'],
  repeated: [
    repeatedAmounts,
    'The join repeats rows, so amounts are added up more than once: add up first, then join.',
  ],
  missing: [missingValues, '{column} is null in some rows, where {text} has no result: use coalesce().'],
  divided: [wholeDivisions, 'Whole numbers are divided without decimals: multiply by 1.0 first.'],
  list: [wordsOfLists, '{column} also has {text} within lists: find it by instr({column}, …) > 0.'],
};

/** @param show writes a text of the statement or of rows so that it cannot be read as ours */
export function hintLine({ kind, column, text, values }: SqlHint, show: (text: string) => string): string {
  const words = { column, text: show(text.slice(0, LONGEST_TEXT)), values: listOf(values.map(show)) };
  const [, line = ''] = own(KINDS, kind) ?? [];
  return line.replace(/\{(\w+)\}/g, (_, name: string) => own<string>(words, name) ?? '');
}

function listOf(values: readonly string[]): string {
  if (values.length === 0) return 'it is empty.';
  const some = values.slice(0, MOST_VALUES);
  const fitting = some.filter((_, i) => some.slice(0, i + 1).join(', ').length <= LONGEST_VALUES);
  return `it has ${fitting.join(', ')}${fitting.length < values.length ? ' …' : '.'}`;
}

/**
 * What the statement may be misread by, the likeliest first.
 * @param begun the CPU time of this process when the statement began
 */
export function hintsAt(
  statement: Omit<Tried, 'words' | 'compared' | 'usual'>,
  begun: NodeJS.CpuUsage,
): readonly SqlHint[] {
  const { request, run } = statement;
  const words = new SqlWords(request.sql);
  const compared = words.comparisons().flatMap((one) => columnCompared(statement, words, one));
  const tried = { ...statement, words, compared, usual: once(() => run()) };
  const found = new Map<string, SqlHint>();

  for (const [kind, [find]] of Object.entries(KINDS)) {
    for (const { matters = () => true, column = '', text = '', values = [] } of find(tried)) {
      const { user, system } = process.cpuUsage(begun);
      const isLate = (user + system) / 1000 > request.statementMs * TRIED_WITHIN;
      if (found.size === MOST_HINTS || isLate) return [...found.values()];
      if (isTrue(matters)) found.set(`${kind} ${column} ${text}`, { kind, column, text, values });
    }
  }

  return [...found.values()];
}

/** What does not run is not true: an edited statement, or a part of one that cannot stand alone. */
function isTrue(work: () => boolean): boolean {
  try {
    return work();
  } catch {
    return false;
  }
}

/** The column and what else is to know of a comparison, if its subject is of one column with texts. */
function columnCompared(statement: Readable, words: SqlWords, one: SqlComparison): readonly Compared[] {
  const { request, reads } = statement;
  const { first, last } = one.subject;
  const names = new Set(Array.from({ length: last - first + 1 }, (_, i) => words.name(first + i)));
  const [column, ...others] = [...names].flatMap((name) => columnNamed(request, reads, name) ?? []);
  if (column?.type !== 'text' || others.length > 0) return [];

  const tables = reads.filter(({ columns }) => columns.includes(column.name));
  const selects = tables.map(({ table }) => `select ${column.name} from ${table} where ${column.name} is not null`);
  const [source, value] = [selects.join(' union all '), words.written(one.subject, 'one table')];
  const isAlone = isTrue(() => !hasRows(statement, `(${source}) where ${value} = '' and false`));
  return isAlone ? [{ ...one, column, text: words.text(one.at) ?? '', value, source }] : [];
}

/** A column that the statement reads. */
function columnNamed({ tables }: SqlRequest, reads: readonly SqlRead[], name: string): SqlColumn | undefined {
  const read = reads.find(({ columns }) => columns.includes(name));
  return tables.find((table) => table.name === read?.table)?.columns.find((each) => each.name === name);
}

/** The values of a SELECT, within what a statement may do: parts of the statement are in it. */
const valuesOf = ({ database, request }: Readable, sql: string) =>
  restricted(database, request, () => textsOf(database, sql));

const hasRows = (tried: Readable, from: string) => valuesOf(tried, `select 1 from ${from} limit 1`).length > 0;

/** Tells whether the statement finds other rows if it is edited. */
function differs({ words, run, usual }: Tried, ...edits: readonly Edit[]): () => boolean {
  return () => !sameRows([run(words.edited(edits))], [usual()]);
}

/** Words that a column with few words never has. */
function* unknownWords(tried: Tried): Iterable<Suspicion> {
  for (const { column, operator, text, value, source } of tried.compared) {
    if (column.tellsValues === undefined || !['=', 'like', 'glob'].includes(operator)) continue;

    const { name, words = [] } = column;
    const all = [source, ...words.map((word) => `select ${quoted(word)} as ${name}`)].join(' union all ');
    if (hasRows(tried, `(${all}) where ${value} ${operator} ${quoted(text)}`)) continue;

    const some =
      words.length > 0 ? words : valuesOf(tried, `select distinct ${name} from (${source}) order by 1 limit 20`);
    const values = new Set([nearest(text, some) ?? [], some].flat());
    yield { column: name, text, values: [...values] };
  }
}

/** Words that rows also have in lists: `HHR1, HHR2`. */
function* wordsOfLists(tried: Tried): Iterable<Suspicion> {
  for (const { column, operator, text, value, source } of tried.compared) {
    if (column.tellsValues === undefined || operator !== '=' || value !== column.name) continue;
    const isListed = `instr(', ' || ${value} || ',', ${quoted(`, ${text},`)}) > 0 and ${value} <> ${quoted(text)}`;
    if (hasRows(tried, `(${source}) where ${isListed}`)) yield { column: column.name, text };
  }
}

/** Days and times that are not as their column writes them, and times compared with a day, which they are later than. */
function* otherwiseWritten(tried: Tried): Iterable<Suspicion> {
  for (const { column, subject, operator, at, text, value, source } of tried.compared) {
    const [sample = ''] = valuesOf(tried, `select ${value} from (${source}) where ${value} is not null limit 1`);
    if (operator === 'like' || operator === 'glob' || text === '' || !(isDay(sample) || isTime(sample))) continue;

    const meant = timeAs(sample, text);
    const cutTo = meant ?? text;
    const isCut = cutTo.length < sample.length && (operator === '=' || (isDay(cutTo) && /^(?:>|<=)$/.test(operator)));
    const written = tried.words.written(subject);

    const edits: Edit[] = [];
    if (cutTo !== text) edits.push({ first: at, last: at, by: quoted(cutTo) });
    if (isCut) edits.push({ ...subject, by: `substr(${written}, 1, ${cutTo.length})` });
    if (meant !== undefined && edits.length === 0) continue;

    yield { column: column.name, text: sample.slice(0, 16), ...(meant && { matters: differs(tried, ...edits) }) };
  }
}

/** `between 'b' and 'a'` */
function* turnedRanges(tried: Tried): Iterable<Suspicion> {
  const { words } = tried;
  for (const at of words.placesOf('between')) {
    const [first, second] = [words.text(at + 1) ?? '', words.text(at + 3) ?? ''];
    if (first <= second || second === '') continue;
    const low = { first: at + 1, last: at + 1, by: quoted(second) };
    yield { matters: differs(tried, low, { first: at + 3, last: at + 3, by: quoted(first) }) };
  }
}

/** Amounts that a sum adds again for each row that a join finds beside theirs. */
function* repeatedAmounts(tried: Tried): Iterable<Suspicion> {
  const { database, request, reads, words } = tried;
  const tables = tablesOfAmounts(request, reads);
  const sums = words.placesOf('sum', 'avg', 'total').filter((at) => words.word(at + 1) === '(');
  if (tables.length === 0 || sums.length === 0 || !joins(tried)) return;

  const edits = (distinct: string) =>
    sums.map((at) => {
      const brackets = { first: at + 1, last: words.partner(at + 1) };
      const added = words.written(brackets);
      return { ...brackets, by: `(${distinct} iif(${added} <> round(${added}, 6), ${added}, null))` };
    });

  // Amounts of no two rows are the same then, and have more decimals than any other number.
  const apart = (amount: string) => `${amount} * (1 + rowid * 1e-9)`;
  const onceEach = { ...tried, usual: () => tried.run(words.edited(edits(''))) };
  const isRepeated = differs(onceEach, ...edits('distinct'));
  yield { matters: () => overViews(database, tables, { amount: apart }, () => isTrue(isRepeated)) };
}

/** Whether SQLite goes through one table within another. */
function joins({ database, request }: Tried): boolean {
  const plan = restricted(database, request, () => database.prepare(`explain query plan ${request.sql}`).all());
  const read = plan.filter(({ detail }) => /^(?:SCAN|SEARCH) /.test(String(detail)));
  return new Set(read.map(({ parent }) => parent)).size < read.length;
}

/** Columns with nulls beside `-` and `+`, before `not in`, and in its list. */
function* missingValues(tried: Tried): Iterable<Suspicion> {
  const { words } = tried;

  const filled = (at: number, by: string) => {
    const place = { first: at, last: at };
    return { ...place, by: `coalesce(${words.written(place)}, ${by})` };
  };

  const signs = words.placesOf('-', '+').filter((at) => ![at - 1, at + 1].some((side) => /^\d/.test(words.word(side))));
  const sides = new Set(signs.flatMap((at) => [at + 1, at - 1]));
  const amounts = [...sides].filter((at) => nullableAt(tried, at)?.type === 'real');
  const [first = -1] = amounts;
  const zeros = amounts.map((at) => filled(at, '0'));
  if (zeros.length > 0) yield { column: words.name(first), text: 'arithmetic', matters: differs(tried, ...zeros) };

  for (const at of words.placesOf('in').filter((place) => words.word(place - 1) === 'not')) {
    const chosen = words.word(at + 3) === 'distinct' ? at + 4 : at + 3;
    for (const place of words.word(at + 2) === 'select' ? [at - 2, chosen] : [at - 2]) {
      const column = nullableAt(tried, place)?.name;
      if (column) yield { column, text: 'not in', matters: differs(tried, filled(place, "''")) };
    }
  }
}

/** The column that stands here alone, if rows have no value in it. */
function nullableAt(tried: Tried, at: number): SqlColumn | undefined {
  const { words, request, reads } = tried;
  const column = columnNamed(request, reads, words.name(at));
  const tables = reads.filter(({ columns }) => column && columns.includes(column.name));
  return tables.some(({ table }) => hasRows(tried, `${table} where ${column?.name} is null`)) ? column : undefined;
}

/** `sum(state = 'expired') / count(*)` */
function* wholeDivisions(tried: Tried): Iterable<Suspicion> {
  const edits = tried.words.placesOf('/').map((at) => ({ first: at, last: at, by: '* 1.0 /' }));
  if (edits.length > 0) yield { matters: differs(tried, ...edits) };
}
