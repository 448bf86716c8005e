/**
 * The filters of the list of bookings (tools/list-bookings.ts): the search in the ledger, what the words of a query mean, which legs are
 * wanted, why a booking is not listed, and what to say if none is. A surname alone can be a stranger's: if it finds bookings of several
 * customers, none of them is shown before the caller names a second fact.
 */

import { quoted } from '../../core/clean-text.ts';
import { dayError, inputError } from '../../core/errors.ts';
import { editDistance } from '../../core/nearest-word.ts';
import { dateOf, HOUR_MS, utcDay } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import type { Found, LedgerEntry, LedgerLeg, LedgerQuery, LegQuery } from '../../domain/booking/booking-ledger.ts';
import { listStations } from '../../domain/booking/stations.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { signsOf } from '../../domain/people/reached-signs.ts';
import type { Operation } from '../../journal/operation.ts';
import { readCall, type ToolContext } from '../definition/define.ts';

/** How many bookings an answer has: without `max_results`, and at most. */
export const USUAL_SHOWN = 20;
export const MOST_SHOWN = 200;
/** How many entries the list filters and orders; more are not counted. */
export const MOST_COUNTED = 1000;

/** The next step if bookings of several customers are found, which are not shown. */
export const SECOND_FACT =
  'Ask the customer for a second fact, and call list_bookings with both in query: the initial (Haddad L), e-mail or telephone, a station or day of the trip (Haddad Makkah, Haddad 2026-12-01), or the locator alone.';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const EMAIL = /^[^@\s]+@[^@\s]+$/;
/** A telephone, or a part of one that is written with spaces. */
const PHONE_PART = /^[+\p{Nd}()./-]+$/u;

/** Carrier and number, or the number alone: `HHR101`, `3K 101`, `101`. */
const TRAIN = /^(?:([A-Z]{2,4}|[A-Z]\d|\d[A-Z])[ -]?)?0*(\d{1,6}[A-Z]?)$/;

// What a word of a query looks like that no query finds.
/** A train or flight with its carrier: `HHR0101`. */
const NAMED_TRAIN = /^[A-Z]{2,4}\d{1,4}$/i;
/** A day in another form than ours: `17/04/1991`. */
const OTHER_DAY = /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/;
/** How many digits a telephone has at least. */
const SHORTEST_PHONE = 5;
const LOCATOR_LENGTH = 6;

export interface BookingFilters extends LegFilters {
  readonly query?: string | undefined;
  readonly customer?: string | undefined;
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
  /** Whether more bookings match than are counted. */
  readonly isCut: boolean;
  /** How many bookings of several customers a name alone finds: none of them is in `entries`. */
  readonly hiddenCount: number;
  /** Whether older bookings can match too, because the words of the query were compared with {@link MOST_COUNTED} bookings only. */
  readonly isQueryCut: boolean;
}

/** What the search knows besides the filters of the call. */
interface SearchFacts {
  readonly legs: WantedLegs | undefined;
  /** Searches only among these; undefined: among all. */
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
  const { query, customer, state, deadline_within_hours: hours } = filters;
  const now = ctx.now();
  const deadlines = hours === undefined ? {} : { deadlineAfter: now, deadlineBefore: now + hours * HOUR_MS };
  const base: LedgerQuery = { leg: legs?.query, ...deadlines, customer, limit: MOST_COUNTED, locators };
  const find: FindWithText = (text) => findInState({ ...base, query: text }, state, ctx);
  const { entries, total, ...found } = await findByWords(query, find, ctx);
  const isCut = total > MOST_COUNTED;

  // A call with a query, a customer or a deadline has named what it wants.
  const isSelective = query !== undefined || customer !== undefined || hours !== undefined;
  if (!isCut || isSelective) return { ...found, entries, isCut };

  const urgent = await findUrgent(filters, base, open, ctx);
  return { ...found, entries: eachOnce([...entries, ...urgent]), isCut };
}

/** Asks the ledger with this text, as it compares texts, and with all other filters of the call. */
type FindWithText = (text: string | undefined) => Promise<Found<LedgerEntry>>;

/** Finds the bookings in this state. The ledger has the state of a reading, which cannot be `flown`: such trips are among those with tickets. */
async function findInState(
  query: LedgerQuery,
  state: string | undefined,
  { state: { ledger }, caller }: ToolContext,
): Promise<Found<LedgerEntry>> {
  if (state === undefined) return ledger.find(caller, query);
  const ledgerStates = state === 'flown' ? ['ticketed', 'partly_cancelled'] : [state];
  const found = await Promise.all(ledgerStates.map((each) => ledger.find(caller, { ...query, state: each })));
  // The larger total says whether one of them is cut.
  return { entries: found.flatMap(({ entries }) => entries), total: Math.max(...found.map(({ total }) => total)) };
}

/**
 * Finds the bookings with the nearest deadlines, open operations or open findings. They may be missing among the bookings seen last,
 * of which there are more than are counted.
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

  // Any larger number would do, but the store prepares a statement for each.
  const enoughToShow = mostShown <= USUAL_SHOWN ? USUAL_SHOWN : MOST_SHOWN;
  // The filter by attention, which the ledger does not know, may drop many of them.
  const limit = needsAttention === undefined ? enoughToShow : MOST_COUNTED;
  const due = await ledger.find(caller, { ...base, deadlineAfter: now(), limit });
  const unsettled = await ledger.find(caller, { ...base, locators });
  return [...due.entries, ...unsettled.entries];
}

/** Leaves out bookings that are listed twice. */
function eachOnce(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return [...new Map(entries.map((entry) => [entry.locator, entry])).values()];
}

interface FoundByWords extends Found<LedgerEntry>, Pick<LedgerSearch, 'hiddenCount' | 'isQueryCut'> {}

/**
 * Finds the bookings that have every word of a query: a whole word of a name, or another fact. Without a query, finds all. A caller who is
 * no supervisor sees none that a name alone finds, if they are of several customers.
 */
async function findByWords(query: string | undefined, find: FindWithText, ctx: ToolContext): Promise<FoundByWords> {
  if (query === undefined) return { ...(await find(undefined)), hiddenCount: 0, isQueryCut: false };

  const facts = await readFacts(query, ctx);
  const found = await findByFacts(facts, find);
  if (ctx.state.isSupervisor) return { ...found, hiddenCount: 0 };

  const foundByName = found.entries.filter((entry) => !facts.some((fact) => hasSecondFact(entry, fact)));
  if (!areOfSeveral(foundByName, facts)) return { ...found, hiddenCount: 0 };

  const hidden = new Set(foundByName.map(({ locator }) => locator));
  const entries = found.entries.filter(({ locator }) => !hidden.has(locator));
  return { ...found, entries, total: entries.length, hiddenCount: hidden.size };
}

/** Whether it is one or several whole words of the name: `HADDADL` of `Haddad L.`. */
function isNamedBy(name: string, fact: Fact): boolean {
  if (fact.kind !== 'word') return false;
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).map(foldName);
  return words.some((_, from) =>
    words.slice(from).some((__, i) => words.slice(from, from + i + 1).join('') === fact.folded),
  );
}

/**
 * Finds bookings that have each of the facts, among as many as the ledger gives of those seen last. Where there are more, also looks at
 * those that the ledger finds by a name among the facts.
 */
async function findByFacts(facts: readonly Fact[], find: FindWithText): Promise<Omit<FoundByWords, 'hiddenCount'>> {
  const newest = await find(undefined);
  const isCut = newest.total > MOST_COUNTED;

  // What can only be a name: the ledger cannot find that of a station, because it keeps codes.
  const words = facts.filter((fact) => fact.kind === 'word');
  const name = words.find(({ stationCodes, signs }) => stationCodes.length === 0 && signs.length === 0);
  const [surname] = name?.word.split(/\s/) ?? [];
  const withName = isCut && surname !== undefined ? await find(surname) : undefined;
  const among = eachOnce([...newest.entries, ...(withName?.entries ?? [])]);
  const isQueryCut = isCut && (withName === undefined || withName.total > MOST_COUNTED);

  const hasFact = (entry: LedgerEntry) => (fact: Fact) => hasSecondFact(entry, fact) || hasName(entry, fact);
  const entries = facts.length === 0 ? [] : among.filter((entry) => facts.every(hasFact(entry)));
  return { entries, total: entries.length, isQueryCut };
}

/** One fact of a query. */
type Fact =
  | { readonly kind: 'day'; readonly day: string }
  | {
      /** A locator, a name with or without its initial, a station or a route. */
      readonly kind: 'word';
      /** As written. */
      readonly word: string;
      /** Folded, to compare with names, locators and codes. Not empty. */
      readonly folded: string;
      /** The codes of the stations whose name or city begins with it. */
      readonly stationCodes: readonly string[];
      /** If it is an e-mail address or telephone. */
      readonly signs: readonly string[];
    };

/**
 * Splits a query into words. A single letter belongs to the name before it, as its initial: `Haddad L Makkah` has two. A telephone
 * is one word, also with spaces.
 */
function wordsOf(query: string): readonly string[] {
  const words: string[] = [];
  let isPhone = false;

  for (const part of query.trim().split(/\s+/)) {
    const isPart = PHONE_PART.test(part) && !DAY.test(part);
    const last = words.at(-1);
    if (last !== undefined && (/^\p{L}\.?$/u.test(part) || (isPhone && isPart)))
      words[words.length - 1] = `${last} ${part}`;
    else words.push(part);
    isPhone = isPart;
  }

  return words;
}

/** Reads the facts of a query. */
async function readFacts(query: string, ctx: ToolContext): Promise<readonly Fact[]> {
  const parts = wordsOf(query);
  // A dash between two words is no fact.
  const words = parts.filter((part) => foldName(part) !== '');
  const routes = await ctx.airline.routes(readCall(ctx)).catch(() => []);
  const stations = listStations(routes);

  return words.map((word) => {
    if (DAY.test(word)) return { kind: 'day', day: word };

    const folded = foldName(word);
    // One or two letters begin the names of too many stations.
    const meant = folded.length > 2 ? stations.filter(({ name, city }) => beginsWith([name, city], folded)) : [];

    return {
      kind: 'word',
      word,
      folded,
      stationCodes: meant.map(({ code }) => code.toUpperCase()),
      signs: isReachedBy(word) ? signsOf([word], ctx.identity) : [],
    };
  });
}

/** Whether it can be an e-mail address or a telephone. */
function isReachedBy(word: string): boolean {
  return EMAIL.test(word) || word.split(/\s/).every((part) => PHONE_PART.test(part));
}

function beginsWith(names: readonly string[], folded: string): boolean {
  return names.some((name) => foldName(name).startsWith(folded));
}

/** Whether it has this locator, station, day, e-mail address or telephone. */
function hasSecondFact(entry: LedgerEntry, fact: Fact): boolean {
  if (fact.kind === 'word')
    return (
      foldName(entry.locator) === fact.folded ||
      isOnRoute(entry, fact) ||
      fact.signs.some((sign) => entry.reached?.includes(sign))
    );

  const { departs, lastDeparts, departures = [] } = entry;
  return [departs, lastDeparts, ...departures].some((at) => at !== undefined && dateOf(at) === fact.day);
}

/** Whether the word is a station of the route, or a part of the route: `MED-JED`. */
function isOnRoute(
  { route = '' }: LedgerEntry,
  { word, folded, stationCodes }: Extract<Fact, { kind: 'word' }>,
): boolean {
  const stops = route.toUpperCase().split(/[-, ]+/);
  if ([folded, ...stationCodes].some((code) => stops.includes(code))) return true;
  return word.includes('-') && route.toUpperCase().includes(word.toUpperCase());
}

function hasName({ contactName = '', travelers = [] }: LedgerEntry, fact: Fact): boolean {
  return [contactName, ...travelers].some((name) => isNamedBy(name, fact));
}

/**
 * Whether two of these bookings are of different customers. They may be one customer's if they have the same contact, and the query names
 * either that contact or a traveller of both; not if both have an e-mail address or telephone and share none. If both have a key of the
 * desk, it alone tells. For the query `Haddad`:
 *
 *   Haddad books for Baker; Haddad books for Lim             one customer: the contact is named
 *   Baker books for Haddad L.; Baker books for Haddad L.     one customer: both have the named traveller
 *   Baker books for Haddad L.; Baker books for Haddad S.     several
 *   Baker books for Haddad L.; Lim books for Haddad L.       several
 */
function areOfSeveral(entries: readonly LedgerEntry[], facts: readonly Fact[]): boolean {
  const isInQuery = (name: string) => facts.some((fact) => isNamedBy(name, fact));
  const bookings = entries.map((entry): Customer => {
    const { contactName = '', travelers = [], reached = [], customer } = entry;
    const named = travelers.filter(isInQuery).map(foldName);
    if (isInQuery(contactName)) named.unshift('contact');
    return { contact: foldName(contactName), named, reached, key: customer };
  });
  return bookings.some((one, i) => bookings.slice(i + 1).some((other) => !mayBeSame(one, other)));
}

interface Customer {
  readonly contact: string;
  /** Names in the query. */
  readonly named: readonly string[];
  /** Signs of e-mail addresses and telephones. */
  readonly reached: readonly string[];
  /** The desk's own key. */
  readonly key: string | undefined;
}

function mayBeSame(a: Customer, b: Customer): boolean {
  if (a.key !== undefined && b.key !== undefined) return a.key === b.key;
  const isReachedAlike = a.reached.some((sign) => b.reached.includes(sign));
  return (
    a.contact === b.contact &&
    a.named.some((name) => b.named.includes(name)) &&
    (a.reached.length === 0 || b.reached.length === 0 || isReachedAlike)
  );
}

/** The filter for legs, by days of the station and by train. */
export interface WantedLegs {
  /** For the ledger, which compares no carriers; `isWanted` does. */
  readonly query: LegQuery;
  isWanted(leg: KnownLeg): boolean;
}

/** A leg of an entry of 0.2.0 has only the time. */
type KnownLeg = Pick<LedgerLeg, 'departs'> & Partial<LedgerLeg>;

/** Reads the filter for legs from the arguments. Undefined if they have none. Throws E_INPUT. */
export function readWantedLegs({ departs_from: from, departs_to: to, train }: LegFilters): WantedLegs | undefined {
  if (from === undefined && to === undefined && train === undefined) return undefined;
  if (from !== undefined && to !== undefined && to < from)
    throw dayError('departs_to', `a date not before the first (${from})`);

  const wanted = train === undefined ? undefined : readTrain(train);
  if (train !== undefined && wanted === undefined)
    throw inputError('train', 'expected a train or flight, such as HHR101 or 101.');

  return {
    query: { from, to, train: wanted?.number },
    isWanted({ departs, day = dateOf(departs), train: name = '' }) {
      if (from !== undefined && day < from) return false;
      if (to !== undefined && day > to) return false;
      return wanted === undefined || isTrain(name, wanted);
    },
  };
}

interface TrainName {
  /** Undefined: any carrier. */
  readonly carrier: string | undefined;
  /** Without leading zeros. */
  readonly number: string;
}

/** Undefined if the text names no train or flight. */
export function readTrain(text: string): TrainName | undefined {
  const [, carrier, number] = TRAIN.exec(text.toUpperCase()) ?? [];
  return number === undefined ? undefined : { carrier, number };
}

function isTrain(name: string, wanted: TrainName): boolean {
  const train = readTrain(name);
  if (train?.number !== wanted.number) return false;
  return wanted.carrier === undefined || wanted.carrier === train.carrier;
}

/**
 * Finds the first wanted leg of a booking. One that the airline cancelled counts as long as it may owe something for it.
 *
 * @param state the filter of the call: only with `expired` a lapsed hold has legs, only with `cancelled` any cancelled leg counts
 */
export function findLeg(entry: LedgerEntry, wanted: WantedLegs, state: string | undefined): KnownLeg | undefined {
  if (entry.state === 'expired' && state !== 'expired') return undefined;
  const counts = (leg: KnownLeg) => leg.status !== 'cancelled' || state === 'cancelled' || mayBeOwed(entry, leg);
  return knownLegs(entry).find((leg) => counts(leg) && wanted.isWanted(leg));
}

/** Whether the airline cancelled this leg and, as far as the reading shows, has not paid back what was paid for it. */
function mayBeOwed({ byAirline = [], paid }: LedgerEntry, { train, departs }: KnownLeg): boolean {
  return byAirline.some(
    (deed) =>
      deed.flight === train &&
      deed.departs === departs &&
      deed.what !== 'moved' &&
      (deed.what !== 'cancelled' || paid !== undefined),
  );
}

/** Gives the legs of a booking; of an entry that has none, its departures. */
function knownLegs(entry: LedgerEntry): readonly KnownLeg[] {
  const { legs, departs, lastDeparts, departures = [departs, lastDeparts] } = entry;
  return legs ?? departures.flatMap((at) => (at === undefined ? [] : { departs: at }));
}

/**
 * Names the filters that nothing passes, how many bookings there are without them, what no filter searches, and which name may be
 * meant. Undefined without a filter.
 */
export async function nothingFoundText(filters: BookingFilters, ctx: ToolContext): Promise<string | undefined> {
  const facts = filters.query === undefined ? [] : await readFacts(filters.query, ctx);
  const wanted = [...(filters.query === undefined ? [] : queryWords(facts, filters.query)), ...filterWords(filters)];
  if (wanted.length === 0) return undefined;

  const all = await ctx.state.ledger.find(ctx.caller, { limit: MOST_COUNTED });
  if (all.total === 0) return undefined;

  const nearest = filters.query === undefined ? undefined : nearestName(filters.query, all.entries);
  const suggestion = nearest === undefined ? '' : ` The nearest name or locator here is ${quoted(nearest, 60)}.`;
  const found = `No match for ${listed(wanted)} among ${bookingsInWords(all.total)}, as last read.`;
  return found + unsearchedText(facts, ctx.now()) + suggestion;
}

/** Names each fact of a query: `surname “Berg”`, `day 2026-12-01`. */
function queryWords(facts: readonly Fact[], query: string): readonly string[] {
  if (facts.length === 0) return [`query ${quoted(query, 60)}`];
  return facts.map((fact) => (fact.kind === 'day' ? `day ${fact.day}` : `${factNoun(fact)} ${quoted(fact.word, 60)}`));
}

/** What a word of a query can be. */
function factNoun({ word, folded, stationCodes }: Extract<Fact, { kind: 'word' }>): string {
  if (EMAIL.test(word)) return 'e-mail';
  if (OTHER_DAY.test(word)) return 'day';
  if (isReachedBy(word)) return folded.length < SHORTEST_PHONE ? 'number' : 'telephone';
  if (stationCodes.length > 0) return 'surname or station';
  if (NAMED_TRAIN.test(word) && word.length !== LOCATOR_LENGTH) return 'train or flight';
  if (/\d/.test(folded)) return 'locator';
  if (/^[A-Z]{6}$/.test(word)) return 'surname or locator';
  return 'surname';
}

/** Names the filters besides the query. */
function filterWords(filters: BookingFilters): readonly string[] {
  const { customer, state, departs_from: from, departs_to: to, train } = filters;
  const { deadline_within_hours: hours, needs_attention: needsAttention } = filters;

  const words = [
    customer && `customer ${quoted(customer, 60)}`,
    state && `state ${state.replace('_', ' ')}`,
    from && `departures from ${from}`,
    to && `departures to ${to}`,
    train && `train or flight ${quoted(train, 20)}`,
    hours && `a deadline in the next ${counted(hours, 'hour')}`,
    needsAttention === undefined ? undefined : `needs_attention ${needsAttention}`,
  ];
  return words.filter((each) => typeof each === 'string' && each !== '').map(String);
}

/** Says what is not searched, where a word of the query looks like it. */
function unsearchedText(facts: readonly Fact[], now: number): string {
  const today = utcDay(now);
  const words = facts.flatMap((fact) => (fact.kind === 'word' ? fact : []));
  const hasPastDay = facts.some((fact) => fact.kind === 'day' && fact.day < today);
  const hasOtherDay = words.some(({ word }) => OTHER_DAY.test(word));
  const hasTrain = words.some(({ word }) => NAMED_TRAIN.test(word));
  const hasNumber = words.some(
    ({ word, folded }) =>
      !/^\+|@/.test(word) &&
      !OTHER_DAY.test(word) &&
      !NAMED_TRAIN.test(word) &&
      /\d/.test(folded) &&
      folded.length !== LOCATOR_LENGTH,
  );
  const hasTwoNames = words.filter((fact) => factNoun(fact).startsWith('surname')).length > 1;

  return [
    hasTwoNames ? ' Of travellers the surname and the initial are searched (Haddad L), not the given name.' : '',
    hasPastDay || hasOtherDay ? ' A birth date is not searched.' : '',
    hasOtherDay ? ' Write a day of travel as YYYY-MM-DD.' : '',
    hasTrain ? ' The filter train finds a train or flight.' : '',
    hasNumber ? ' The number of a document or ticket is not searched.' : '',
  ].join('');
}

export function bookingsInWords(count: number): string {
  if (count > MOST_COUNTED) return `more than ${MOST_COUNTED} bookings`;
  if (count === 0) return 'No bookings';
  return counted(count, 'booking');
}

/**
 * Gives the surname or locator here that is nearest to a query which finds nothing: at most every fourth letter may differ. Undefined if one
 * is equal: then another filter is what nothing passes.
 */
function nearestName(query: string, entries: readonly LedgerEntry[]): string | undefined {
  const wanted = foldName(query);
  const names = entries.flatMap((entry) => [
    ...(entry.contactName?.split(' ').slice(-1) ?? []),
    // Without the initial.
    ...(entry.travelers ?? []).map((name) => name.replace(/ \p{L}\p{M}*\.$/u, '')),
    entry.locator,
  ]);

  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(wanted, foldName(name)) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 4)))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.distance === 0 ? undefined : nearest?.name;
}
