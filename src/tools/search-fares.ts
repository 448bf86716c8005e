/**
 * The tool that searches trains or flights with prices. Below the tool, in the order of its steps: the arguments are completed and
 * checked, the airline searches, the filters select, the views are written, and the summary says what to do next.
 */
import * as z from 'zod';
import type { ResultHead } from '../approvals/answer.ts';
import { cleanRef } from '../core/clean-text.ts';
import { ClerkError, dayError, IF_UNKNOWN, inputFaults } from '../core/errors.ts';
import { showMoney } from '../core/money.ts';
import { addDays, earliestToday, localMinute, showDay, utcDay } from '../core/times.ts';
import { joined } from '../core/words.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import type { FareQuery, FareSearchResult, Offer, SoldOutFlight, UnshownOffers } from '../domain/booking/offers.ts';
import { namedPlaces, showRoute } from '../domain/booking/stations.ts';
import {
  assertSearchOfBooking,
  changesTo,
  partyAnew,
  type ReplacedSegment,
  readReplaced,
  searchFlights,
} from './acts/replacement-search.ts';
import { type ArgsOf, defineTool, readCall, type ToolContext } from './definition/define.ts';
import { noted, requiredWithout } from './definition/field-notes.ts';
import {
  bookingClasses,
  clockSpan,
  counts,
  countsOf,
  detail,
  integer,
  listedDate,
  listOf,
  locator,
  segmentRef,
  station,
} from './definition/input-fields.ts';
import { filterWords, inOrder, isWanted, ORDER_WORDS, ORDERS } from './rules/offer-filters.ts';
import { assertParty, partyInWords } from './rules/party-size.ts';
import { fareQuery, leftOutOf, leftOutText, pricedOffers, storeOffers } from './steps/offers.ts';
import { assertApart, callWithStations } from './steps/resolve-stations.ts';
import {
  type ChangeView,
  type LegView,
  type OfferView,
  type SoldOutView,
  searchFields,
  viewOffer,
  viewSoldOut,
  withCommon,
} from './views/offer-data.ts';
import { searchText } from './views/offer-text.ts';
import { isZero } from './views/refund-text.ts';

/** How many offers are shown: usually, and at most. */
const USUAL_SHOWN = 10;
const MOST_SHOWN = 50;
const MOST_SOLD_OUT = 50;

/** What a leg needs, unless the call names a booked segment. */
const LEG_REQUIRED = ['from', 'to', 'date'] as const;

/** What to do next. */
const OTHER_DAY = 'Call search_fares for another day or class.';
const ONE_PER_LEG = 'Give create_booking one offer_id per leg.';
const REBOOK =
  'To change, call rebook_segment with the offer_id, for a connection in propose_plan. quote_cancellation says what cancelling it refunds.';
const NOTHING_BACK =
  'Ask the person: only a new booking can be made, at its whole price. Nothing comes back of the old one.';
const NOTHING_BY_RULE =
  "Ask the person: only a new booking can be made, at its whole price. By its rule nothing comes back of the old one; the airline's condition is beside each price.";
const NOT_CANCELLED =
  'Ask the person: only a new booking can be made, at its whole price. The old one cannot be cancelled here.';
const BY_HAND = 'Ask the person; to change, hold the new one with create_booking, pay it, and then cancel the old one.';
const EACH_LEG =
  'Not all combinations are here: call search_fares for one leg to see its other fares, and hold one offer per leg.';

/** The default of what a booked segment has, if the call names one. */
const OF_SEGMENT = "the segment's own with `instead_of`";

const ofSegment = <S extends z.ZodType>(says: string, schema: S): S =>
  requiredWithout('instead_of', noted(says, schema, OF_SEGMENT));

const input = () => ({
  legs: ofSegment('One leg for each direction: a round trip has two.', listOf(leg(), 1, 6).optional()),
  passengers: requiredWithout('instead_of', counts(OF_SEGMENT).optional()),
  instead_of: noted(
    'A segment of a booking that the offers would replace: each then says what the change costs, by the arithmetic of the terms of `rebook_segment`, and asks nobody. Least cost in all comes first. Leave out `legs` for the same day, or name another one.',
    z
      .strictObject({ locator: locator(), segment_ref: segmentRef() })
      .optional()
      .describe('To price a change to this booking; legs and passengers default to it'),
  ),
  booking_classes: noted(
    'Only these booking classes: {}.',
    bookingClasses().optional().describe('Y economy, C business'),
  ),
  include_sold_out: noted('Also lists direct departures without enough seats.', z.boolean().optional(), '`false`'),
  direct_only: noted('Shows only offers without a change.', z.boolean().optional(), '`false`'),
  order_by: noted('The order in which offers are shown.', z.enum(ORDERS).optional(), '`price`'),
  max_results: noted('Most offers in the answer.', integer(1, MOST_SHOWN).optional(), `${USUAL_SHOWN}`),
  detail: detail().optional(),
});

/** Clients see from, to and date as required; with `instead_of` the booking has them. */
const leg = () => z.strictObject(legFields()).meta({ required: ['from', 'to', 'date'] });

const legFields = () => ({
  from: ofSegment('Where the leg begins.', station().optional()),
  to: ofSegment('Where the leg ends.', station().optional()),
  date: ofSegment('Local day of departure.', listedDate().optional()),
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

  example: (today) => ({
    legs: [{ from: 'QCA', to: 'XMD', date: addDays(today, 20) }],
    passengers: { adults: 2 },
    booking_classes: ['C'],
    max_results: 3,
  }),

  effect: 'read',
  input,
  output: searchFields,

  async run(callArgs, ctx) {
    const oldSegment = callArgs.instead_of && (await readReplaced(callArgs.instead_of, ctx));
    const args = oldSegment === undefined ? completeArgs(callArgs) : argsInPlace(callArgs, oldSegment, ctx);
    assertTrip(args, ctx);

    const { answer, understood } = await findOffers(args, oldSegment, ctx);
    const filtered = filterOffers(answer, args);
    const shown = [...filtered.matching, ...filtered.undecided].slice(0, mostShown(args));
    const offers = await viewOffers(shown, answer, args, ctx);

    const full = soldOutFlights(answer, args);
    const soldOut = full
      ?.slice(0, MOST_SOLD_OUT)
      .map((flight) => viewSoldOut(flight, ctx.settings.carrier, args.legs.length > 1));
    const { summary, next } = searchHead({ args, oldSegment, answer, filtered, offers }, ctx);

    return {
      summary: `${summary}${soldOutText(full, args)}${leftOutText(answer.leftOut)}`,
      next,
      currency: answer.currency ?? ctx.settings.currency ?? '',
      total_found: answer.total,
      matching: filtered.filter === undefined ? undefined : filtered.matching.length,
      places: namedPlaces(stationsIn(offers, soldOut, understood), ctx.airline.placeName),
      understood,
      ...withCommon(offers, soldOut),
      valid_until: localEnd(answer.found.validUntil, offers),
    };
  },

  text: searchText,
});

/** Gives the arguments of a search without `instead_of`. Throws E_INPUT with all that is missing. */
function completeArgs(callArgs: CallArgs): SearchArgs {
  const { legs = [], passengers = {} } = callArgs;

  const missing = legs.flatMap((leg, i) => {
    const fields = LEG_REQUIRED.filter((name) => leg[name] === undefined);
    return fields.map((name) => ({ field: `legs[${i}].${name}`, problem: 'is required (text).' }));
  });

  if (callArgs.legs === undefined)
    missing.push({ field: 'legs', problem: 'is required (a list of objects with from, to, date).' });
  if (callArgs.passengers === undefined)
    missing.push({ field: 'passengers', problem: 'is required (an object with adults, children, infants).' });
  if (missing.length > 0) throw inputFaults(missing, IF_UNKNOWN);

  return {
    ...callArgs,
    passengers,
    legs: legs.map(({ from = '', to = '', date = '', ...leg }) => ({ ...leg, from, to, date })),
  };
}

/** Gives the arguments of a search in place of a booked segment. Throws E_INPUT for what contradicts the booking. */
function argsInPlace(callArgs: CallArgs, oldSegment: ReplacedSegment, ctx: ToolContext): SearchArgs {
  const { legs = [], passengers = {} } = callArgs;
  const [leg = {}] = legs;
  const date = leg.date ?? oldSegment.leg.date;
  const days = [addDays(date, -(leg.days_before ?? 0)), addDays(date, leg.days_after ?? 0)] as const;
  const party = partyAnew(oldSegment, ...days);
  assertSearchOfBooking(oldSegment, { legs, passengers, party }, ctx.airline.placeName);
  return { ...callArgs, legs: [{ ...leg, ...oldSegment.leg, date }], passengers: party };
}

/** Checks the party, the stations and the order of dates. Throws E_INPUT. */
function assertTrip(args: SearchArgs, ctx: ToolContext): void {
  assertParty(countsOf(args.passengers), ctx.settings.maxTravelers, 'passengers');
  const [earliest, today] = [earliestToday(ctx.now()), utcDay(ctx.now())];
  for (const [i, leg] of args.legs.entries()) {
    assertApart(leg.from, leg.to, `legs[${i}].to`);
    if (leg.date < earliest) throw dayError(`legs[${i}].date`, `a date not past (today is ${today})`);
    const before = args.legs[i - 1]?.date;
    // Eastward across the date line, arrival can be the day before departure.
    if (before !== undefined && leg.date < addDays(before, -1)) {
      throw dayError(`legs[${i}].date`, `a date not before the leg before it (${before})`);
    }
  }
}

interface FareAnswer {
  readonly query: FareQuery;
  readonly found: FareSearchResult;
  /** The offers with a price in one currency, in the order asked for. */
  readonly offers: readonly Offer[];
  /** How many there are, with those that could not be read. */
  readonly total: number;
  readonly currency: string | undefined;
  readonly leftOut: readonly UnshownOffers[];
  /** What each offer costs in place of the old segment. */
  readonly changes: ReadonlyMap<Offer, ChangeView> | undefined;
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

/**
 * Searches at these stations. With an old segment, the cheapest change comes first, unless the call asks for another order. Throws
 * E_NO_AVAILABILITY.
 */
async function searchAt(
  codes: readonly string[],
  args: SearchArgs,
  oldSegment: ReplacedSegment | undefined,
  ctx: ToolContext,
): Promise<FareAnswer> {
  const query = searchQuery(args, codes, oldSegment !== undefined);
  const found = await ctx.airline.searchFares(query, readCall(ctx));
  const priced = pricedOffers(found.offers, mostShown(args), ctx.settings.currency, args.order_by);
  const { offers, currency } = priced;
  if (offers.length === 0 && !hasSoldOut(query, found)) throw nothingFound(query, found, ctx);

  const total = offers.length + (found.unread ?? 0);
  const answer = { query, found, offers, total, currency, leftOut: leftOutOf(found, priced), changes: undefined };
  if (oldSegment === undefined) return answer;

  const flights = await searchFlights(oldSegment, offers, query.passengers, ctx);
  const changeTo = changesTo(oldSegment, { found, flights, party: query.passengers }, ctx);
  const changes = new Map(offers.map((offer) => [offer, changeTo(offer)]));

  const isByPrice = (args.order_by ?? 'price') === 'price';
  const byCost = (a: Offer, b: Offer) => costInAll(changes.get(a)) - costInAll(changes.get(b));
  const inOrderAsked = isByPrice ? offers.toSorted(byCost) : offers;
  const lowerLast = (a: Offer, b: Offer) => isLowerCabin(changes.get(a)) - isLowerCabin(changes.get(b));
  return { ...answer, changes, offers: inOrderAsked.toSorted(lowerLast) };
}

/** 1 for an offer of a lower cabin than the booking's, else 0. */
function isLowerCabin(change: ChangeView | undefined): number {
  return change?.lower_cabin === undefined ? 0 : 1;
}

function hasSoldOut({ includeSoldOut = false }: FareQuery, { soldOut = [] }: FareSearchResult): boolean {
  return includeSoldOut && soldOut.length > 0;
}

/** Gives the cost of a rebooking, else of a new booking; what may come back of a cheaper fare does not count. */
function costInAll(change: ChangeView | undefined): number {
  return Number(change?.pays_at_most ?? change?.anew?.costs_at_most ?? Number.MAX_SAFE_INTEGER);
}

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
  return fareQuery(legs, args, most);
}

const mostShown = (args: SearchArgs): number => args.max_results ?? USUAL_SHOWN;

/** Suggests the search without its classes, or whether it is sold out; then the dates of the route. */
function nothingFound(query: FareQuery, { soldOut }: FareSearchResult, ctx: ToolContext): ClerkError {
  const { legs, bookingClasses, includeSoldOut = false } = query;
  const trip = legs.map((leg) => `${showRoute(leg, ctx.airline.placeName)} on ${showDay(leg.date)}`).join(', ');
  const inClass = bookingClasses.length > 0 ? ` in class ${bookingClasses.join(', ')}` : '';
  const isKnownEmpty = includeSoldOut && soldOut !== undefined;
  const listsNothing = isKnownEmpty ? ', and lists nothing as sold out' : '';

  const otherSearch = joined(
    [inClass && 'without booking_classes', !includeSoldOut && 'with include_sold_out to see whether it is sold out'],
    ' or ',
  );
  const wider = otherSearch === '' ? 'Call' : `Call search_fares ${otherSearch}; else call`;

  return new ClerkError('E_NO_AVAILABILITY', `The airline offers nothing for ${trip}${inClass}${listsNothing}.`, {
    next: `${wider} get_calendar_dates for the dates with service on this route.`,
  });
}

/** The offers that pass the filters of the call. */
interface FilteredOffers {
  /** The filters in words. Undefined if the call has none. */
  readonly filter: string | undefined;
  readonly matching: readonly Offer[];
  /** Those that may pass: the airline leaves out the times that decide it. They are shown last. */
  readonly undecided: readonly Offer[];
}

function filterOffers({ offers }: FareAnswer, args: SearchArgs): FilteredOffers {
  const filter = filterWords(args);
  if (filter === undefined) return { filter, matching: offers, undecided: [] };

  const matching = offers.filter((offer) => isWanted(offer, args) === true);
  const undecided = offers.filter((offer) => isWanted(offer, args) === undefined);
  return { filter, matching, undecided };
}

/** Stores the offers for an hour, under the ids that the views show. */
async function viewOffers(
  shown: readonly Offer[],
  { query, found, changes }: FareAnswer,
  args: SearchArgs,
  ctx: ToolContext,
) {
  const ids = await storeOffers(shown, query, ctx, found.validUntil);
  const { adults: ADT, children: CHD, infants: INF } = query.passengers;
  const options = {
    ctx,
    now: ctx.now(),
    carrier: ctx.settings.carrier,
    full: args.detail === 'full',
    party: { ADT, CHD, INF },
  };

  return shown.flatMap((offer, i) => {
    const view = viewOffer(ids[i] ?? '', offer, { ...options, change: changes?.get(offer) });
    return view === undefined ? [] : [view];
  });
}

/** The departures without enough seats that pass the filters. Undefined if the call or the airline leaves them out. */
function soldOutFlights({ found }: FareAnswer, args: SearchArgs): readonly SoldOutFlight[] | undefined {
  if (!args.include_sold_out) return undefined;

  return found.soldOut?.filter(({ leg, segment }) => {
    const isInClass = args.booking_classes?.includes(segment.bookingClass ?? '') ?? true;
    // The filters are for local times, and some departures are known in UTC alone.
    const isLocal = segment.journeyDate === undefined;
    return isInClass && (!isLocal || isWanted({ leg, options: [{ segments: [segment] }] }, args) !== false);
  });
}

/** A train that is not listed does not run, unless the airline lists none. Empty if nobody asked. */
function soldOutText(flights: readonly SoldOutFlight[] | undefined, args: SearchArgs): string {
  if (!args.include_sold_out) return '';
  if (flights === undefined) return ' The airline did not say what is sold out.';

  const hasFilter = filterWords(args) !== undefined;
  if (flights.length === 0) return ` The airline lists nothing${hasFilter ? ' that fits' : ''} as sold out.`;

  const what = hasFilter ? 'Of what fits, sold out' : 'Sold out';
  const cut = flights.length > MOST_SOLD_OUT ? `, ${MOST_SOLD_OUT} of them listed` : '';
  return ` ${what} by departure and class: ${flights.length}${cut}.`;
}

/** Lists the stations of all shown legs and of their changes, and those that the words of the call mean. */
function stationsIn(
  offers: readonly OfferView[],
  soldOut: readonly SoldOutView[] = [],
  understood: Readonly<Record<string, string>> = {},
): readonly string[] {
  const legs: readonly Pick<LegView, 'from' | 'to' | 'segments'>[] = [
    ...offers.flatMap((offer) => offer.legs),
    ...soldOut,
  ];

  const stations = legs.flatMap(({ from = '', to = '', segments = [] }) => [
    from,
    to,
    ...segments.flatMap((segment) => [segment.from, segment.to]),
  ]);
  return [...stations, ...Object.values(understood)];
}

/** Writes until when the offers hold, in the local time of the first departure. Undefined if the airline does not say. */
function localEnd(validUntil: string | undefined, offers: readonly OfferView[]): string | undefined {
  return validUntil && localMinute(validUntil, offers[0]?.legs[0]?.departs);
}

/** All that the summary tells of. */
interface SearchSteps {
  readonly args: SearchArgs;
  readonly oldSegment: ReplacedSegment | undefined;
  readonly answer: FareAnswer;
  readonly filtered: FilteredOffers;
  readonly offers: readonly OfferView[];
}

/**
 * Writes the summary, and what to do next, by the first row that fits:
 *
 *   offers, but none fits the filters    the filters, and the search without them
 *   no offers: all is sold out           another search
 *   each offer is for one leg            one offer_id per leg
 *   in place of a booked segment         rebooking, or a new booking and a cancellation
 *   all others                           the lowest price
 */
function searchHead({ args, oldSegment, answer, filtered, offers }: SearchSteps, ctx: ToolContext): ResultHead {
  const { query, total } = answer;
  const { filter, matching, undecided } = filtered;

  const orderWords = ORDER_WORDS[args.order_by ?? 'price'];
  const inPlace = oldSegment === undefined ? '' : inPlaceText(oldSegment, ctx);
  const people = `${partyInWords(query.passengers)}${inPlace}`;
  if (filter !== undefined && matching.length === 0 && total > 0) {
    const none = `None of the ${total} offers for ${people}`;
    const known = `${none} is known to fit: ${filter}. ${undecidedText(undecided.length)}: ${offers.length} of these, ${orderWords}.`;
    return {
      summary: undecided.length === 0 ? `${none} fits: ${filter}.` : known,
      next: 'Call search_fares without departs_between, arrives_between and direct_only; else for another day.',
    };
  }

  if (total === 0) return { summary: `Nothing is on sale for ${people}.`, next: OTHER_DAY };

  const fitting = `${Math.min(offers.length, matching.length)} of ${matching.length} offers for ${people} that fit`;
  const unknown = undecided.length === 0 ? '' : `; ${undecidedText(undecided.length)}: they come last`;
  const all = `${offers.length} of ${total} offers for ${people}`;
  const found = filter === undefined ? all : `${fitting} (${filter}; ${total} in all${unknown})`;
  if (offers.some(({ leg }) => leg !== undefined)) {
    const next = query.legs.length > 1 ? ONE_PER_LEG : undefined;
    return { summary: `${found}, each for one leg, ${orderWords}.`, next };
  }

  if (oldSegment !== undefined) {
    const costOrder = (args.order_by ?? 'price') === 'price' ? 'least cost in all first' : orderWords;
    // Also where none of them is listed: an earlier or a cheaper one may be among them.
    const hasLower = [...(answer.changes?.values() ?? [])].some((change) => isLowerCabin(change) === 1);
    const order = hasLower ? `${costOrder}, lower cabins than the booked one last` : costOrder;
    return { summary: `${found}, ${order}.`, next: nextInPlace(offers, oldSegment) };
  }

  const price = matching.toSorted(inOrder('price'))[0]?.pricing.total;
  const from = price === undefined ? '' : `, from ${showMoney(price.total)} in all`;
  const isCut = query.legs.length > 1 && offers.length < total;
  return { summary: `${found}, ${orderWords}${from}.`, next: isCut ? EACH_LEG : undefined };
}

/** `9 may, whose times the airline leaves out`: nobody knows whether they fit. */
function undecidedText(count: number): string {
  return `${count} may, whose times the airline leaves out`;
}

/** ` in place of segment 1 (HHR101) of booking ABC123`. */
function inPlaceText({ booking, segment }: ReplacedSegment, { settings }: ToolContext): string {
  return ` in place of segment ${cleanRef(segment.ref)} (${flightName(segment, settings.carrier)}) of booking ${booking.locator}`;
}

function nextInPlace(offers: readonly OfferView[], { refusal }: ReplacedSegment): string {
  if (refusal !== undefined && !refusal.byHand) return refusal.next;
  if (offers.some(({ change }) => change?.pays_at_most !== undefined)) return REBOOK;

  const bookedAnew = offers.flatMap(({ change }) => change?.anew ?? []);
  if (bookedAnew.length === 0) return BY_HAND;
  if (bookedAnew.every(isNothingBack)) {
    const hasCondition = bookedAnew.some(({ on_condition: condition }) => condition !== undefined);
    return hasCondition ? NOTHING_BY_RULE : NOTHING_BACK;
  }
  return bookedAnew.every(isOldOneKept) ? NOT_CANCELLED : BY_HAND;
}

type AnewView = NonNullable<ChangeView['anew']>;

/** Whether nothing comes back of the old flight by its rule, which a condition of the airline may soften. */
function isNothingBack({ gets_back: back }: AnewView): boolean {
  return back !== undefined && isZero(back);
}

/** Whether the old flight cannot be cancelled here: then the sum has no refund in it. */
function isOldOneKept({ gets_back: back, between, costs_at_most: costs }: AnewView): boolean {
  return costs !== undefined && back === undefined && between === undefined;
}
