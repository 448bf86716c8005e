import * as z from 'zod';
import type { Operation } from '../approvals/terms.ts';
import { ClerkError } from '../core/errors.ts';
import { showDeadline, showLocal, zoneOf } from '../core/local-times.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { HOUR_MS, instantOf, showLeft, utcText } from '../core/times.ts';
import { counted } from '../core/words.ts';
import type { DeskEntry, LedgerEntry, LedgerQuery } from '../domain/booking/booking-ledger.ts';
import { BOOKING_STATES } from '../domain/booking/booking-state.ts';
import { type PlaceName, showPlace } from '../domain/booking/place-names.ts';
import {
  type ArgsOf,
  defineTool,
  optionalStrings,
  type ResultOf,
  strings,
  type ToolContext,
} from './definition/define.ts';
import { fanOut } from './definition/fan-out.ts';
import { integer, listOf, locator, text } from './definition/input-fields.ts';
import { readNow } from './definition/record-booking.ts';
import { attention, changedTexts, openFindings, unreadText } from './rules/attention.ts';
import { changeGroups, changeSchema, changeText } from './views/changes.ts';
import { table } from './views/table.ts';

/** Entries that this tool filters and orders; more are not counted. */
const MOST = 1000;
/** Entries shown: without `max_results`, and at most. */
const [USUAL, MOST_SHOWN] = [20, 200];

const input = () => ({
  query: text().optional().describe('locator, contact name or route'),
  state: z.enum(BOOKING_STATES).optional(),
  deadline_within_hours: integer(1, 8760).optional(),
  needs_attention: z.boolean().optional(),
  locators: listOf(locator(), 1, 50).optional().describe('read and list only these'),
  refresh: z.boolean().optional(),
  max_results: integer(1, MOST_SHOWN).optional(),
});

const output = () => ({
  bookings: z.array(
    z.object({
      ...strings('locator', 'state'),
      ...optionalStrings('contact_name', 'route', 'departs', 'total', 'currency'),
      next_deadline: z.object({ ...strings('what', 'at'), in_minutes: z.int().optional() }).optional(),
      seen_at: z.string(),
      ...optionalStrings('needs_attention', 'made_by'),
    }),
  ),
  total_found: z.int(),
  changes: z.array(changeSchema()).optional(),
  not_listed: z.array(z.object(strings('locator', 'why'))).optional(),
});

type ListBookingsArgs = ArgsOf<typeof input>;
type ListedBooking = ResultOf<typeof output>['bookings'][number];

export const listBookings = defineTool({
  name: 'list_bookings',
  title: 'List bookings',
  description:
    'Bookings this server made or read, nearest deadline first, with what needs attention; refresh reads them again.',
  toolset: 'desk',
  example: 'state=held',
  fieldWords: {
    locators: 'also read these bookings',
    max_results: 'most bookings; default 20',
    query: 'part of a locator, contact name or route',
  },
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const failures = new Map<string, string>();
    if (args.locators !== undefined) return listNamed(args, args.locators, ctx, failures);
    let rows = await listed(args, ctx, failures);
    if (args.refresh) {
      await readAll(
        rows.shown.map((row) => row.locator),
        ctx,
        failures,
      );
      rows = await listed(args, ctx, failures);
    }
    return { bookings: rows.shown, total_found: rows.total, ...changesOf(rows, ctx) };
  },

  text({ bookings, total_found: total, changes = [], not_listed: left = [] }, _args, ctx) {
    const count = bookings.length === total ? countText(total) : `${bookings.length} of ${countText(total)}`;
    const whose = ctx.isSupervisor ? ' of the whole desk' : '';
    const order = bookings.length > 1 ? `${whose}, nearest deadline first` : whose;
    const zones = new Set(bookings.map(({ departs }) => (departs === undefined ? 'UTC' : zoneOf(departs))));
    const [zone = ''] = zones.size === 1 ? zones : [];
    // The heading names a zone that all times have.
    const bare = (time: string) => (zone === '' ? time : time.replace(` (${zone})`, ''));
    return [
      `${count}${order}. The airline has no list: only bookings that this server made or read are here.${zone === '' ? '' : ` Times are ${zone === 'UTC' ? 'in UTC' : `local (${zone})`}.`}`,
      ...table(
        bookings.map((row) => [
          row.locator,
          row.state.replace('_', ' '),
          routeWords(row.route, ctx.airline.placeName),
          row.departs === undefined ? '' : bare(showLocal(row.departs)),
          row.total && `${row.currency} ${row.total}`,
          row.contact_name,
          bare(deadlineText(row)),
          row.made_by && `made by ${row.made_by}`,
          row.needs_attention && `ATTENTION: ${row.needs_attention}`,
        ]),
      ),
      ...(changes.length === 0 ? [] : ['Changed by the airline, to be dealt with (then close_findings):']),
      ...changes.map(changeText),
      ...(left.length === 0 ? [] : ['Not listed:', ...left.map(({ locator, why }) => `  ${locator}: ${why}`)]),
    ];
  },
});

function countText(bookings: number): string {
  if (bookings > MOST) return `more than ${MOST} bookings`;
  if (bookings === 0) return 'No bookings';
  return counted(bookings, 'booking');
}

/** `Makkah (QCA) → Madinah (XMD)` for `QCA-XMD`. */
function routeWords(route: string | undefined, placeName: PlaceName | undefined): string | undefined {
  return route?.replace(/[^-, ]+/g, (code) => showPlace(code, placeName)).replaceAll('-', ' → ');
}

const LIMITS: Readonly<Record<string, string>> = {
  pay_by: 'pay by',
  names_until: 'names until',
  cancel_until: 'cancel until',
};

function deadlineText({ next_deadline: next, departs }: ListedBooking): string {
  if (next === undefined) return '';
  const left = next.in_minutes === undefined ? 'passed' : `in ${showLeft(next.in_minutes)}`;
  return `${LIMITS[next.what] ?? next.what} ${showDeadline(next.at, departs)}, ${left}`;
}

interface ReadNow {
  /** As named by the caller; the airline can know a booking by several locators. */
  readonly named: string;
  readonly locator: string;
}

/** Reads bookings into the ledger; `failures` gets the error code of each that cannot be read. */
async function readAll(
  locators: readonly string[],
  ctx: ToolContext,
  failures: Map<string, string>,
): Promise<readonly ReadNow[]> {
  const done = (count: number) => ctx.progress?.(count, locators.length, 'bookings read');
  const results = await fanOut(locators, { width: 4, done }, async (each) => {
    const { locator } = await readNow(each, ctx, { mustRecord: true });
    return locator;
  });
  return locators.map((named, i) => {
    const result = results[i];
    if (result?.status === 'fulfilled') return { named, locator: result.value };
    if (result !== undefined && !(result.reason instanceof ClerkError)) throw result.reason;
    failures.set(named, result?.reason.code ?? 'E_INTERNAL');
    return { named, locator: named };
  });
}

/** Reads the named bookings and lists those that the filters let through. Every other one gets its reason. */
async function listNamed(
  args: ListBookingsArgs,
  locators: readonly string[],
  ctx: ToolContext,
  failures: Map<string, string>,
) {
  const named = await readAll([...new Set(locators)], ctx, failures);
  const own = { locators: named.map(({ locator }) => locator), limit: MOST };
  const known = await ctx.state.ledger.find(ctx.caller, own);
  const rows = await listed({ ...args, max_results: args.max_results ?? named.length }, ctx, failures, own.locators);
  const left = named.flatMap(({ named: name, locator }): { locator: string; why: string }[] => {
    if (rows.shown.some((row) => row.locator === locator)) return [];
    const entry = known.entries.find((one) => one.locator === locator);
    const why = entry === undefined ? whyUnread(failures.get(name)) : whyLeftOut(entry, args, rows.matching, ctx.now());
    return [{ locator: name, why }];
  });
  return {
    bookings: rows.shown,
    total_found: rows.total,
    ...changesOf(rows, ctx),
    ...(left.length > 0 && { not_listed: left }),
  };
}

function whyUnread(failure: string | undefined): string {
  return failure === 'E_NOT_FOUND' ? 'the airline found no booking with this locator' : unreadText(failure ?? '');
}

function whyLeftOut(entry: LedgerEntry, args: ListBookingsArgs, matching: ReadonlySet<string>, now: number): string {
  const { state, deadline_within_hours: hours } = args;
  if (matching.has(entry.locator)) return 'more bookings match than max_results';
  if (state !== undefined && entry.state !== state) return `it is ${entry.state.replace('_', ' ')}`;
  if (hours !== undefined && !isDue(entry, now, hours))
    return `nothing due within ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  if (args.needs_attention !== undefined) return args.needs_attention ? 'needs no attention' : 'needs attention';
  return 'does not match the query';
}

function isDue({ nextDeadline }: LedgerEntry, now: number, hours: number): boolean {
  const at = instantOf(nextDeadline?.at);
  return at !== undefined && at > now && at < now + hours * HOUR_MS;
}

async function listed(
  args: ListBookingsArgs,
  ctx: ToolContext,
  failures: ReadonlyMap<string, string>,
  locators?: readonly string[],
) {
  const { deadline_within_hours: hours, needs_attention: wanted, max_results: most = USUAL } = args;
  const now = ctx.now();
  const query = omitUndefined({
    query: args.query,
    state: args.state,
    deadlineAfter: hours === undefined ? undefined : now,
    deadlineBefore: hours === undefined ? undefined : now + hours * HOUR_MS,
    locators,
    limit: MOST,
  });
  const found = await ctx.state.ledger.find(ctx.caller, query);
  const open = await ctx.state.operations.list({
    tenant: ctx.caller.tenant,
    states: ['intent', 'dispatched', 'in_doubt', 'needs_person'],
    limit: MOST,
  });
  // The newest of each booking.
  const byLocator = new Map(open.toReversed().map((each) => [each.locator ?? each.outcome?.locator, each]));
  const isCut = found.total > MOST;
  // Without a filter that drops some of them, no more of the nearest are needed than are shown. Each size is a statement of
  // its own.
  const shown = most <= USUAL ? USUAL : MOST_SHOWN;
  const limit = wanted === undefined ? shown : MOST;
  const nearest = { ...query, deadlineAfter: now, limit };
  const entries = isCut && hours === undefined ? await withUrgent(found.entries, nearest, open, ctx) : found.entries;
  const findings = await openFindings(
    ctx,
    entries.map(({ locator }) => locator),
  );
  const texts = changedTexts(findings, ctx);
  const rows = entries
    .filter((entry) => hours === undefined || isDue(entry, now, hours))
    .map((entry) => viewEntry(entry, attention(entry, byLocator.get(entry.locator), failures, texts, now), now))
    .filter((row) => wanted === undefined || (row.needs_attention !== undefined) === wanted)
    .map((row) => ({ row, urgency: urgencyOf(row) }))
    .sort((a, b) => a.urgency - b.urgency)
    .map(({ row }) => row);
  const matching = new Set(rows.map(({ locator }) => locator));
  const total = isCut && wanted === undefined ? MOST + 1 : rows.length;
  return { shown: rows.slice(0, most), total, matching, findings };
}

/** Of all bookings that match, also those that are not shown. */
function changesOf({ findings, matching }: Awaited<ReturnType<typeof listed>>, ctx: ToolContext) {
  const changes = changeGroups(
    findings.filter(({ locator }) => matching.has(locator)),
    ctx,
  );
  return changes.length === 0 ? {} : { changes };
}

/** Adds the nearest deadlines, and what is open, to the bookings that were seen last. */
async function withUrgent(
  newest: readonly LedgerEntry[],
  nearest: LedgerQuery & { readonly deadlineAfter: number },
  open: readonly Operation[],
  { state: { ledger, findings }, caller }: ToolContext,
): Promise<readonly LedgerEntry[]> {
  const { deadlineAfter: now, ...query } = nearest;
  const changed = (await findings?.open(caller.tenant, now)) ?? [];
  const locators = [
    ...open.flatMap((each) => each.locator ?? each.outcome?.locator ?? []),
    ...changed.map(({ locator }) => locator),
  ];
  const due = await ledger.find(caller, nearest);
  const unsettled = await ledger.find(caller, { ...query, locators, limit: MOST });
  const all = [...newest, ...due.entries, ...unsettled.entries];
  return [...new Map(all.map((entry) => [entry.locator, entry])).values()];
}

/** Minutes to the deadline; a booking that needs attention without one comes first. */
function urgencyOf({ next_deadline: next, needs_attention: attention }: ListedBooking): number {
  return next?.in_minutes ?? (attention === undefined ? Number.MAX_SAFE_INTEGER : -1);
}

function viewEntry(
  entry: LedgerEntry & Partial<DeskEntry>,
  needsAttention: string | undefined,
  now: number,
): ListedBooking {
  const { nextDeadline: next } = entry;
  const left = ((instantOf(next?.at) ?? 0) - now) / 60_000;
  return omitUndefined({
    locator: entry.locator,
    state: entry.state,
    contact_name: entry.contactName,
    route: entry.route,
    departs: entry.departs,
    total: entry.total,
    currency: entry.currency,
    next_deadline: next && { ...next, ...(left > 0 && { in_minutes: Math.floor(left) }) },
    seen_at: utcText(entry.seenAt),
    needs_attention: needsAttention,
    made_by: entry.madeBy,
  });
}
