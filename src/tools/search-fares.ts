/**
 * The tool that searches trains or flights with prices. Below the tool: its arguments made complete, the search, the views of what it
 * finds, the checks, and the summary with what to do next.
 */
import * as z from 'zod';
import type { ResultHead } from '../approvals/answer.ts';
import { cleanCode } from '../core/clean-text.ts';
import { ClerkError, inputError, inputFaults } from '../core/errors.ts';
import { showMoney } from '../core/money.ts';
import { addDays, earliestToday, localMinute, showDay, showTrip, utcDay } from '../core/times.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import { namedPlaces, type PlaceName, showRoute } from '../domain/booking/stations.ts';
import type { FareQuery, FareSearchResult, Offer, SoldOutFlight } from '../domain/pricing/offers.ts';
import { assertSearchOfBooking, changesTo, type ReplacedSegment, readReplaced } from './acts/replacement-search.ts';
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
  locator,
  segmentRef,
  station,
} from './definition/input-fields.ts';
import {
  filterWords,
  inOrder,
  isWanted,
  nearestMiss,
  type OfferOrder,
  ORDER_WORDS,
  ORDERS,
} from './rules/offer-filters.ts';
import { assertParty, partyInWords } from './rules/party-size.ts';
import {
  type CheckedOffers,
  checkPrices,
  fareQuery,
  pricedOffers,
  storeOffers,
  withoutChecks,
} from './steps/offers.ts';
import { assertApart, callWithStations, toLocalTimes } from './steps/resolve-stations.ts';
import { calendarText } from './steps/service-days.ts';
import {
  type LegView,
  type OfferChange,
  type OfferView,
  searchFields,
  viewOffer,
  viewSoldOut,
  withCommon,
} from './views/offer-data.ts';
import { searchText } from './views/offer-text.ts';

/** How many offers are shown: usually, and at most. */
const USUAL_SHOWN = 10;
const MOST_SHOWN = 50;

const MOST_SOLD_OUT = 50;

/** What a leg needs, unless the call names a booked segment. */
const LEG_REQUIRED = ['from', 'to', 'date'] as const;

/** What to do next. */
const WIDER = 'Call search_fares with wider times, or without these wishes, or for another day.';
const OTHER_DAY = 'Call search_fares for another day or class.';
const ONE_PER_LEG = 'Give create_booking one offer_id per leg.';
const REBOOK =
  'To change, call rebook_segment with the offer_id: a person approves. quote_cancellation says what cancelling it refunds.';
const BY_HAND = 'Ask the person; to change, hold the new one with create_booking, pay it, and then cancel the old one.';
const EACH_LEG =
  'Not all combinations are here: call search_fares for one leg to see its other fares, and hold one offer per leg.';

const DEFAULT_OF_SEGMENT = "the segment's own with `instead_of`, and required without it";

const input = () => ({
  legs: noted('One leg for each direction: a round trip has two.', listOf(leg(), 1, 6).optional(), DEFAULT_OF_SEGMENT),
  passengers: counts(DEFAULT_OF_SEGMENT).optional(),
  instead_of: noted(
    'A segment of a booking that the offers would replace: each then says what the change costs, by the arithmetic of the terms of `rebook_segment`, and asks nobody. Least cost in all comes first. Leave out `legs` for the same day, or name another one.',
    z
      .strictObject({ locator: locator(), segment_ref: segmentRef() })
      .optional()
      .describe('booked: offers say what the change costs; legs, passengers are its own'),
  ),
  booking_classes: noted(
    'Only these booking classes: {}.',
    bookingClasses().optional().describe('Y economy, C business'),
  ),
  include_sold_out: noted('Also lists direct departures without a seat.', z.boolean().optional(), '`false`'),
  direct_only: noted('Shows only offers without a change.', z.boolean().optional(), '`false`'),
  max_minutes: noted('Shows only offers whose every leg takes at most so many minutes.', integer(1, 10_000).optional()),
  order_by: noted('The order in which offers are shown.', z.enum(ORDERS).optional(), '`price`'),
  max_results: noted('Most offers in the answer.', integer(1, MOST_SHOWN).optional(), `${USUAL_SHOWN}`),
  detail: detail().optional(),
});

/** Clients see from, to and date as required; with `instead_of` the booking has them. */
const leg = () => z.strictObject(legFields()).meta({ required: ['from', 'to', 'date'] });

const legFields = () => ({
  from: noted('Where the leg begins.', station().optional(), DEFAULT_OF_SEGMENT),
  to: noted('Where the leg ends.', station().optional(), DEFAULT_OF_SEGMENT),
  date: noted('Local day of departure.', date().optional(), DEFAULT_OF_SEGMENT),
  days_before: noted('Also searches this many days before the date.', integer(0, 7).optional(), '0'),
  days_after: noted('Also searches this many days after the date.', integer(0, 7).optional(), '0'),
  departs_between: noted(
    'Shows only offers whose leg departs in this span of local times: {}. One side may be open, and it may go past midnight.',
    clockSpan().optional().describe('18:00-23:30'),
  ),
  arrives_between: noted('The same for the arrival.', clockSpan().optional()),
});

type CallArgs = ArgsOf<typeof input>;
type CallLeg = NonNullable<CallArgs['legs']>[number];

/** The arguments with all that a search needs. */
interface SearchArgs extends CallArgs {
  readonly legs: (CallLeg & { readonly from: string; readonly to: string; readonly date: string })[];
  readonly passengers: NonNullable<CallArgs['passengers']>;
}

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

  async run(callArgs, ctx) {
    const oldSegment = callArgs.instead_of && (await readReplaced(callArgs.instead_of, ctx));
    const args = oldSegment === undefined ? completeArgs(callArgs) : argsInPlace(callArgs, oldSegment, ctx);
    assertTrip(args, ctx);
    const { answer, understood } = await findOffers(args, oldSegment, ctx);
    const { query, found, offers } = answer;
    const filter = filterWords(args);
    const matching = filter === undefined ? offers : offers.filter((offer) => isWanted(offer, args));
    const best = matching.slice(0, mostShown(args));
    const { carrier } = ctx.settings;
    // Nobody is moved to what is sold out.
    const soldOut = oldSegment === undefined ? await soldOutFlights(found.soldOut, args, ctx) : [];
    const soldOutViews = soldOut.map((flight) => viewSoldOut(flight, carrier));
    const isChecked = args.detail === 'full' && oldSegment === undefined;
    const checks = isChecked ? await checkPrices(best, query.passengers, ctx) : withoutChecks(best);
    const offerViews = await viewOffers(checks, answer, args, ctx);
    const total = offers.length + (found.unread ?? 0);
    const firstDeparture = offerViews[0]?.legs[0]?.departs ?? soldOut[0]?.segment.departs;
    const legStations = [...offerViews.flatMap(({ legs }) => legs), ...soldOutViews].flatMap(stationsOn);
    const stations = [...legStations, ...Object.values(understood ?? {})];
    const checkedBest = checks.offers.map(({ offer }) => offer);
    const head = searchHead(offerViews, {
      query,
      total,
      // A price check can find other prices than the search; only the offers shown were checked.
      cheapest: cheapestOffer(checkedBest, matching),
      hold: checks.unintendedHold,
      filter,
      matching: matching.length,
      order: args.order_by,
      nearest: matching.length === 0 ? nearestMiss(offers, args) : undefined,
      placeName: ctx.airline.placeName,
      carrier,
      oldSegment,
    });
    return {
      ...head,
      currency: answer.currency ?? ctx.settings.currency ?? '',
      total_found: total,
      matching: filter === undefined ? undefined : matching.length,
      places: namedPlaces(stations, ctx.airline.placeName),
      understood,
      ...withCommon(offerViews, soldOutViews),
      valid_until: found.validUntil && localMinute(found.validUntil, firstDeparture),
      unintended_hold: checks.unintendedHold,
    };
  },

  text: searchText,
});

/** Gives the arguments of a search without `instead_of`. Throws E_INPUT with all that is missing. */
function completeArgs(callArgs: CallArgs): SearchArgs {
  const { legs = [], passengers = {} } = callArgs;
  const missing = [
    ...(callArgs.legs === undefined ? [{ field: 'legs', problem: 'is required (a list).' }] : []),
    ...legs.flatMap((leg, i) =>
      LEG_REQUIRED.filter((name) => leg[name] === undefined).map((name) => ({
        field: `legs[${i}].${name}`,
        problem: 'is required (text).',
      })),
    ),
    ...(callArgs.passengers === undefined ? [{ field: 'passengers', problem: 'is required (an object).' }] : []),
  ];
  if (missing.length > 0) throw inputFaults(missing);
  return {
    ...callArgs,
    passengers,
    legs: legs.map(({ from = '', to = '', date = '', ...leg }) => ({ ...leg, from, to, date })),
  };
}

/** Gives the arguments of a search in place of a booked segment. Throws E_INPUT for what contradicts the booking. */
function argsInPlace(callArgs: CallArgs, oldSegment: ReplacedSegment, ctx: ToolContext): SearchArgs {
  const { legs = [], passengers = {} } = callArgs;
  assertSearchOfBooking(oldSegment, { legs, passengers }, ctx.airline.placeName);
  if (callArgs.include_sold_out === true) {
    throw inputError('include_sold_out', 'expected none beside instead_of: what is sold out replaces nothing.');
  }
  const [leg = {}] = legs;
  const date = leg.date ?? oldSegment.leg.date;
  return { ...callArgs, legs: [{ ...leg, ...oldSegment.leg, date }], passengers: oldSegment.passengers };
}

interface FareAnswer {
  readonly query: FareQuery;
  readonly found: FareSearchResult;
  /** Those with a price in one currency, in the order asked for. */
  readonly offers: readonly Offer[];
  readonly currency: string | undefined;
  /** What each offer costs in place of the old segment. */
  readonly changes: ReadonlyMap<Offer, OfferChange> | undefined;
}

/** Searches at the stations that the words of the call mean. */
async function findOffers(args: SearchArgs, oldSegment: ReplacedSegment | undefined, ctx: ToolContext) {
  const codes = args.legs.flatMap(({ from, to }) => [from, to]);
  // The airline knows the codes of its own booking.
  if (oldSegment !== undefined) return { answer: await searchAt(codes, args, oldSegment, ctx), understood: undefined };
  const places = args.legs.flatMap(({ from, to }, i) => [
    { field: `legs[${i}].from`, text: from },
    { field: `legs[${i}].to`, text: to },
  ]);
  return callWithStations(places, ctx, (stationCodes) => searchAt(stationCodes, args, undefined, ctx));
}

/** Searches at these stations. Throws E_NO_AVAILABILITY. With an old segment, the cheapest change comes first, unless the call asks for another order. */
async function searchAt(
  codes: readonly string[],
  args: SearchArgs,
  oldSegment: ReplacedSegment | undefined,
  ctx: ToolContext,
): Promise<FareAnswer> {
  const query = searchQuery(args, codes, oldSegment !== undefined);
  const found = await ctx.airline.searchFares(query, readCall(ctx));
  const { offers, currency } = pricedOffers(found.offers, mostShown(args), ctx.settings.currency, args.order_by);
  if (offers.length === 0 && found.soldOut.length === 0) throw await nothingFound(query, ctx, oldSegment);
  if (oldSegment === undefined) return { query, found, offers, currency, changes: undefined };
  const changeTo = changesTo(oldSegment, found, ctx);
  const changes = new Map(offers.map((offer) => [offer, changeTo(offer)]));
  const isByPrice = (args.order_by ?? 'price') === 'price';
  const byCost = (a: Offer, b: Offer) => costInAll(changes.get(a)) - costInAll(changes.get(b));
  return { query, found, offers: isByPrice ? offers.toSorted(byCost) : offers, currency, changes };
}

/** Gives the cost of a rebooking, else of a new booking, in minor units; what may come back of a cheaper fare does not count. */
function costInAll(change: OfferChange | undefined): number {
  return (change?.paysAtMost ?? change?.anew?.costsAtMost)?.minor ?? Number.MAX_SAFE_INTEGER;
}

/** Gives the sold-out departures that pass the filters. Their local times may need a further request. */
async function soldOutFlights(flights: readonly SoldOutFlight[], args: SearchArgs, ctx: ToolContext) {
  const local = await toLocalTimes(flights, ctx);
  // A sold-out departure does not say which leg of several it is for.
  const matching =
    args.legs.length > 1
      ? local
      : local.filter(({ segment }) => isWanted({ options: [{ segments: [segment] }] }, args));
  return matching.slice(0, MOST_SOLD_OUT);
}

/** Stores the offers for an hour, under the ids that the views show. */
async function viewOffers(
  checks: CheckedOffers,
  { query, found, changes }: FareAnswer,
  args: SearchArgs,
  ctx: ToolContext,
) {
  const offers = checks.offers.map(({ offer }) => offer);
  const ids = await storeOffers(offers, query, ctx, found.validUntil);
  const { adults: ADT, children: CHD, infants: INF } = query.passengers;
  const options = {
    ctx,
    now: ctx.now(),
    carrier: ctx.settings.carrier,
    full: args.detail === 'full',
    party: { ADT, CHD, INF },
  };
  return checks.offers.flatMap(({ offer, ...check }, i) => {
    const view = viewOffer(ids[i] ?? '', offer, { ...options, ...check, change: changes?.get(offer) });
    return view === undefined ? [] : [view];
  });
}

/** Finds the cheapest of the offers shown and the others that match: the list can be in another order than the price. */
function cheapestOffer(shown: readonly Offer[], matching: readonly Offer[]): Offer | undefined {
  return [...shown, ...matching.slice(shown.length)].toSorted(inOrder('price'))[0];
}

/** Lists the stations of a leg and of its changes. */
function stationsOn(leg: Pick<LegView, 'from' | 'to' | 'segments'>): readonly string[] {
  const { from = '', to = '', segments = [] } = leg;
  return [from, to, ...segments.flatMap((segment) => [segment.from, segment.to])];
}

/** Checks the party, the stations and the order of dates. Throws E_INPUT. */
function assertTrip(args: SearchArgs, ctx: ToolContext): void {
  assertParty(countsOf(args.passengers), ctx.settings.maxTravelers, 'passengers');
  const [earliest, today] = [earliestToday(ctx.now()), utcDay(ctx.now())];
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

const mostShown = (args: SearchArgs): number => args.max_results ?? USUAL_SHOWN;

/** Writes the query. `codes`: from and to of each leg, in order. */
function searchQuery(args: SearchArgs, codes: readonly string[], isReplacement: boolean): FareQuery {
  const legs = args.legs.map((leg, i) => {
    const [from = '', to = ''] = codes.slice(2 * i);
    assertApart(from, to, `legs[${i}].to`);
    return { from, to, date: leg.date, daysBefore: leg.days_before ?? 0, daysAfter: leg.days_after ?? 0 };
  });
  // The filters may drop all of the cheapest, and a change can be charged the dearest fare of its class.
  const needsAll = isReplacement || filterWords(args) !== undefined || (args.order_by ?? 'price') !== 'price';
  const most = needsAll ? undefined : mostShown(args);
  return fareQuery(legs, args, { most, includeSoldOut: args.include_sold_out });
}

/** Says whether the calendar lists service, and suggests the search without its filters, then the dates of the route. */
async function nothingFound(
  query: FareQuery,
  ctx: ToolContext,
  oldSegment: ReplacedSegment | undefined,
): Promise<ClerkError> {
  const { legs, bookingClasses, includeSoldOut } = query;
  const trip = legs.map((leg) => `${showRoute(leg, ctx.airline.placeName)} on ${showDay(leg.date)}`).join(', ');
  const inClass = bookingClasses.length > 0 ? ` in class ${bookingClasses.join(', ')}` : '';
  const narrowed = [
    bookingClasses.length > 0 && 'without booking_classes',
    includeSoldOut && 'without include_sold_out, which lists direct departures only',
  ].filter(Boolean);
  const wider = narrowed.length > 0 ? `Call search_fares ${narrowed.join(' or ')}; else call` : 'Call';
  const calendar = oldSegment === undefined ? await calendarText(legs, ctx) : '';
  const message = `The airline offers nothing for ${trip}${inClass}.${calendar}`;
  return new ClerkError('E_NO_AVAILABILITY', message, {
    next: `${wider} get_calendar_dates for the dates with service on this route.`,
  });
}

interface SearchedOffers {
  readonly query: FareQuery;
  readonly total: number;
  readonly cheapest: Offer | undefined;
  /** A booking that the airline named in reply to a price check. */
  readonly hold: string | undefined;
  /** The filters in words. */
  readonly filter: string | undefined;
  /** How many offers pass the filters. */
  readonly matching: number;
  readonly order: OfferOrder | undefined;
  /** If no offer passes the filters: the one that misses by least. */
  readonly nearest: Offer | undefined;
  readonly placeName: PlaceName | undefined;
  readonly carrier: string | undefined;
  /** What the offers would replace. */
  readonly oldSegment: ReplacedSegment | undefined;
}

function searchHead(viewed: readonly OfferView[], searched: SearchedOffers): ResultHead {
  const { hold } = searched;
  const head = offersHead(viewed, searched);
  if (hold === undefined) return head;
  const next = [head.next, `To release ${cleanCode(hold)} now, call cancel_booking.`].filter(Boolean).join(' ');
  return { ...head, next, warnings: [holdText(hold)] };
}

/**
 * Writes the summary, and what to do next, by the first row that fits:
 *
 *   offers, but none fits the filters    the filters, and the offer that misses them by least
 *   no offer that can be booked          the departures are sold out
 *   each offer is for one leg            one offer_id per leg
 *   in place of a booked segment         rebooking, or a new booking and a cancellation
 *   all others                           the lowest price
 */
function offersHead(viewed: readonly OfferView[], searched: SearchedOffers): ResultHead {
  const { query, total, cheapest, filter, matching, order = 'price' } = searched;
  const { passengers, legs } = query;
  const people = `${partyInWords(passengers)}${inPlaceText(searched)}`;
  if (filter !== undefined && matching === 0 && total > 0) {
    const near = searched.nearest === undefined ? '' : ` Nearest: ${nearText(searched.nearest, searched)}.`;
    return { summary: `None of the ${total} offers for ${people} fits: ${filter}.${near}`, next: WIDER };
  }
  if (viewed.length === 0) {
    return { summary: `Nothing can be booked for ${people}: these departures are sold out.`, next: OTHER_DAY };
  }
  const count = `${viewed.length} of ${filter === undefined ? total : matching} offers for ${people}`;
  const found = filter === undefined ? count : `${count} that fit (${filter}; ${total} in all)`;
  if (viewed.some(({ leg }) => leg !== undefined)) {
    const summary = `${found}, each for one leg, ${ORDER_WORDS[order]}.`;
    return { summary, next: legs.length > 1 ? ONE_PER_LEG : undefined };
  }
  if (searched.oldSegment !== undefined) {
    const orderWords = order === 'price' ? 'least cost in all first' : ORDER_WORDS[order];
    return { summary: `${found}, ${orderWords}.`, next: nextInPlace(viewed, searched.oldSegment) };
  }
  const price = cheapest?.pricing.total;
  const from = price === undefined ? '' : `, from ${showMoney(price.total)} in all`;
  const isCut = legs.length > 1 && viewed.length < total;
  return { summary: `${found}, ${ORDER_WORDS[order]}${from}.`, next: isCut ? EACH_LEG : undefined };
}

/** ` in place of segment 1 (HHR101) of booking ABC123`. */
function inPlaceText({ oldSegment, carrier }: SearchedOffers): string {
  if (oldSegment === undefined) return '';
  const { segment } = oldSegment.replaced;
  return ` in place of segment ${cleanCode(segment.ref)} (${flightName(segment, carrier)}) of booking ${oldSegment.booking.locator}`;
}

function nextInPlace(viewed: readonly OfferView[], { refusal }: ReplacedSegment): string {
  if (refusal !== undefined && !refusal.byHand) return refusal.next;
  return viewed.some(({ change }) => change?.pays_at_most !== undefined) ? REBOOK : BY_HAND;
}

/** `HHR101 Makkah (QCA) → Madinah (XMD), Tue 1 Dec 17:42-19:47 (UTC+3), SAR 143.00`. */
function nearText({ options, pricing }: Offer, { placeName, carrier }: SearchedOffers): string {
  const legs = options.map(({ segments }) => {
    const [first, last = first] = [segments[0], segments.at(-1)];
    if (first === undefined || last === undefined) return '';
    const flights = segments.map((segment) => flightName(segment, carrier)).join(' and ');
    return `${flights} ${showRoute({ from: first.from, to: last.to }, placeName)}, ${showTrip(first.departs, last.arrives)}`;
  });
  const price = pricing.total === undefined ? [] : [showMoney(pricing.total.total)];
  return [legs.join(' then '), ...price].join(', ');
}

function holdText(locator: string): string {
  return `A price check may have made an unintended hold, ${cleanCode(locator)}. It is unpaid and expires by itself. No more prices were checked.`;
}
