/**
 * The tool that lists the bookings made or read here, as the ledger has them, with what needs attention. Below the tool: bookings that
 * the call names, the search and its order, the result and its summary.
 */

import * as z from 'zod';
import { fanOut } from '../core/at-once.ts';
import { ClerkError } from '../core/errors.ts';
import { commonZone, instantOf, showTimeLeft, utcText, zoneWords } from '../core/times.ts';
import { counted, joined, table, titled } from '../core/words.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { LedgerEntry } from '../domain/booking/booking-ledger.ts';
import { SHOWN_STATES, shownState } from '../domain/booking/booking-state.ts';
import { showDeadline } from '../domain/booking/deadlines.ts';
import type { Finding } from '../domain/booking/finding.ts';
import { namedPlaces } from '../domain/booking/stations.ts';
import { locatorOf, OPEN_STATES, type Operation } from '../journal/operation.ts';
import { type ArgsOf, defineTool, type ResultOf, type ToolContext } from './definition/define.ts';
import {
  filled,
  listedWithoutShape,
  noted,
  optionalStrings,
  placesSchema,
  strings,
  unlisted,
} from './definition/field-notes.ts';
import { customer, date, integer, listOf, locator, text } from './definition/input-fields.ts';
import {
  bookingsInWords,
  findLeg,
  type LedgerSearch,
  MOST_COUNTED,
  MOST_SHOWN,
  nothingFoundText,
  readWantedLegs,
  SECOND_FACT,
  searchLedger,
  USUAL_SHOWN,
  type WantedLegs,
} from './rules/booking-filters.ts';
import {
  type Attention,
  attentionTo,
  changeGroupText,
  changeSchema,
  groupChanges,
  openFindings,
  unreadText,
} from './steps/findings.ts';
import {
  decisionLine,
  type FoundRow,
  isOldReading,
  type ListedBooking,
  listedBooking,
  passengersText,
  rowTexts,
  viewEntry,
} from './steps/listed-booking.ts';
import { answerStep, waitingQuestions } from './steps/open-questions.ts';
import { readNow } from './steps/record-booking.ts';
import { decision, decisionNotes, sharedConditions, sharedConditionsSchema } from './views/decided-booking.ts';
import { equalFields, withoutShared } from './views/shared-fields.ts';

/** Fields that stand once where all rows have the same. */
const SHARED = ['class', 'currency', 'seen_at', 'made_by'] as const;

/** How many bookings are read at once. */
const PARALLEL_READS = 4;
/** So long a call begins to read further bookings, milliseconds: hosts give up on a call after a minute. */
const READING_MS = 40_000;

const MORE_THAN_SHOWN = 'more bookings match than max_results';

/** What a call was short of, where it did not read all. */
const SHORTAGES = {
  time: 'not read: the airline answers slowly; name it in another call',
  share: 'not read: this caller has read many bookings just now; name it in another call in a minute',
} as const;

/** The airline shows a booking by its locator, and only the answer to a hold names that: nothing here can look for it. */
const LOST_HOLDS =
  'Do not book holds without an answer again. Tell the person to ask the airline once for all of them, by flight and name.';

const input = () => ({
  query: noted(
    'A {}, or several of them. Whole words of a name: of the contact or a traveller; `Haddad L` finds the initial too. Also a whole e-mail address or telephone.',
    text(120).optional().describe('locator, surname, route, day'),
    'all',
  ),
  customer: customer(),
  departs_from: noted(
    'First day, in the local time of the station. {}, unless it is cancelled and nothing is owed for it; the nearest departure is first then.',
    date().optional().describe('any leg counts'),
    'all',
  ),
  departs_to: noted('Last day, included.', date().optional(), 'all'),
  train: noted(
    'Only bookings with a leg on this train or flight on these days, also if the airline cancelled it and owes for it: {}.',
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
  locators: noted(
    '{}, with what each would refund now, and until when.',
    listOf(locator(), 1, 50).optional().describe('read and list only these'),
  ),
  refresh: noted('Reads each listed booking again at the airline.', z.boolean().optional(), '`false`'),
  max_results: noted('Most bookings in the answer.', integer(1, MOST_SHOWN).optional(), `${USUAL_SHOWN}`),
});

const output = () => ({
  // Of all bookings, where they have the same.
  ...optionalStrings(...SHARED),
  places: placesSchema(),
  bookings: z.array(listedBooking()),
  total_found: z.int().describe('absent: all are listed').optional(),
  changes: z.array(changeSchema()).optional(),
  ...unlisted({ conditions: sharedConditionsSchema() }),
  not_listed: listedWithoutShape(z.array(z.object(strings('locator', 'why'))).optional()),
});

type ListBookingsArgs = ArgsOf<typeof input>;
type ListBookingsResult = ResultOf<typeof output>;

export const listBookings = defineTool({
  name: 'list_bookings',
  title: 'List bookings',
  description: 'Bookings made or read here, nearest deadline first, with what needs attention.',
  toolset: 'desk',
  example: { state: 'held' },
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    if (args.locators !== undefined) return listNamed(args, args.locators, ctx);
    const found = await findBookings(args, ctx);
    if (!args.refresh) return listResult(found, ctx);
    const locators = found.shown.map(({ row }) => row.locator);
    const { failures, read } = await readAll(locators, ctx);
    return listResult(await findBookings(args, ctx, { failures }), ctx, { read });
  },

  text({ places = {}, bookings, changes = [], conditions = [], not_listed: notListed = [], ...shared }) {
    const rows = bookings.map((row) => ({ ...shared, ...row }));
    // Without a departure, the times of a row are in UTC.
    const zone = commonZone(rows.map(({ departs = '00:00Z' }) => departs));
    // If all times are of one zone, the heading names it, and the times do not.
    const withoutZone = (time: string) => (zone === undefined ? time : time.replace(` (${zone})`, ''));
    const facts = { places, withoutZone };

    return [
      zone && `${zoneWords(zone)}.`,
      ...table(rows.map((row) => rowTexts(row, facts))).flatMap((line, n) => [
        line,
        ...rows.slice(n, n + 1).flatMap((row) => decisionLine(row, facts)),
      ]),
      ...decisionNotes(rows, conditions),
      ...titled('Changed by the airline:', changes.map(changeGroupText)),
      ...titled(
        'Not listed:',
        notListed.map(({ locator, why }) => `  ${locator}: ${why}`),
      ),
    ];
  },
});

interface NamedBooking {
  /** As the caller named it; the airline can know a booking by several locators. */
  readonly named: string;
  readonly locator: string;
}

/** Why bookings were not read, in words, by the locators that the caller named. */
type Failures = ReadonlyMap<string, string>;

/** Bookings as this call read them, by their locators. */
type ReadBookings = ReadonlyMap<string, Booking>;

/** Reads bookings into the ledger: as many as can begin in {@link READING_MS}, and as the caller's share of readings allows. */
async function readAll(
  locators: readonly string[],
  ctx: ToolContext,
): Promise<{ readonly bookings: readonly NamedBooking[]; readonly failures: Failures; readonly read: ReadBookings }> {
  const failures = new Map<string, string>();
  const read = new Map<string, Booking>();
  const begunAt = ctx.now();
  let short: keyof typeof SHORTAGES = 'time';

  const mayStart = () => {
    if (ctx.now() - begunAt >= READING_MS) return false;
    const isAllowed = (ctx.waitToRead?.() ?? 0) === 0;
    if (!isAllowed) short = 'share';
    return isAllowed;
  };

  const done = (count: number) => ctx.progress?.(count, locators.length, 'bookings read');
  const results = await fanOut(locators, { width: PARALLEL_READS, mayStart, done }, (each) =>
    readNow(each, ctx, { mustRecord: true }),
  );

  const bookings = locators.map((named, i) => {
    const result = results[i];
    if (result?.status === 'fulfilled') {
      read.set(result.value.locator, result.value);
      return { named, locator: result.value.locator };
    }
    if (result !== undefined && !(result.reason instanceof ClerkError)) throw result.reason;

    failures.set(named, result === undefined ? SHORTAGES[short] : unreadText(result.reason.code));
    return { named, locator: named };
  });
  return { bookings, failures, read };
}

/** Reads the named bookings and lists those that pass the filters. Every other one gets its reason. */
async function listNamed(args: ListBookingsArgs, locators: readonly string[], ctx: ToolContext) {
  const { bookings, failures, read } = await readAll([...new Set(locators)], ctx);
  const query = { locators: bookings.map(({ locator }) => locator), limit: MOST_COUNTED };
  const known = await ctx.state.ledger.find(ctx.caller, query);
  const shownArgs = { ...args, max_results: args.max_results ?? bookings.length };
  const found = await findBookings(shownArgs, ctx, { failures, locators: query.locators });
  const shown = locatorsIn(found.shown);
  const matching = locatorsIn(found.matching);

  const notListed = bookings
    .filter(({ locator }) => !shown.has(locator))
    .map(({ named, locator }) => {
      const entry = known.entries.find((each) => each.locator === locator);
      if (entry === undefined) return { locator: named, why: failures.get(named) ?? unreadText('E_INTERNAL') };
      const state = shownState(entry.state, entry.runsUntil, ctx.now()).replace('_', ' ');
      return {
        locator: named,
        why: matching.has(locator) ? MORE_THAN_SHOWN : `does not pass the filters; it is ${state}`,
      };
    });
  return listResult(found, ctx, { read, notListed });
}

interface FoundBookings {
  /** All that pass the filters, shown or not. */
  readonly matching: readonly FoundRow[];
  readonly shown: readonly FoundRow[];
  /** How many match; one more than `MOST_COUNTED` if not all were counted. */
  readonly total: number;
  /** Whether the call asks for one train or for some days. */
  readonly isByDeparture: boolean;
  readonly ledger: LedgerSearch;
  /** Open findings of the bookings in the ledger, also of those that do not match. */
  readonly findings: readonly Finding[];
  /** Holds that were sent and got no answer. */
  readonly lostHolds: number;
  /** Says which filters nothing passes. */
  readonly nothingFound: string | undefined;
}

const locatorsIn = (rows: readonly FoundRow[]): ReadonlySet<string> => new Set(rows.map(({ row }) => row.locator));

/** What the call could not read, and what it is about. */
interface ReadNow {
  readonly failures?: Failures;
  /** Only among these. */
  readonly locators?: readonly string[];
}

/** Finds the bookings that pass the filters, in their order. */
async function findBookings(
  args: ListBookingsArgs,
  ctx: ToolContext,
  { failures = new Map(), locators }: ReadNow = {},
): Promise<FoundBookings> {
  const now = ctx.now();
  const legs = readWantedLegs(args);
  const open = await ctx.state.operations.list({ tenant: ctx.caller.tenant, states: OPEN_STATES, limit: MOST_COUNTED });
  const ledger = await searchLedger(args, { legs, locators, open }, ctx);

  const [findings, questions] = await Promise.all([
    openFindings(ctx, ledger.entries),
    waitingQuestions(ledger.entries, ctx),
  ]);
  const matching = matchingBookings(ledger.entries, args, { legs, open, findings, questions, failures, now });
  const isNothing = matching.length === 0 && ledger.hiddenCount === 0;

  return {
    matching,
    shown: matching.slice(0, args.max_results ?? USUAL_SHOWN),
    // The ledger does not know what needs attention: with that filter, only the entries read here are counted.
    total: ledger.isCut && args.needs_attention === undefined ? MOST_COUNTED + 1 : matching.length,
    isByDeparture: legs !== undefined,
    ledger,
    findings,
    lostHolds: locators === undefined ? open.filter((operation) => isLostHold(operation, ctx)).length : 0,
    nothingFound: isNothing ? await nothingFoundText(args, ctx) : undefined,
  };
}

/** Whether a hold was sent and no answer came, which would name its locator. */
function isLostHold(operation: Operation, { acts }: ToolContext): boolean {
  const isUnanswered = operation.state === 'in_doubt' || operation.state === 'needs_person';
  return isUnanswered && acts.named(operation.tool)?.countedAs === 'hold' && locatorOf(operation) === undefined;
}

interface KnownFacts {
  /** The legs that the call asks for. */
  readonly legs: WantedLegs | undefined;
  readonly open: readonly Operation[];
  readonly findings: readonly Finding[];
  /** Those that wait for a person, in words, by locator. */
  readonly questions: ReadonlyMap<string, readonly string[]>;
  readonly failures: Failures;
  readonly now: number;
}

/** Gives the entries that pass the filters, as rows, by deadline or by departure. */
function matchingBookings(
  entries: readonly LedgerEntry[],
  args: ListBookingsArgs,
  { legs, open, findings, questions, failures, now }: KnownFacts,
): readonly FoundRow[] {
  const { needs_attention: needsAttention, state } = args;
  // The newest operation of each booking: of several with one key, a map keeps the last.
  const openByLocator = new Map(open.toReversed().map((each) => [each.locator ?? each.outcome?.locator, each]));
  const changes = Map.groupBy(findings, ({ locator }) => locator);

  const rows = entries
    .filter((entry) => state === undefined || shownState(entry.state, entry.runsUntil, now) === state)
    .flatMap((entry) => {
      const wantedDeparture = legs && findLeg(entry, legs, state)?.departs;
      if (legs !== undefined && wantedDeparture === undefined) return [];
      const known = { failures, changes, questions };
      const attention = attentionTo(entry, openByLocator.get(entry.locator), known, now);
      return viewEntry(entry, { attention, query: args.query, wantedDeparture, now });
    })
    .filter(({ row }) => needsAttention === undefined || (row.needs_attention !== undefined) === needsAttention);

  const sortKey = legs === undefined ? minutesToDeadline : departureInstant;
  return rows.toSorted((a, b) => sortKey(a) - sortKey(b));
}

/** Gives the minutes to the next deadline. Without one, a booking that needs attention comes first, and any other last. */
function minutesToDeadline({ row, minutesLeft }: FoundRow): number {
  return minutesLeft ?? (row.needs_attention === undefined ? Number.MAX_SAFE_INTEGER : -1);
}

/** Milliseconds since 1970, of the leg that is shown. */
function departureInstant({ row: { departs } }: FoundRow): number {
  return instantOf(departs) ?? Number.MAX_SAFE_INTEGER;
}

interface NamedResult {
  /** Of these, rows say what is decided by. */
  readonly read?: ReadBookings;
  readonly notListed?: NonNullable<ListBookingsResult['not_listed']>;
}

function listResult(found: FoundBookings, ctx: ToolContext, { read = new Map(), notListed = [] }: NamedResult = {}) {
  const decisions = new Map(
    found.shown.flatMap(({ row: { locator } }) => {
      const booking = read.get(locator);
      return booking === undefined ? [] : [[locator, decision(booking, ctx)] as const];
    }),
  );
  const rows = found.shown.map(({ row }): ListedBooking => ({ ...row, ...decisions.get(row.locator)?.fields }));
  const shared = rows.length > 1 ? equalFields(rows, SHARED) : {};

  const matching = locatorsIn(found.matching);
  const findings = found.findings.filter(({ locator }) => matching.has(locator));
  const changes = groupChanges(findings, ctx);
  const stations = rows.flatMap(({ route = '' }) => route.split(/[-, ]+/));
  const places = namedPlaces(stations, ctx.airline.placeName);

  return {
    summary: summaryText(found, ctx.state),
    next: nextSteps(found, changes.length > 0, ctx.now()),
    ...shared,
    places,
    bookings: rows.map((row) => withoutShared(row, shared)),
    total_found: found.total === rows.length ? undefined : found.total,
    changes: filled(changes),
    conditions: filled(sharedConditions(decisions)),
    not_listed: filled(notListed),
  };
}

function summaryText(found: FoundBookings, { isSupervisor }: ToolContext['state']): string {
  const text = found.nothingFound ?? hiddenText(found) ?? listText(found, isSupervisor);
  const { lostHolds } = found;
  return lostHolds === 0
    ? text
    : `${text} ${counted(lostHolds, 'hold')} got no answer, so the person must ask the airline.`;
}

function hiddenText({ ledger: { hiddenCount }, shown }: FoundBookings): string | undefined {
  if (hiddenCount === 0) return undefined;
  const others = shown.length === 0 ? '' : ` ${counted(shown.length, 'other booking')} found.`;
  return `${hiddenCount} bookings of several customers have this name; none of them is shown.${others}`;
}

function listText({ matching, shown, total, isByDeparture }: FoundBookings, isSupervisor: true | undefined): string {
  const count = shown.length === total ? bookingsInWords(total) : `${shown.length} of ${bookingsInWords(total)}`;
  const whose = isSupervisor ? 'of the whole desk' : 'made or read here';
  const order = isByDeparture ? 'by departure' : 'nearest deadline first';
  const needingAttention = matching.filter(({ row }) => row.needs_attention !== undefined).length;

  const facts = [
    `${count} ${whose} (the airline has no list)${shown.length > 1 ? `, ${order}` : ''}`,
    isByDeparture && total <= MOST_COUNTED && allPassengersText(matching),
    nearestDeadlineText(matching),
    needingAttention > 0 && (needingAttention === 1 ? '1 needs attention' : `${needingAttention} need attention`),
  ];
  return `${joined(facts, '; ')}.`;
}

/** `next time limit: ABC123 in 25 min`. */
function nearestDeadlineText(bookings: readonly FoundRow[]): string | undefined {
  const { row, minutesLeft } = bookings.find((booking) => booking.minutesLeft !== undefined) ?? {};
  if (row === undefined || minutesLeft === undefined) return undefined;
  return `next time limit: ${row.locator} in ${showTimeLeft(minutesLeft)}`;
}

/** `31 passengers, 10 not named yet`. Undefined for a single booking, and where the passengers of one are not known. */
function allPassengersText(bookings: readonly FoundRow[]): string | undefined {
  if (bookings.length < 2 || bookings.some(({ row }) => row.passengers === undefined)) return undefined;
  const sum = (field: 'passengers' | 'unnamed') => bookings.reduce((total, { row }) => total + (row[field] ?? 0), 0);
  return passengersText({ passengers: sum('passengers'), unnamed: sum('unnamed') });
}

/** By weight: money in doubt, a question that waits, a time limit, then the rest. */
function nextSteps(found: FoundBookings, isChanged: boolean, now: number): string | undefined {
  const withReason = (kind: Attention['kind']) =>
    found.shown.filter(({ attention }) => attention.some((one) => one.kind === kind)).map(({ row }) => row.locator);
  const [withPerson, inDoubt] = [withReason('person'), withReason('in_doubt')];
  const [asked, due] = [withReason('question'), withReason('due')];

  const steps = [
    withPerson.length > 0 && `Tell the person to check ${withPerson.join(', ')} with the airline before anything else.`,
    inDoubt.length > 0 && `Do not pay or change ${inDoubt.join(', ')} again: call read_booking in 60 seconds.`,
    found.lostHolds > 0 && LOST_HOLDS,
    asked.length > 0 && answerStep(asked),
    due.length > 0 && `Ask the person whether to pay ${due.join(', ')} in time.`,
    found.ledger.isQueryCut &&
      `Only the ${MOST_COUNTED} bookings seen last were compared with all words of the query: an older one is found by its locator, a date or one name alone.`,
    found.ledger.hiddenCount > 0 && SECOND_FACT,
    isChanged && 'Tell the person what the airline changed. Once it is dealt with, call close_findings.',
    oldReadingText(found.shown, now),
  ];
  return joined(steps, ' ') || undefined;
}

/** Says of when the oldest row is, if that is old. */
function oldReadingText(shown: readonly FoundRow[], now: number): string | undefined {
  const oldest = Math.min(...shown.map(({ seenAt }) => seenAt));
  if (!isOldReading(oldest, now)) return undefined;
  const at = utcText(oldest);
  return `The oldest row is of ${showDeadline(at, at)}; refresh: true reads the bookings again.`;
}
