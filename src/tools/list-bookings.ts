/** The tool that lists the bookings made or read here, as the ledger has them, with what needs attention. */
import * as z from 'zod';
import { fanOut } from '../core/at-once.ts';
import { quoted } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { showAmount, withThousands } from '../core/money.ts';
import { own } from '../core/own.ts';
import {
  HOUR_MS,
  instantOf,
  localMinute,
  MINUTE_MS,
  showDeadline,
  showLeft,
  showLocal,
  utcText,
  zoneOf,
} from '../core/times.ts';
import { counted, listed as inWords, table } from '../core/words.ts';
import type { DeskEntry, LedgerEntry, LedgerQuery } from '../domain/booking/booking-ledger.ts';
import { hasPassed, SHOWN_STATES, shownState } from '../domain/booking/booking-state.ts';
import { namedPlaces, showPlace } from '../domain/booking/stations.ts';
import { countType } from '../domain/booking/status-codes.ts';
import { foldName } from '../domain/people/identity-text.ts';
import { locatorOf, OPEN_STATES, type Operation } from '../journal/operation.ts';
import { type ArgsOf, defineTool, type ResultOf, type ToolContext } from './definition/define.ts';
import {
  listedWithoutShape,
  noted,
  optionalStrings,
  optionalTexts,
  strings,
  unlisted,
  usual,
} from './definition/field-notes.ts';
import { date, integer, listOf, locator, text } from './definition/input-fields.ts';
import { findLeg, legWords, nearestName, SECOND_FACT, searched, wantedLegs } from './rules/booking-query.ts';
import {
  attention,
  changeGroups,
  changeSchema,
  changeText,
  DEADLINE_WORDS,
  openFindings,
  unreadText,
} from './steps/findings.ts';
import { readNow } from './steps/record-booking.ts';
import { placesSchema } from './views/places.ts';

/** Entries that this tool filters and orders; more are not counted. */
const MOST = 1000;
/** Entries shown: without `max_results`, and at most. */
const [USUAL_SHOWN, MOST_SHOWN] = [20, 200];
/** Travellers of a booking that are named. */
const MOST_NAMED = 5;

const input = () => ({
  query: noted(
    'Part of a {}, or several of them. Surnames: of the contact or a traveller; `Haddad L` finds the initial too.',
    text().optional().describe('locator, surname, route, day'),
    'all',
  ),
  departs_from: noted(
    'First day, in the local time of the station. {}, unless it is cancelled; the nearest departure is first then.',
    date().optional().describe('any leg counts'),
    'all',
  ),
  departs_to: noted('Last day, included.', date().optional(), 'all'),
  train: noted(
    'Only bookings with a leg on this train or flight, on these days: {}.',
    text(12).optional().describe('HHR101 or 101'),
    'all',
  ),
  state: noted('Only bookings in this state.', z.enum(SHOWN_STATES).optional(), 'all'),
  deadline_within_hours: noted('Only bookings with a deadline in the next hours.', integer(1, 8760).optional(), 'all'),
  needs_attention: noted(
    '`true`: only bookings that a person should look at; `false`: only the others.',
    z.boolean().optional(),
    'all',
  ),
  locators: noted('{}.', listOf(locator(), 1, 50).optional().describe('read and list only these')),
  refresh: noted('Reads each listed booking again at the airline.', z.boolean().optional(), '`false`'),
  max_results: noted('Most bookings in the answer.', integer(1, MOST_SHOWN).optional(), `${USUAL_SHOWN}`),
});

const deadline = () =>
  z.object({
    ...strings({ what: 'which one', at: 'when' }),
    passed: noted('it was over when the list was made', z.literal(true).optional()),
  });

const row = () =>
  z.object({
    ...strings(usual('locator', 'state')),
    ...optionalStrings({
      contact_name: 'name of the contact',
    }),
    passengers: noted('how many travel', z.int().optional()),
    ...unlisted({
      ...optionalStrings({ passenger_types: 'how many of each type, where not all are adults' }),
      unnamed: noted('how many of them have no name yet', z.int().optional()),
    }),
    travelers: optionalTexts(`surname and initial of each; of more than ${MOST_NAMED} the first, and how many more`),
    ...optionalStrings({
      route: 'first and last station',
      departs: 'the next departure, or the one that was asked for; the last one of a trip that is over',
    }),
    ...unlisted(optionalStrings({ last_departs: 'the last departure, where it is another one' })),
    ...optionalStrings({
      ...usual('class', 'total'),
      paid: 'what was paid, where anything is known to be; with its currency, if the total has another one',
      currency: 'of its total, where others have another one',
    }),
    next_deadline: listedWithoutShape(noted('the nearest time limit', deadline().optional())),
    ...optionalStrings({ seen_at: 'when the airline last showed it, where others were read at another time' }),
    ...unlisted(optionalStrings({ made_by: 'for supervisors: the caller who made it' })),
    needs_attention: optionalTexts('why a person should look at it'),
  });

const output = () => ({
  ...optionalStrings({
    currency: 'of every total, where all have the same',
    seen_at: 'of every booking, where all were read in the same minute',
  }),
  places: placesSchema(),
  bookings: noted('one entry for each booking', z.array(row())),
  total_found: noted(`how many there are; ${MOST + 1}: more than ${MOST}, which are not counted`, z.int()),
  changes: noted('what the airline changed and nobody has dealt with, by train', z.array(changeSchema()).optional()),
  not_listed: noted(
    'named locators that are not in the list, and why',
    listedWithoutShape(z.array(z.object(strings(usual('locator', 'why')))).optional()),
  ),
});

type ListBookingsArgs = ArgsOf<typeof input>;
type ListBookingsResult = ResultOf<typeof output>;
type ListedBooking = ListBookingsResult['bookings'][number];

export const listBookings = defineTool({
  name: 'list_bookings',
  title: 'List bookings',
  description: 'Bookings made or read here, nearest deadline first, with what needs attention.',
  toolset: 'desk',
  example: 'state=held',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const failures = new Map<string, string>();
    if (args.locators !== undefined) return listNamed(args, args.locators, ctx, failures);
    let found = await listed(args, ctx, failures);
    if (args.refresh) {
      await readAll(
        found.shown.map(({ row }) => row.locator),
        ctx,
        failures,
      );
      found = await listed(args, ctx, failures);
    }
    return listResult(found, ctx);
  },

  text({ currency, places = {}, bookings, changes = [], not_listed: left = [] }) {
    const zones = new Set(bookings.map(({ departs }) => (departs === undefined ? 'UTC' : zoneOf(departs))));
    const [zone = ''] = zones.size === 1 ? zones : [];
    // Where all times are of one zone, the heading names it, and the times do not.
    const bare = (time: string) => (zone === '' ? time : time.replace(` (${zone})`, ''));
    return [
      zone === '' ? undefined : `Times are ${zone === 'UTC' ? 'in UTC' : `local (${zone})`}.`,
      ...table(
        bookings.map((row) => [
          row.locator,
          row.state.replace('_', ' '),
          routeWords(row.route, places),
          departureText(row, bare),
          row.class && `class ${row.class}`,
          moneyText(row, row.currency ?? currency),
          row.contact_name,
          headsText(row),
          row.travelers && `for ${row.travelers.join(', ')}`,
          row.next_deadline && bare(deadlineText(row.next_deadline)),
          row.made_by && `made by ${row.made_by}`,
          row.needs_attention && `ATTENTION: ${row.needs_attention.join('; ')}`,
        ]),
      ),
      ...(changes.length === 0 ? [] : ['Changed by the airline:']),
      ...changes.map(changeText),
      ...(left.length === 0 ? [] : ['Not listed:', ...left.map(({ locator, why }) => `  ${locator}: ${why}`)]),
    ];
  },
});

function listResult(found: FoundBookings, ctx: ToolContext, left: ListBookingsResult['not_listed'] = []) {
  const rows = found.shown.map(({ row }) => row);
  const changes = changeGroups(
    found.findings.filter(({ locator }) => found.matching.has(locator)),
    ctx,
  );
  const places = namedPlaces(
    rows.flatMap(({ route = '' }) => route.split(/[-, ]+/)),
    ctx.airline.placeName,
  );
  const shared = { currency: sharedBy(rows, 'currency'), seen_at: sharedBy(rows, 'seen_at') };
  return {
    summary: summaryText(found, ctx),
    next: nextSteps(found, changes.length > 0),
    ...shared,
    places,
    bookings: rows.map(({ currency, seen_at, ...row }) => ({
      ...row,
      currency: shared.currency === undefined ? currency : undefined,
      seen_at: shared.seen_at === undefined ? seen_at : undefined,
    })),
    total_found: found.total,
    changes: changes.length === 0 ? undefined : changes,
    not_listed: left.length === 0 ? undefined : [...left],
  };
}

/** The value that all rows share, of those that have one at all; undefined if there are several. */
function sharedBy(rows: readonly ListedBooking[], field: 'currency' | 'seen_at'): string | undefined {
  const all = new Set(rows.flatMap((row) => row[field] ?? []));
  return all.size === 1 ? [...all][0] : undefined;
}

function summaryText(found: FoundBookings, { isSupervisor }: ToolContext): string {
  const list = found.none ?? strangersText(found) ?? listText(found, isSupervisor);
  const { lost } = found;
  return lost === 0 ? list : `${list} ${counted(lost, 'hold')} got no answer: a person must ask the airline.`;
}

function listText(
  { shown, total, attended, nearest, order: by, heads: all }: FoundBookings,
  isSupervisor: true | undefined,
): string {
  const count = shown.length === total ? bookingsInWords(total) : `${shown.length} of ${bookingsInWords(total)}`;
  const whose = isSupervisor ? 'of the whole desk' : 'made or read here';
  const order = shown.length > 1 ? `, ${by}` : '';
  const people = all === undefined || total > MOST ? '' : `; ${all}`;
  const due = nearest === undefined ? '' : `; next time limit: ${nearest}`;
  const attention = attended === 1 ? '1 needs attention' : `${attended} need attention`;
  return `${count} ${whose} (the airline has no list)${order}${people}${due}${attended === 0 ? '' : `; ${attention}`}.`;
}

function strangersText({ strangers, shown }: FoundBookings): string | undefined {
  if (strangers === 0) return undefined;
  const others = shown.length === 0 ? '' : ` ${counted(shown.length, 'other booking')} found.`;
  return `${strangers} bookings of several customers have this name; none of them is shown.${others}`;
}

/** A hold without an answer cannot be looked for: the airline shows a booking by its locator, which only the answer names. */
const LOST_HOLDS =
  'Holds without an answer: do not book again; a person asks the airline once for all of them, by flight and name.';

function nextSteps({ oldest, lost, strangers, isQueryCut }: FoundBookings, isChanged: boolean): string | undefined {
  const steps = [
    isQueryCut
      ? `Only the ${MOST} bookings seen last were compared with all words of the query: an older one is found by its locator, a date or one name alone.`
      : undefined,
    lost === 0 ? undefined : LOST_HOLDS,
    strangers > 0 ? SECOND_FACT : undefined,
    isChanged ? 'Tell the person what the airline changed. Once it is dealt with, call close_findings.' : undefined,
    oldest && `The oldest row is of ${showDeadline(oldest, oldest)}; refresh: true reads the bookings again.`,
  ];
  return steps.filter(Boolean).join(' ') || undefined;
}

function bookingsInWords(bookings: number): string {
  if (bookings > MOST) return `more than ${MOST} bookings`;
  if (bookings === 0) return 'No bookings';
  return counted(bookings, 'booking');
}

/** `Makkah (QCA) → Madinah (XMD)` for `QCA-XMD`. */
function routeWords(route: string | undefined, places: Readonly<Record<string, string>>): string | undefined {
  const names = new Map(Object.entries(places));
  return route?.replace(/[^-, ]+/g, (code) => showPlace(code, (name) => names.get(name))).replaceAll('-', ' → ');
}

/** `SAR 690.00, paid`; an amount only if another one was paid. */
function moneyText({ total, paid }: ListedBooking, currency = ''): string {
  const price = total === undefined ? [] : [showAmount(total, currency)];
  const payment = paid === undefined ? [] : [paid === total ? 'paid' : `paid ${withThousands(paid)}`];
  return [...price, ...payment].join(', ');
}

/** `3 passengers`, `2 adults, 1 child, 3 not named yet`. */
function headsText({ passengers, passenger_types: types, unnamed }: ListedBooking): string {
  if (passengers === undefined) return '';
  return [types ?? counted(passengers, 'passenger'), unnamed && `${unnamed} not named yet`].filter(Boolean).join(', ');
}

/** `Tue 1 Dec 08:00, last Sat 5 Dec 18:00`. */
function departureText({ departs, last_departs: last }: ListedBooking, bare: (time: string) => string): string {
  if (departs === undefined) return '';
  return [bare(showLocal(departs)), last && `last ${bare(showLocal(last))}`].filter(Boolean).join(', ');
}

function deadlineText({ what, at, passed }: NonNullable<ListedBooking['next_deadline']>): string {
  return `${own(DEADLINE_WORDS, what) ?? what} ${showLocal(at)}${passed ? ', passed' : ''}`;
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
  const query = { locators: named.map(({ locator }) => locator), limit: MOST };
  const known = await ctx.state.ledger.find(ctx.caller, query);
  const found = await listed({ ...args, max_results: args.max_results ?? named.length }, ctx, failures, query.locators);
  const left = named.flatMap(({ named: name, locator }): { locator: string; why: string }[] => {
    if (found.shown.some(({ row }) => row.locator === locator)) return [];
    const entry = known.entries.find((each) => each.locator === locator);
    const why =
      entry === undefined ? whyUnread(failures.get(name)) : whyLeftOut(entry, args, found.matching, ctx.now());
    return [{ locator: name, why }];
  });
  return listResult(found, ctx, left);
}

function whyUnread(failure: string | undefined): string {
  return failure === 'E_NOT_FOUND' ? 'the airline found no booking with this locator' : unreadText(failure ?? '');
}

function whyLeftOut(entry: LedgerEntry, args: ListBookingsArgs, matching: ReadonlySet<string>, now: number): string {
  const { state, deadline_within_hours: hours } = args;
  if (matching.has(entry.locator)) return 'more bookings match than max_results';
  const shown = shownState(entry.state, entry.runsUntil, now);
  if (state !== undefined && shown !== state) return `it is ${shown.replace('_', ' ')}`;
  const legs = wantedLegs(args);
  if (legs !== undefined && findLeg(entry, legs, state) === undefined) return `no leg ${legWords(args)}`;
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
  const { deadline_within_hours: hours, needs_attention: wanted, max_results: most = USUAL_SHOWN } = args;
  const now = ctx.now();
  const legs = wantedLegs(args);
  const query = {
    leg: legs?.query,
    deadlineAfter: hours === undefined ? undefined : now,
    deadlineBefore: hours === undefined ? undefined : now + hours * HOUR_MS,
    locators,
    limit: MOST,
  };
  const find = (ledgerQuery: LedgerQuery) => findInState(ledgerQuery, args.state, ctx);
  const found = await searched(args.query, query, find, ctx);
  const open = await ctx.state.operations.list({
    tenant: ctx.caller.tenant,
    states: OPEN_STATES,
    limit: MOST,
  });
  // The newest operation of each booking: of several with one key, a map keeps the last.
  const byLocator = new Map(open.toReversed().map((each) => [each.locator ?? each.outcome?.locator, each]));
  const isCut = found.total > MOST;
  // Without a filter that drops some of them, no more of the nearest are needed than are shown. Each size is a statement of
  // its own.
  const enough = most <= USUAL_SHOWN ? USUAL_SHOWN : MOST_SHOWN;
  const limit = wanted === undefined ? enough : MOST;
  const due = { ...query, deadlineAfter: now, limit };
  const entries =
    isCut && hours === undefined && args.query === undefined
      ? await withUrgent(found.entries, due, open, ctx)
      : found.entries;
  const findings = await openFindings(
    ctx,
    entries.map(({ locator }) => locator),
  );
  const changed = new Set(findings.map(({ locator }) => locator));
  const rows = entries
    .filter((entry) => hours === undefined || isDue(entry, now, hours))
    .filter((entry) => args.state === undefined || shownState(entry.state, entry.runsUntil, now) === args.state)
    .flatMap((entry) => {
      const leg = legs && findLeg(entry, legs, args.state)?.departs;
      if (legs !== undefined && leg === undefined) return [];
      const why = attention(entry, byLocator.get(entry.locator), failures, changed, now);
      return viewEntry(entry, why, args.query, now, leg);
    })
    .filter(({ row }) => wanted === undefined || (row.needs_attention !== undefined) === wanted)
    .sort((a, b) => (legs === undefined ? minutesLeft(a) - minutesLeft(b) : departsAt(a) - departsAt(b)));
  const shown = rows.slice(0, most);
  const stale = shown.map(({ seenAt }) => seenAt).filter((at) => at < now - HOUR_MS);
  return {
    lost: locators === undefined ? open.filter((each) => isLostHold(each, ctx)).length : 0,
    shown,
    total: isCut && wanted === undefined ? MOST + 1 : rows.length,
    matching: new Set(rows.map(({ row }) => row.locator)),
    findings,
    attended: rows.filter(({ row }) => row.needs_attention !== undefined).length,
    nearest: nearestText(rows),
    order: legs === undefined ? ('nearest deadline first' as const) : ('by departure' as const),
    heads: legs && headsOf(rows),
    ...{ strangers: found.strangers, isQueryCut: found.isCut },
    none: rows.length === 0 && found.strangers === 0 ? await noneText(args, ctx) : undefined,
    oldest: stale.length === 0 ? undefined : utcText(Math.min(...stale)),
  };
}

/** By the state that a reading showed: a trip is over without another one, so that `flown` is sifted out afterwards. */
async function findInState(
  query: LedgerQuery,
  state: ListBookingsArgs['state'],
  { state: { ledger }, caller }: ToolContext,
) {
  if (state === undefined) return ledger.find(caller, query);
  const kept = state === 'flown' ? ['ticketed', 'partly_cancelled'] : [state];
  const found = await Promise.all(kept.map((each) => ledger.find(caller, { ...query, state: each })));
  return { entries: found.flatMap((each) => each.entries), total: Math.max(...found.map(({ total }) => total)) };
}

/** Which filters let nothing through, how many there are without them, and what may be meant. */
async function noneText(args: ListBookingsArgs, ctx: ToolContext): Promise<string | undefined> {
  const filters = filterWords(args);
  const all = filters.length === 0 ? undefined : await ctx.state.ledger.find(ctx.caller, { limit: MOST });
  if (all === undefined || all.total === 0) return undefined;
  const near = args.query === undefined ? undefined : nearestName(args.query, all.entries);
  const meant = near === undefined ? '' : ` The nearest name or locator here is ${quoted(near, 60)}.`;
  return `No booking here has ${inWords(filters)}; without that there ${all.total === 1 ? 'is' : 'are'} ${bookingsInWords(all.total)}.${meant}`;
}

function filterWords(args: ListBookingsArgs) {
  const { query, state, deadline_within_hours: hours, needs_attention: wanted } = args;
  const legs = legWords(args);
  return [
    ...(legs === '' ? [] : [`a leg ${legs}`]),
    ...(query === undefined ? [] : [`the query ${quoted(query, 60)}`]),
    ...(state === undefined ? [] : [`the state ${state}`]),
    ...(hours === undefined ? [] : [`a deadline within ${counted(hours, 'hour')}`]),
    ...(wanted === undefined ? [] : [wanted ? 'something that needs attention' : 'nothing that needs attention']),
  ];
}

type FoundBookings = Awaited<ReturnType<typeof listed>>;

/** Sent, and no answer came that names its locator. */
function isLostHold(operation: Operation, { acts }: ToolContext): boolean {
  const isOver = operation.state === 'in_doubt' || operation.state === 'needs_person';
  return isOver && acts.named(operation.tool)?.countedAs === 'hold' && locatorOf(operation) === undefined;
}

/** `ABC123 in 25 min`. */
function nearestText(rows: readonly FoundBooking[]): string | undefined {
  const { row, left } = rows.find((booking) => booking.left !== undefined) ?? {};
  return row === undefined || left === undefined ? undefined : `${row.locator} in ${showLeft(left)}`;
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

interface FoundBooking {
  readonly row: ListedBooking;
  /** Minutes to its next deadline. */
  readonly left?: number | undefined;
  readonly seenAt: number;
}

/** Minutes to the deadline; a booking that needs attention without one comes first. */
function minutesLeft({ row, left }: FoundBooking): number {
  return left ?? (row.needs_attention === undefined ? Number.MAX_SAFE_INTEGER : -1);
}

/** Of the leg that is shown. */
function departsAt({ row: { departs } }: FoundBooking): number {
  return instantOf(departs) ?? Number.MAX_SAFE_INTEGER;
}

/** `31 passengers, 10 not named yet`; undefined where the passengers of a booking are not known. */
function headsOf(rows: readonly FoundBooking[]): string | undefined {
  if (rows.length < 2 || rows.some(({ row }) => row.passengers === undefined)) return undefined;
  const sum = (of: (row: ListedBooking) => number | undefined) =>
    rows.reduce((all, { row }) => all + (of(row) ?? 0), 0);
  return headsText({
    ...{ locator: '', state: '', passengers: sum((row) => row.passengers) },
    unnamed: sum((row) => row.unnamed) || undefined,
  });
}

/** Those who are searched for first. */
function namedTravelers(all: readonly string[], query = ''): string[] {
  if (all.length <= MOST_NAMED) return [...all];
  const isWanted = (name: string) => foldName(name).includes(foldName(query));
  const first = [...all.filter(isWanted), ...all.filter((name) => !isWanted(name))].slice(0, MOST_NAMED);
  return [...first, `and ${all.length - MOST_NAMED} more`];
}

/** The departure that comes next; the last one where none does. */
function nextLeg({ departs, lastDeparts, departures }: LedgerEntry, now: number): string | undefined {
  const legs = departures ?? [departs, lastDeparts].filter((each) => each !== undefined);
  return legs.find((each) => !hasPassed(each, now)) ?? lastDeparts ?? departs;
}

function heads({ passengers }: LedgerEntry) {
  if (passengers === undefined) return {};
  const types = [...Map.groupBy(passengers, ({ type }) => type)];
  const unnamed = passengers.filter((one) => one.unnamed).length;
  return {
    passengers: passengers.length,
    passenger_types: types.every(([type]) => type === 'ADT')
      ? undefined
      : types.map(([type, { length }]) => countType(type, length)).join(', '),
    unnamed: unnamed || undefined,
  };
}

function viewEntry(
  entry: LedgerEntry & Partial<DeskEntry>,
  needsAttention: readonly string[],
  query: string | undefined,
  now: number,
  wantedLeg: string | undefined,
): FoundBooking {
  const { nextDeadline: next, departs, lastDeparts: last, classes, seenAt } = entry;
  const left = Math.floor(((instantOf(next?.at) ?? 0) - now) / MINUTE_MS);
  const isPassed = (instantOf(next?.at) ?? 0) <= now;
  const state = shownState(entry.state, entry.runsUntil, now);
  const leg = wantedLeg ?? nextLeg(entry, now);
  const row = {
    locator: entry.locator,
    state,
    contact_name: entry.contactName,
    ...heads(entry),
    travelers: entry.travelers && namedTravelers(entry.travelers, query),
    route: entry.route,
    departs: leg && localMinute(leg),
    last_departs: last === undefined || last === leg ? undefined : localMinute(last),
    class: classes?.join(', '),
    total: entry.total,
    paid: entry.paid,
    currency: entry.currency,
    next_deadline: next && {
      what: next.what,
      at: localMinute(next.at, departs),
      passed: isPassed ? (true as const) : undefined,
    },
    seen_at: localMinute(utcText(seenAt)),
    made_by: entry.madeBy,
    needs_attention: needsAttention.length === 0 ? undefined : [...needsAttention],
  };
  return { row, left: next === undefined || isPassed ? undefined : left, seenAt };
}
