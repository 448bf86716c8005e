import * as z from 'zod';
import { ACTIVITY_KEYS, type ActivityRow, type Operation } from '../approvals/terms.ts';
import { addMoney, formatMoney, zero } from '../domain/pricing/money.ts';
import { showLocal } from '../domain/time-and-text/local-times.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { addDays, utcText } from '../domain/time-and-text/times.ts';
import { defineTool, optionalStrings, type ResultOf, strings } from './definition/define.ts';
import { date } from './definition/input-fields.ts';
import { assertSpan } from './definition/service-days.ts';
import { table } from './views/table.ts';

/** Limit when grouped by route or caller; days are limited by the span. */
const MOST_ROWS = 250;
const MOST_OPEN = 100;

const input = () => ({
  from: date().optional().describe('default 30 days back'),
  to: date().optional(),
  group_by: z.enum(ACTIVITY_KEYS).optional(),
});

const sums = () => ({
  operations: z.int(),
  ...strings('paid', 'refunded'),
  refunds_not_stated: z.int().optional(),
  currency: z.string(),
});

const output = () => ({
  rows: z.array(z.object({ key: z.string(), ...sums() })),
  rows_left_out: z.int().optional(),
  totals: z.array(z.object(sums())),
  in_doubt: z.array(
    z.object({ ...strings('operation_id', 'tool', 'status'), ...optionalStrings('locator'), since: z.string() }),
  ),
  in_doubt_total: z.int(),
  archived_before: z.string().optional(),
});

type Output = ResultOf<typeof output>;
type Sums = Output['totals'][number];
type Row = Output['rows'][number];

export const reportActivity = defineTool({
  name: 'report_activity',
  title: 'Report activity',
  description: 'What was sold, paid, refunded, changed or is in doubt, by UTC day.',
  toolset: 'desk',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const to = args.to ?? utcText(ctx.now()).slice(0, 10);
    const from = args.from ?? addDays(to, -30);
    assertSpan(from, to, 'to', 366);
    const { rows, open, openTotal, archivedBefore } = await ctx.state.operations.activity({
      tenant: ctx.caller.tenant,
      from: Date.parse(`${from}T00:00:00Z`),
      to: Date.parse(`${addDays(to, 1)}T00:00:00Z`),
      groupBy: args.group_by ?? 'day',
      ledgerOf: ctx.caller.id,
      mostOpen: MOST_OPEN,
    });
    const fallback = ctx.settings.currency ?? '';
    const all = [...Map.groupBy(rows, ({ key }) => key)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, own]) => sumUp(own, fallback).map((sum) => ({ key, ...sum })));
    const told = args.group_by === undefined || args.group_by === 'day' ? all : largest(all);
    return {
      rows: told,
      ...(told.length < all.length && { rows_left_out: all.length - told.length }),
      totals: sumUp(rows, fallback),
      in_doubt: open.map(viewOpen),
      in_doubt_total: openTotal,
      ...(archivedBefore !== undefined && { archived_before: utcText(archivedBefore) }),
    };
  },

  text(output, { group_by: by }, ctx) {
    const { rows, rows_left_out: leftOut = 0, totals, in_doubt: doubt, in_doubt_total: inDoubt } = output;
    const { archived_before: archived } = output;
    const line = (label: string, row: Sums) => [
      label,
      countOf(row.operations, 'operation'),
      `paid ${row.currency} ${row.paid}`,
      `refunded ${row.currency} ${row.refunded}`,
      row.refunds_not_stated ? `${countOf(row.refunds_not_stated, 'refund')} of unknown amount` : '',
    ];
    const label = (key: string) => (by === 'status' ? statusWords(key) : key);
    const [lines, sumLines] = [rows.map((row) => line(label(row.key), row)), totals.map((row) => line('total', row))];
    const aligned = table([...lines, ...sumLines], '');
    return [
      ctx?.wholeDesk ? 'The whole desk: operations of all callers.' : undefined,
      ...aligned.slice(0, lines.length),
      leftOut > 0 ? `${countOf(leftOut, 'row')} with fewer operations not listed; the total includes them.` : undefined,
      ...aligned.slice(lines.length),
      totals.length === 0 ? 'No operations on these days.' : undefined,
      archived !== undefined
        ? `Most operations from before ${showLocal(archived)} are in an archive, and are not counted here.`
        : undefined,
      inDoubt > 0 ? 'Outcome not known; a person must check:' : undefined,
      ...table(
        doubt.map((each) => [
          each.operation_id,
          each.tool,
          each.locator,
          statusWords(each.status),
          `since ${showLocal(each.since)}`,
        ]),
      ),
      inDoubt > doubt.length ? `${inDoubt - doubt.length} older not listed; ${inDoubt} in all.` : undefined,
    ];
  },
});

const STATUS_WORDS: Partial<Record<string, string>> = {
  intent: 'not sent yet',
  dispatched: 'sent, no answer yet',
  in_doubt: 'outcome not known',
  succeeded: 'done',
  not_executed: 'not carried out',
  needs_person: 'needs a person',
  resolved: 'closed by a person',
} satisfies Partial<Record<Operation['state'], string>>;

const statusWords = (state: string): string => STATUS_WORDS[state] ?? state.replaceAll('_', ' ');

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

function largest(rows: Row[]): Row[] {
  if (rows.length <= MOST_ROWS) return rows;
  const kept = new Set(rows.toSorted((a, b) => b.operations - a.operations).slice(0, MOST_ROWS));
  return rows.filter((row) => kept.has(row));
}

function viewOpen(operation: Operation): Output['in_doubt'][number] {
  return omitUndefined({
    operation_id: operation.id,
    tool: operation.tool,
    status: operation.state,
    locator: operation.locator ?? operation.outcome?.locator,
    since: utcText(operation.createdAt),
  });
}

/** One sum per currency. Counts unstated refunds. Operations without money count in the first currency. */
function sumUp(rows: readonly ActivityRow[], fallback: string): Sums[] {
  if (rows.length === 0) return [];
  const currencies = currenciesOf(rows, fallback);
  const [first] = currencies;
  return currencies.map((currency) => {
    const own = rows.filter((row) => (row.currency ?? first) === currency);
    const sum = (field: 'paid' | 'refunded'): string => {
      const same = rows.flatMap((row) => (row[field]?.currency === currency ? row[field] : []));
      return formatMoney(addMoney(zero(currency), ...same));
    };
    const count = (field: 'operations' | 'unstated') => own.reduce((all, row) => all + row[field], 0);
    return omitUndefined({
      operations: count('operations'),
      paid: sum('paid'),
      refunded: sum('refunded'),
      refunds_not_stated: count('unstated') || undefined,
      currency,
    });
  });
}

/** Currency of the newest operation first, then of other money that moved; else `fallback`. */
function currenciesOf(rows: readonly ActivityRow[], fallback: string): string[] {
  const newest = new Map<string, number>();
  for (const { currency, newest: at } of rows) {
    if (currency !== undefined) newest.set(currency, Math.max(at, newest.get(currency) ?? 0));
  }
  const own = [...newest]
    .sort(([a, at], [b, bt]) => bt - at || Number(b === fallback) - Number(a === fallback) || (a < b ? -1 : 1))
    .map(([currency]) => currency);
  const others = rows
    .flatMap(({ paid, refunded }) => [paid, refunded].flatMap((money) => money?.currency ?? []))
    .sort();
  const found = [...new Set([...own, ...others])];
  return found.length > 0 ? found : [fallback];
}
