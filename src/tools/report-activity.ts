import * as z from 'zod';
import { addMoney, formatMoney, type Money, zero } from '../domain/money.ts';
import { present } from '../domain/present.ts';
import { addDays, utcText } from '../domain/times.ts';
import type { Operation } from '../guard/terms.ts';
import { defineTool, once, type ToolContext } from './define.ts';
import { date } from './params.ts';
import { moved } from './views/moved.ts';
import { table } from './views/table.ts';
import { assertSpan } from './window.ts';

/** Operations looked through in one report. */
const MOST = 10_000;

const GROUPS = ['day', 'route', 'tool', 'status', 'caller'] as const;
type Group = (typeof GROUPS)[number];

const input = once(() =>
  z.strictObject({
    from: date().optional().describe('UTC; default 30 days back'),
    to: date().optional(),
    group_by: z.enum(GROUPS).optional(),
  }),
);

const sums = () => ({
  operations: z.int(),
  paid: z.string(),
  refunded: z.string(),
  refunds_not_stated: z.int().optional(),
  currency: z.string(),
});

const output = once(() =>
  z.object({
    rows: z.array(z.object({ key: z.string(), ...sums() })),
    totals: z.array(z.object(sums())),
    in_doubt: z.array(
      z.object({
        operation_id: z.string(),
        tool: z.string(),
        status: z.string(),
        locator: z.string().optional(),
        since: z.string(),
      }),
    ),
  }),
);

type Output = z.input<ReturnType<typeof output>>;
type Sums = Output['totals'][number];

export const reportActivity = defineTool({
  name: 'report_activity',
  title: 'Report activity',
  description: 'What was sold, paid, refunded, changed, refused and is in doubt, from the journal, by UTC day.',
  toolset: 'desk',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const today = utcText(ctx.now()).slice(0, 10);
    const to = args.to ?? today;
    const from = args.from ?? addDays(to, -30);
    assertSpan(from, to, 'to', 366);
    const operations = await ctx.state.operations.list({
      tenant: ctx.caller.tenant,
      from: Date.parse(`${from}T00:00:00Z`),
      to: Date.parse(`${addDays(to, 1)}T00:00:00Z`),
      limit: MOST,
    });
    const key = await keys(args.group_by ?? 'day', operations, ctx);
    const fallback = ctx.settings.currency ?? '';
    return {
      rows: [...Map.groupBy(operations, key)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, own]) => sumUp(own, fallback).map((sum) => ({ key: name, ...sum }))),
      totals: sumUp(operations, fallback),
      in_doubt: operations.filter(isOpen).map(viewOpen),
    };
  },

  text({ rows, totals, in_doubt: doubt }) {
    const line = (label: string, row: Sums) => [
      label,
      `${row.operations} operations`,
      `paid ${row.currency} ${row.paid}`,
      `refunded ${row.currency} ${row.refunded}`,
      row.refunds_not_stated ? `${row.refunds_not_stated} refunds not stated` : '',
    ];
    return [
      ...table([...rows.map((row) => line(row.key, row)), ...totals.map((row) => line('total', row))], ''),
      ...(totals.length === 0 ? ['Nothing was done in this time.'] : []),
      ...(doubt.length > 0 ? ['In doubt, for a person to check:'] : []),
      ...table(doubt.map((each) => [each.operation_id, each.tool, each.locator ?? '', each.status, each.since])),
    ].join('\n');
  },
});

/** What a row is about. Routes are looked up in the caller's ledger; the journal holds none. */
async function keys(
  group: Group,
  operations: readonly Operation[],
  ctx: ToolContext,
): Promise<(operation: Operation) => string> {
  if (group === 'tool') return (operation) => operation.tool;
  if (group === 'status') return (operation) => operation.state;
  if (group === 'caller') return (operation) => operation.caller;
  if (group === 'day') return (operation) => utcText(operation.createdAt).slice(0, 10);
  const locators = [...new Set(operations.flatMap((operation) => locatorOf(operation) ?? []))];
  const { entries } = await ctx.state.ledger.find(ctx.caller, { locators, limit: MOST });
  const routes = new Map(entries.map((entry) => [entry.locator, entry.route]));
  return (operation) => routes.get(locatorOf(operation) ?? '') ?? 'unknown';
}

const locatorOf = (operation: Operation) => operation.locator ?? operation.outcome?.locator;

const isOpen = ({ state }: Operation) =>
  state === 'intent' || state === 'dispatched' || state === 'in_doubt' || state === 'needs_person';

function viewOpen(operation: Operation): Output['in_doubt'][number] {
  return present({
    operation_id: operation.id,
    tool: operation.tool,
    status: operation.state,
    locator: locatorOf(operation),
    since: utcText(operation.createdAt),
  });
}

/**
 * One sum for each currency: two are never added. A refund the airline did not state is counted, not guessed. Operations
 * that move no money count with the first.
 */
function sumUp(operations: readonly Operation[], fallback: string): Sums[] {
  const currencies = [...new Set(operations.map((operation) => operation.amount?.currency ?? ''))].filter(Boolean);
  if (operations.length === 0) return [];
  const [first = fallback] = currencies;
  return (currencies.length > 0 ? currencies : [first]).map((currency) => {
    const own = operations.filter((operation) => (operation.amount?.currency ?? first) === currency);
    const all = own.map(moved);
    const sum = (amounts: readonly Money[]) =>
      formatMoney(addMoney(zero(currency), ...amounts.filter((amount) => amount.currency === currency)));
    const unstated = all.filter((each) => each.unstated).length;
    return present({
      operations: own.length,
      paid: sum(all.flatMap(({ paid }) => paid ?? [])),
      refunded: sum(all.flatMap(({ refunded }) => refunded ?? [])),
      refunds_not_stated: unstated === 0 ? undefined : unstated,
      currency,
    });
  });
}
