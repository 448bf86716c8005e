import * as z from 'zod';
import type { Operation } from '../approvals/terms.ts';
import type { LedgerEntry } from '../domain/booking/booking-ledger.ts';
import { BOOKING_STATES } from '../domain/booking/booking-state.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { instantOf, utcText } from '../domain/time-and-text/times.ts';
import { ClerkError } from '../errors.ts';
import { readNow } from './definition/cancel.ts';
import { defineTool, once, type ToolContext } from './definition/define.ts';
import { fanOut } from './definition/fan-out.ts';
import { listOf, locator, text, whole } from './definition/input-fields.ts';
import { recordBooking } from './definition/record-booking.ts';
import { table } from './views/table.ts';
import { showTime } from './views/times.ts';

const HOUR_MS = 3_600_000;
/** Entries looked through where the filter is ours, not the store's. */
const MOST = 1000;

const input = once(() =>
  z.strictObject({
    query: text().optional().describe('locator, contact name or route'),
    state: z.enum(BOOKING_STATES).optional(),
    deadline_within_hours: whole(1, 8760).optional(),
    needs_attention: z.boolean().optional(),
    locators: listOf(locator(), 1, 50).optional().describe('also read these'),
    refresh: z.boolean().optional(),
    max_results: whole(1, 200).optional(),
  }),
);

const output = once(() =>
  z.object({
    bookings: z.array(
      z.object({
        locator: z.string(),
        state: z.string(),
        contact_name: z.string().optional(),
        route: z.string().optional(),
        departs: z.string().optional(),
        total: z.string().optional(),
        currency: z.string().optional(),
        next_deadline: z.object({ what: z.string(), at: z.string() }).optional(),
        seen_at: z.string(),
        needs_attention: z.string().optional(),
      }),
    ),
    total_found: z.int(),
  }),
);

type Args = z.output<ReturnType<typeof input>>;
type Row = z.input<ReturnType<typeof output>>['bookings'][number];

export const listBookings = defineTool({
  name: 'list_bookings',
  title: 'List bookings',
  description:
    'Bookings this server made or read, from its own ledger, with what needs attention; refresh reads again.',
  toolset: 'desk',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const failures = new Map<string, string>();
    if (args.locators) await readAll(args.locators, ctx, failures);
    let rows = await listed(args, ctx, failures);
    if (args.refresh) {
      const again = rows.shown.map((row) => row.locator).filter((each) => !args.locators?.includes(each));
      await readAll(again, ctx, failures);
      rows = await listed(args, ctx, failures);
    }
    const unread = unreadRows(args.locators ?? [], rows.shown, failures, ctx.now());
    return { bookings: [...rows.shown, ...unread], total_found: rows.total + unread.length };
  },

  text({ bookings, total_found: total }) {
    return [
      `${bookings.length} of ${total} bookings this server made or read. The airline has no list call: others are not here.`,
      ...table(
        bookings.map((row) => [
          row.locator,
          row.state,
          row.route ?? '',
          row.departs === undefined ? '' : showTime(row.departs),
          row.total === undefined ? '' : `${row.currency} ${row.total}`,
          row.contact_name ?? '',
          row.next_deadline === undefined ? '' : `${row.next_deadline.what} ${row.next_deadline.at}`,
          row.needs_attention === undefined ? '' : `ATTENTION: ${row.needs_attention}`,
        ]),
      ),
    ].join('\n');
  },
});

/** Asked for by name, not to be read and never seen: told, not dropped. */
function unreadRows(
  locators: readonly string[],
  shown: readonly Row[],
  failures: ReadonlyMap<string, string>,
  now: number,
): readonly Row[] {
  return [...new Set(locators)].flatMap((locator) => {
    const failure = failures.get(locator);
    if (failure === undefined || shown.some((row) => row.locator === locator)) return [];
    const needs_attention = `could not be read now (${failure})`;
    return [{ locator, state: 'unknown', seen_at: utcText(now), needs_attention }];
  });
}

/** Reads into the ledger; one that cannot be read is told in its row, not as the end of all. */
async function readAll(locators: readonly string[], ctx: ToolContext, failures: Map<string, string>): Promise<void> {
  const done = (count: number) => ctx.progress?.(count, locators.length, 'bookings read');
  const results = await fanOut(locators, { width: 4, done }, async (each) => {
    await recordBooking(ctx, await readNow(each, ctx), false);
  });
  for (const [i, result] of results.entries()) {
    if (result?.status !== 'rejected') continue;
    if (!(result.reason instanceof ClerkError)) throw result.reason;
    failures.set(locators[i] ?? '', result.reason.code);
  }
}

async function listed(args: Args, ctx: ToolContext, failures: ReadonlyMap<string, string>) {
  const most = args.max_results ?? 20;
  const found = await ctx.state.ledger.find(
    ctx.caller,
    omitUndefined({
      query: args.query,
      state: args.state,
      deadlineBefore:
        args.deadline_within_hours === undefined ? undefined : ctx.now() + args.deadline_within_hours * HOUR_MS,
      limit: args.needs_attention || args.deadline_within_hours ? MOST : most,
    }),
  );
  const open = await ctx.state.operations.list({
    tenant: ctx.caller.tenant,
    states: ['intent', 'dispatched', 'in_doubt', 'needs_person'],
    limit: MOST,
  });
  const rows = found.entries
    .filter((entry) => args.deadline_within_hours === undefined || isAhead(entry, ctx.now()))
    .map((entry) => viewEntry(entry, attention(entry, open, failures, ctx.now())));
  const wanted = args.needs_attention === undefined ? rows : rows.filter((r) => isWanted(r, args.needs_attention));
  const filtered = args.needs_attention !== undefined || args.deadline_within_hours !== undefined;
  return { shown: wanted.slice(0, most), total: filtered ? wanted.length : found.total };
}

const isWanted = (row: Row, attentionWanted: boolean | undefined) =>
  (row.needs_attention !== undefined) === attentionWanted;

function isAhead(entry: LedgerEntry, now: number): boolean {
  return (instantOf(entry.nextDeadline?.at) ?? 0) > now;
}

/** Why a person should look at a booking, the gravest first. */
function attention(
  entry: LedgerEntry,
  open: readonly Operation[],
  failures: ReadonlyMap<string, string>,
  now: number,
): string | undefined {
  const operation = open.find((each) => (each.locator ?? each.outcome?.locator) === entry.locator);
  if (operation?.state === 'needs_person') return `a person must check ${operation.tool}`;
  if (operation !== undefined) return `the outcome of ${operation.tool} is not known yet`;
  const failure = failures.get(entry.locator);
  if (failure !== undefined) return `could not be read now (${failure})`;
  if (entry.state !== 'held' || entry.nextDeadline?.what !== 'pay_by') return undefined;
  const at = instantOf(entry.nextDeadline.at);
  if (at === undefined || at > now + HOUR_MS) return undefined;
  return at <= now ? 'pay_by has passed since it was seen' : 'unpaid, and pay_by is within the hour';
}

function viewEntry(entry: LedgerEntry, needsAttention: string | undefined): Row {
  return omitUndefined({
    locator: entry.locator,
    state: entry.state,
    contact_name: entry.contactName,
    route: entry.route,
    departs: entry.departs,
    total: entry.total,
    currency: entry.currency,
    next_deadline: entry.nextDeadline && { ...entry.nextDeadline },
    seen_at: utcText(entry.seenAt),
    needs_attention: needsAttention,
  });
}
