import * as z from 'zod';
import { ClerkError, inputError } from '../core/errors.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { addDays, dateOf, earliestToday, localMinute, showDay, utcToday } from '../core/times.ts';
import { listStations, namedPlaces, showRoute } from '../domain/booking/stations.ts';
import { inCountry } from '../domain/people/countries.ts';
import type { FareQuery, Offer, SoldOutFlight } from '../domain/pricing/offers.ts';
import { type ArgsOf, defineTool, readCall, type ToolContext } from './definition/define.ts';
import { noted } from './definition/field-notes.ts';
import {
  bookingClasses,
  clockSpan,
  counts,
  countsOf,
  date,
  detail,
  integer,
  listOf,
  station,
} from './definition/input-fields.ts';
import { filterWords, inOrder, isWanted, nearestMiss, ORDERS } from './rules/offer-filters.ts';
import { assertParty } from './rules/party-size.ts';
import { checkedOffers, unchecked } from './steps/check-prices.ts';
import { fareQuery, pricedOffers, storeOffers } from './steps/fare-search.ts';
import { assertApart, atStations } from './steps/resolve-stations.ts';
import { withCommon } from './views/common-facts.ts';
import { type LegView, searchFields, viewOffer, viewSoldOut } from './views/offers.ts';
import { searchHead, searchText } from './views/search-text.ts';

const MOST_SOLD_OUT = 50;

const input = () => ({
  legs: noted('One leg for each direction: a round trip has two.', listOf(leg(), 1, 6)),
  passengers: counts(),
  booking_classes: noted(
    'Only these booking classes: {}.',
    bookingClasses().optional().describe('Y economy, C business'),
  ),
  include_sold_out: noted('Also lists direct departures without a seat.', z.boolean().optional(), '`false`'),
  direct_only: noted('Shows only offers without a change.', z.boolean().optional(), '`false`'),
  max_minutes: noted('Shows only offers whose every leg takes at most so many minutes.', integer(1, 10_000).optional()),
  order_by: noted('The order in which offers are shown.', z.enum(ORDERS).optional(), '`price`'),
  max_results: noted('Most offers in the answer.', integer(1, 50).optional(), '10'),
  detail: detail().optional(),
});

const leg = () =>
  z.strictObject({
    from: noted('Where the leg begins.', station()),
    to: noted('Where the leg ends.', station()),
    date: noted('Local day of departure.', date()),
    days_before: noted('Also searches this many days before the date.', integer(0, 7).optional(), '0'),
    days_after: noted('Also searches this many days after the date.', integer(0, 7).optional(), '0'),
    departs_between: noted(
      'Shows only offers whose leg departs in this span of local times: {}. One side may be open, and it may go past midnight.',
      clockSpan().optional().describe('18:00-23:30'),
    ),
    arrives_between: noted('The same for the arrival.', clockSpan().optional()),
  });

type SearchArgs = ArgsOf<typeof input>;

export const searchFares = defineTool({
  name: 'search_fares',
  title: 'Search fares',
  description:
    'Search trains or flights with prices. One leg per direction, or one search per leg if the airline refuses; stations by code or city.',
  toolset: 'core',
  view: 'fares',
  example: (today) =>
    `legs.0.from=QCA legs.0.to=XMD legs.0.date=${addDays(today, 20)} passengers.adults=2 booking_classes=C max_results=3`,
  effect: 'read',
  input,
  output: searchFields,

  async run(args, ctx) {
    assertTrip(args, ctx);
    const places = args.legs.flatMap((leg, i) => [
      { field: `legs[${i}].from`, text: leg.from },
      { field: `legs[${i}].to`, text: leg.to },
    ]);
    const { answer, understood } = await atStations(places, ctx, async (codes) => {
      const query = queryOf(args, codes);
      const found = await ctx.airline.searchFares(query, readCall(ctx));
      const best = pricedOffers(found.offers, mostOf(args), ctx.settings.currency, args.order_by);
      if (best.offers.length === 0 && found.soldOut.length === 0) throw await nothingFound(query, ctx);
      return { query, found, ...best };
    });
    const { query, found, offers, currency } = answer;
    const filter = filterWords(args);
    const matching = filter === undefined ? offers : offers.filter((offer) => isWanted(offer, args));
    const best = matching.slice(0, mostOf(args));
    const soldOut = (await inLocalTimes(found.soldOut, ctx))
      .filter(({ segment }) => args.legs.length > 1 || isWanted({ options: [{ segments: [segment] }] }, args))
      .slice(0, MOST_SOLD_OUT);
    const full = args.detail === 'full';
    const checks = full ? await checkedOffers(best, query.passengers, ctx) : unchecked(best);
    const shown = checks.offers.map(({ offer }) => offer);
    const ids = await storeOffers(shown, query, ctx, found.validUntil);
    const { adults: ADT, children: CHD, infants: INF } = query.passengers;
    const { carrier } = ctx.settings;
    const facts = { ctx, now: ctx.now(), carrier, full, party: { ADT, CHD, INF } };
    const viewed = checks.offers.flatMap(
      ({ offer, ...check }, i) => viewOffer(ids[i] ?? '', offer, { ...facts, ...check }) ?? [],
    );
    const { validUntil, unread = 0 } = found;
    const total = offers.length + unread;
    const near = viewed[0]?.legs[0]?.departs ?? soldOut[0]?.segment.departs;
    const rows = soldOut.map((flight) => viewSoldOut(flight, carrier));
    const named = [...viewed.flatMap(({ legs }) => legs), ...rows].flatMap(stopsOf);
    const stations = [...named, ...Object.values(understood ?? {})];
    return {
      ...searchHead(viewed, {
        // A price check can find other prices than the search; what is not shown was not checked.
        ...{ query, total, cheapest: cheapestOf(shown, matching), hold: checks.unintendedHold },
        ...{ filter, matching: matching.length, order: args.order_by },
        nearest: matching.length === 0 ? nearestMiss(offers, args) : undefined,
        placeName: ctx.airline.placeName,
        carrier,
      }),
      currency: currency ?? ctx.settings.currency ?? '',
      total_found: total,
      ...(filter !== undefined && { matching: matching.length }),
      ...omitUndefined({ places: namedPlaces(stations, ctx.airline.placeName), understood }),
      ...withCommon(viewed, rows),
      ...omitUndefined({
        valid_until: validUntil && localMinute(validUntil, near),
        unintended_hold: checks.unintendedHold,
      }),
    };
  },

  text: searchText,
});

/** Of the offers shown and those that fit as well: the list can be in another order than the price. */
function cheapestOf(shown: readonly Offer[], matching: readonly Offer[]): Offer | undefined {
  return [...shown, ...matching.slice(shown.length)].toSorted(inOrder('price'))[0];
}

/** The stations of a leg and of its changes. */
function stopsOf({ from = '', to = '', segments = [] }: Pick<LegView, 'from' | 'to' | 'segments'>): readonly string[] {
  return [from, to, ...segments.flatMap((segment) => [segment.from, segment.to])];
}

function assertTrip(args: SearchArgs, ctx: ToolContext): void {
  assertParty(countsOf(args.passengers), ctx.settings.maxTravelers, 'passengers');
  const [earliest, today] = [earliestToday(ctx.now()), utcToday(ctx.now())];
  for (const [i, leg] of args.legs.entries()) {
    assertApart(leg.from, leg.to, `legs[${i}].to`);
    if (leg.date < earliest) throw inputError(`legs[${i}].date`, `expected a date not past; nearest valid: ${today}.`);
    const before = args.legs[i - 1]?.date;
    // Eastward across the date line, arrival can be the day before departure.
    if (before !== undefined && leg.date < addDays(before, -1)) {
      throw inputError(`legs[${i}].date`, `expected a date not before the leg before it; nearest valid: ${before}.`);
    }
  }
}

const mostOf = ({ max_results: most = 10 }: SearchArgs): number => most;

/** `codes`: from and to of each leg, in order. */
function queryOf(args: SearchArgs, codes: readonly string[]): FareQuery {
  const legs = args.legs.map((leg, i) => {
    const [from = '', to = ''] = codes.slice(2 * i);
    assertApart(from, to, `legs[${i}].to`);
    return { from, to, date: leg.date, daysBefore: leg.days_before ?? 0, daysAfter: leg.days_after ?? 0 };
  });
  // The cheapest alone may all be unwanted.
  const all = filterWords(args) !== undefined || (args.order_by ?? 'price') !== 'price';
  return fareQuery(legs, args, all ? undefined : mostOf(args), args.include_sold_out);
}

/** Says whether the calendar lists service, and suggests the search without its filters, then the dates of the route. */
async function nothingFound(query: FareQuery, ctx: ToolContext): Promise<ClerkError> {
  const { legs, bookingClasses, includeSoldOut } = query;
  const trip = legs.map((leg) => `${showRoute(leg, ctx.airline.placeName)} on ${showDay(leg.date)}`).join(', ');
  const inClass = bookingClasses.length > 0 ? ` in class ${bookingClasses.join(', ')}` : '';
  const narrowed = [
    bookingClasses.length > 0 && 'without booking_classes',
    includeSoldOut && 'without include_sold_out, which lists direct departures only',
  ].filter(Boolean);
  const wider = narrowed.length > 0 ? `Call search_fares ${narrowed.join(' or ')}; else call` : 'Call';
  const message = `The airline offers nothing for ${trip}${inClass}.${await calendarText(legs, ctx)}`;
  return new ClerkError('E_NO_AVAILABILITY', message, {
    next: `${wider} get_calendar_dates for the dates with service on this route.`,
  });
}

/** Whether it is sold out or does not run, by the calendar; empty if that cannot be read. */
async function calendarText(legs: FareQuery['legs'], ctx: ToolContext): Promise<string> {
  const listed = await Promise.all(legs.map((leg) => isListed(leg, ctx).catch(() => undefined)));
  if (listed.includes(undefined)) return '';
  const idle = legs.filter((_, i) => listed[i] === false);
  if (idle.length === 0) return ' Its calendar lists service: it looks sold out for this party.';
  return ` Its calendar lists no service ${idle.map((leg) => showRoute(leg, ctx.airline.placeName)).join(', ')} then.`;
}

async function isListed(leg: FareQuery['legs'][number], ctx: ToolContext): Promise<boolean> {
  const { from, to, date, daysBefore, daysAfter } = leg;
  const [startDate, endDate] = [addDays(date, -daysBefore), addDays(date, daysAfter)];
  const { dates } = await ctx.airline.calendar({ from, to, startDate, endDate, direct: false }, readCall(ctx));
  return dates.some((day) => dateOf(day) >= startDate && dateOf(day) <= endDate);
}

/** Reads the stations only if a time is in UTC. A time stays in UTC if its local date would not match the record. */
async function inLocalTimes(
  flights: readonly SoldOutFlight[],
  ctx: Pick<ToolContext, 'airline' | 'signal'>,
): Promise<readonly SoldOutFlight[]> {
  if (flights.every(({ segment }) => segment.journeyDate === undefined)) return flights;
  const routes = await ctx.airline.routes(readCall(ctx)).catch(() => []);
  const countries = new Map(listStations(routes).map(({ code, country }) => [code.toUpperCase(), country]));
  const local = (time: string, code: string) => inCountry(time, countries.get(code.toUpperCase()) ?? '');
  return flights.map((flight) => {
    const { journeyDate, ...rest } = flight.segment;
    if (journeyDate === undefined) return flight;
    const departs = local(rest.departs, rest.from);
    const arrives = local(rest.arrives, rest.to);
    if (departs === undefined || arrives === undefined || dateOf(departs) !== dateOf(journeyDate)) return flight;
    return { ...flight, segment: { ...rest, departs, arrives } };
  });
}
