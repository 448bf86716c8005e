/**
 * The filters of the list of bookings: how the ledger is searched, what a query means (locators, surnames, stations, days), which legs
 * are wanted, and why a booking is not listed. A surname alone can be a stranger's, so bookings of several customers of one name wait
 * for a second fact.
 */
import { cleanCode, quoted } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { editDistance } from '../../core/nearest-word.ts';
import { dateOf, HOUR_MS, instantOf, showDay } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import type { DeskEntry, LedgerEntry, LedgerLeg, LedgerQuery, LegQuery } from '../../domain/booking/booking-ledger.ts';
import { shownState } from '../../domain/booking/booking-state.ts';
import { listStations } from '../../domain/booking/stations.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import type { Operation } from '../../journal/operation.ts';
import { readCall, type ToolContext } from '../definition/define.ts';

/** How many bookings an answer has: without `max_results`, and at most. */
export const USUAL_SHOWN = 20;
export const MOST_SHOWN = 200;
/** How many entries the list filters and orders; more are not counted. */
export const MOST_COUNTED = 1000;

/** The next step if bookings of several customers are found, which are not shown. */
export const SECOND_FACT =
  'Ask the customer for a second fact, and call list_bookings with both in query: the initial (Haddad L), a station or day of the trip (Haddad Makkah, Haddad 2026-12-01), or the locator alone.';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** `HHR101`, `3K 101`, `101`: carrier and number. */
const TRAIN = /^(?:([A-Z]{2,4}|[A-Z]\d|\d[A-Z])[ -]?)?0*(\d{1,6}[A-Z]?)$/;

type Entry = LedgerEntry & Partial<DeskEntry>;

export interface BookingFilters extends LegFilters {
  readonly query?: string | undefined;
  readonly state?: string | undefined;
  readonly deadline_within_hours?: number | undefined;
  readonly needs_attention?: boolean | undefined;
  readonly max_results?: number | undefined;
}

interface LegFilters {
  readonly departs_from?: string | undefined;
  readonly departs_to?: string | undefined;
  readonly train?: string | undefined;
}

/** The bookings that the ledger has for a call, before the filters that it does not know. */
export interface LedgerSearch {
  readonly entries: readonly LedgerEntry[];
  /** More match than are counted. */
  readonly isCut: boolean;
  /** Bookings of several customers that a name alone finds: none of them is shown. */
  readonly hiddenCount: number;
  /** Older bookings can match too: only as many as the ledger gives at once were compared with all the facts of the query. */
  readonly isQueryCut: boolean;
}

interface SearchFacts {
  readonly legs: WantedLegs | undefined;
  /** Only among these. */
  readonly locators: readonly string[] | undefined;
  /** All open operations of the tenant. */
  readonly open: readonly Operation[];
}

/** Asks the ledger for the bookings that the filters may mean. */
export async function searchLedger(
  filters: BookingFilters,
  { legs, locators, open }: SearchFacts,
  ctx: ToolContext,
): Promise<LedgerSearch> {
  const { query, state, deadline_within_hours: hours } = filters;
  const now = ctx.now();
  const deadlines = hours === undefined ? {} : { deadlineAfter: now, deadlineBefore: now + hours * HOUR_MS };
  const base: LedgerQuery = { leg: legs?.query, ...deadlines, limit: MOST_COUNTED, locators };
  const findEntries = (ledgerQuery: LedgerQuery) => findInState(ledgerQuery, state, ctx);
  const { entries, total, ...found } = await searchBookings(query, base, findEntries, ctx);
  if (total <= MOST_COUNTED) return { ...found, entries, isCut: false };
  // A call with a query or a deadline has named what it wants.
  if (query !== undefined || hours !== undefined) return { ...found, entries, isCut: true };
  const urgent = await findUrgent(filters, base, open, ctx);
  const byLocator = new Map([...entries, ...urgent].map((entry) => [entry.locator, entry]));
  return { ...found, entries: [...byLocator.values()], isCut: true };
}

/**
 * Finds the bookings with the nearest deadlines, open operations or open findings: of more bookings than are counted, they may be
 * missing among those that were seen last.
 */
async function findUrgent(
  { needs_attention: needsAttention, max_results: mostShown = USUAL_SHOWN }: BookingFilters,
  base: LedgerQuery,
  open: readonly Operation[],
  { state: { ledger, findings }, caller, now }: ToolContext,
): Promise<readonly LedgerEntry[]> {
  const changed = (await findings?.open(caller.tenant, now())) ?? [];
  const locators = [
    ...open.flatMap((each) => each.locator ?? each.outcome?.locator ?? []),
    ...changed.map(({ locator }) => locator),
  ];
  // One of three numbers, because the store prepares a statement for each.
  const roundedUp = mostShown <= USUAL_SHOWN ? USUAL_SHOWN : MOST_SHOWN;
  const limit = needsAttention === undefined ? roundedUp : MOST_COUNTED;
  const due = await ledger.find(caller, { ...base, deadlineAfter: now(), limit });
  const unsettled = await ledger.find(caller, { ...base, locators });
  return [...due.entries, ...unsettled.entries];
}

/** One fact of a query: a word, or a name with its initial. */
interface Fact {
  /** As written. */
  readonly word: string;
  /** Folded, to compare with names and locators; empty for a day. */
  readonly folded: string;
  /** The stations that it can name. */
  readonly codes: readonly string[];
  readonly day?: string;
}

/** Reads the facts of a query. A single letter is the initial of the name before it: `Haddad L Makkah` has two. */
async function readFacts(query: string, ctx: ToolContext): Promise<readonly Fact[]> {
  const words = query.match(/\S+(?:\s+\p{L}\.?(?=\s|$))*/gu) ?? [];
  const routes = await ctx.airline.routes(readCall(ctx)).catch(() => []);
  const stations = listStations(routes);
  return words.map((word) => {
    if (DAY.test(word)) return { word, folded: '', codes: [], day: word };
    const folded = foldName(word);
    const matching = stations.filter(
      ({ name, city }) => folded.length > 2 && [name, city].some((each) => foldName(each).startsWith(folded)),
    );
    return { word, folded, codes: [folded, ...matching.map(({ code }) => code.toUpperCase())] };
  });
}

function isOnRoute({ route = '' }: Entry, { word, codes }: Fact): boolean {
  const stops = route.toUpperCase().split(/[-, ]+/);
  return (
    codes.some((code) => stops.includes(code)) ||
    (word.includes('-') && route.toUpperCase().includes(word.toUpperCase()))
  );
}

function namesIn({ contactName, travelers = [] }: Entry) {
  return { contact: foldName(contactName ?? ''), travelers: travelers.map(foldName) };
}

function hasName(entry: Entry, { folded }: Fact): boolean {
  const { contact, travelers } = namesIn(entry);
  return folded !== '' && [contact, ...travelers].some((name) => name.includes(folded));
}

const hasLocator = ({ locator }: Entry, { folded }: Fact) => folded !== '' && foldName(locator) === folded;

function hasLocatorStationOrDay(entry: Entry, fact: Fact): boolean {
  if (fact.day === undefined) return hasLocator(entry, fact) || isOnRoute(entry, fact);
  const { departs, lastDeparts, departures = [] } = entry;
  return [departs, lastDeparts, ...departures].some((at) => at !== undefined && dateOf(at) === fact.day);
}

interface QueriedBookings extends Pick<LedgerSearch, 'hiddenCount' | 'isQueryCut'> {
  readonly entries: readonly Entry[];
  readonly total: number;
}

type FindEntries = (query: LedgerQuery) => Promise<{ readonly entries: readonly Entry[]; readonly total: number }>;

/**
 * Finds the bookings that a query means: first the whole text as one name or route, then each of its words as a fact. A caller who is
 * no supervisor sees none that a name alone finds, if they are of several customers.
 *
 * @param find asks the ledger with all other filters
 */
async function searchBookings(
  query: string | undefined,
  base: LedgerQuery,
  find: FindEntries,
  ctx: ToolContext,
): Promise<QueriedBookings> {
  if (query === undefined) return { ...(await find(base)), hiddenCount: 0, isQueryCut: false };
  // The whole text can be one name or route, as it is written.
  const asWritten = await find({ ...base, query });
  const facts = await readFacts(query, ctx);
  const found = asWritten.total > 0 ? { ...asWritten, isQueryCut: false } : await findByFacts(facts, base, find);
  if (ctx.isSupervisor) return { ...found, hiddenCount: 0 };
  const foundByName = found.entries.filter((entry) =>
    facts.every((fact) => !hasLocatorStationOrDay(entry, fact) && hasName(entry, fact)),
  );
  if (countCustomers(foundByName, facts) < 2) return { ...found, hiddenCount: 0 };
  const hidden = new Set(foundByName.map(({ locator }) => locator));
  const entries = found.entries.filter(({ locator }) => !hidden.has(locator));
  return { ...found, entries, total: entries.length, hiddenCount: hidden.size };
}

/**
 * Finds bookings that have each of the facts, among as many as `base.limit` of those seen last. Where there are more, also looks at
 * those that the ledger finds by a name among the facts.
 */
async function findByFacts(facts: readonly Fact[], base: LedgerQuery, find: FindEntries) {
  const hasAllFacts = (entry: Entry) =>
    facts.every((fact) => hasLocatorStationOrDay(entry, fact) || hasName(entry, fact));
  const newest = await find(base);
  if (newest.total <= base.limit) {
    const entries = newest.entries.filter(hasAllFacts);
    return { entries, total: entries.length, isQueryCut: false };
  }
  // A station's name is not in the ledger, which keeps codes.
  const name = facts.find(({ day, codes }) => day === undefined && codes.length === 1)?.word.split(/\s/)[0];
  const withName = name === undefined ? undefined : await find({ ...base, query: name });
  const matching = [...newest.entries, ...(withName?.entries ?? [])].filter(hasAllFacts);
  const entries = [...new Map(matching.map((entry) => [entry.locator, entry])).values()];
  return { entries, total: entries.length, isQueryCut: withName === undefined || withName.total > base.limit };
}

/**
 * Counts the customers that these bookings may belong to. Two bookings are one customer's if they have the same contact, and the
 * query names either that contact or a traveller of both.
 */
function countCustomers(entries: readonly Entry[], facts: readonly Fact[]): number {
  const isInQuery = (name: string) => facts.some(({ folded }) => folded !== '' && name.includes(folded));
  const customers: { readonly contact: string; readonly namesInQuery: readonly string[] }[] = [];
  for (const entry of entries) {
    const { contact, travelers } = namesIn(entry);
    const namesInQuery = [...(isInQuery(contact) ? ['contact'] : []), ...travelers.filter(isInQuery)];
    const isKnown = customers.some(
      (customer) => customer.contact === contact && customer.namesInQuery.some((name) => namesInQuery.includes(name)),
    );
    if (!isKnown) customers.push({ contact, namesInQuery });
  }
  return customers.length;
}

/** Finds the bookings in this state. The ledger has the state of a reading, which cannot be `flown`: such trips are among those with tickets. */
async function findInState(query: LedgerQuery, state: string | undefined, { state: { ledger }, caller }: ToolContext) {
  if (state === undefined) return ledger.find(caller, query);
  const ledgerStates = state === 'flown' ? ['ticketed', 'partly_cancelled'] : [state];
  const found = await Promise.all(ledgerStates.map((each) => ledger.find(caller, { ...query, state: each })));
  return { entries: found.flatMap(({ entries }) => entries), total: Math.max(...found.map(({ total }) => total)) };
}

/** The filter for legs, by days of the station and by train. */
export interface WantedLegs {
  /** For the ledger, which compares no carriers; `isWanted` does. */
  readonly query: LegQuery;
  isWanted(leg: KnownLeg): boolean;
}

/** An entry that an earlier version wrote has only the time. */
type KnownLeg = Pick<LedgerLeg, 'departs'> & Partial<LedgerLeg>;

/** Makes the filter for legs. Undefined if the arguments have none. Throws E_INPUT. */
export function wantedLegs({ departs_from: from, departs_to: to, train }: LegFilters): WantedLegs | undefined {
  if (from === undefined && to === undefined && train === undefined) return undefined;
  if (from !== undefined && to !== undefined && to < from)
    throw inputError('departs_to', `expected a date not before the first; nearest valid: ${from}.`);
  const [, carrier, number] = TRAIN.exec(train?.toUpperCase() ?? '') ?? [];
  if (train !== undefined && number === undefined)
    throw inputError('train', 'expected a train or flight, such as HHR101 or 101.');
  return {
    query: { from, to, train: number },
    isWanted({ departs, day = dateOf(departs), train: name = '' }) {
      if ((from !== undefined && day < from) || (to !== undefined && day > to)) return false;
      if (number === undefined) return true;
      const [, legCarrier, legNumber] = TRAIN.exec(name.toUpperCase()) ?? [];
      return legNumber === number && (carrier === undefined || legCarrier === carrier);
    },
  };
}

/** Finds the first wanted leg. A cancelled leg counts only if cancelled bookings are wanted; a lapsed hold has no legs. */
export function findLeg(entry: Entry, wanted: WantedLegs, state: string | undefined): KnownLeg | undefined {
  if (entry.state === 'expired' && state !== 'expired') return undefined;
  const { departs, lastDeparts, departures = [departs, lastDeparts] } = entry;
  const legs: readonly KnownLeg[] = entry.legs ?? departures.flatMap((at) => (at === undefined ? [] : { departs: at }));
  return legs.find((leg) => (leg.status !== 'cancelled' || state === 'cancelled') && wanted.isWanted(leg));
}

/** `on HHR101 from Tue 1 Dec to Wed 2 Dec`. */
function legWords({ departs_from: from, departs_to: to, train }: LegFilters): string {
  const days =
    from !== undefined && from === to
      ? [`on ${showDay(from)}`]
      : [from && `from ${showDay(from)}`, to && `to ${showDay(to)}`];
  return [train && `on ${cleanCode(train)}`, ...days].filter(Boolean).join(' ');
}

/** Whether the next deadline is within the hours from `now`. */
export function isDueWithin({ nextDeadline }: LedgerEntry, hours: number, now: number): boolean {
  const deadline = instantOf(nextDeadline?.at);
  return deadline !== undefined && deadline > now && deadline < now + hours * HOUR_MS;
}

/** Why a booking that was named by its locator is not in the list. */
export function whyNotListed(
  entry: LedgerEntry,
  filters: BookingFilters,
  matching: ReadonlySet<string>,
  now: number,
): string {
  const { state, deadline_within_hours: hours, needs_attention: needsAttention } = filters;
  if (matching.has(entry.locator)) return 'more bookings match than max_results';
  const actual = shownState(entry.state, entry.runsUntil, now);
  if (state !== undefined && actual !== state) return `it is ${actual.replace('_', ' ')}`;
  const legs = wantedLegs(filters);
  if (legs !== undefined && findLeg(entry, legs, state) === undefined) return `no leg ${legWords(filters)}`;
  if (hours !== undefined && !isDueWithin(entry, hours, now)) return `nothing due within ${counted(hours, 'hour')}`;
  if (needsAttention !== undefined) return needsAttention ? 'needs no attention' : 'needs attention';
  return 'does not match the query';
}

/** Says which filters nothing passes, how many bookings there are without them, and which name may be meant. */
export async function nothingFoundText(filters: BookingFilters, ctx: ToolContext): Promise<string | undefined> {
  const words = filterWords(filters);
  if (words.length === 0) return undefined;
  const all = await ctx.state.ledger.find(ctx.caller, { limit: MOST_COUNTED });
  if (all.total === 0) return undefined;
  const near = filters.query === undefined ? undefined : nearestName(filters.query, all.entries);
  const suggestion = near === undefined ? '' : ` The nearest name or locator here is ${quoted(near, 60)}.`;
  return `No booking here has ${listed(words)}; without that there ${all.total === 1 ? 'is' : 'are'} ${bookingsInWords(all.total)}.${suggestion}`;
}

export function bookingsInWords(count: number): string {
  if (count > MOST_COUNTED) return `more than ${MOST_COUNTED} bookings`;
  if (count === 0) return 'No bookings';
  return counted(count, 'booking');
}

function filterWords(filters: BookingFilters): readonly string[] {
  const { query, state, deadline_within_hours: hours, needs_attention: needsAttention } = filters;
  const legs = legWords(filters);
  const words: string[] = [];
  if (legs !== '') words.push(`a leg ${legs}`);
  if (query !== undefined) words.push(`the query ${quoted(query, 60)}`);
  if (state !== undefined) words.push(`the state ${state}`);
  if (hours !== undefined) words.push(`a deadline within ${counted(hours, 'hour')}`);
  if (needsAttention !== undefined)
    words.push(needsAttention ? 'something that needs attention' : 'nothing that needs attention');
  return words;
}

/** Gives the surname or locator here that is nearest to a query which finds nothing. */
function nearestName(query: string, entries: readonly Entry[]): string | undefined {
  const wanted = foldName(query);
  const names = entries.flatMap((entry) => [
    ...(entry.contactName?.split(' ').slice(-1) ?? []),
    ...(entry.travelers ?? []).map((name) => name.replace(/ \p{L}\p{M}*\.$/u, '')),
    entry.locator,
  ]);
  const near = names
    .map((name) => ({ name, distance: editDistance(wanted, foldName(name)) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 4)))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.name;
}
