/**
 * The tool that finds the lowest total of each day, by one search for each day. Below the tool, in the order of its steps: the search of
 * the days, one day as it is shown, the cheapest of them, the words of the summary.
 */
import * as z from 'zod';
import { fanOut } from '../core/at-once.ts';
import { cleanCode } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { formatMoney, type Money, showAmount, showMoney, sumMoney } from '../core/money.ts';
import { addDays, showDay, showTrip, zoneOf } from '../core/times.ts';
import { counted, joined, listed, table } from '../core/words.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import type { FareQuery, FareSearchResult, Offer, UnshownOffers } from '../domain/booking/offers.ts';
import { namedIn, namedPlaces, type PlaceName, showRoute, understoodText } from '../domain/booking/stations.ts';
import { type ArgsOf, defineTool, type ResultOf, signalWithin, type ToolContext } from './definition/define.ts';
import { filled, noted, optionalStrings, optionalTexts, placeFields, strings } from './definition/field-notes.ts';
import { bookingClasses, counts, countsOf, EXAMPLE_ROUTE, integer } from './definition/input-fields.ts';
import { assertParty, partyInWords } from './rules/party-size.ts';
import { fareQuery, leftOutOf, leftOutText, pricedOffers, storeOffers } from './steps/offers.ts';
import {
  assertWindow,
  CALENDAR_CAN_LACK,
  daySpans,
  readServiceDays,
  type ServiceDays,
  showSpans,
  unsaidText,
  windowFields,
} from './steps/service-days.ts';

/** The call answers within this time, in milliseconds. */
const ANSWER_MS = 25_000;
/** No search starts after this, so that running ones can end before ANSWER_MS. */
const START_MS = 18_000;
/** How many searches run at once. */
const WIDTH = 4;
/** How many days one call asks for at most. */
const MOST_DAYS = 31;

const input = () => ({
  ...windowFields(`: at most ${MOST_DAYS} days`),
  return_after_days: noted(
    '{}: also prices the way back, this many days later.',
    integer(0, 90).optional().describe('round trip'),
    'one way',
  ),
  passengers: counts(),
  booking_classes: bookingClasses().optional(),
});

const day = () =>
  z.object({
    ...strings('date'),
    ...optionalStrings('total', 'trip', 'offer_id'),
    sold_out: z.literal(true).optional(),
  });

const output = () => ({
  ...strings('currency', 'from', 'to'),
  ...placeFields(),
  days: z.array(day()),
  cheapest: z.object(strings('date')).optional(),
  no_service: optionalTexts(),
  skipped: z.int().optional(),
  ...optionalStrings('continue_from'),
});

type DateView = ResultOf<typeof output>['days'][number];

/** The cheapest offers of a day. */
interface DateOffers {
  readonly date: string;
  readonly query: FareQuery;
  /** One for the trip, or one for each leg; none if the day is sold out. */
  readonly offers: readonly Offer[];
  /** Absent if the day is sold out. */
  readonly total?: Money;
  readonly leftOut: readonly UnshownOffers[];
}

/** A day as it is shown, with its total as an amount that can be compared. */
interface DayWithTotal {
  readonly total: Money | undefined;
  readonly view: DateView;
}

export const findCheapestDates = defineTool({
  name: 'find_cheapest_dates',
  title: 'Find cheapest dates',
  description: 'Lowest total of each day, up to 31 days; to go on, pass continue_from as start_date.',
  toolset: 'desk',

  example: (today) => ({
    ...EXAMPLE_ROUTE,
    start_date: addDays(today, 20),
    end_date: addDays(today, 24),
    passengers: { adults: 1 },
  }),

  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const startedAt = ctx.now();
    assertWindow(args, MOST_DAYS, startedAt);
    assertParty(countsOf(args.passengers), ctx.settings.maxTravelers, 'passengers');

    const { answer: route, understood } = await readServiceDays(args, ctx);
    if (route.dates.length === 0) throw noService(route, ctx.airline.placeName);

    const { searched, nextDate } = await searchDays(args, route, startedAt, ctx);
    const currency = chooseCurrency(searched, ctx);
    const priced = await Promise.all(searched.map((day) => priceDay(day, currency, ctx)));
    const days = priced.map(({ view }) => view);
    const cheapest = cheapestDay(priced, currency);
    const { from, to, dates } = route;

    const unlisted = daySpans(route.unlisted);
    const skipped = dates.length - searched.length;
    const goOn = nextDate && `${counted(skipped, 'day')} not searched: call again with start_date ${nextDate}.`;
    const people = partyInWords(countsOf(args.passengers));
    const lowest = cheapest === undefined ? `no seat for ${people}` : lowestText(days, cheapest, { currency, people });

    return {
      summary: `${searchedText(route, searched.length)}: ${lowest}.${leftOutText(searched.flatMap(({ leftOut }) => leftOut))}`,
      next: joined([goOn, unsaidText(route), unlisted.length > 0 && CALENDAR_CAN_LACK], ' ') || undefined,
      currency,
      from: cleanCode(from, 8),
      to: cleanCode(to, 8),
      places: namedPlaces([from, to], ctx.airline.placeName),
      understood,
      days,
      cheapest: cheapest && { date: cheapest.date },
      no_service: filled(unlisted),
      skipped: skipped === 0 ? undefined : skipped,
      continue_from: nextDate,
    };
  },

  text: ({ from, to, days, no_service: none = [], places, understood }) => [
    `${showRoute({ from, to }, namedIn(places))}. Local times.`,
    understoodText({ places, understood }),
    ...table(
      days.map(({ date, total, trip, offer_id: id, sold_out: soldOut }) => [
        showDay(date),
        total ?? (soldOut && 'sold out'),
        trip,
        id,
      ]),
    ),
    none.length > 0 ? `No service listed: ${showSpans(none)}.` : undefined,
  ],
});

function noService(route: ServiceDays, placeName: PlaceName | undefined): ClerkError {
  const what = `The calendar lists no service ${showRoute(route, placeName)} on these days.`;
  const message = joined([what, unsaidText(route), 'Nothing was searched.'], ' ');
  return new ClerkError('E_NO_AVAILABILITY', message, {
    next: 'Call get_calendar_dates with a wider window, or list_routes for other stations. search_fares can still find some.',
  });
}

/** Searches as many days as the time allows, several at once. `nextDate`: the first without an answer. Throws if every search fails. */
async function searchDays(args: ArgsOf<typeof input>, route: ServiceDays, startedAt: number, ctx: ToolContext) {
  const { dates } = route;
  const signal = signalWithin(ANSWER_MS, ctx);

  const results = await fanOut(
    dates,
    {
      width: WIDTH,
      mayStart: () => !signal.aborted && ctx.now() - startedAt < START_MS,
      done: (count) => ctx.progress?.(count, dates.length, 'days searched'),
    },
    (day) => lowestOffers(dayQuery(args, route, day), day, ctx, signal),
  );

  const searched = results.flatMap((result) => (result?.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result) => (result?.status === 'rejected' ? [result.reason] : []));
  const bug = failures.find((reason) => !(reason instanceof ClerkError));
  if (bug !== undefined) throw bug;
  if (searched.length === 0 && failures.length > 0) throw failures[0];

  return { searched, nextDate: dates.find((_, i) => results[i]?.status !== 'fulfilled') };
}

function dayQuery(args: ArgsOf<typeof input>, { from, to }: ServiceDays, date: string): FareQuery {
  const oneDay = { daysBefore: 0, daysAfter: 0 };
  const legs = [{ from, to, date, ...oneDay }];
  const returnAfter = args.return_after_days;
  if (returnAfter !== undefined) legs.push({ from: to, to: from, date: addDays(date, returnAfter), ...oneDay });
  return fareQuery(legs, args, 1);
}

/** Gives the cheapest offers for the whole trip on a day; no total if nothing is offered. */
async function lowestOffers(query: FareQuery, day: string, ctx: ToolContext, signal: AbortSignal): Promise<DateOffers> {
  const found = await searchDay(query, ctx, signal);
  if (found === undefined) return { date: day, query, offers: [], leftOut: [] };

  const priced = pricedOffers(found.offers, 1, ctx.settings.currency);
  const common = { date: day, query, leftOut: leftOutOf(found, priced) };
  const wholeTrip = priced.offers.find((offer) => offer.leg === undefined || query.legs.length === 1);
  if (wholeTrip?.pricing.total) return { ...common, offers: [wholeTrip], total: wholeTrip.pricing.total.total };

  const perLeg = query.legs.flatMap((_, i) => priced.offers.find((offer) => offer.leg === i) ?? []);
  const totals = perLeg.flatMap((offer) => offer.pricing.total?.total ?? []);
  const total = totals.length === query.legs.length ? sumMoney(totals) : undefined;
  return total === undefined ? { ...common, offers: [] } : { ...common, offers: perLeg, total };
}

/** Undefined if nothing is offered: a day without an offer does not end the search. */
async function searchDay(
  query: FareQuery,
  ctx: ToolContext,
  signal: AbortSignal,
): Promise<FareSearchResult | undefined> {
  try {
    return await ctx.airline.searchFares(query, { signal });
  } catch (error) {
    if (error instanceof ClerkError && error.code === 'E_NO_AVAILABILITY') return undefined;
    throw error;
  }
}

function chooseCurrency(days: readonly DateOffers[], ctx: ToolContext): string {
  const currencies = days.flatMap(({ total }) => total?.currency ?? []);
  const { currency = '' } = ctx.settings;
  return currencies.includes(currency) ? currency : (currencies[0] ?? currency);
}

async function priceDay(day: DateOffers, currency: string, ctx: ToolContext): Promise<DayWithTotal> {
  const { date, total, offers, query } = day;
  if (total === undefined) return { total, view: { date, sold_out: true } };

  // Several offers, one for each leg, have no id in common.
  const [id] = offers.length === 1 ? await storeOffers(offers, query, ctx) : [];
  const view = {
    date,
    total: total.currency === currency ? formatMoney(total) : showMoney(total),
    trip: tripText(offers, date, ctx.settings.carrier),
    offer_id: id,
  };
  return { total, view };
}

/** `HHR0120 22:26-23:18, back Thu 17 Dec HHR0105 09:24-10:16`, in the local times of the stations. */
function tripText(offers: readonly Offer[], date: string, carrier: string | undefined): string {
  const directions = offers.flatMap((offer) => offer.options.map(({ segments }) => segments));
  const texts = directions.flatMap((segments, i) => {
    const [first, last] = [segments[0], segments.at(-1)];
    if (first === undefined || last === undefined) return [];

    const day = showDay(first.departs);
    // The zone is left out, as in a timetable, unless the times are UTC.
    const withoutZone = zoneOf(first.departs) !== 'UTC';
    const times = showTrip(first.departs, last.arrives, { withoutZone }).replace(`${day} `, '');
    const flights = segments.map((segment) => flightName(segment, carrier)).join('+');
    if (i > 0) return [`back ${day} ${flights} ${times}`];

    // The row names the day of the outward trip.
    return [day === showDay(date) ? `${flights} ${times}` : `${day} ${flights} ${times}`];
  });
  return texts.join(', ');
}

/** Gives the day with the lowest total in this currency, the first of several. */
function cheapestDay(days: readonly DayWithTotal[], currency: string): DateView | undefined {
  const comparable = days.flatMap(({ total, view }) =>
    total?.currency === currency ? [{ minor: total.minor, view }] : [],
  );
  return comparable.sort((a, b) => a.minor - b.minor)[0]?.view;
}

/** `3 of 5 days searched from Tue 1 Dec 2026`. */
function searchedText({ start, dates }: ServiceDays, searchedCount: number): string {
  const count = searchedCount === dates.length ? '' : `${searchedCount} of `;
  return `${count}${counted(dates.length, 'day')} searched from ${showDay(start)} ${start.slice(0, 4)}`;
}

/** `lowest for 2 adults SAR 690.00, on Tue 1 Dec and Thu 3 Dec`. */
function lowestText(
  days: readonly DateView[],
  cheapest: DateView,
  { currency, people }: { readonly currency: string; readonly people: string },
): string {
  const sameTotal = days.filter(({ total }) => total !== undefined && total === cheapest.total);
  const when = listed(daySpans(sameTotal.map(({ date }) => date)).map((span) => showSpans([span])));
  return `lowest for ${people} ${showAmount(cheapest.total ?? '', currency)}, on ${when}`;
}
