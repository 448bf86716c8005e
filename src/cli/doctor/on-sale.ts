/**
 * Reads each service that shows what is on sale once: routes, calendar, fares. Checks the raw JSON of the replies for what our
 * decoders expect of price rows and fare codes (docs/wire/notes.md, Fares and prices), and collects what the interface leaves
 * open: names and kinds only, no values.
 */

import { addDays } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import type { FareSearchResult, PassengerCounts } from '../../domain/pricing/offers.ts';
import { decodeFareSearchReply } from '../../ota/messages/fare-search.ts';
import { LEFT_OUT } from '../../ota/messages/field-names.ts';
import { decodeCalendarReply, decodeRoutesReply } from '../../ota/messages/gateway.ts';
import { amount, fareCurrency, record, records, sumOf, text, texts, type Wire } from '../../ota/messages/reader.ts';
import { asList, isObject } from '../../ota/transport/json.ts';
import { type Check, type CheckOutcome, finding, good, listed, skipped } from './check.ts';
import { type Pair, problemOf, type Visit } from './visit.ts';

const ONE = { adults: 1, children: 0, infants: 0 };
/** Several passenger types show how price rows count travellers. */
export const FAMILY = { adults: 2, children: 1, infants: 0 };
const CALENDAR_DAYS = 30;
/** Pairs to try: the first pair may have no departures at present. */
const MOST_PAIRS = 3;

export function onSaleChecks(visit: Visit): readonly Check[] {
  const needs = ['messages', 'credentials'];
  return [
    { id: 'routes', title: 'routes', needs, run: () => checkRoutes(visit) },
    { id: 'calendar', title: 'calendar', needs, run: () => checkCalendar(visit) },
    { id: 'fare_search', title: 'fare search', needs, run: () => checkSearch(visit) },
  ];
}

/** Searches without FARECLERK_CARRIER, which would hide that the airline names no carrier. */
export function findFares(visit: Visit, pairs: readonly Pair[], passengers: PassengerCounts, includeSoldOut = false) {
  const legs = pairs.map(({ from, to, date = '' }) => ({ from, to, date, daysBefore: 0, daysAfter: 0 }));
  const question = { legs, passengers, bookingClasses: [], includeSoldOut };
  return visit.ask((airline) => airline.searchFares(question), { carrier: undefined });
}

async function checkRoutes(visit: Visit): Promise<CheckOutcome> {
  const { gatewayUrl } = visit.airline;
  if (gatewayUrl === undefined) return finding('gateway_missing');
  if (!visit.reachable(gatewayUrl)) return skipped('Its host cannot be reached.');
  const asked = await visit.ask((airline) => airline.routes());
  if (asked.answer === undefined) return problemOf(asked, 'FARECLERK_GATEWAY_URL');
  visit.pairs = asked.answer.flatMap((route) => route.to.map((to) => ({ from: route.from.code, to: to.code })));
  const pairs = visit.pairs.length;
  visit.answers.services.routes = { ...replyFacts(asked.body, decodeRoutesReply), pairs };
  return pairs > 0 ? good(`${pairs} pairs of stations on sale`) : finding('nothing_on_sale.routes');
}

async function checkCalendar(visit: Visit): Promise<CheckOutcome | undefined> {
  const { from, to, date: wanted } = visit.options.wanted;
  const pairs = from === undefined || to === undefined ? visit.pairs : [{ from, to }];
  const today = new Date(visit.options.now()).toISOString().slice(0, 10);
  const [startDate, endDate] = [addDays(today, 7), addDays(today, 7 + CALENDAR_DAYS)];
  visit.pair = pairs[0] && { ...pairs[0], date: wanted ?? addDays(today, 14) };
  const { gatewayUrl } = visit.airline;
  // The check of the routes says that there is none.
  if (gatewayUrl === undefined) return undefined;
  if (!visit.reachable(gatewayUrl)) return skipped('Its host cannot be reached.');
  if (pairs.length === 0) return skipped('No route is known.');
  for (const pair of pairs.slice(0, MOST_PAIRS)) {
    const asked = await visit.ask((airline) => airline.calendar({ ...pair, startDate, endDate, direct: false }));
    if (asked.answer === undefined) return problemOf(asked, 'FARECLERK_GATEWAY_URL');
    const { dates } = asked.answer;
    const [date, ...others] = dates.toSorted();
    const sorted = [date, ...others].every((one, i) => one === dates[i]);
    visit.answers.services.calendar = { ...replyFacts(asked.body, decodeCalendarReply), dates: dates.length, sorted };
    if (date === undefined) continue;
    visit.pair = { ...pair, date: wanted ?? date };
    return good(`${dates.length} days on sale from ${pair.from} to ${pair.to} between ${startDate} and ${endDate}`);
  }
  return finding('nothing_on_sale.days', { startDate, endDate });
}

async function checkSearch(visit: Visit): Promise<CheckOutcome> {
  const { pair, airline } = visit;
  const { services } = visit.answers;
  if (pair === undefined) return skipped('No route is known. Name one: `fareclerk doctor --route FROM-TO`.');
  const { deviations } = visit.options;
  const passengers = deviations ? FAMILY : ONE;
  visit.search = await findFares(visit, [pair], passengers);
  if (visit.search.answer === undefined) return problemOf(visit.search, 'FARECLERK_BASE_URL');
  const found = searchFacts(visit.search.answer, visit.search.body);
  services.search = found;
  visit.wide = await findFares(visit, [pair], passengers, true);
  const { answer, body } = visit.wide;
  // The answer has the priced offers too; the body is the availability record alone.
  const withSoldOut = answer && body ? searchFacts(decodeFareSearchReply(body), body) : undefined;
  if (withSoldOut !== undefined) services.searchWithSoldOut = withSoldOut;
  const { offers, currencies, carriers } = found;
  const trip = `${pair.from} to ${pair.to} on ${pair.date}`;
  if (offers === 0) return finding('nothing_on_sale', { trip });
  const [first, ...others] = currencies.filter((currency) => currency !== airline.currency);
  if (first !== undefined)
    return finding('other_currency', { found: [first, ...others].join(', '), set: airline.currency, first });
  // With --airline, the check of the availability looks at the second one.
  const nameless = (deviations ? [found] : [found, withSoldOut]).some(
    (one) => one && one.offers > 0 && one.carriers.length === 0,
  );
  if (nameless && airline.carrier === undefined)
    return finding('no_carrier', { offers, trip, value: carrierAdvice(carriers) });
  return good(`${offers} offers from ${trip}, in ${currencies.join(', ')}, form: ${found.form}`);
}

const unique = (texts: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(texts)].filter((text) => text !== undefined && /^[\w-]{1,12}$/.test(text)).sort() as string[];

function searchFacts({ offers }: FareSearchResult, body: unknown) {
  const segments = offers.flatMap(({ options }) => options.flatMap((option) => option.segments));
  const pricings = offers.map(({ pricing }) => pricing);
  return {
    ...replyFacts(body, decodeFareSearchReply),
    form: all(body, 'transport').length > 0 ? 'availability' : 'itineraries',
    offers: offers.length,
    currencies: unique(pricings.map(({ total }) => total?.total.currency)),
    // Read from the JSON: our decoder fills in carriers that an availability record omits.
    carriers: carriersOf(body).toSorted(),
    classes: unique(segments.map(({ bookingClass }) => bookingClass)),
    passengerTypes: unique(pricings.flatMap(({ perType }) => perType.map(({ type }) => type))),
    refundRules: pricings.some(({ fares }) => fares.some(({ refundRules }) => refundRules.length > 0)),
    quoteId: pricings.some(({ quoteId }) => quoteId !== undefined),
  };
}

/** The value of FARECLERK_CARRIER, if only one carrier is named. */
export const carrierAdvice = (carriers: readonly string[]): string =>
  carriers.length === 1 ? `=${carriers[0]}` : ' to the code of the operating carrier';

interface OfferedSegment {
  readonly ref: string;
  readonly wire: Wire;
}

export const segmentsOf = (body: unknown): readonly OfferedSegment[] =>
  all(body, 'flightSegment')
    .flatMap(records)
    .filter((wire) => wire.departureAirport !== undefined)
    .map((wire, i) => ({ ref: text(wire.rph) ?? String(i + 1), wire }));

export const itinerariesOf = (body: unknown): readonly Wire[] => all(body, 'pricedItinerary').flatMap(records);
/** The fare code on the segment itself. */
export const fareOf = (wire: Wire): string | undefined => text(wire.fareBasisCode) ?? text(all(wire, 'fareBasis')[0]);
const refsOf = (row: Wire): readonly string[] => all(row, 'flightRefNumberRPHList').flatMap(texts);

type RowFacts = ReturnType<typeof rowFacts>;

/** `otherClass` counts itineraries with rows of another class than their segments'; `unnamed` rows name no segment. */
export function rowFacts(body: unknown) {
  const offers = itinerariesOf(body).map((itinerary) => {
    const segments = segmentsOf(itinerary);
    const rows = all(itinerary, 'ptcfareBreakdown').flatMap(records);
    const itineraryRows = rows.filter((row) => isOf(row, segments));
    const codes = codesOf(itinerary, segments, itineraryRows);
    const coded = segments.filter(({ ref }) => codes.some((code) => code.ref === ref));
    return { segments, rows, itineraryRows, codes, coded, sum: addedUp(itinerary, itineraryRows) };
  });
  const rows = offers.flatMap((offer) => offer.rows);
  const sums = (outcome: SumCheck): number => offers.filter(({ sum }) => sum === outcome).length;
  return {
    itineraries: offers.length,
    rows: rows.length,
    single: rows.filter((row) => refsOf(row).length === 1).length,
    unnamed: rows.filter((row) => refsOf(row).length === 0).length,
    otherClass: offers.filter((offer) => offer.itineraryRows.length < offer.rows.length).length,
    segments: offers.flatMap(({ segments }) => segments).length,
    coded: offers.flatMap(({ coded }) => coded).length,
    places: [...new Set(offers.flatMap(({ codes }) => codes.map(({ place }) => place)))],
    sums: { fit: sums('fit'), differ: sums('differ'), unknown: sums('unknown') },
  };
}

/** A row that names a class counts only if its segment has that class. */
function isOf(row: Wire, segments: readonly OfferedSegment[]): boolean {
  const named = all(all(row, 'fareReference'), 'resBookDesigCode').flatMap(texts);
  const refs = refsOf(row);
  const pointed = segments.filter(({ ref }) => refs.length === 0 || refs.includes(ref));
  return named.length === 0 || pointed.some(({ wire }) => named.includes(text(wire.resBookDesigCode) ?? ''));
}

/** Lists each segment that has a fare code, with the place of that code. */
function codesOf(itinerary: Wire, segments: readonly OfferedSegment[], rows: readonly Wire[]) {
  const every = segments.map(({ ref }) => ref);
  const at = (place: string, refs: readonly string[]) => refs.map((ref) => ({ place, ref }));
  const inRow = (row: Wire, code: Wire) => {
    const places = [
      at('flightSegmentRPH', texts(code.flightSegmentRPH)),
      at('flightRefNumberRPHList', refsOf(row)),
      at('ticketDesignators', all(row, 'flightRefRPH').flatMap(texts)),
    ];
    return places.find((found) => found.length > 0) ?? at('rows that name no segment', every);
  };
  const inRows = rows.flatMap((row) =>
    all(row, 'fareBasisCode')
      .flatMap(records)
      .flatMap((code) => inRow(row, code)),
  );
  const fares = all(all(itinerary, 'fareInfos'), 'fareReference').flatMap((one) => texts(record(one).value));
  const inFares = rows.length === 0 ? at('fareInfos', every.slice(0, fares.length)) : [];
  const inSegments = segments.filter(({ wire }) => fareOf(wire) !== undefined).map(({ ref }) => ref);
  return [...inRows, ...inFares, ...at('the segment', inSegments)];
}

type SumCheck = 'fit' | 'differ' | 'unknown';

/** Whether the rows that count add up to the first total; refunds are no prices. */
function addedUp(itinerary: Wire, rows: readonly Wire[]): SumCheck {
  const price = (fares: readonly unknown[]) => {
    const fare = fares.flatMap(records).find(({ usage }) => text(usage)?.toLowerCase() !== 'refund');
    return fare && amount(fare.totalFare, fareCurrency(fare));
  };
  const total = price(all(itinerary, 'itinTotalFare'));
  const parts = rows.flatMap((row) => price([row.passengerFare]) ?? []);
  if (total === undefined || parts.length === 0 || parts.length < rows.length) return 'unknown';
  return sumOf(parts, total.currency)?.minor === total.minor ? 'fit' : 'differ';
}

/** @param read what our decoder made of the same reply; undefined if it could not read it */
export function judgeRows(facts: RowFacts, read: FareSearchResult | undefined): CheckOutcome {
  const { itineraries, rows, single, unnamed, otherClass, segments, coded, places, sums } = facts;
  const wide = rows - single - unnamed;
  const said = [
    `${counted(itineraries, 'offer')} with ${counted(rows, 'price row')}`,
    rows > 0 && single === rows && 'each row is of one passenger type and one segment',
    wide > 0 && `several segments in ${counted(wide, 'row')}, so the price of each is unknown`,
    unnamed > 0 && `no segment named in ${counted(unnamed, 'row')}, so the price of each is unknown`,
    `fare codes for ${coded} of ${counted(segments, 'segment')}${places.length > 0 ? ` (from ${places.join(', ')})` : ''}`,
    otherClass > 0 && `rows of another class, which do not count, in ${counted(otherClass, 'offer')}`,
    otherClass === 0 && 'no rows of another class',
    `the rows add up to the first total in ${counted(sums.fit, 'offer')}`,
    sums.differ > 0 && `not in ${sums.differ}`,
    sums.unknown > 0 && `no prices to add in ${sums.unknown}`,
  ];
  const offers = read?.offers ?? [];
  const found = offers.flatMap(({ options }) => options.flatMap((option) => option.segments));
  const fewerCodes = found.filter(({ fareBasis }) => fareBasis !== undefined).length < coded;
  const missed = listed(
    [
      coded < segments && 'A segment without a fare code cannot be booked at the price shown.',
      offers.length < itineraries && `fareclerk reads ${offers.length} of ${counted(itineraries, 'offer')}.`,
      offers.length >= itineraries && fewerCodes && 'fareclerk reads fewer fare codes than the reply holds.',
      sums.differ > 0 && 'Where rows and total differ, no prices per passenger type are shown.',
    ],
    ' ',
  );
  const text = `One search: ${listed(said)}.`;
  return missed === '' ? good(text) : finding('fares_unclear', { text: `${text} ${missed}` });
}

const SPELLINGS = ['tpaextensions', 'tpaExtensions', 'TPA_Extensions'];
const FLIGHT_TIMES = ['departureDateTime', 'arrivalDateTime', 'departureTime', 'arrivalTime'];
/** The paths nearest to the root come first. */
const MOST_UNREAD = 60;

/** `breakdowns` are the pricing parents that hold prices per passenger type; `unread` are paths that nothing reads. */
function replyFacts(body: unknown, decode: (body: unknown) => unknown) {
  const [spellings, breakdowns, times] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let nulls = false;
  walk(body, (key, value, path) => {
    if (SPELLINGS.includes(key)) spellings.add(key);
    if (key === 'ptcfareBreakdowns') breakdowns.add(path.split('.').at(-2) ?? '');
    if (FLIGHT_TIMES.includes(key) && typeof value === 'string') times.add(zoneOf(value));
    if (value === null) nulls = true;
  });
  const { success, version } = isObject(body) ? body : {};
  const [time = 'none'] = times;
  return {
    success: successForm(success),
    version: kindOf(version),
    extensions: [...spellings],
    times: times.size > 1 ? 'mixed' : time,
    breakdowns: [...breakdowns],
    nulls,
    unread: unreadOf(body, decode),
  };
}

function successForm(success: unknown): 'absent' | 'empty_object' | 'other' {
  if (success === undefined) return 'absent';
  return isObject(success) && isEmpty(success) ? 'empty_object' : 'other';
}

function kindOf(value: unknown): 'number' | 'text' | 'absent' {
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' && value !== '' ? 'text' : 'absent';
}

export function zoneOf(time: string): 'utc' | 'offset' | 'no_zone' {
  if (/z$/i.test(time)) return 'utc';
  return /[+-]\d{2}:?\d{2}$/.test(time) ? 'offset' : 'no_zone';
}

/** Finds every value with this name in a reply and flattens lists. Ignores case and underscores unless `exact`. */
export function all(body: unknown, name: string, exact = false): readonly unknown[] {
  const plain = (text: string): string => (exact ? text : text.toLowerCase().replaceAll('_', ''));
  const found: unknown[] = [];
  walk(body, (key, value) => {
    if (plain(key) === plain(name)) found.push(...asList(value));
  });
  return found;
}

const NAME = /^[A-Za-z_][\w-]{0,40}$/;
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** @param visit returns false to leave out what lies below */
function walk(value: unknown, visit: (key: string, value: unknown, path: string) => unknown, path = ''): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit, path);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const below = join(path, NAME.test(key) ? key : '?');
      if (visit(key, item, below) !== false) walk(item, visit, below);
    }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
const isLeftOut = (path: string): boolean => Object.keys(LEFT_OUT).some((end) => `.${path}`.endsWith(`.${end}`));

/** Returns the fields that the decoder does not read, without empty ones. */
function unreadOf(body: unknown, decode: (body: unknown) => unknown): readonly string[] {
  const read = new Set<string>();
  try {
    decode(noting(body, '', read));
  } catch {
    return [];
  }
  const unread = new Set<string>();
  walk(body, (_, value, path) => {
    if (isEmpty(value) || isLeftOut(path)) return false;
    if (!read.has(path)) unread.add(path);
    return read.has(path);
  });
  const depth = (path: string): number => path.split('.').length;
  return [...unread].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, MOST_UNREAD);
}

function noting(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key, receiver) {
      const item: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || (Array.isArray(target) && !/^\d+$/.test(key))) return item;
      const below = Array.isArray(target) ? path : join(path, key);
      read.add(below);
      return noting(item, below, read);
    },
  });
}

/** Names the error form of a refusal (docs/wire/notes.md). */
export function errorFacts(body: unknown) {
  const fields = record(body);
  const { errors, error } = fields;
  const has = (...keys: readonly string[]): boolean => keys.some((key) => key in fields);
  const forms: readonly (readonly [applies: boolean, form: string, code?: unknown])[] = [
    [isObject(errors), 'opentravel', record(record(errors).error).code],
    [Array.isArray(errors), 'error_list', record(errors).code],
    [isObject(error), 'error_object', record(error).code],
    [has('code', 'title', 'correlationId'), 'flat', fields.code],
    [has('exception', 'message', 'error'), 'older'],
    [true, 'none'],
  ];
  const [, form = 'none', code] = forms.find(([applies]) => applies) ?? [];
  const named = Object.keys(fields).filter((key) => NAME.test(key));
  return { form, codeType: kindOf(code), fields: named.slice(0, 20) };
}

export function carriersOf(body: unknown): readonly string[] {
  const airlines = ['operatingAirline', 'marketingAirline'].flatMap((name) => all(body, name)).flatMap(records);
  return [...new Set(airlines.flatMap(({ code }) => texts(code)))].filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
}
