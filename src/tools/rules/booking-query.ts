/**
 * What a query of the list of bookings means: a locator, a surname, a station, a day, or several of them. A surname alone can
 * be a stranger's, so that bookings of several customers of one name wait for a second fact.
 */
import { cleanCode } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { editDistance } from '../../core/nearest-word.ts';
import { dateOf, showDay } from '../../core/times.ts';
import type { DeskEntry, LedgerEntry, LedgerLeg, LedgerQuery, LegQuery } from '../../domain/booking/booking-ledger.ts';
import { listStations } from '../../domain/booking/stations.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { readCall, type ToolContext } from '../definition/define.ts';

type Entry = LedgerEntry & Partial<DeskEntry>;

/** One fact of a query: as written, and folded. `codes`: the stations that it names. */
interface Fact {
  readonly word: string;
  readonly text: string;
  readonly codes: readonly string[];
  readonly day?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The facts of a query. A single letter is the initial of the name before it: `Haddad L Makkah` has two. */
async function readFacts(query: string, ctx: ToolContext): Promise<readonly Fact[]> {
  const words = query.match(/\S+(?:\s+\p{L}\.?(?=\s|$))*/gu) ?? [];
  const routes = await ctx.airline.routes(readCall(ctx)).catch(() => []);
  const stations = listStations(routes);
  return words.map((word) => {
    if (DAY.test(word)) return { word, text: '', codes: [], day: word };
    const text = foldName(word);
    const named = stations.filter(
      ({ name, city }) => text.length > 2 && [name, city].some((each) => foldName(each).startsWith(text)),
    );
    return { word, text, codes: [text, ...named.map(({ code }) => code.toUpperCase())] };
  });
}

function isOfRoute({ route = '' }: Entry, { word, codes }: Fact): boolean {
  const stops = route.toUpperCase().split(/[-, ]+/);
  return (
    codes.some((code) => stops.includes(code)) ||
    (word.includes('-') && route.toUpperCase().includes(word.toUpperCase()))
  );
}

function namesIn({ contactName, travelers = [] }: Entry) {
  return { contact: foldName(contactName ?? ''), travelers: travelers.map(foldName) };
}

function isNamed(entry: Entry, { text }: Fact): boolean {
  const { contact, travelers } = namesIn(entry);
  return text !== '' && [contact, ...travelers].some((name) => name.includes(text));
}

const isLocator = ({ locator }: Entry, { text }: Fact) => text !== '' && foldName(locator) === text;

/** As anything but a name: locator, station or day. */
function hasLocatorStationOrDay(entry: Entry, fact: Fact): boolean {
  if (fact.day === undefined) return isLocator(entry, fact) || isOfRoute(entry, fact);
  const { departs, lastDeparts, departures = [] } = entry;
  return [departs, lastDeparts, ...departures].some((at) => at !== undefined && dateOf(at) === fact.day);
}

interface QueriedBookings {
  readonly entries: readonly Entry[];
  readonly total: number;
  /** Bookings that a name alone finds, of several customers: none of them is shown. */
  readonly strangers: number;
  /** There may be older ones: only so many as the ledger gives at once were compared with all the facts. */
  readonly isCut: boolean;
}

type Find = (query: LedgerQuery) => Promise<{ readonly entries: readonly Entry[]; readonly total: number }>;

/** What to do where bookings of several customers are found and not shown. */
export const SECOND_FACT =
  'Ask the customer for a second fact, and call list_bookings with both in query: the initial (Haddad L), a station or day of the trip (Haddad Makkah, Haddad 2026-12-01), or the locator alone.';

/** @param find asks the ledger with all other filters */
export async function searched(
  query: string | undefined,
  base: LedgerQuery,
  find: Find,
  ctx: ToolContext,
): Promise<QueriedBookings> {
  if (query === undefined) return { ...(await find(base)), strangers: 0, isCut: false };
  const asked = await find({ ...base, query });
  const facts = await readFacts(query, ctx);
  // The whole text is one name or route, as it is written.
  const found = asked.total > 0 ? { ...asked, isCut: false } : await byFacts(facts, base, find);
  if (ctx.isSupervisor) return { ...found, strangers: 0 };
  const byName = found.entries.filter((entry) =>
    facts.every((fact) => !hasLocatorStationOrDay(entry, fact) && isNamed(entry, fact)),
  );
  if (countCustomers(byName, facts) < 2) return { ...found, strangers: 0 };
  const hidden = new Set(byName.map(({ locator }) => locator));
  const entries = found.entries.filter(({ locator }) => !hidden.has(locator));
  return { ...found, entries, total: entries.length, strangers: hidden.size };
}

/**
 * Bookings that have each of the facts, among as many as `base.limit` of those seen last. Where there are more, those that the
 * ledger finds by a name among the facts are looked at too.
 */
async function byFacts(facts: readonly Fact[], base: LedgerQuery, find: Find) {
  const having = (entries: readonly Entry[]) =>
    entries.filter((entry) => facts.every((fact) => hasLocatorStationOrDay(entry, fact) || isNamed(entry, fact)));
  const newest = await find(base);
  if (newest.total <= base.limit) return queried(having(newest.entries), false);
  // A station's name is not in the ledger, which keeps codes.
  const name = facts.find(({ day, codes }) => day === undefined && codes.length === 1)?.word.split(/\s/)[0];
  const named = name === undefined ? undefined : await find({ ...base, query: name });
  const found = new Map(having([...newest.entries, ...(named?.entries ?? [])]).map((entry) => [entry.locator, entry]));
  return queried([...found.values()], named === undefined || named.total > base.limit);
}

function queried(entries: readonly Entry[], isCut: boolean) {
  return { entries, total: entries.length, isCut };
}

/**
 * How many customers these bookings may belong to. Two are taken to be one customer's if they have the same contact, and the query
 * names either that contact or a traveller of both.
 */
function countCustomers(entries: readonly Entry[], facts: readonly Fact[]): number {
  const found: { readonly contact: string; readonly meant: readonly string[] }[] = [];
  for (const entry of entries) {
    const { contact, travelers } = namesIn(entry);
    const isMeant = (name: string) => facts.some(({ text }) => text !== '' && name.includes(text));
    const meant = [...(isMeant(contact) ? ['contact'] : []), ...travelers.filter(isMeant)];
    const isKnown = found.some(
      (customer) => customer.contact === contact && customer.meant.some((name) => meant.includes(name)),
    );
    if (!isKnown) found.push({ contact, meant });
  }
  return found.length;
}

/** The surname or locator here that is nearest to a query which finds nothing. */
export function nearestName(query: string, entries: readonly Entry[]): string | undefined {
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

/** `HHR101`, `3K 101`, `101`: carrier and number. */
const TRAIN = /^(?:([A-Z]{2,4}|[A-Z]\d|\d[A-Z])[ -]?)?0*(\d{1,6}[A-Z]?)$/;

/** Legs that are asked for, by days of the station and by train. */
interface WantedLegs {
  /** What the ledger is asked. It compares no carriers, which `isWanted` does. */
  readonly query: LegQuery;
  isWanted(leg: KnownLeg): boolean;
}

/** Of an entry that an earlier version wrote only the time is known. */
type KnownLeg = Pick<LedgerLeg, 'departs'> & Partial<LedgerLeg>;

interface LegArgs {
  readonly departs_from?: string | undefined;
  readonly departs_to?: string | undefined;
  readonly train?: string | undefined;
}

/** Undefined: all bookings are. */
export function wantedLegs({ departs_from: from, departs_to: to, train }: LegArgs): WantedLegs | undefined {
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
      const [, itsCarrier, itsNumber] = TRAIN.exec(name.toUpperCase()) ?? [];
      return itsNumber === number && (carrier === undefined || itsCarrier === carrier);
    },
  };
}

/** The first leg that is wanted. One that is cancelled counts only where cancelled bookings are asked for; a lapsed hold has none. */
export function findLeg(entry: Entry, wanted: WantedLegs, state: string | undefined): KnownLeg | undefined {
  if (entry.state === 'expired' && state !== 'expired') return undefined;
  const { departs, lastDeparts, departures = [departs, lastDeparts] } = entry;
  const legs: readonly KnownLeg[] = entry.legs ?? departures.flatMap((at) => (at === undefined ? [] : { departs: at }));
  return legs.find((leg) => (leg.status !== 'cancelled' || state === 'cancelled') && wanted.isWanted(leg));
}

/** `on HHR101 from Tue 1 Dec to Wed 2 Dec`. */
export function legWords({ departs_from: from, departs_to: to, train }: LegArgs): string {
  const days =
    from !== undefined && from === to
      ? [`on ${showDay(from)}`]
      : [from && `from ${showDay(from)}`, to && `to ${showDay(to)}`];
  return [train && `on ${cleanCode(train)}`, ...days].filter(Boolean).join(' ');
}
