import * as z from 'zod';
import {
  ACTIVITY_KEYS,
  type ActivityQuery,
  type CountedOperation,
  MEASURES,
  type Measure,
  type Operation,
} from '../approvals/terms.ts';
import { ClerkError } from '../core/errors.ts';
import { showLocal } from '../core/local-times.ts';
import { formatMoney } from '../core/money.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { addDays, utcText } from '../core/times.ts';
import {
  type ArgsOf,
  defineTool,
  optionalStrings,
  type ResultOf,
  strings,
  type ToolContext,
} from './definition/define.ts';
import { date, oneOf, text } from './definition/input-fields.ts';
import { assertSpan } from './definition/service-days.ts';
import { figures, figuresOf, figuresText, figureText, hasSum } from './views/measures.ts';
import { table } from './views/table.ts';

/** Limit when grouped by route or caller; days are limited by the span. */
const MOST_ROWS = 250;
/** Operations in one answer. */
const PAGE = 25;

const input = () => ({
  from: date().optional().describe('default 30 days back'),
  to: date().optional(),
  group_by: z.enum(ACTIVITY_KEYS).optional(),
  measure: oneOf(MEASURES).optional().describe('such as in_doubt or refunded: lists its operations'),
  key: text().optional(),
  after: text().optional(),
});

const output = () => ({
  rows: z.array(z.object({ key: z.string(), measures: figures() })).optional(),
  rows_left_out: z.int().optional(),
  totals: figures().optional(),
  entries: z.array(
    z.object({ ...strings('id', 'what', 'status', 'at'), ...optionalStrings('locator', 'amount', 'currency') }),
  ),
  ...optionalStrings('next'),
});

type ReportArgs = ArgsOf<typeof input>;
type ReportResult = ResultOf<typeof output>;
type ReportEntry = ReportResult['entries'][number];
type ReportRow = NonNullable<ReportResult['rows']>[number];

export const reportActivity = defineTool({
  name: 'report_activity',
  title: 'Report activity',
  description: 'What was sold, paid, refunded, changed or is in_doubt, by UTC day.',
  toolset: 'desk',
  example: 'group_by=tool',
  fieldWords: {
    after: 'the next of the answer before',
    from: 'first day in UTC; default: 30 days back',
    group_by: 'default day',
    key: 'only that row of the report',
    measure: 'such as in_doubt: lists what is behind that number',
    to: 'last day in UTC; default today',
  },
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const query = queryOf(args, ctx);
    const { measure, key, after } = args;
    // A later page needs no sums, which read the whole time.
    if (measure !== undefined && after !== undefined) return entriesOf(args, measure, query, ctx);
    const rows = await ctx.state.operations.activity(query);
    if (measure !== undefined) {
      const own = rows.filter((row) => row.measure === measure && (key === undefined || row.key === keyOf(args)));
      return { totals: figuresOf(own), ...(await entriesOf(args, measure, query, ctx)) };
    }
    const all = [...Map.groupBy(rows, (row) => row.key)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => ({ key: name, measures: figuresOf(own) }));
    const told = args.group_by === undefined || args.group_by === 'day' ? all : largest(all);
    return {
      rows: told,
      ...(told.length < all.length && { rows_left_out: all.length - told.length }),
      totals: figuresOf(rows),
      entries: [],
    };
  },

  text(output, args, ctx) {
    return [
      ctx.isSupervisor ? 'The whole desk: operations of all callers.' : undefined,
      ...(args.measure === undefined ? reportLines(output, args) : entryLines(output, args, args.measure)),
    ];
  },
});

function queryOf({ from: given, to: last, group_by: groupBy = 'day' }: ReportArgs, ctx: ToolContext): ActivityQuery {
  const to = last ?? utcText(ctx.now()).slice(0, 10);
  const from = given ?? addDays(to, -30);
  assertSpan(from, to, 'to', 366);
  return {
    acts: ctx.acts,
    tenant: ctx.caller.tenant,
    from: Date.parse(`${from}T00:00:00Z`),
    to: Date.parse(`${addDays(to, 1)}T00:00:00Z`),
    groupBy,
    ledgerOf: ctx.caller.id,
    now: ctx.now(),
  };
}

/** A page of the operations behind a number, newest first. */
async function entriesOf(args: ReportArgs, measure: Measure, query: ActivityQuery, ctx: ToolContext) {
  const found = await ctx.state.operations.counted({
    ...query,
    measure,
    ...omitUndefined({ key: keyOf(args), after: args.after === undefined ? undefined : afterOf(args.after) }),
    limit: PAGE + 1,
  });
  const page = found.slice(0, PAGE);
  const last = page.at(-1);
  const isMore = found.length > page.length && last !== undefined;
  return {
    entries: page.map(viewEntry),
    ...(isMore && { next: `${last.at}.${last.id}` }),
  };
}

/** The key of a row; a status also in the words of the text. */
function keyOf({ key, group_by: groupBy }: ReportArgs): string | undefined {
  const named = groupBy === 'status' ? Object.entries(STATUS_WORDS).find(([, words]) => words === key) : undefined;
  return named?.[0] ?? key;
}

/** The place of the last operation of a page, as `next` names it. */
function afterOf(next: string): Pick<CountedOperation, 'at' | 'id'> {
  const [, at, id] = /^(\d{1,15})\.(.+)$/.exec(next) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw new ClerkError('E_INPUT', 'after: expected the next of an earlier answer. Nothing was looked up.', {
    next: 'Call report_activity again with the next of its last answer, or without after.',
  });
}

function viewEntry({ id, what, status, at, locator, amount }: CountedOperation): ReportEntry {
  return omitUndefined({
    id,
    what,
    status,
    at: utcText(at),
    locator,
    amount: amount && formatMoney(amount),
    currency: amount?.currency,
  });
}

function reportLines(
  { rows = [], rows_left_out: leftOut = 0, totals = {} }: ReportResult,
  { group_by: by }: ReportArgs,
) {
  if (Object.keys(totals).length === 0) return ['No operations on these days.'];
  const label = (key: string) => (by === 'status' ? statusWords(key) : key);
  const aligned = table(
    [...rows.map(({ key, measures }) => [label(key), figuresText(measures)]), ['total', figuresText(totals)]],
    '',
  );
  return [
    ...aligned.slice(0, -1),
    leftOut > 0
      ? `${leftOut} ${leftOut === 1 ? 'row' : 'rows'} with fewer operations not listed; the total includes them.`
      : undefined,
    ...aligned.slice(-1),
    'The operations behind a number: pass its measure, and the key of its row.',
  ];
}

function entryLines({ totals, entries, next }: ReportResult, { key }: ReportArgs, measure: Measure) {
  const of = key === undefined ? '' : ` of ${key}`;
  const number = totals === undefined ? 'Continued' : figureText(measure, totals[measure] ?? { count: 0 });
  const amountText = ({ currency, amount }: ReportEntry) => (currency ? `${currency} ${amount}` : 'not stated');
  return [
    `${number}${of}`,
    ...table(
      entries.map((entry) => [
        entry.id,
        entry.what,
        entry.locator,
        statusWords(entry.status),
        hasSum(measure) ? amountText(entry) : undefined,
        showLocal(entry.at),
      ]),
    ),
    next === undefined ? undefined : `More: after ${next}`,
  ];
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  intent: 'not sent yet',
  dispatched: 'sent, no answer yet',
  in_doubt: 'outcome not known',
  succeeded: 'done',
  not_executed: 'not carried out',
  needs_person: 'needs a person',
  resolved: 'closed by a person',
} satisfies Partial<Record<Operation['state'], string>>;

const statusWords = (state: string): string => STATUS_WORDS[state] ?? state.replaceAll('_', ' ');

/** The rows with the most operations. */
function largest(rows: ReportRow[]): ReportRow[] {
  if (rows.length <= MOST_ROWS) return rows;
  const size = ({ measures }: ReportRow) => measures.operations?.count ?? 0;
  const kept = new Set(rows.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_ROWS));
  return rows.filter((row) => kept.has(row));
}
