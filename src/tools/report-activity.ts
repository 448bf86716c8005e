import * as z from 'zod';
import { ACTIVITY_KEYS, type ActivityQuery, MEASURES, type Measure, type Operation } from '../approvals/terms.ts';
import { formatMoney } from '../domain/pricing/money.ts';
import { showLocal } from '../domain/time-and-text/local-times.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { addDays, utcText } from '../domain/time-and-text/times.ts';
import { ClerkError } from '../errors.ts';
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
import { amountIn, figureCells, figures, figuresOf, figureText } from './views/measures.ts';
import { table } from './views/table.ts';

/** Limit when grouped by route or caller; days are limited by the span. */
const MOST_ROWS = 250;
/** Operations in one answer. */
const PAGE = 25;

const input = () => ({
  from: date().optional().describe('default 30 days back'),
  to: date().optional(),
  group_by: z.enum(ACTIVITY_KEYS).optional(),
  measure: oneOf(MEASURES).optional().describe('of an answer: lists its operations'),
  key: text().optional(),
  after: text().optional(),
});

const output = () => ({
  rows: z.array(z.object({ key: z.string(), measures: figures() })).optional(),
  rows_left_out: z.int().optional(),
  totals: figures(),
  entries: z
    .array(
      z.object({ ...strings('operation_id', 'tool', 'status'), ...optionalStrings('locator', 'amount', 'currency', 'at') }),
    )
    .optional(),
  ...optionalStrings('next', 'archived_before'),
});

type Args = ArgsOf<typeof input>;
type Output = ResultOf<typeof output>;
type Entry = NonNullable<Output['entries']>[number];
type Row = NonNullable<Output['rows']>[number];

export const reportActivity = defineTool({
  name: 'report_activity',
  title: 'Report activity',
  description: 'What was sold, paid, refunded, changed or is in_doubt, by UTC day.',
  toolset: 'desk',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const query = queryOf(args, ctx);
    const { rows, archivedBefore } = await ctx.state.operations.activity(query);
    const archived = archivedBefore === undefined ? {} : { archived_before: utcText(archivedBefore) };
    if (args.measure !== undefined) {
      const { measure, key } = args;
      const own = rows.filter((row) => row.measure === measure && (key === undefined || row.key === keyOf(args)));
      return { totals: figuresOf(own), ...(await entriesOf(args, measure, query, ctx)), ...archived };
    }
    const all = [...Map.groupBy(rows, ({ key }) => key)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, own]) => ({ key, measures: figuresOf(own) }));
    const told = args.group_by === undefined || args.group_by === 'day' ? all : largest(all);
    return {
      rows: told,
      ...(told.length < all.length && { rows_left_out: all.length - told.length }),
      totals: figuresOf(rows),
      ...archived,
    };
  },

  text(output, args, ctx) {
    const { archived_before: archived } = output;
    return [
      ctx?.wholeDesk ? 'The whole desk: operations of all callers.' : undefined,
      ...(args.measure === undefined ? reportLines(output, args) : entryLines(output, args, args.measure)),
      archived === undefined
        ? undefined
        : `Most operations from before ${showLocal(archived)} are in an archive, and are not counted here.`,
    ];
  },
});

function queryOf({ from: given, to: last, group_by: groupBy = 'day' }: Args, ctx: ToolContext): ActivityQuery {
  const to = last ?? utcText(ctx.now()).slice(0, 10);
  const from = given ?? addDays(to, -30);
  assertSpan(from, to, 'to', 366);
  return {
    tenant: ctx.caller.tenant,
    from: Date.parse(`${from}T00:00:00Z`),
    to: Date.parse(`${addDays(to, 1)}T00:00:00Z`),
    groupBy,
    ledgerOf: ctx.caller.id,
    now: ctx.now(),
  };
}

/** A page of the operations behind a number, newest first. */
async function entriesOf(args: Args, measure: Measure, query: ActivityQuery, ctx: ToolContext) {
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
    entries: page.map((operation) => viewEntry(operation, measure)),
    ...(isMore && { next: `${last.createdAt}.${last.id}` }),
  };
}

/** The key of a row; a status also in the words of the text. */
function keyOf({ key, group_by: groupBy }: Args): string | undefined {
  const named = groupBy === 'status' ? Object.entries(STATUS_WORDS).find(([, words]) => words === key) : undefined;
  return named?.[0] ?? key;
}

/** The place of the last operation of a page, as `next` names it. */
function afterOf(next: string): Pick<Operation, 'createdAt' | 'id'> {
  const [, createdAt, id] = /^(\d{1,15})\.(.+)$/.exec(next) ?? [];
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id };
  throw new ClerkError('E_INPUT', 'after: expected the next of an earlier answer. Nothing was looked up.', {
    next: 'Call report_activity again with the next of its last answer, or without after.',
  });
}

function viewEntry(operation: Operation, measure: Measure): Entry {
  const amount = amountIn(operation, measure);
  return omitUndefined({
    operation_id: operation.id,
    tool: operation.tool,
    status: operation.state,
    locator: operation.locator ?? operation.outcome?.locator,
    amount: amount && formatMoney(amount),
    currency: amount?.currency,
    at: utcText(operation.createdAt),
  });
}

function reportLines({ rows = [], rows_left_out: leftOut = 0, totals }: Output, { group_by: by }: Args) {
  if (totals.operations === undefined) return ['No operations on these days.'];
  const label = (key: string) => (by === 'status' ? statusWords(key) : key);
  const aligned = table(
    [...rows.map(({ key, measures }) => [label(key), ...figureCells(measures)]), ['total', ...figureCells(totals)]],
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

function entryLines({ totals, entries = [], next }: Output, { key }: Args, measure: Measure) {
  const of = key === undefined ? '' : ` of ${key}`;
  const figure = figureText(measure, totals[measure]) || figureText(measure, { count: 0 });
  // A measure has a sum, or amounts that are not stated.
  const hasSum = totals[measure]?.sums !== undefined || totals[measure]?.not_stated !== undefined;
  const amountText = ({ currency, amount }: Entry) => (currency ? `${currency} ${amount}` : 'not stated');
  return [
    `${figure}${of}`,
    ...table(
      entries.map((entry) => [
        entry.operation_id,
        entry.tool,
        entry.locator,
        statusWords(entry.status),
        hasSum ? amountText(entry) : undefined,
        entry.at && showLocal(entry.at),
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
function largest(rows: Row[]): Row[] {
  if (rows.length <= MOST_ROWS) return rows;
  const size = ({ measures }: Row) => measures.operations?.count ?? 0;
  const kept = new Set(rows.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_ROWS));
  return rows.filter((row) => kept.has(row));
}
