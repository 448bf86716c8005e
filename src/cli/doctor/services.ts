/**
 * One harmless reading of each service that shows something on sale: routes, calendar, fares.
 */

import type { CalendarDates, Route } from '../../domain/booking/routes-and-calendar.ts';
import type { FareSearchResult, PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { addDays } from '../../domain/time-and-text/times.ts';
import { decodeCalendarReply } from '../../ota/messages/calendar.ts';
import { decodeFareSearchReply } from '../../ota/messages/fare-search.ts';
import { decodeRoutesReply } from '../../ota/messages/routes.ts';
import type { Bench } from './addresses.ts';
import { type Chart, good, skipped, toMend, type Verdict, warning } from './check.ts';
import { carriersOf } from './dialect.ts';
import { all, type ReplySigns, signsOf } from './signs.ts';
import { type Question, said, trouble } from './verdicts.ts';
import { type Asked, airlineWith, ask, bodyOf } from './watch.ts';

/** A pair of stations, and a day where one is known. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly date?: string;
}

/** What was asked of the services, and what came of it. */
export interface Services {
  readonly facts: ServiceFacts;
  readonly pair?: Pair | undefined;
  readonly search?: Asked<FareSearchResult> | undefined;
  readonly wide?: Asked<FareSearchResult> | undefined;
}

export interface ServiceFacts {
  routes?: ReplySigns & { readonly pairs: number };
  calendar?: ReplySigns & { readonly dates: number; readonly sorted: boolean };
  search?: SearchSigns;
  searchWithSoldOut?: SearchSigns;
}

interface SearchSigns extends ReplySigns {
  readonly form: FareSearchResult['form'];
  readonly offers: number;
  readonly currencies: readonly string[];
  readonly carriers: readonly string[];
  readonly classes: readonly string[];
  readonly passengerTypes: readonly string[];
  readonly refundRules: boolean;
  readonly quoteId: boolean;
}

const GATEWAY = { setting: 'FARECLERK_GATEWAY_URL', method: 'GET' } as const;
const BASE = { setting: 'FARECLERK_BASE_URL', method: 'POST' } as const;

/** Whom a search is for. */
const ONE = { adults: 1, children: 0, infants: 0 };
/** Shows whether a price row is of one type, and of how many travellers. */
export const FAMILY = { adults: 2, children: 1, infants: 0 };

/** Reads what is on sale, each service resting on the one before. @param wanted a pair to look at instead of the first */
export async function tryServices(
  bench: Bench,
  chart: Chart,
  wanted: Partial<Pair>,
  passengers: PassengerCounts = ONE,
): Promise<Services> {
  const facts: ServiceFacts = {};
  const { from, to, date } = wanted;
  const pairs = await routes(bench, chart, facts);
  const found = await calendar(bench, chart, facts, from === undefined || to === undefined ? pairs : [{ from, to }]);
  const pair = found && date !== undefined ? { ...found, date } : found;
  return { facts, pair, ...(await search(bench, chart, facts, pair, passengers)) };
}

/** One search as it is set up, but for a carrier: the one that is set would stand in for one that is not sent. */
export function findFares(
  { airline: { carrier: _, ...nameless }, watched, tokens }: Bench,
  legs: readonly Pair[],
  passengers: PassengerCounts,
  includeSoldOut = false,
): Promise<Asked<FareSearchResult>> {
  const days = { daysBefore: 0, daysAfter: 0 };
  return ask(watched, () =>
    airlineWith(nameless, {}, watched, tokens).searchFares({
      legs: legs.map(({ from, to, date = '' }) => ({ from, to, date, ...days })),
      passengers,
      bookingClasses: [],
      includeSoldOut,
    }),
  );
}

const adapter = (bench: Bench) => airlineWith(bench.airline, {}, bench.watched, bench.tokens);

async function routes(bench: Bench, chart: Chart, facts: ServiceFacts): Promise<readonly Pair[]> {
  let found: readonly Route[] = [];
  await chart.run('routes', 'routes', async () => {
    if (bench.airline.gatewayUrl === undefined) return noGateway();
    if (!bench.reached(bench.airline.gatewayUrl)) return skipped('Its host cannot be reached.');
    const asked = await ask(bench.watched, () => adapter(bench).routes());
    if (asked.answer === undefined) return failed(asked, GATEWAY);
    found = asked.answer;
    const pairs = found.reduce((sum, route) => sum + route.to.length, 0);
    facts.routes = { ...signsOf(bodyOf(asked.exchange), decodeRoutesReply), pairs };
    if (pairs > 0) return good(`${pairs} pairs of stations on sale`);
    return warning(
      'nothing_on_sale',
      'The airline lists no routes at all.',
      'Ask the airline which routes this agency may sell.',
    );
  });
  return found.flatMap((route) => route.to.map((to) => ({ from: route.from.code, to: to.code })));
}

function noGateway(): Verdict {
  return warning(
    'gateway_missing',
    'FARECLERK_GATEWAY_URL is not set: list_routes, get_calendar_dates and find_cheapest_dates cannot answer.',
    'Ask the airline for the address of its schedule gateway and set FARECLERK_GATEWAY_URL.',
  );
}

/** A call that was not answered with what was asked for. Credentials that a service alone refuses are told of as such. */
export function failed(asked: Asked<unknown>, question: Question): Verdict {
  const lost = trouble(asked, question);
  if (lost !== undefined) return lost;
  const status = asked.exchange?.reply?.status;
  if (status === 401 || status === 403) {
    return toMend(
      'credentials_refused',
      `${question.setting} refuses the credentials (${said(asked.exchange)}).`,
      `Check FARECLERK_API_KEY for this address, and that ${question.setting} and FARECLERK_BASE_URL are of the same system.`,
    );
  }
  if (asked.error?.code === 'E_AIRLINE_REPLY') {
    return toMend(
      'reply_unreadable',
      `${asked.error.message} (${said(asked.exchange)})`,
      'Send the report to support: the reply has a form that is not known.',
    );
  }
  return warning(
    'refused',
    `Refused: ${said(asked.exchange)}.`,
    'Ask the airline with the reference, if one is given.',
  );
}

/** The same where no other tool rests on the answer: nothing must be changed. */
export function failedMildly(asked: Asked<unknown>, question: Question): Verdict {
  const verdict = failed(asked, question);
  return verdict.level === 'mend' ? { ...verdict, level: 'warn' } : verdict;
}

const CALENDAR_DAYS = 30;
/** Pairs asked about before giving up: the first of the list may have no service just now. */
const MOST_PAIRS = 3;

async function calendar(
  bench: Bench,
  chart: Chart,
  facts: ServiceFacts,
  pairs: readonly Pair[],
): Promise<Pair | undefined> {
  let found: Pair | undefined;
  await chart.run('calendar', 'calendar', async () => {
    if (bench.airline.gatewayUrl === undefined) return skipped('No gateway is set.');
    if (!bench.reached(bench.airline.gatewayUrl)) return skipped('Its host cannot be reached.');
    if (pairs.length === 0) return skipped('No route is known to ask about.');
    const today = new Date(bench.now()).toISOString().slice(0, 10);
    const [startDate, endDate] = [addDays(today, 7), addDays(today, 7 + CALENDAR_DAYS)];
    for (const { from, to } of pairs.slice(0, MOST_PAIRS)) {
      const asked = await ask(bench.watched, () =>
        adapter(bench).calendar({ from, to, startDate, endDate, direct: false }),
      );
      if (asked.answer === undefined) return failed(asked, GATEWAY);
      facts.calendar = calendarSigns(asked.answer, bodyOf(asked.exchange));
      const [date] = asked.answer.dates.toSorted();
      if (date === undefined) continue;
      found = { from, to, date };
      return good(
        `${asked.answer.dates.length} days on sale from ${from} to ${to} between ${startDate} and ${endDate}`,
      );
    }
    return warning(
      'nothing_on_sale',
      `No day on sale from ${startDate} to ${endDate} on the first routes.`,
      'Give a pair that is on sale: fareclerk doctor --route FROM-TO.',
    );
  });
  if (found !== undefined) return found;
  const [first] = pairs;
  return first && { ...first, date: addDays(new Date(bench.now()).toISOString().slice(0, 10), 14) };
}

function calendarSigns({ dates }: CalendarDates, body: unknown) {
  const sorted = dates.every((date, i) => i === 0 || (dates[i - 1] ?? '') <= date);
  return { ...signsOf(body, decodeCalendarReply), dates: dates.length, sorted };
}

async function search(
  bench: Bench,
  chart: Chart,
  facts: ServiceFacts,
  pair: Pair | undefined,
  passengers: PassengerCounts,
): Promise<Pick<Services, 'search' | 'wide'>> {
  let [asked, wide]: [Services['search'], Services['wide']] = [undefined, undefined];
  await chart.run('fare_search', 'fare search', async () => {
    if (pair === undefined) return skipped('No route is known to search on: fareclerk doctor --route FROM-TO.');
    asked = await findFares(bench, [pair], passengers);
    if (asked.answer === undefined) return failed(asked, BASE);
    facts.search = searchSigns(asked.answer, bodyOf(asked.exchange));
    wide = await findFares(bench, [pair], passengers, true);
    // The answer has the priced offers; the last exchange is the record itself.
    const record = wide.answer && bodyOf(wide.exchange);
    if (record) facts.searchWithSoldOut = searchSigns(decodeFareSearchReply(record), record);
    return searched(bench, facts, `${pair.from} to ${pair.to} on ${pair.date}`);
  });
  return { search: asked, wide };
}

const unique = (texts: readonly (string | undefined)[]): string[] =>
  [...new Set(texts.filter((text) => text !== undefined && /^[\w-]{1,12}$/.test(text)))].sort() as string[];

function searchSigns(found: FareSearchResult, body: unknown): SearchSigns {
  const segments = found.offers.flatMap(({ options }) => options.flatMap((option) => option.segments));
  const pricings = found.offers.map(({ pricing }) => pricing);
  return {
    ...signsOf(body, decodeFareSearchReply),
    form: all(body, 'transport').length > 0 ? 'availability' : 'itineraries',
    offers: found.offers.length,
    currencies: unique(pricings.map(({ total }) => total?.total.currency)),
    // As the airline sends them: our own reading completes those that an availability record leaves out.
    carriers: [...carriersOf(body)].sort(),
    classes: unique(segments.map(({ bookingClass }) => bookingClass)),
    passengerTypes: unique(pricings.flatMap(({ perType }) => perType.map(({ type }) => type))),
    refundRules: pricings.some(({ fares }) => fares.some(({ refundRules }) => refundRules.length > 0)),
    quoteId: pricings.some(({ quoteId }) => quoteId !== undefined),
  };
}

function searched({ airline }: Bench, { search: found, searchWithSoldOut: wide }: ServiceFacts, trip: string): Verdict {
  const offers = found?.offers ?? 0;
  if (offers === 0)
    return warning(
      'nothing_on_sale',
      `Answered, with nothing on offer from ${trip}.`,
      'Give a pair that is on sale: fareclerk doctor --route FROM-TO.',
    );
  const others = found?.currencies.filter((currency) => currency !== airline.currency) ?? [];
  if (others.length > 0) {
    return toMend(
      'other_currency',
      `Fares come in ${others.join(', ')}, and FARECLERK_CURRENCY is ${airline.currency}: limits and totals would not fit.`,
      `Set FARECLERK_CURRENCY=${others[0]}, if that is what this agency sells in.`,
    );
  }
  const bare = [found, wide].some((one) => (one?.offers ?? 0) > 0 && one?.carriers.length === 0);
  const named = found?.carriers.length === 1 ? found.carriers[0] : undefined;
  if (bare && airline.carrier === undefined) {
    return warning(
      'no_carrier',
      `${offers} offers from ${trip}; some name no carrier and cannot be booked so.`,
      `Set FARECLERK_CARRIER${named === undefined ? ' to the code of the operating carrier' : `=${named}`}.`,
    );
  }
  return good(`${offers} offers from ${trip}, in ${found?.currencies.join(', ')}, form: ${found?.form}`);
}
