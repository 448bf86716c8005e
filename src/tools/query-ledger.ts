/** The tool that answers questions about the desk's ledger by one SELECT, or lists the views and examples for it. */
import * as z from 'zod';
import { cleanCode } from '../core/clean-text.ts';
import { ClerkError, inputError } from '../core/errors.ts';
import { once } from '../core/memoize.ts';
import { addDays, HOUR_MS, isRealDate, showDay, showLocal } from '../core/times.ts';
import { counted, joined } from '../core/words.ts';
import { dayIn, daysIn, minuteIn } from '../core/zone.ts';
import { findingText } from '../domain/facts/words.ts';
import { isOpen, locatorOf } from '../journal/operation.ts';
import type { ViewContext } from '../ledger/cells.ts';
import { EXAMPLES } from '../ledger/examples.ts';
import { filledBatch, sourcesFor } from '../ledger/filling.ts';
import type { LedgerRows, LedgerSource } from '../ledger/ports.ts';
import {
  failureText,
  type RowsLine,
  type SqlEnd,
  type SqlHint,
  type SqlRead,
  type StoredRowsSeen,
} from '../ledger/sql-tables.ts';
import { quotedTexts } from '../ledger/sql-words.ts';
import { OUR_WORDS, viewsFor, viewTables } from '../ledger/views.ts';
import { type ArgsOf, defineTool, type ResultOf, type ToolContext } from './definition/define.ts';
import { filled, noted, optionalStrings, strings, unlisted } from './definition/field-notes.ts';
import { date, integer, text } from './definition/input-fields.ts';
import { attentionReasons, readersOf } from './steps/findings.ts';
import { assertSpan } from './steps/service-days.ts';

/** A day, or a time of it to the minute or second, as the views write them. */
const DAY_OR_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:[+-]\d{2}:\d{2})?)?$/;

const UNSETTLED: ReadonlySet<string> = new Set(['dispatched', 'in_doubt', 'needs_person']);

/** How many rows an answer has: without `max_rows`, and at most. */
const USUAL_ROWS = 50;
const MOST_ROWS = 500;

/** How many values a hint names. */
const MOST_VALUES = 12;

/** How many characters all cells of an answer have at most. */
const MOST_TEXT = 40_000;

/** The same of the table with all rows, which no model reads. */
export const ALL_ROWS = { rows: 10_000, text: 2_000_000 };

/** How many days the period has: without `from`, and at most. */
const USUAL_DAYS = 31;
const MOST_DAYS = 366;

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
    date().optional().describe(`default ${USUAL_DAYS} days back`),
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
  readonly #unsettled = new Set<string>();
  #oldest: number | undefined;

  async *of(batches: AsyncIterable<LedgerRows>): AsyncGenerator<LedgerRows> {
    for await (const rows of batches) {
      for (const { id, state } of rows.operations) if (UNSETTLED.has(state)) this.#unsettled.add(id);
      for (const { isPast, seenAt } of rows.bookings)
        if (!isPast) this.#oldest = Math.min(this.#oldest ?? seenAt, seenAt);
      yield rows;
    }
  }

  figures(): StoredRowsSeen {
    return { unsettled: this.#unsettled.size, oldest: this.#oldest };
  }
}

/** @param most rows and characters of the result */
async function runSelect(
  sql: string,
  args: Pick<QueryArgs, 'from' | 'to'>,
  ctx: ToolContext,
  most: { readonly rows: number; readonly text: number },
) {
  const { from, to } = period(args, sql, ctx);
  const { desk } = ctx.state;
  const timeZone = ctx.settings.timeZone();
  if (desk === undefined) throw notOffered();
  const span = daysIn(from, to, timeZone);
  const now = ctx.now();
  const caller = seesAll(ctx.state) ? undefined : ctx.caller.id;
  const query = { tenant: ctx.caller.tenant, caller, ...span };
  const end = await desk.runSql({
    // Whoever runs the server alone is no supervisor, but sees the same views.
    tables: viewTables(seesAll(ctx.state)),
    query,
    dialect: ctx.settings.dialect,
    async prepare(reads) {
      await desk.catchUp(query, sourcesFor(reads));
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
  return { end, from, to, timeZone, now };
}

async function runForAnswer(sql: string, args: QueryArgs, ctx: ToolContext) {
  const most = { rows: args.max_rows ?? USUAL_ROWS, text: MOST_TEXT };
  const { end, from, to, timeZone, now } = await runSelect(sql, args, ctx, most);
  const { unsettled, oldest } = end.seen;
  const isCut = end.cut !== undefined;
  const hints = (end.hints ?? []).map(hintText);
  if (isCut || args.csv) attachAllRows(sql, { from, to }, ctx);
  const days = `${showDay(from)} ${from.slice(0, 4)} to ${showDay(to)} ${to.slice(0, 4)} (${timeZone})`;
  const unsettledText = unsettled === 0 ? '' : `; ${counted(unsettled, 'operation')} not settled, in no sum`;
  const rowsText = `${counted(end.rows.length, 'row')}${isCut ? ' of more' : ''}; ${days}${unsettledText}.`;
  return {
    summary: joined([rowsText, end.currencies && currenciesText(end.currencies), ...hints], ' '),
    next: isCut ? 'Ask for fewer rows or columns, or pass max_rows.' : undefined,
    columns: [...end.columns],
    rows: end.rows.map((row) => [...row]),
    hints: filled(hints),
    more_rows: isCut ? (true as const) : undefined,
    period: `${from} to ${to}, ${timeZone}`,
    sql,
    oldest_reading: oldest !== undefined && oldest < now - HOUR_MS ? minuteIn(oldest, timeZone) : undefined,
    unsettled: unsettled || undefined,
  };
}

function currenciesText(currencies: readonly string[]): string {
  const codes = currencies.map((code) => cleanCode(code)).join(', ');
  return `It adds up or compares amounts, so it ran once for each currency (${codes}): the first column says which. Amounts of several never add up.`;
}

/** Why a condition finds less than it seems to ask for. Its texts are quoted unless they are codes. */
function hintText({ kind, column, text, values }: SqlHint): string {
  if (kind === 'unrounded')
    return `Amounts are added or taken away beside ${text}, in binary fractions: write round(…, 3) around them to compare exactly.`;
  if (kind === 'twice')
    return `The clock goes back in these rows and shows an hour twice: compare its times by julianday(${column}), not as texts.`;
  if (kind === 'station')
    return `${column} is by the station's clock and now by the desk's, which differ: compare julianday(${column}) with julianday('now').`;
  const said = codeText(text, 60);
  if (kind === 'day')
    return `${column} is a time: compared with the day ${said}, that day is left out; compare its day column, or date(${column}).`;
  if (kind === 'list')
    return `${column} also has ${said} within lists such as “A, B”: find those by instr(${column}, …) > 0.`;
  const known = values.map((value) => codeText(value, 60));
  const has =
    known.length === 0
      ? 'it is empty'
      : `it has ${known.slice(0, MOST_VALUES).join(', ')}${known.length > MOST_VALUES ? ' and more' : ''}`;
  return `${column} is never ${said} in these days: ${has}.`;
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

/** A day, or the month or year that a text begins with. */
const BEGINS_WITH_DAY = /^(20\d\d)(?:-(\d\d)(?:-(\d\d))?)?(?!\d)/;
/** What may be a locator: six letters and digits. */
const LIKE_LOCATOR = /^(?=.*[A-Z])[A-Z\d]{6}$/;

/**
 * Gives the first and the last day. Without `to`, the last is today, or `from` if that is later. Without `from`, days that the
 * statement names only ever widen the period, and a locator takes a year: else what is older would be missing in silence.
 */
function period(args: Pick<QueryArgs, 'from' | 'to'>, sql: string, ctx: ToolContext) {
  const today = dayIn(ctx.now(), ctx.settings.timeZone());
  const defaultTo = args.from !== undefined && args.from > today ? args.from : today;
  const to = args.to ?? defaultTo;
  const texts = quotedTexts(sql);
  const named = texts.flatMap((text) => {
    const [, year, month = '01', day = '01'] = BEGINS_WITH_DAY.exec(text) ?? [];
    return year === undefined || !isRealDate(`${year}-${month}-${day}`) ? [] : [`${year}-${month}-${day}`];
  });
  const longest = addDays(to, -(MOST_DAYS - 1));
  const usual = texts.some((text) => LIKE_LOCATOR.test(text)) ? longest : addDays(to, -(USUAL_DAYS - 1));
  const [earliest = usual] = [...named, usual].sort();
  const from = args.from ?? (earliest < longest ? longest : earliest);
  assertSpan(from, to, 'to', MOST_DAYS);
  return { from, to };
}

/** The part of the context that the words in the views need. */
type LedgerWordsContext = Pick<ToolContext, 'acts'> & {
  readonly settings: Pick<ToolContext['settings'], 'dialect' | 'timeZone'>;
  readonly airline: Pick<ToolContext['airline'], 'placeName'>;
};

/** Fills what a SELECT reads from the stored rows, batch by batch. */
export async function* ledgerCells(
  reads: readonly SqlRead[],
  batchesOf: (source: LedgerSource) => AsyncIterable<LedgerRows>,
  ctx: LedgerWordsContext,
  now: number,
): AsyncGenerator<RowsLine> {
  for (const source of sourcesFor(reads)) {
    for await (const rows of batchesOf(source))
      yield* filledBatch(reads, source.each, rows, viewContext(rows, ctx, now));
  }
}

function viewContext(rows: LedgerRows, ctx: LedgerWordsContext, now: number): ViewContext {
  // Only bookings ask for it: what operations keep is not read for every statement.
  const openByLocator = once(() => {
    const open = rows.operations.filter(({ state }) => isOpen(state));
    return new Map(open.map((operation) => [locatorOf(operation), operation]));
  });
  const open = rows.findings.filter(({ closedAt }) => closedAt === undefined);
  const changes = Map.groupBy(open, ({ locator }) => locator);
  const readers = readersOf(ctx);
  return {
    acts: ctx.acts,
    timeZone: ctx.settings.timeZone(),
    now,
    placeName: ctx.airline.placeName,
    attention: (booking) =>
      attentionReasons(booking, openByLocator().get(booking.locator), { failures: new Map(), changes }, now),
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
  return inputError('sql', `${why} Nothing was changed.`, next);
}

function notOffered(): ClerkError {
  return new ClerkError('E_NOT_PERMITTED', 'This server runs no SQL.', {
    next: 'Use list_bookings; the operator sets FARECLERK_QUERY_LEDGER=true, and Node.js 24.15 or newer.',
  });
}
