/** Reads each service that shows what is on sale once: routes, calendar, fares. */
import type { FareSearchResult, PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { addDays } from '../../domain/time-and-text/times.ts';
import { decodeCalendarReply } from '../../ota/messages/calendar.ts';
import { decodeFareSearchReply } from '../../ota/messages/fare-search.ts';
import { decodeRoutesReply } from '../../ota/messages/routes.ts';
import { type Check, type CheckOutcome, good, skipped } from './check.ts';
import { carriersOf } from './dialect.ts';
import { finding } from './findings.ts';
import { all, type ReplyFacts, replyFacts } from './reply-facts.ts';
import { problemOf } from './reply-problem.ts';
import type { Visit } from './visit.ts';

export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly date?: string;
}

export interface ServiceFacts {
  routes?: ReplyFacts & { readonly pairs: number };
  calendar?: ReplyFacts & { readonly dates: number; readonly sorted: boolean };
  search?: ReturnType<typeof searchFacts>;
  searchWithSoldOut?: ReturnType<typeof searchFacts>;
}

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

function noGateway({ airline, reached }: Visit): CheckOutcome | undefined {
  if (airline.gatewayUrl === undefined) return skipped('No gateway is set.');
  return reached.has(new URL(airline.gatewayUrl).origin) ? undefined : skipped('Its host cannot be reached.');
}

async function checkRoutes(visit: Visit): Promise<CheckOutcome> {
  if (visit.airline.gatewayUrl === undefined) return finding('gateway_missing');
  const obstacle = noGateway(visit);
  if (obstacle !== undefined) return obstacle;
  const asked = await visit.ask((airline) => airline.routes());
  if (asked.answer === undefined) return problemOf(asked, 'FARECLERK_GATEWAY_URL');
  visit.pairs = asked.answer.flatMap((route) => route.to.map((to) => ({ from: route.from.code, to: to.code })));
  const pairs = visit.pairs.length;
  visit.answers.services.routes = { ...replyFacts(asked.body, decodeRoutesReply), pairs };
  return pairs > 0 ? good(`${pairs} pairs of stations on sale`) : finding('nothing_on_sale.routes');
}

async function checkCalendar(visit: Visit): Promise<CheckOutcome> {
  const { from, to, date: wanted } = visit.options.wanted;
  const pairs = from === undefined || to === undefined ? visit.pairs : [{ from, to }];
  const today = new Date(visit.options.now()).toISOString().slice(0, 10);
  const [startDate, endDate] = [addDays(today, 7), addDays(today, 7 + CALENDAR_DAYS)];
  visit.pair = pairs[0] && { ...pairs[0], date: wanted ?? addDays(today, 14) };
  const obstacle = noGateway(visit);
  if (obstacle !== undefined) return obstacle;
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
  const passengers = visit.options.deviations ? FAMILY : ONE;
  visit.search = await findFares(visit, [pair], passengers);
  if (visit.search.answer === undefined) return problemOf(visit.search, 'FARECLERK_BASE_URL');
  const found = searchFacts(visit.search.answer, visit.search.body);
  services.search = found;
  visit.wide = await findFares(visit, [pair], passengers, true);
  const { answer, body } = visit.wide;
  // The answer has the priced offers too; the body is the availability record alone.
  if (answer && body) services.searchWithSoldOut = searchFacts(decodeFareSearchReply(body), body);
  const { offers, currencies, carriers } = found;
  const trip = `${pair.from} to ${pair.to} on ${pair.date}`;
  if (offers === 0) return finding('nothing_on_sale', { trip });
  const [first, ...others] = currencies.filter((currency) => currency !== airline.currency);
  if (first !== undefined)
    return finding('other_currency', { found: [first, ...others].join(', '), set: airline.currency, first });
  const nameless = [found, services.searchWithSoldOut].some(
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
