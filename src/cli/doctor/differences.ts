/** Checks what is on sale, then how this airline differs from others (docs/wire/notes.md), by the JSON of its replies. */
import { isObject } from '../../core/own.ts';
import { addDays, utcDay } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import type { Dialect } from '../../domain/airline.ts';
import { records, texts, type Wire } from '../../ota/messages/reader.ts';
import { asList } from '../../ota/transport/json.ts';
import { type Check, type CheckOutcome, finding, good, mild, skipped, unclear } from './check.ts';
import { explainProblem, type ProbeReply, replyText, type Visit } from './visit.ts';

const ONE_ADULT = { adults: 1, children: 0, infants: 0 };
/** Several passenger types show how replies count travellers. */
const FAMILY = { adults: 2, children: 1, infants: 0 };
/** Days whose departures are asked for, and the first of them, in days from today. */
const CALENDAR_DAYS = 30;
const CALENDAR_BEGIN = 7;
/** The day to search if the calendar names none, in days from today. */
const USUAL_DAY = 14;
/** The most pairs to try: the first pair may have no departures at present. */
const MOST_PAIRS = 3;
const NO_SEARCH = 'There is no search reply with offers.';
const TRY_OTHERS = 'Choose a pair that is on sale: `fareclerk doctor --route FROM-TO`.';

/** The checks of what is on sale, in this order: each uses what the one before it wrote into the visit. */
export function onSaleChecks(visit: Visit): readonly Check[] {
  const needs = ['messages', 'credentials'];
  return [
    { id: 'routes', title: 'routes', needs, run: () => checkRoutes(visit) },
    { id: 'calendar', title: 'calendar', needs, run: () => checkCalendar(visit) },
    { id: 'fare_search', title: 'fare search', needs, run: () => checkSearch(visit) },
  ];
}

async function checkRoutes(visit: Visit): Promise<CheckOutcome | undefined> {
  const { gatewayUrl } = visit.airline;
  // The tools that need it name the setting.
  if (gatewayUrl === undefined) return undefined;
  if (!visit.reachable(gatewayUrl)) return skipped('Its host cannot be reached.');
  const probe = await visit.ask((airline) => airline.routes());
  if (probe.answer === undefined) return explainProblem(probe, 'FARECLERK_GATEWAY_URL');
  visit.pairs = probe.answer.flatMap((route) => route.to.map((to) => ({ from: route.from.code, to: to.code })));
  return good(`${visit.pairs.length} pairs of stations on sale`);
}

async function checkCalendar(visit: Visit): Promise<CheckOutcome | undefined> {
  const { from, to, date: wantedDate } = visit.options.wantedPair;
  const pairs = from === undefined || to === undefined ? visit.pairs : [{ from, to }];
  const today = utcDay(visit.options.now());
  const startDate = addDays(today, CALENDAR_BEGIN);
  const endDate = addDays(startDate, CALENDAR_DAYS);
  visit.pair = pairs[0] && { ...pairs[0], date: wantedDate ?? addDays(today, USUAL_DAY) };
  const { gatewayUrl } = visit.airline;
  if (gatewayUrl === undefined) return undefined;
  if (!visit.reachable(gatewayUrl)) return skipped('Its host cannot be reached.');
  if (pairs.length === 0) return skipped('No route is known.');
  for (const pair of pairs.slice(0, MOST_PAIRS)) {
    const probe = await visit.ask((airline) => airline.calendar({ ...pair, startDate, endDate, direct: false }));
    if (probe.answer === undefined) return explainProblem(probe, 'FARECLERK_GATEWAY_URL');
    const { dates } = probe.answer;
    const [firstDate] = dates.toSorted();
    if (firstDate === undefined) continue;
    visit.pair = { ...pair, date: wantedDate ?? firstDate };
    return good(`${dates.length} days on sale from ${pair.from} to ${pair.to} between ${startDate} and ${endDate}`);
  }
  return unclear(`No day is on sale from ${startDate} to ${endDate} on the first routes. ${TRY_OTHERS}`);
}

async function checkSearch(visit: Visit): Promise<CheckOutcome> {
  const { pair, airline } = visit;
  if (pair === undefined) return skipped('No route is known. Name one: `fareclerk doctor --route FROM-TO`.');
  const passengers = visit.options.deviations ? FAMILY : ONE_ADULT;
  const { from, to, date = '' } = pair;
  const legs = [{ from, to, date, daysBefore: 0, daysAfter: 0 }];
  const search = { legs, passengers, bookingClasses: [], includeSoldOut: false };
  visit.search = await visit.ask((one) => one.searchFares(search));
  const { answer, body } = visit.search;
  if (answer === undefined) return explainProblem(visit.search, 'FARECLERK_BASE_URL');
  const offers = answer.offers.length;
  const trip = `${from} to ${to} on ${date}`;
  if (offers === 0) return unclear(`No offers from ${trip}. ${TRY_OTHERS}`);
  const totals = answer.offers.flatMap(({ pricing }) => pricing.total?.total ?? []);
  const currencies = [...new Set(totals.map(({ currency }) => currency))].sort();
  const otherCurrencies = currencies.filter((currency) => currency !== airline.currency);
  const [first] = otherCurrencies;
  if (first !== undefined)
    return finding('other_currency', { found: otherCurrencies.join(', '), set: airline.currency, first });
  const form = valuesNamed(body, 'transport').length > 0 ? 'availability' : 'itineraries';
  return good(`${offers} offers from ${trip}, in ${currencies.join(', ')}, form: ${form}`);
}

/** The checks that run after {@link onSaleChecks}: they look at its search. */
export function differenceChecks(visit: Visit, locator: string | undefined): readonly Check[] {
  const needs = ['messages', 'credentials'];
  return [
    { id: 'booking', title: 'booking', needs, run: () => checkBooking(visit, locator) },
    { id: 'dialect', title: 'dialect', needs, run: () => checkDialect(visit) },
  ];
}

const hasOffers = ({ search }: Visit): boolean => pricedItineraries(search?.body).length > 0;

/** Describes the reply by kinds and counts only: nothing personal. */
async function checkBooking(visit: Visit, locator: string | undefined): Promise<CheckOutcome> {
  if (locator === undefined) return skipped('Give the --locator of a booking, preferably a paid one.');
  const reading = await visit.ask((airline) => airline.read(locator));
  visit.booking = reading;
  if (isBooking(reading.body)) return bookingOutcome(reading);
  const problem = mild(explainProblem(reading, 'FARECLERK_BASE_URL'));
  return problem.finding === 'refused' ? finding('refused.booking', { said: replyText(reading) }) : problem;
}

const isBooking = (body: unknown): boolean => valuesNamed(body, 'airReservation').length > 0;

function bookingOutcome({ answer, body }: ProbeReply): CheckOutcome {
  const segments = valuesNamed(body, 'flightSegment')
    .flatMap(records)
    .filter((wire) => wire.departureAirport !== undefined);
  const text = `Its reply: ${counted(segments.length, 'segment')}, ${rulesIn(body)}.`;
  return answer === undefined ? finding('reply_unreadable.warning', { text }) : good(text);
}

function rulesIn(body: unknown): string {
  if (valuesNamed(body, 'penaltyRules').length > 0) return 'structured penalty rules';
  return valuesNamed(body, 'fareRule').length > 0
    ? "fare rules in the airline's words only, so that no refund can be estimated"
    : 'no fare rules, so that no refund can be estimated';
}

function checkDialect(visit: Visit): CheckOutcome {
  const booking = isBooking(visit.booking?.body) ? visit.booking?.body : undefined;
  if (!hasOffers(visit) && booking === undefined) return skipped(NO_SEARCH);
  const signs = matchingSigns({ search: visit.search?.body, booking });
  return judgeDialect(signs, visit.airline.dialect);
}

/** Whether the values at a path are a sign. */
type ValuesTest = (values: readonly unknown[]) => boolean;

const hasValue: ValuesTest = (values) => values.some((value) => value !== '');
function spells(name: string): ValuesTest {
  return (values) => valuesNamed(values, name, { exact: true }).length > 0;
}
function lacks(name: string): ValuesTest {
  return (values) => values.some((value) => isObject(value) && !(name in value));
}
function hasCarrier(length: number): ValuesTest {
  return (values) => namedCarriers(values).some((code) => code.length === length);
}

/** A sign of a dialect in replies. A proof occurs in one dialect only; a hint in both, and more often in one. */
interface DialectSign {
  readonly dialect: Dialect;
  readonly strength: 'proof' | 'hint';
  /** In words, for the report. */
  readonly fact: string;
  /** Where to look: names in the JSON of the replies, from the outside in. */
  readonly path: string;
  /** Default: any value that is not empty. */
  readonly test?: ValuesTest;
}

const SIGNS: readonly DialectSign[] = [
  {
    dialect: 'rail',
    strength: 'proof',
    fact: 'fare codes with flightSegmentRPH',
    path: 'search.fareBasisCode.flightSegmentRPH',
  },
  {
    dialect: 'rail',
    strength: 'proof',
    fact: 'fareBasisCode on booked segments',
    path: 'booking.flightSegment.fareBasisCode',
  },
  { dialect: 'rail', strength: 'proof', fact: 'a coach beside seats', path: 'booking.coach' },
  {
    dialect: 'rail',
    strength: 'proof',
    fact: 'a contact traveller (CTC)',
    path: 'booking.passengerTypeCode',
    test: (values) => values.includes('CTC'),
  },
  { dialect: 'airline', strength: 'proof', fact: 'priceGroup on segments', path: 'search.flightSegment.priceGroup' },
  {
    dialect: 'airline',
    strength: 'proof',
    fact: 'travellers named in price rows of a search',
    path: 'search.ptcfareBreakdown.travelerRefNumber.rph',
  },
  {
    dialect: 'airline',
    strength: 'proof',
    fact: 'fareBasis in the extensions of booked segments',
    path: 'booking.flightSegment.fareBasis',
  },
  {
    dialect: 'airline',
    strength: 'proof',
    fact: 'fareRule on booked segments',
    path: 'booking.flightSegment.fareRule',
  },
  {
    dialect: 'airline',
    strength: 'proof',
    fact: 'operations on booked segments',
    path: 'booking.flightSegment.operations',
  },
  { dialect: 'rail', strength: 'hint', fact: 'carriers of three characters', path: 'search', test: hasCarrier(3) },
  {
    dialect: 'rail',
    strength: 'hint',
    fact: 'isocurrency in the point of sale',
    path: '',
    test: spells('isocurrency'),
  },
  { dialect: 'airline', strength: 'hint', fact: 'carriers of two characters', path: 'search', test: hasCarrier(2) },
  {
    dialect: 'airline',
    strength: 'hint',
    fact: 'isoCurrency in the point of sale',
    path: '',
    test: spells('isoCurrency'),
  },
  {
    dialect: 'airline',
    strength: 'hint',
    fact: 'fare codes without flightSegmentRPH',
    path: 'search.fareBasisCode',
    test: lacks('flightSegmentRPH'),
  },
  {
    dialect: 'airline',
    strength: 'hint',
    fact: 'options without rph',
    path: 'search.originDestinationOption',
    test: lacks('rph'),
  },
  { dialect: 'airline', strength: 'hint', fact: 'taxes without amount', path: 'search.taxes', test: lacks('amount') },
];

/** The signs that replies show. @param replies the JSON of each; undefined if there is none */
function matchingSigns(replies: { readonly search: unknown; readonly booking: unknown }): readonly DialectSign[] {
  return SIGNS.filter(({ path, test = hasValue }) => test(valuesAt(replies, path)));
}

/** The values at a path of names. An empty path leads to all replies. */
function valuesAt(replies: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [replies];
  for (const name of path.split('.')) if (name !== '') values = valuesNamed(values, name);
  return values;
}

/** The dialect that the signs prove; undefined if they prove none, or both. */
function provedDialect(signs: readonly DialectSign[]): Dialect | undefined {
  const isProved = (dialect: Dialect) => signs.some((sign) => sign.dialect === dialect && sign.strength === 'proof');
  if (isProved('rail') === isProved('airline')) return undefined;
  return isProved('rail') ? 'rail' : 'airline';
}

/** Compares the signs with the settings. @param setting the value of FARECLERK_DIALECT */
function judgeDialect(signs: readonly DialectSign[], setting: Dialect): CheckOutcome {
  const factsText = (dialect: Dialect, strengths: readonly DialectSign['strength'][] = ['proof', 'hint']): string =>
    strengths
      .flatMap((strength) => signs.filter((sign) => sign.dialect === dialect && sign.strength === strength))
      .map(({ fact }) => fact)
      .join(', ');
  const dialect = provedDialect(signs);
  if (dialect === undefined) {
    const dialects = (['rail', 'airline'] as const).filter((candidate) => factsText(candidate) !== '');
    const sentences = dialects.map((candidate) => ` Of the ${candidate} dialect: ${factsText(candidate)}.`).join('');
    return unclear(`The replies do not tell the dialect. FARECLERK_DIALECT is ${setting}.${sentences}`);
  }
  const hintsAgainst = factsText(dialect === 'rail' ? 'airline' : 'rail', ['hint']);
  const evidence = `Seen: ${factsText(dialect)}.${hintsAgainst === '' ? '' : ` Unusual for it: ${hintsAgainst}.`}`;
  if (dialect === setting) return good(`Replies are in the ${dialect} dialect, as set. ${evidence}`);
  return finding('other_dialect', { dialect, set: setting, evidence });
}

// The JSON of replies, whose form is not known yet.

/** Finds every value with this name in a reply, and flattens lists. Ignores case and underscores unless `exact`. */
function valuesNamed(body: unknown, name: string, { exact = false } = {}): readonly unknown[] {
  const plain = (text: string): string => (exact ? text : text.toLowerCase().replaceAll('_', ''));
  const found: unknown[] = [];
  walk(body, (key, value) => {
    if (plain(key) === plain(name)) found.push(...asList(value));
  });
  return found;
}

/** Visits every field of a tree, from the outside in. */
function walk(value: unknown, visit: (key: string, value: unknown) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      visit(key, item);
      walk(item, visit);
    }
  }
}

const pricedItineraries = (body: unknown): readonly Wire[] => valuesNamed(body, 'pricedItinerary').flatMap(records);

function namedCarriers(body: unknown): readonly string[] {
  const airlines = ['operatingAirline', 'marketingAirline'].flatMap((name) => valuesNamed(body, name)).flatMap(records);
  return [...new Set(airlines.flatMap(({ code }) => texts(code)))].filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
}
