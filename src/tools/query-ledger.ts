/** The tool that answers questions about the desk's ledger by one SELECT, or lists the views and examples for it. */
import * as z from 'zod';
import { cleanCode } from '../core/clean-text.ts';
import { ClerkError, inputError } from '../core/errors.ts';
import { addDays, datesBetween, HOUR_MS, isRealDate, showDay, showLocal } from '../core/times.ts';
import { counted, joined } from '../core/words.ts';
import { dayIn, daysIn, minuteIn } from '../core/zone.ts';
import { findingText } from '../domain/facts/words.ts';
import type { ViewContext } from '../ledger/cells.ts';
import { EXAMPLES } from '../ledger/examples.ts';
import { filledBatch, sourcesFor } from '../ledger/filling.ts';
import type { LedgerReader, LedgerRows, LedgerRowsQuery } from '../ledger/ports.ts';
import {
  failureText,
  type RowsLine,
  type SqlEnd,
  type SqlHint,
  type SqlRead,
  type StoredRowsSeen,
} from '../ledger/sql-tables.ts';
import { quotedTexts } from '../ledger/sql-words.ts';
import { OUR_WORDS, viewNamed, viewsFor, viewTables } from '../ledger/views.ts';
import { type ArgsOf, defineTool, type ResultOf, type ToolContext } from './definition/define.ts';
import { filled, noted, optionalStrings, strings, unlisted } from './definition/field-notes.ts';
import { date, integer, text } from './definition/input-fields.ts';
import { readersOf } from './steps/findings.ts';
import { assertSpan } from './steps/service-days.ts';

/** A day, or a time of it to the minute or second, as the views write them. */
const DAY_OR_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:[+-]\d{2}:\d{2})?)?$/;

const UNSETTLED: ReadonlySet<string> = new Set(['dispatched', 'in_doubt', 'needs_person']);

/** How many rows an answer has: without `max_rows`, and at most. */
const USUAL_ROWS = 50;
const MOST_ROWS = 500;

/** How many characters all cells of an answer have at most. */
const MOST_TEXT = 40_000;

/** The same of the table with all rows, which no model reads. */
export const ALL_ROWS = { rows: 10_000, text: 2_000_000 };

/** How many days the rows are of at most. */
const MOST_DAYS = 366;

/** Columns that an operation has before its outcome is known, and those that it has not. A booking has its price all the same. */
const KNOWN_BEFORE = ['operation.approved_at_most', 'booking.price'];
const KNOWN_AFTER = ['paid', 'refunded', 'kept', 'kept_vat', 'tickets', 'tickets_count'].map(
  (name) => `operation.${name}`,
);

const NEXT_WITHOUT_SQL =
  "Call it again with one SELECT. Times are local ISO texts with offset, departs_at by the station's clock: julianday() compares them; on_day and the like are days. Amounts are numbers of their currency: sum(paid) is exact; add up by currency. date('now') is today at the desk.";

/** The address of all rows of a statement (mcp/resources.ts). */
export const LEDGER_ROWS = 'fareclerk://ledger/{from}/{to}/{sql}';

const input = () => ({
  sql: noted(
    'One SELECT in the dialect of SQLite over the views. Without it the answer lists views, columns and examples; {}.',
    text(4_000).optional().describe('leave out to see views'),
  ),
  from: noted(
    `First day that the rows are of, in the desk's time zone; {}. Bookings that depart on or after it are there too.`,
    date().optional().describe('default about a year back'),
  ),
  to: noted(`Last day, included. At most ${MOST_DAYS} days.`, date().optional(), 'today'),
  max_rows: noted('Most rows in the answer.', integer(1, MOST_ROWS).optional(), `${USUAL_ROWS}`),
  csv: noted(
    'Links to a CSV of all rows, as an answer does anyway that leaves rows out.',
    z.boolean().optional(),
    '`false`',
  ),
});

const view = () =>
  z.object({
    ...strings('name', 'row'),
    columns: z.array(z.string()),
  });

const output = () => ({
  columns: z.array(z.string()).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  hints: z.array(z.string()).optional(),
  more_rows: z.literal(true).optional(),
  ...unlisted({
    views: z.array(view()).optional(),
    examples: z.array(z.object(strings('question', 'sql'))).optional(),
    ...optionalStrings('period', 'sql', 'oldest_reading'),
    unsettled: z.int().optional(),
  }),
});

type QueryArgs = ArgsOf<typeof input>;
type QueryResult = ResultOf<typeof output>;

export const queryLedger = defineTool({
  name: 'query_ledger',
  title: 'Query the ledger',
  description:
    "Answers any question about the desk's own bookings, money, approvals and failures by one SQL SELECT over views. First call without sql. Never asks the airline.",
  toolset: 'desk',
  example: { max_rows: 20 },
  effect: 'read',
  needsSql: true,
  input,
  output,

  async run(args, ctx) {
    return args.sql === undefined ? describeViews(ctx) : runForAnswer(args.sql, args, ctx);
  },

  text: ({ views, examples = [], columns = [], rows = [], more_rows: isCut, oldest_reading: oldest }) => {
    if (views !== undefined) {
      return [
        ...views.flatMap((view) => [`${view.name}: ${view.row}`, `  ${view.columns.join('; ')}`]),
        ...examples.flatMap(({ question, sql }) => [`-- ${question}`, sql]),
      ];
    }

    return [
      columns.map(headingText).join(' | '),
      ...rows.map((row) => row.map(cellText).join(' | ')),
      isCut ? '(more rows were left out)' : undefined,
      oldest && `Bookings are as they were read, the oldest on ${showLocal(oldest)}.`,
    ];
  },
});

/** Shows the name of a column as it is, so that the next statement can use it; quotes a name that the statement made. */
const headingText = (name: string): string => (/^[\w()*.]{1,60}$/.test(name) ? name : cleanCode(name, 60));

/** A word of ours as it is stored, which the next statement may need; else a code, or a quoted text. */
const codeText = (text: string, max: number): string => (OUR_WORDS.has(text) ? text : cleanCode(text, max));

/** Quotes all text that is no code, number or time: it can hold text of the airline, whatever the statement did to it. */
function cellText(value: unknown): string {
  if (value === null) return '-';
  // A quotation keeps no arrow: `QCA → XMD` would read `QCA XMD`.
  const text = String(value).replaceAll(' → ', '-');
  return typeof value === 'number' || DAY_OR_TIME.test(text) ? text : codeText(text, 400);
}

function describeViews(ctx: ToolContext): QueryResult & { readonly summary: string; readonly next: string } {
  const isWholeDesk = seesAll(ctx.state);
  const views = viewsFor(isWholeDesk).map(({ name, row, columns }) => ({
    name,
    row,
    columns: columns.map((column) => `${column.name}${column.note === undefined ? '' : ` (${column.note})`}`),
  }));
  const whose = isWholeDesk ? 'of the whole desk' : 'of your own';
  const examples = EXAMPLES.map(({ question, sql }) => ({ question, sql }));

  return {
    summary: `${counted(views.length, 'view')} ${whose}, by day in ${ctx.settings.timeZone()}.`,
    next: NEXT_WITHOUT_SQL,
    views,
    examples,
  };
}

/** What the table with all rows is made from. */
export interface LedgerTable {
  readonly columns: readonly string[];
  readonly rows: Extract<SqlEnd, { rows: unknown }>['rows'];
}

/** Runs a statement once for all its rows. @throws ClerkError, also if their text is too long to be one table */
export async function readAllRows(
  sql: string,
  args: Pick<QueryArgs, 'from' | 'to'>,
  ctx: ToolContext,
): Promise<LedgerTable> {
  const { end } = await runSelect(sql, args, ctx, ALL_ROWS);
  const why = `All rows have more than ${ALL_ROWS.text} characters.`;
  if (end.cut === 'text') throw queryError({ kind: 'too_large', why }, ctx);
  return end;
}

/** Sees in the rows that pass what an answer says of them. */
export class RowsSeen {
  /** When the rows begin, milliseconds since 1970. */
  from = 0;
  readonly #unsettled = new Set<string>();
  readonly #stillOpen = new Set<string>();
  #oldest: number | undefined;

  /** @param each the kind of the rows; the others are beside them */
  async *of(each: keyof LedgerRows, batches: AsyncIterable<LedgerRows>): AsyncGenerator<LedgerRows> {
    for await (const rows of batches) {
      for (const { id, state, createdAt } of rows.operations) {
        if (UNSETTLED.has(state)) this.#unsettled.add(id);
        if (each === 'operations' && createdAt < this.from) this.#stillOpen.add(id);
      }

      if (each === 'findings')
        for (const { id, seenAt } of rows.findings) if (seenAt < this.from) this.#stillOpen.add(id);
      for (const { isPast, seenAt } of rows.bookings)
        if (!isPast) this.#oldest = Math.min(this.#oldest ?? seenAt, seenAt);
      yield rows;
    }
  }

  figures(): StoredRowsSeen {
    const { size: unsettled } = this.#unsettled;
    return { unsettled, oldest: this.#oldest, from: this.from, stillOpen: this.#stillOpen.size };
  }
}

/** @param most rows and characters of the result */
async function runSelect(
  sql: string,
  args: Pick<QueryArgs, 'from' | 'to'>,
  ctx: ToolContext,
  most: { readonly rows: number; readonly text: number },
) {
  const timeZone = ctx.settings.timeZone();
  const { from, to, months } = period(args, ctx);
  const { desk } = ctx.state;
  if (desk === undefined) throw notOffered();

  let read: readonly SqlRead[] = [];
  const now = ctx.now();
  const caller = seesAll(ctx.state) ? undefined : ctx.caller.id;
  const query = { tenant: ctx.caller.tenant, caller, ...daysIn(from, to, timeZone), months };

  const end = await desk.runSql({
    // Whoever runs the server alone is no supervisor, but sees the same views.
    tables: viewTables(seesAll(ctx.state)),
    query,
    dialect: ctx.settings.dialect,
    async prepare(reads) {
      read = reads;
      await desk.catchUp(sourcesFor(reads));
      return Object.fromEntries(ctx.airline.placeNames?.() ?? []);
    },
    asker: JSON.stringify([ctx.caller.tenant, ctx.caller.id]),
    signal: ctx.signal,
    sql,
    now,
    timeZone,
    mostRows: most.rows,
    mostText: most.text,
  });
  if ('failed' in end) throw queryError(end.failed, ctx);

  return { end, reads: read, from: dayIn(end.seen.from, timeZone), to, timeZone, now };
}

async function runForAnswer(sql: string, args: QueryArgs, ctx: ToolContext) {
  const most = { rows: args.max_rows ?? USUAL_ROWS, text: MOST_TEXT };
  const ran = await runSelect(sql, args, ctx, most);
  const { end, reads, from, to, timeZone, now } = ran;
  const { unsettled, oldest } = end.seen;

  const isCut = end.cut !== undefined;
  const hints = await hintLines(end.hints ?? []);
  if (isCut || args.csv) attachAllRows(sql, { from, to }, ctx);
  const rowsText = `${counted(end.rows.length, 'row')}${isCut ? ' of more' : ''}`;

  const isBounded = args.from !== undefined || args.to !== undefined;
  const reachText = reachOf({ ...ran, stillOpen: end.seen.stillOpen, isBounded });
  const first = joined([rowsText, reachText, earlierText(sql, from), unsettledText(unsettled, reads)], '; ');

  return {
    summary: joined([`${first}.`, end.currencies && currenciesText(end.currencies), ...hints], ' '),
    next: isCut ? 'Ask for fewer rows or columns, or pass max_rows.' : undefined,
    columns: [...end.columns],
    rows: end.rows.map((row) => [...row]),
    hints: filled(hints),
    more_rows: isCut ? (true as const) : undefined,
    period: reachText,
    sql,
    oldest_reading: oldest !== undefined && oldest < now - HOUR_MS ? minuteIn(oldest, timeZone) : undefined,
    unsettled: unsettled || undefined,
  };
}

async function hintLines(hints: readonly SqlHint[]): Promise<readonly string[]> {
  if (hints.length === 0) return [];
  // It is beside the code that finds them, which no start is to load.
  const { hintLine } = await import('../ledger/hints.ts');
  return hints.map((hint) => hintLine(hint, (text) => codeText(text, 60)));
}

function currenciesText(currencies: readonly string[]): string {
  const codes = currencies.map((code) => cleanCode(code)).join(', ');
  return `It adds up or compares amounts, so it ran once for each currency (${codes}): the first column says which. Amounts of several never add up.`;
}

/** Attaches a link to all rows, for hosts that hand it to a person: the model does not read them. */
function attachAllRows(
  sql: string,
  { from, to }: { readonly from: string; readonly to: string },
  ctx: ToolContext,
): void {
  const values: Readonly<Record<string, string>> = { from, to, sql };
  const uri = LEDGER_ROWS.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  ctx.attach?.({ uri, name: 'All rows', mimeType: 'text/csv' });
}

/** Whether the caller sees the whole desk: a supervisor, or whoever runs the server alone. */
const seesAll = ({ isSupervisor, desk }: ToolContext['state']): boolean =>
  isSupervisor === true || desk?.isSingleUser === true;

/**
 * Gives the last day, and the first one or the months in which the rows may begin. Without `to`, the last day is today, or `from` if that is
 * later. Without `from` the rows begin as early as they may: what a statement asks for in other words than days is not missing then.
 */
function period(args: Pick<QueryArgs, 'from' | 'to'>, ctx: ToolContext) {
  const timeZone = ctx.settings.timeZone();
  const today = dayIn(ctx.now(), timeZone);
  const defaultTo = args.from !== undefined && args.from > today ? args.from : today;
  const to = args.to ?? defaultTo;
  const from = args.from ?? addDays(to, -(MOST_DAYS - 1));
  assertSpan(from, to, 'to', MOST_DAYS);
  if (args.from !== undefined) return { from, to };

  const firstDays = datesBetween(from, to).filter((day) => day.endsWith('-01'));
  return { from, to, months: firstDays.map((day) => daysIn(day, day, timeZone).from) };
}

const dayText = (day: string): string => `${showDay(day)} ${day.slice(0, 4)}`;

/** What the rows of an answer are of. */
interface AnswerReach {
  readonly reads: readonly SqlRead[];
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly now: number;
  readonly stillOpen: number;
  /** The caller named a day. */
  readonly isBounded: boolean;
}

/**
 * Since when the rows are that a statement reads: `since Mon 1 Dec 2025 (UTC)`. The last day bounds no booking, and the first one only those
 * that nobody has read since and that are over. Undefined if it reads no view.
 */
function reachOf({ reads, from, to, timeZone, now, stillOpen, isBounded }: AnswerReach): string | undefined {
  const views = reads.flatMap(({ table }) => viewNamed(table) ?? []);
  const ofBookings = views.filter(({ each }) => each.includes('bookings'));
  const kept = views.flatMap(({ keptDays }) => keptDays ?? []);
  const since = `since ${dayText(from)}`;
  const texts: string[] = [];

  if (views.length > ofBookings.length + kept.length) {
    const days = isBounded ? `${dayText(from)} to ${dayText(to)}` : since;
    texts.push(stillOpen === 0 ? days : `${days}, and ${stillOpen} older still open`);
  }

  if (ofBookings.length > 0) texts.push(`bookings read or departing ${since}`);
  for (const days of kept) {
    const oldest = addDays(dayIn(now, timeZone), -days);
    const until = isBounded ? ` to ${dayText(to)}` : '';
    texts.push(`failures since ${dayText(from > oldest ? from : oldest)}${until}`);
  }

  return texts.length === 0 ? undefined : `${texts.join(', ')} (${timeZone})`;
}

/** A day, or the month or year that a text begins with. */
const BEGINS_WITH_DAY = /^(20\d\d)(?:$|[-%])(?:(\d\d)(?:-(\d\d))?)?(?!\d)/;

/** Names the earliest day of the statement, if the rows begin later. */
function earlierText(sql: string, from: string): string | undefined {
  const named = quotedTexts(sql).flatMap((text) => {
    const [, year, month = '01', day = '01'] = BEGINS_WITH_DAY.exec(text) ?? [];
    return year === undefined || !isRealDate(`${year}-${month}-${day}`) ? [] : [`${year}-${month}-${day}`];
  });
  const [earliest] = named.sort();
  if (earliest === undefined || earliest >= from) return undefined;
  return `${dayText(earliest)} is before that: pass from`;
}

/** How many operations are not settled, and which of the columns that the statement reads they have and lack. */
function unsettledText(unsettled: number, reads: readonly SqlRead[]): string | undefined {
  if (unsettled === 0) return undefined;

  const names = reads.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  const listedIn = (columns: readonly string[]) =>
    columns.filter((column) => names.includes(column)).map((column) => column.slice(column.indexOf('.') + 1));
  const [has, lacks] = [listedIn(KNOWN_BEFORE), listedIn(KNOWN_AFTER)];

  return joined(
    [
      `${counted(unsettled, 'operation')} not settled`,
      has.length > 0 && `with ${has.join(' and ')}`,
      lacks.length > 0 && `without ${lacks.join(', ')}`,
    ],
    ', ',
  );
}

/** The part of the context that the words in the views need. */
type LedgerWordsContext = Pick<ToolContext, 'acts'> & {
  readonly settings: Pick<ToolContext['settings'], 'dialect' | 'timeZone'>;
  readonly airline: Pick<ToolContext['airline'], 'placeName'>;
};

/** Where the rows of a question come from, and what is noted of them on the way. */
interface StoredRows {
  readonly reader: Pick<LedgerReader, 'batches' | 'reach'>;
  readonly query: LedgerRowsQuery;
  readonly seen: RowsSeen;
}

/** Fills what a SELECT reads from the stored rows, batch by batch. */
export async function* ledgerCells(
  reads: readonly SqlRead[],
  { reader, query, seen }: StoredRows,
  ctx: LedgerWordsContext,
  now: number,
): AsyncGenerator<RowsLine> {
  const reached = { ...query, from: await reader.reach(query) };
  seen.from = reached.from;
  const context = viewContext(ctx, now);
  for (const source of sourcesFor(reads)) {
    for await (const rows of seen.of(source.each, reader.batches(reached, source)))
      yield* filledBatch(reads, source.each, rows, context);
  }
}

function viewContext(ctx: LedgerWordsContext, now: number): ViewContext {
  const readers = readersOf(ctx);
  return {
    acts: ctx.acts,
    timeZone: ctx.settings.timeZone(),
    now,
    placeName: ctx.airline.placeName,
    changeWords: (finding) => findingText(finding, readers),
  };
}

function queryError(failed: Extract<SqlEnd, { failed: unknown }>['failed'], ctx: ToolContext): ClerkError {
  const { kind } = failed;
  const why = failureText(failed);
  if (kind === 'busy' || kind === 'lost') {
    return new ClerkError('E_LIMIT', `${why} Nothing was changed.`, {
      next: 'Repeat the same call in 2 seconds; it is safe.',
      retry: 'after_s:2',
    });
  }

  if (kind === 'broken') {
    return new ClerkError('E_INTERNAL', `${why} Nothing was changed.`, {
      next: 'Tell the person that the operator has to restart the server: its files may have been replaced beneath it.',
    });
  }

  const names = viewsFor(seesAll(ctx.state)).map(({ name }) => name);
  const next = {
    refused: `Write one SELECT, or WITH … SELECT, over ${names.join(', ')}.`,
    several: 'Send one statement, without a second one after the semicolon.',
    unknown: 'Call query_ledger without sql for all views and columns, then repeat with the right name.',
    invalid: 'Correct the statement: the dialect is that of SQLite.',
    too_large: 'Ask for fewer or shorter columns, or add conditions.',
    too_slow: 'Join on locator or id, add conditions, or ask for a shorter period with from and to.',
  }[kind];
  return inputError('sql', why, next);
}

function notOffered(): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', 'This server runs no SQL.', {
    next: 'Use list_bookings; the operator sets FARECLERK_QUERY_LEDGER=true, and Node.js 24.15 or newer.',
  });
}
