import * as z from 'zod';
import type { Operation } from '../approvals/terms.ts';
import type { LedgerEntry } from '../domain/booking/booking-ledger.ts';
import { BOOKING_STATES } from '../domain/booking/booking-state.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { instantOf, utcText } from '../domain/time-and-text/times.ts';
import { ClerkError } from '../errors.ts';
import {
  type ArgsOf,
  defineTool,
  optionalStrings,
  type ResultOf,
  strings,
  type ToolContext,
} from './definition/define.ts';
import { fanOut } from './definition/fan-out.ts';
import { listOf, locator, text, whole } from './definition/input-fields.ts';
import { readNow, recordBooking } from './definition/record-booking.ts';
import { table } from './views/table.ts';
import { showTime } from './views/times.ts';

const HOUR_MS = 3_600_000;
/** Entries read if this tool filters instead of the store. */
const MOST = 1000;

const input = () => ({
  query: text().optional().describe('locator, contact name or route'),
  state: z.enum(BOOKING_STATES).optional(),
  deadline_within_hours: whole(1, 8760).optional(),
  needs_attention: z.boolean().optional(),
  locators: listOf(locator(), 1, 50).optional().describe('also read these'),
  refresh: z.boolean().optional(),
  max_results: whole(1, 200).optional(),
});

const output = () => ({
  bookings: z.array(
    z.object({
      ...strings('locator', 'state'),
      ...optionalStrings('contact_name', 'route', 'departs', 'total', 'currency'),
      next_deadline: z.object(strings('what', 'at')).optional(),
      seen_at: z.string(),
      ...optionalStrings('needs_attention'),
    }),
  ),
  total_found: z.int(),
});

type Args = ArgsOf<typeof input>;
type Row = ResultOf<typeof output>['bookings'][number];

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
    const { locators = [] } = args;
    await readAll(locators, ctx, failures);
    let rows = await listed(args, ctx, failures);
    if (args.refresh) {
      const again = rows.shown.map((row) => row.locator).filter((each) => !locators.includes(each));
      await readAll(again, ctx, failures);
      rows = await listed(args, ctx, failures);
    }
    const missing = [...new Set(locators)].filter((each) => !rows.shown.some(({ locator }) => locator === each));
    const unread = missing.flatMap((locator): Row[] => {
      const failure = failures.get(locator);
      if (failure === undefined) return [];
      return [{ locator, state: 'unknown', seen_at: utcText(ctx.now()), needs_attention: unreadText(failure) }];
    });
    return { bookings: [...rows.shown, ...unread], total_found: rows.total + unread.length };
  },

  text: ({ bookings, total_found: total }) => [
    `${bookings.length} of ${total} bookings this server made or read. The airline has no list call: others are not here.`,
    ...table(
      bookings.map((row) => [
        row.locator,
        row.state,
        row.route,
        row.departs === undefined ? '' : showTime(row.departs),
        row.total && `${row.currency} ${row.total}`,
        row.contact_name,
        row.next_deadline && `${row.next_deadline.what} ${row.next_deadline.at}`,
        row.needs_attention && `ATTENTION: ${row.needs_attention}`,
      ]),
    ),
  ],
});

/** Reads bookings into the ledger; `failures` gets the error code of each that cannot be read. */
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
  const { deadline_within_hours: hours, needs_attention: wanted, max_results: most = 20 } = args;
  const now = ctx.now();
  const query = omitUndefined({
    query: args.query,
    state: args.state,
    deadlineBefore: hours === undefined ? undefined : now + hours * HOUR_MS,
    limit: wanted || hours ? MOST : most,
  });
  const found = await ctx.state.ledger.find(ctx.caller, query);
  const open = await ctx.state.operations.list({
    tenant: ctx.caller.tenant,
    states: ['intent', 'dispatched', 'in_doubt', 'needs_person'],
    limit: MOST,
  });
  const rows = found.entries
    .filter((entry) => hours === undefined || (instantOf(entry.nextDeadline?.at) ?? 0) > now)
    .map((entry) => viewEntry(entry, attention(entry, open, failures, now)))
    .filter((row) => wanted === undefined || (row.needs_attention !== undefined) === wanted);
  const isFiltered = wanted !== undefined || hours !== undefined;
  return { shown: rows.slice(0, most), total: isFiltered ? rows.length : found.total };
}

const unreadText = (failure: string) => `could not be read now (${failure})`;

/** The most serious reason why a person should look at a booking. */
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
  if (failure !== undefined) return unreadText(failure);
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
