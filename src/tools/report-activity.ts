/** The tool that counts and sums what was sold, paid, refunded or changed here, by the desk's days. */
import * as z from 'zod';
import { plainText } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { addMoney, formatMoney, type Money, showAmount } from '../core/money.ts';
import { own } from '../core/own.ts';
import { addDays, showDay, showLocal } from '../core/times.ts';
import { capitalized, counted, table } from '../core/words.ts';
import { dayIn, daysIn, minuteIn } from '../core/zone.ts';
import { callerId } from '../domain/people/caller-names.ts';
import {
  ACTIVITY_KEYS,
  type ActivityQuery,
  type ActivityRow,
  type CountedOperation,
  MEASURES,
  type Measure,
} from '../journal/activity.ts';
import type { Operation } from '../journal/operation.ts';
import { type ArgsOf, defineTool, type ResultOf, type ToolContext } from './definition/define.ts';
import { listedWithoutShape, noted, optionalStrings, strings, usual } from './definition/field-notes.ts';
import { date, oneOf, text } from './definition/input-fields.ts';
import { assertSpan } from './steps/service-days.ts';

/** How many rows an answer has, unless they are days, which the span limits. */
const MOST_ROWS = 250;

/** How many operations are in one answer. */
const PAGE_OPERATIONS = 25;

/** How many days a report covers: usually, and at most. */
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/** The measures that are sums of money; the others are numbers of operations. */
const WITH_SUM: readonly Measure[] = ['sold', 'paid', 'refunded', 'kept'];

const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  operations: 'operations',
  sold: 'sold',
  paid: 'paid',
  refunded: 'refunded',
  kept: 'kept',
  holds_made: 'holds made',
  holds_lapsed: 'holds lapsed',
  in_doubt: 'in doubt',
  changes: 'changes',
  findings: 'findings',
  findings_open: 'findings open',
};

/** What people read for the states of operations; other states are read as they are. */
const STATUS_WORDS: Readonly<Record<string, string>> = {
  intent: 'not sent yet',
  dispatched: 'sent, no answer yet',
  in_doubt: 'outcome not known',
  succeeded: 'done',
  not_executed: 'not carried out',
  needs_person: 'needs a person',
  resolved: 'closed by a person',
} satisfies Partial<Record<Operation['state'], string>>;

const figure = () =>
  z.object({
    count: noted('how many operations or findings', z.int()),
    sums: noted('their sum, by currency', z.record(z.string(), z.string()).optional()),
    not_stated: noted('how many have an amount that nobody stated', z.int().optional()),
  });

/** Makes the schema of the figures: one for each measure. */
const figures = () => z.partialRecord(z.enum(MEASURES), figure());

type Figure = z.output<ReturnType<typeof figure>>;
type Figures = z.output<ReturnType<typeof figures>>;

const input = () => ({
  from: noted('First day; {}.', date().optional().describe(`default ${USUAL_DAYS} days back`)),
  to: noted(`Last day, included. At most ${MOST_DAYS} days.`, date().optional(), 'today'),
  group_by: noted('What one row of the report is.', z.enum(ACTIVITY_KEYS).optional(), '`day`'),
  measure: noted(
    'Only this number, {}.',
    oneOf(MEASURES).optional().describe('such as in_doubt or refunded: lists its operations'),
    'the report',
  ),
  key: noted('Only what is behind this row, by its `key` under the same `group_by`.', text().optional(), 'all'),
  after: noted('The `next_page` of the answer before.', text().optional(), 'the first page'),
});

const row = () =>
  z.object({
    ...strings({ key: 'the day, route, tool, status, caller or payment type' }),
    measures: noted(
      'its numbers, by measure: see [Numbers that agree](../guides/operations.md#numbers-that-agree)',
      listedWithoutShape(figures()),
    ),
  });

const entry = () =>
  z.object({
    ...strings({
      id: 'the operation in the journal, or the finding',
      what: 'name of the tool, or the kind of finding',
      status: 'state of the operation; of a finding `open` or `closed`',
      at: 'when it entered the journal, or was seen: time of the desk',
    }),
    ...optionalStrings({ ...usual('locator'), amount: 'what it adds to the sum', ...usual('currency') }),
    not_stated: noted('nobody stated the amount', z.literal(true).optional()),
  });

const output = () => ({
  group_by: noted('what the keys of the rows are', z.enum(ACTIVITY_KEYS).optional()),
  rows: noted('one entry for each key', z.array(row()).optional()),
  rows_left_out: noted('rows beyond the longest list', z.int().optional()),
  totals: listedWithoutShape(noted('the numbers of all rows, or the number that was asked for', figures().optional())),
  entries: listedWithoutShape(noted('what is behind the `measure`, newest first', z.array(entry()).optional())),
  ...optionalStrings({ next_page: 'pass it as `after` for the next page' }),
});

type ReportArgs = ArgsOf<typeof input>;
type ReportResult = ResultOf<typeof output>;
type ReportEntry = NonNullable<ReportResult['entries']>[number];
type ReportRow = NonNullable<ReportResult['rows']>[number];

export const reportActivity = defineTool({
  name: 'report_activity',
  title: 'Report activity',
  description: 'What was sold, paid, refunded, changed or is in_doubt, by day.',
  toolset: 'desk',
  example: 'group_by=tool',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const query = activityQuery(args, ctx);
    return args.measure === undefined ? reportRows(query, ctx) : reportEntries(args, args.measure, query, ctx);
  },

  text: (output) => (output.rows === undefined ? entryLines(output) : reportLines(output, output.rows)),
});

/** Reports the figures of each day, route, tool, status, caller or payment type. */
async function reportRows(query: ActivityQuery, ctx: ToolContext) {
  const activity = await ctx.state.operations.activity(query);
  const totals = sumMeasures(activity);
  const count = totals.operations?.count ?? 0;
  const summary = `${count === 0 ? 'No operations' : counted(count, 'operation')}, ${periodText(query, ctx)}.`;
  if (Object.keys(totals).length === 0) return { summary, rows: [] };
  const rows = [...Map.groupBy(activity, (row) => row.key)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, keyRows]) => ({ key, measures: sumMeasures(keyRows) }));
  const shown = query.groupBy === 'day' ? rows : largest(rows);
  return {
    summary,
    next: 'To list the operations behind a number, pass its measure and key.',
    group_by: query.groupBy,
    rows: shown,
    rows_left_out: rows.length - shown.length || undefined,
    totals,
  };
}

/** Reports the operations behind one number. A later page has no totals, which need a reading of the whole period. */
async function reportEntries(args: ReportArgs, measure: Measure, query: ActivityQuery, ctx: ToolContext) {
  const { key, after } = args;
  const period = periodText(query, ctx);
  if (after !== undefined) {
    const summary = `More of ${MEASURE_WORDS[measure]}${keyText(key)}, ${period}.`;
    return { summary, ...(await readEntries(args, measure, query, ctx)) };
  }
  const activity = await ctx.state.operations.activity({ ...query, measures: [measure] });
  const matching = activity.filter((row) => key === undefined || row.key === rowKey(args));
  const totals = sumMeasures(matching);
  const text = capitalized(figureText(measure, totals[measure] ?? { count: 0 }));
  return {
    summary: `${text}${keyText(key)}, ${period}.`,
    totals: matching.length > 0 ? totals : undefined,
    ...(await readEntries(args, measure, query, ctx)),
  };
}

/** Sums the rows of each measure; a measure without rows is left out. */
function sumMeasures(rows: readonly ActivityRow[]): Figures {
  const figures = MEASURES.flatMap((measure) => {
    const ofMeasure = rows.filter((row) => row.measure === measure);
    return ofMeasure.length === 0 ? [] : [[measure, sumRows(ofMeasure)] as const];
  });
  return Object.fromEntries(figures);
}

function sumRows(rows: readonly ActivityRow[]): Figure {
  const sums = new Map<string, Money>();
  let [count, unstated] = [0, 0];
  for (const row of rows) {
    count += row.count;
    unstated += row.unstated;
    if (row.sum === undefined) continue;
    const { currency } = row.sum;
    const sumSoFar = sums.get(currency);
    sums.set(currency, sumSoFar === undefined ? row.sum : addMoney(sumSoFar, row.sum));
  }
  const byCurrency = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  const amounts = byCurrency.map(([currency, sum]) => [currency, formatMoney(sum)]);
  return {
    count,
    sums: amounts.length === 0 ? undefined : Object.fromEntries(amounts),
    not_stated: unstated || undefined,
  };
}

/** Writes `refunded 2 (SAR 172.50, 1 not stated)`. */
function figureText(measure: Measure, figure: Figure | undefined): string {
  if (figure === undefined) return '';
  const { count, sums = {}, not_stated: unstated = 0 } = figure;
  const amounts = Object.entries(sums).map(([currency, sum]) => showAmount(sum, currency));
  const texts = unstated === 0 ? amounts : [...amounts, `${unstated} not stated`];
  return `${MEASURE_WORDS[measure]} ${count}${texts.length === 0 ? '' : ` (${texts.join(', ')})`}`;
}

/** Writes `operations 3, sold 1 (SAR 690.00), in doubt 1`. */
function figuresText(figures: Figures): string {
  const texts = MEASURES.map((measure) => figureText(measure, figures[measure]));
  return texts.filter((text) => text !== '').join(', ');
}

function keyText(key: string | undefined): string {
  return key === undefined ? '' : ` of ${plainText(key)}`;
}

/** Writes `30 Oct to 29 Nov 2026 (Asia/Riyadh)`, both days included. */
function periodText({ from, to, timeZone }: ActivityQuery, { isSupervisor }: ToolContext): string {
  const [firstDay, lastDay] = [dayIn(from, timeZone), dayIn(to - 1, timeZone)];
  const isOneYear = firstDay.slice(0, 4) === lastDay.slice(0, 4);
  const first = isOneYear ? dayAndMonth(firstDay) : dayWithYear(firstDay);
  const span = firstDay === lastDay ? dayWithYear(lastDay) : `${first} to ${dayWithYear(lastDay)}`;
  return `${isSupervisor ? 'whole desk, ' : ''}${span} (${timeZone})`;
}

/** Writes `29 Nov`. */
function dayAndMonth(date: string): string {
  const [, day, month] = showDay(date).split(' ');
  return `${day} ${month}`;
}

/** Writes `29 Nov 2026`. */
function dayWithYear(date: string): string {
  return `${dayAndMonth(date)} ${date.slice(0, 4)}`;
}

function activityQuery(args: ReportArgs, ctx: ToolContext): ActivityQuery {
  const timeZone = ctx.settings.timeZone();
  const to = args.to ?? dayIn(ctx.now(), timeZone);
  const from = args.from ?? addDays(to, -USUAL_DAYS);
  assertSpan(from, to, 'to', MOST_DAYS);
  return {
    acts: ctx.acts,
    tenant: ctx.caller.tenant,
    ...daysIn(from, to, timeZone),
    groupBy: args.group_by ?? 'day',
    timeZone,
    now: ctx.now(),
  };
}

/** Reads a page of the operations behind a number, newest first. */
async function readEntries(args: ReportArgs, measure: Measure, query: ActivityQuery, ctx: ToolContext) {
  const found = await ctx.state.operations.counted({
    ...query,
    measure,
    key: rowKey(args),
    after: args.after === undefined ? undefined : parsePage(args.after),
    limit: PAGE_OPERATIONS + 1,
  });
  const page = found.slice(0, PAGE_OPERATIONS);
  const last = page.at(-1);
  const isMore = found.length > page.length && last !== undefined;
  const entries = page.map((entry) => viewEntry(entry, query, WITH_SUM.includes(measure)));
  if (!isMore) return { entries };
  const nextPage = `${last.at}.${last.id}`;
  return { next: `For more, call again with after ${nextPage}.`, entries, next_page: nextPage };
}

/** Returns the key of a row; a status may also be named in the words that the text shows. */
function rowKey({ key, group_by: groupBy }: ReportArgs): string | undefined {
  const named = groupBy === 'status' ? Object.entries(STATUS_WORDS).find(([, words]) => words === key) : undefined;
  return named?.[0] ?? key;
}

/** Reads the place of the last operation of a page, as `next_page` names it. */
function parsePage(page: string): Pick<CountedOperation, 'at' | 'id'> {
  const [, at, id] = /^(\d{1,15})\.(.+)$/.exec(page) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw new ClerkError('E_INPUT', 'after: expected the next_page of an earlier answer. Nothing was looked up.', {
    next: 'Call report_activity again with next_page of its last answer, or without after.',
  });
}

function viewEntry(
  { id, what, status, at, locator, amount }: CountedOperation,
  { timeZone }: ActivityQuery,
  isSummed: boolean,
): ReportEntry {
  return {
    id,
    what,
    status,
    at: minuteIn(at, timeZone),
    locator,
    amount: amount && formatMoney(amount),
    currency: amount?.currency,
    not_stated: isSummed && amount === undefined ? (true as const) : undefined,
  };
}

function reportLines(
  { group_by: groupBy, rows_left_out: leftOut = 0, totals = {} }: ReportResult,
  rows: readonly ReportRow[],
) {
  if (rows.length === 0) return [];
  const label = (key: string) => {
    if (groupBy === 'caller') return callerId(key);
    return groupBy === 'status' ? statusWords(key) : key;
  };
  const aligned = table(
    [...rows.map(({ key, measures }) => [label(key), figuresText(measures)]), ['total', figuresText(totals)]],
    '',
  );
  return [
    ...aligned.slice(0, -1),
    leftOut > 0 ? `${counted(leftOut, 'row')} with fewer operations not listed; the total includes them.` : undefined,
    ...aligned.slice(-1),
  ];
}

function entryLines({ entries = [] }: ReportResult) {
  return table(
    entries.map((entry) => [
      entry.id,
      entry.what,
      entry.locator,
      statusWords(entry.status),
      entry.not_stated ? 'not stated' : entry.amount && showAmount(entry.amount, entry.currency ?? ''),
      showLocal(entry.at),
    ]),
  );
}

function statusWords(state: string): string {
  return own(STATUS_WORDS, state) ?? state.replaceAll('_', ' ');
}

/** Selects the rows with the most operations, in their order. */
function largest(rows: ReportRow[]): ReportRow[] {
  if (rows.length <= MOST_ROWS) return rows;
  const size = ({ measures }: ReportRow) => measures.operations?.count ?? 0;
  const shown = new Set(rows.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_ROWS));
  return rows.filter((row) => shown.has(row));
}
