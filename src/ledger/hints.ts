/**
 * What in a statement can mean something else than it says: one table of kinds, each with how it is found and the line that tells it. Most
 * are tried: the statement also runs as it was probably meant, and is told only if that gives other rows.
 */
import type { DatabaseSync } from 'node:sqlite';
import { once } from '../core/memoize.ts';
import { nearest } from '../core/nearest-word.ts';
import { own } from '../core/own.ts';
import { atShiftedNow, type DeskClock, shiftsOf, timesRead } from './desk-clock.ts';
import { restricted } from './sql-permitted.ts';
import { overViews, sameRows, tablesOfAmounts, textsOf, withAmounts } from './sql-results.ts';
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

/** A statement whose tables have their rows. */
interface LoadedStatement {
  readonly database: DatabaseSync;
  readonly request: SqlRequest;
  readonly reads: readonly SqlRead[];
  readonly clock: DeskClock;
  /** The column of which the clock shows an hour twice, where the statement compares its times as texts. */
  readonly misread: string | undefined;
}

/** A comparison of a column with a text. */
interface Compared extends SqlComparison {
  readonly column: SqlColumn;
  readonly text: string;
  /** The subject over `source`. */
  readonly value: string;
  /** SELECT of the column in all tables of the statement that have it, without nulls. */
  readonly source: string;
}

interface Tried extends LoadedStatement {
  readonly words: SqlWords;
  readonly compared: readonly Compared[];
  /** The result as the statement is written, of all currencies together. */
  readonly usual: () => SqlResult;
  run(sql?: string): SqlResult;
}

/** What may be misread. */
interface Suspicion extends Partial<SqlHint> {
  /** Whether it makes other rows. Absent: it does for sure. */
  readonly matters?: () => boolean;
}

interface Kind {
  find(tried: Tried): Iterable<Suspicion>;
  /** At most 25 tokens. */
  line(hint: SqlHint): string;
}

/** The likeliest first. */
const KINDS: Readonly<Record<string, Kind>> = {
  no_value: {
    find: unknownWords,
    line: ({ column, text, values }) => `${column} is never ${text} here: ${listOf(values)}`,
  },
  written: {
    find: otherwiseWritten,
    line: ({ column, text }) => `${column} is written as ${text}; for days use date().`,
  },
  between: {
    find: turnedRanges,
    line: () => 'The ends of between are the wrong way round: write the smaller one first.',
  },
  repeated: {
    find: repeatedAmounts,
    line: () => 'The join repeats rows, so amounts are added up more than once: add up first, then join.',
  },
  missing: {
    find: missingValues,
    line: ({ column, text }) => `${column} is null in some rows, where ${text} has no result: use coalesce().`,
  },
  divided: {
    find: wholeDivisions,
    line: () => 'Whole numbers are divided without decimals: multiply by 1.0 first.',
  },
  list: {
    find: wordsOfLists,
    line: ({ column, text }) => `${column} also has ${text} within lists: find it by instr(${column}, …) > 0.`,
  },
  unrounded: {
    find: workedAmounts,
    line: ({ text }) => `Amounts worked out beside ${text} are binary fractions: write round(…, 3) around them.`,
  },
  station: {
    find: timesOfStations,
    line: ({ column }) => `${column} is by the station's clock, now by the desk's: compare both by julianday().`,
  },
  twice: {
    find: ({ misread }) => (misread === undefined ? [] : [{ column: misread }]),
    line: ({ column }) => `The clock shows an hour of ${column} twice: compare it by julianday(${column}).`,
  },
};

/** @param show writes a text of the statement or of rows so that it cannot be read as ours */
export function hintLine(hint: SqlHint, show: (text: string) => string): string {
  const [text, values] = [show(hint.text.slice(0, LONGEST_TEXT)), hint.values.map(show)];
  return own(KINDS, hint.kind)?.line({ ...hint, text, values }) ?? '';
}

function listOf(values: readonly string[]): string {
  if (values.length === 0) return 'it is empty.';
  const some = values.slice(0, MOST_VALUES);
  const fitting = some.filter((_, i) => some.slice(0, i + 1).join(', ').length <= LONGEST_VALUES);
  return `it has ${fitting.join(', ')}${fitting.length < values.length ? ' …' : '.'}`;
}

/**
 * What the statement may be misread by, the likeliest first.
 * @param run runs the statement or another for all its rows
 */
export function hintsAt(statement: LoadedStatement, run: (sql?: string) => SqlResult): readonly SqlHint[] {
  const words = new SqlWords(statement.request.sql);
  const compared = words.comparisons().flatMap((one) => columnCompared(statement, words, one));
  const tried = { ...statement, words, compared, usual: once(() => run()), run };
  const begun = process.cpuUsage();
  const found = new Map<string, SqlHint>();
  for (const [kind, { find }] of Object.entries(KINDS)) {
    for (const { matters = () => true, column = '', text = '', values = [] } of find(tried)) {
      const { user, system } = process.cpuUsage(begun);
      const isLate = (user + system) / 1000 > statement.request.statementMs * TRIED_WITHIN;
      if (found.size === MOST_HINTS || isLate) return [...found.values()];
      if (matters()) found.set(`${kind} ${column} ${text}`, { kind, column, text, values });
    }
  }
  return [...found.values()];
}

/** The column and what else is to know of a comparison, if its subject is of one column with texts. */
function columnCompared({ request, reads }: LoadedStatement, words: SqlWords, one: SqlComparison): readonly Compared[] {
  const { first, last } = one.subject;
  const names = new Set(Array.from({ length: last - first + 1 }, (_, i) => words.name(first + i)));
  const [column, ...others] = [...names].flatMap((name) => columnNamed(request, reads, name) ?? []);
  if (column?.type !== 'text' || others.length > 0) return [];
  const tables = reads.filter(({ columns }) => columns.includes(column.name));
  const selects = tables.map(({ table }) => `select ${column.name} from ${table} where ${column.name} is not null`);
  const source = selects.join(' union all ');
  return [{ ...one, column, text: words.text(one.at) ?? '', value: words.written(one.subject, 'one table'), source }];
}

/** A column that the statement reads. */
function columnNamed({ tables }: SqlRequest, reads: readonly SqlRead[], name: string): SqlColumn | undefined {
  const read = reads.find(({ columns }) => columns.includes(name));
  return tables.find((table) => table.name === read?.table)?.columns.find((each) => each.name === name);
}

/** The values of a SELECT, within what a statement may do: parts of the statement are in it. */
const valuesOf = ({ database, request }: Tried, sql: string) =>
  restricted(database, request, () => textsOf(database, sql));

const hasRows = (tried: Tried, from: string) => valuesOf(tried, `select 1 from ${from} limit 1`).length > 0;

/** Tells whether the statement finds other rows if it is edited. One that does not run tells nothing. */
function differs({ words, run, usual }: Tried, ...edits: readonly Edit[]): () => boolean {
  return () => {
    try {
      return !sameRows([run(words.edited(edits))], [usual()]);
    } catch {
      return false;
    }
  };
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
    const edits = [
      ...(cutTo === text ? [] : [{ first: at, last: at, by: quoted(cutTo) }]),
      ...(isCut ? [{ ...subject, by: `substr(${written}, 1, ${cutTo.length})` }] : []),
    ];
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
  const matters = () =>
    overViews(database, tables, (table) => withAmounts(table, apart), differs(onceEach, ...edits('distinct')));
  yield { matters };
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
  const filled = (at: number, by: string) => ({
    first: at,
    last: at,
    by: `coalesce(${words.written({ first: at, last: at })}, ${by})`,
  });
  const signs = words.placesOf('-', '+').filter((at) => ![at - 1, at + 1].some((side) => /^\d/.test(words.word(side))));
  const sides = new Set(signs.flatMap((at) => [at + 1, at - 1]));
  const worked = [...sides].filter((at) => nullableAt(tried, at)?.type === 'real');
  const [first] = worked;
  if (first !== undefined)
    yield {
      column: words.name(first),
      text: 'arithmetic',
      matters: differs(tried, ...worked.map((at) => filled(at, '0'))),
    };
  for (const at of words.placesOf('in').filter((place) => words.word(place - 1) === 'not')) {
    const chosen = words.word(at + 3) === 'distinct' ? at + 4 : at + 3;
    const list = { first: at + 1, last: words.partner(at + 1) };
    const withoutNull = { ...list, by: `(select * from ${words.written(list)} except select null)` };
    const subject = nullableAt(tried, at - 2);
    const listed = words.word(at + 2) === 'select' ? nullableAt(tried, chosen) : undefined;
    if (subject) yield { column: subject.name, text: 'not in', matters: differs(tried, filled(at - 2, "''")) };
    if (listed) yield { column: listed.name, text: 'not in', matters: differs(tried, withoutNull) };
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

/** Comparisons of what is worked out from amounts: SQLite has binary fractions, and 0.1 + 0.2 is not 0.3. */
function* workedAmounts(tried: Tried): Iterable<Suspicion> {
  const { words, request, reads } = tried;
  if (tablesOfAmounts(request, reads).length === 0 || words.placesOf('+', '-', '*').length === 0) return;
  for (const at of words.placesOf('=', '==', '<>', '!=', '<', '>', '<=', '>=')) {
    const edits = [words.side(at - 1, -1), words.side(at + 1, 1)].map((side) => {
      const number = words.written(side);
      return { ...side, by: `iif(typeof(${number}) = 'real', round(${number}, 6), ${number})` };
    });
    yield { text: words.word(at), matters: differs(tried, ...edits) };
  }
}

/** Times of stations whose clock is not the desk's, beside `now`. */
function* timesOfStations({ database, request, reads, clock, run, usual }: Tried): Iterable<Suspicion> {
  if (!clock.isAsked) return;
  for (const time of timesRead('station', request, reads)) {
    const isOther = (shift: number) => !sameRows([atShiftedNow(clock, shift, run)], [usual()]);
    yield { column: time.column, matters: () => shiftsOf(database, time, request.timeZone).some(isOther) };
  }
}
