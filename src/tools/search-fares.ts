/**
 * The tool that searches trains or flights with prices: its legs, its filters, and offers as a table that names each
 * train once.
 */
import * as z from 'zod';
import type { ResultHead } from '../approvals/answer.ts';
import { cleanCode, quoted } from '../core/clean-text.ts';
import { ClerkError, inputError, inputFaults } from '../core/errors.ts';
import { showMoney, withThousands } from '../core/money.ts';
import { own } from '../core/own.ts';
import {
  addDays,
  earliestToday,
  localMinute,
  minutesBetween,
  showDay,
  showLocal,
  showMinutes,
  showTrip,
  utcDay,
  zoneOf,
} from '../core/times.ts';
import { table } from '../core/words.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import { namedPlaces, type PlaceName, showPlace, showRoute } from '../domain/booking/stations.ts';
import type { FareQuery, Offer } from '../domain/pricing/offers.ts';
import { assertOfBooking, changesTo, type ReplacedSegment, readReplaced } from './acts/replacement-flight.ts';
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
import { assertParty, partyInWords, passengersInWords } from './rules/party-size.ts';
import { checkedOffers, fareQuery, pricedOffers, storeOffers, unchecked } from './steps/offers.ts';
import { assertApart, atStations, inLocalTimes } from './steps/resolve-stations.ts';
import { calendarText } from './steps/service-days.ts';
import {
  type CommonView,
  type LegView,
  type OfferChange,
  type OfferView,
  placedLegs,
  type SearchResult,
  type SoldOutView,
  searchFields,
  viewOffer,
  viewSoldOut,
  withCommon,
} from './views/offer-data.ts';
import { understoodText } from './views/places.ts';
import { airlineQuotes, changeTexts, refundText } from './views/refund-text.ts';

const MOST_SOLD_OUT = 50;

const OF_ITS_SEGMENT = "the segment's own with `instead_of`, and required without it";

const input = () => ({
  legs: noted('One leg for each direction: a round trip has two.', listOf(leg(), 1, 6).optional(), OF_ITS_SEGMENT),
  passengers: counts(OF_ITS_SEGMENT).optional(),
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
  max_results: noted('Most offers in the answer.', integer(1, 50).optional(), '10'),
  detail: detail().optional(),
});

/** With `instead_of` the booking says where, and when unless another day is wanted. */
const leg = () => z.strictObject(legFields()).meta({ required: ['from', 'to', 'date'] });

const legFields = () => ({
  from: noted('Where the leg begins.', station().optional(), OF_ITS_SEGMENT),
  to: noted('Where the leg ends.', station().optional(), OF_ITS_SEGMENT),
  date: noted('Local day of departure.', date().optional(), OF_ITS_SEGMENT),
  days_before: noted('Also searches this many days before the date.', integer(0, 7).optional(), '0'),
  days_after: noted('Also searches this many days after the date.', integer(0, 7).optional(), '0'),
  departs_between: noted(
    'Shows only offers whose leg departs in this span of local times: {}. One side may be open, and it may go past midnight.',
    clockSpan().optional().describe('18:00-23:30'),
  ),
  arrives_between: noted('The same for the arrival.', clockSpan().optional()),
});

type GivenArgs = ArgsOf<typeof input>;
type GivenLeg = NonNullable<GivenArgs['legs']>[number];

interface SearchArgs extends GivenArgs {
  readonly legs: (GivenLeg & { readonly from: string; readonly to: string; readonly date: string })[];
  readonly passengers: NonNullable<GivenArgs['passengers']>;
}

/** Throws E_INPUT with all that is missing. */
function completeArgs(given: GivenArgs): SearchArgs {
  const { legs = [], passengers = {} } = given;
  const missing = [
    ...(given.legs === undefined ? [{ field: 'legs', problem: 'is required (a list).' }] : []),
    ...legs.flatMap((leg, i) =>
      (['from', 'to', 'date'] as const)
        .filter((name) => leg[name] === undefined)
        .map((name) => ({ field: `legs[${i}].${name}`, problem: 'is required (text).' })),
    ),
    ...(given.passengers === undefined ? [{ field: 'passengers', problem: 'is required (an object).' }] : []),
  ];
  if (missing.length > 0) throw inputFaults(missing);
  return {
    ...given,
    passengers,
    legs: legs.map(({ from = '', to = '', date = '', ...leg }) => ({ ...leg, from, to, date })),
  };
}

/** The search for another of a booked segment. Throws E_INPUT for what contradicts the booking. */
function argsInstead(given: GivenArgs, old: ReplacedSegment, ctx: ToolContext): SearchArgs {
  const { legs = [], passengers = {} } = given;
  assertOfBooking(old, { legs, passengers }, ctx.airline.placeName);
  if (given.include_sold_out === true) {
    throw inputError('include_sold_out', 'expected none beside instead_of: what is sold out replaces nothing.');
  }
  const [leg = {}] = legs;
  return { ...given, legs: [{ ...leg, ...old.leg, date: leg.date ?? old.leg.date }], passengers: old.passengers };
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

  async run(given, ctx) {
    const old = given.instead_of && (await readReplaced(given.instead_of, ctx));
    const args = old === undefined ? completeArgs(given) : argsInstead(given, old, ctx);
    assertTrip(args, ctx);
    const { answer, understood } = await foundOffers(args, old, ctx);
    const { query, found, offers, currency, changes } = answer;
    const filter = filterWords(args);
    const matching = filter === undefined ? offers : offers.filter((offer) => isWanted(offer, args));
    const best = matching.slice(0, mostShown(args));
    // Their local times may need a third request, and nobody is moved to what is sold out.
    const soldOut = (await inLocalTimes(old === undefined ? found.soldOut : [], ctx))
      .filter(({ segment }) => args.legs.length > 1 || isWanted({ options: [{ segments: [segment] }] }, args))
      .slice(0, MOST_SOLD_OUT);
    const full = args.detail === 'full';
    const isChecked = full && old === undefined;
    const checks = isChecked ? await checkedOffers(best, query.passengers, ctx) : unchecked(best);
    const shown = checks.offers.map(({ offer }) => offer);
    const ids = await storeOffers(shown, query, ctx, found.validUntil);
    const { adults: ADT, children: CHD, infants: INF } = query.passengers;
    const { carrier } = ctx.settings;
    const facts = { ctx, now: ctx.now(), carrier, full, party: { ADT, CHD, INF } };
    const viewed = checks.offers.flatMap(
      ({ offer, ...check }, i) =>
        viewOffer(ids[i] ?? '', offer, { ...facts, ...check, change: changes?.get(offer) }) ?? [],
    );
    const { validUntil, unread = 0 } = found;
    const total = offers.length + unread;
    const near = viewed[0]?.legs[0]?.departs ?? soldOut[0]?.segment.departs;
    const rows = soldOut.map((flight) => viewSoldOut(flight, carrier));
    const named = [...viewed.flatMap(({ legs }) => legs), ...rows].flatMap(legStations);
    const stations = [...named, ...Object.values(understood ?? {})];
    return {
      ...searchHead(viewed, {
        // A price check can find other prices than the search; what is not shown was not checked.
        ...{ query, total, cheapest: cheapestOffer(shown, matching), hold: checks.unintendedHold },
        ...{ filter, matching: matching.length, order: args.order_by },
        nearest: matching.length === 0 ? nearestMiss(offers, args) : undefined,
        placeName: ctx.airline.placeName,
        ...{ carrier, old },
      }),
      currency: currency ?? ctx.settings.currency ?? '',
      total_found: total,
      matching: filter === undefined ? undefined : matching.length,
      places: namedPlaces(stations, ctx.airline.placeName),
      understood,
      ...withCommon(viewed, rows),
      valid_until: validUntil && localMinute(validUntil, near),
      unintended_hold: checks.unintendedHold,
    };
  },

  text: searchText,
});

/** With `old`, at most one request, and with what each offer costs in its place: the cheapest of that first. */
async function foundOffers(args: SearchArgs, old: ReplacedSegment | undefined, ctx: ToolContext) {
  const search = async (codes: readonly string[]) => {
    const query = searchQuery(args, codes, old !== undefined);
    const found = await ctx.airline.searchFares(query, readCall(ctx));
    const best = pricedOffers(found.offers, mostShown(args), ctx.settings.currency, args.order_by);
    if (best.offers.length === 0 && found.soldOut.length === 0) throw await nothingFound(query, ctx, old);
    if (old === undefined) return { query, found, ...best, changes: undefined };
    const changeTo = changesTo(old, found, ctx);
    const changes = new Map(best.offers.map((offer) => [offer, changeTo(offer)]));
    const isByCost = (args.order_by ?? 'price') === 'price';
    const offers = isByCost
      ? best.offers.toSorted((a, b) => costInAll(changes.get(a)) - costInAll(changes.get(b)))
      : best.offers;
    return { query, found, ...best, offers, changes };
  };
  const codes = args.legs.flatMap(({ from, to }) => [from, to]);
  // The airline knows the codes of its own booking.
  if (old !== undefined) return { answer: await search(codes), understood: undefined };
  const places = codes.map((text, i) => ({ field: `legs[${Math.floor(i / 2)}].${i % 2 === 0 ? 'from' : 'to'}`, text }));
  return atStations(places, ctx, search);
}

/** In minor units, of the cheaper way that has a sum; what may be kept of a cheaper fare does not count. */
function costInAll({ paysAtMost, anew }: OfferChange = { rule: '' }): number {
  return (paysAtMost ?? anew?.costsAtMost)?.minor ?? Number.MAX_SAFE_INTEGER;
}

/** Of the offers shown and those that fit as well: the list can be in another order than the price. */
function cheapestOffer(shown: readonly Offer[], matching: readonly Offer[]): Offer | undefined {
  return [...shown, ...matching.slice(shown.length)].toSorted(inOrder('price'))[0];
}

/** The stations of a leg and of its changes. */
function legStations({
  from = '',
  to = '',
  segments = [],
}: Pick<LegView, 'from' | 'to' | 'segments'>): readonly string[] {
  return [from, to, ...segments.flatMap((segment) => [segment.from, segment.to])];
}

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

const mostShown = ({ max_results: most = 10 }: SearchArgs): number => most;

/** `codes`: from and to of each leg, in order. */
function searchQuery(args: SearchArgs, codes: readonly string[], isInstead: boolean): FareQuery {
  const legs = args.legs.map((leg, i) => {
    const [from = '', to = ''] = codes.slice(2 * i);
    assertApart(from, to, `legs[${i}].to`);
    return { from, to, date: leg.date, daysBefore: leg.days_before ?? 0, daysAfter: leg.days_after ?? 0 };
  });
  // The cheapest alone may all be unwanted, and a change can be charged the dearest fare of its class.
  const all = isInstead || filterWords(args) !== undefined || (args.order_by ?? 'price') !== 'price';
  return fareQuery(legs, args, all ? undefined : mostShown(args), args.include_sold_out);
}

/** Says whether the calendar lists service, and suggests the search without its filters, then the dates of the route. */
async function nothingFound(query: FareQuery, ctx: ToolContext, old?: ReplacedSegment): Promise<ClerkError> {
  const { legs, bookingClasses, includeSoldOut } = query;
  const trip = legs.map((leg) => `${showRoute(leg, ctx.airline.placeName)} on ${showDay(leg.date)}`).join(', ');
  const inClass = bookingClasses.length > 0 ? ` in class ${bookingClasses.join(', ')}` : '';
  const narrowed = [
    bookingClasses.length > 0 && 'without booking_classes',
    includeSoldOut && 'without include_sold_out, which lists direct departures only',
  ].filter(Boolean);
  const wider = narrowed.length > 0 ? `Call search_fares ${narrowed.join(' or ')}; else call` : 'Call';
  const message = `The airline offers nothing for ${trip}${inClass}.${old === undefined ? await calendarText(legs, ctx) : ''}`;
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
  /** What was asked of the offers (filterWords), and how many have it. */
  readonly filter: string | undefined;
  readonly matching: number;
  readonly order: OfferOrder | undefined;
  /** Where none fits: the one that misses by least. */
  readonly nearest: Offer | undefined;
  readonly placeName: PlaceName | undefined;
  readonly carrier: string | undefined;
  /** What the offers would replace. */
  readonly old: ReplacedSegment | undefined;
}

function searchHead(viewed: readonly OfferView[], searched: SearchedOffers): ResultHead {
  const { hold } = searched;
  const head = offersHead(viewed, searched);
  if (hold === undefined) return head;
  const next = [head.next, `To release ${cleanCode(hold)} now, call cancel_booking.`].filter(Boolean).join(' ');
  return { ...head, next, warnings: [holdText(hold)] };
}

function offersHead(viewed: readonly OfferView[], searched: SearchedOffers): ResultHead {
  const { query, total, cheapest, filter, matching, order = 'price' } = searched;
  const { passengers, legs } = query;
  const people = `${partyInWords(passengers)}${insteadText(searched)}`;
  if (filter !== undefined && matching === 0 && total > 0) {
    const near = searched.nearest === undefined ? '' : ` Nearest: ${nearText(searched.nearest, searched)}.`;
    return { summary: `None of the ${total} offers for ${people} fits: ${filter}.${near}`, next: WIDER };
  }
  if (viewed.length === 0) {
    return { summary: `Nothing can be booked for ${people}: these departures are sold out.`, next: OTHER_DAY };
  }
  const some = `${viewed.length} of ${filter === undefined ? total : matching} offers for ${people}`;
  const found = filter === undefined ? some : `${some} that fit (${filter}; ${total} in all)`;
  if (viewed.some(({ leg }) => leg !== undefined)) {
    const summary = `${found}, each for one leg, ${ORDER_WORDS[order]}.`;
    return { summary, next: legs.length > 1 ? ONE_PER_LEG : undefined };
  }
  if (searched.old !== undefined) {
    const inOrder = order === 'price' ? 'least cost in all first' : ORDER_WORDS[order];
    return { summary: `${found}, ${inOrder}.`, next: nextInstead(viewed, searched.old) };
  }
  const price = cheapest?.pricing.total;
  const from = price === undefined ? '' : `, from ${showMoney(price.total)} in all`;
  const isCut = legs.length > 1 && viewed.length < total;
  return { summary: `${found}, ${ORDER_WORDS[order]}${from}.`, next: isCut ? EACH_LEG : undefined };
}

/** ` in place of segment 1 (HHR101) of booking ABC123`. */
function insteadText({ old, carrier }: SearchedOffers): string {
  if (old === undefined) return '';
  const { segment } = old.replaced;
  return ` in place of segment ${cleanCode(segment.ref)} (${flightName(segment, carrier)}) of booking ${old.booking.locator}`;
}

function nextInstead(viewed: readonly OfferView[], { refusal }: ReplacedSegment): string {
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

const WIDER = 'Call search_fares with wider times, or without these wishes, or for another day.';
const OTHER_DAY = 'Call search_fares for another day or class.';
const ONE_PER_LEG = 'Give create_booking one offer_id per leg.';
const REBOOK =
  'To change, call rebook_segment with the offer_id: a person approves. quote_cancellation says what cancelling it refunds.';
const BY_HAND = 'Ask the person; to change, hold the new one with create_booking, pay it, and then cancel the old one.';
const EACH_LEG =
  'Not all combinations are here: call search_fares for one leg to see its other fares, and hold one offer per leg.';

function holdText(locator: string): string {
  return `A price check may have made an unintended hold, ${cleanCode(locator)}. It is unpaid and expires by itself. No more prices were checked.`;
}

/** What a heading says for all times, and how places are called. */
interface TextContext {
  readonly currency: string;
  /** The zone of all times; undefined where they differ. */
  readonly zone: string | undefined;
  readonly placeName: PlaceName;
}

function searchText(result: SearchResult): readonly (string | undefined)[] {
  return [
    understoodText(result),
    ...offersText(result),
    result.valid_until === undefined ? undefined : `These offers are valid until ${showLocal(result.valid_until)}.`,
  ];
}

function offersText({ common = {}, offers, sold_out: soldOut = [], currency, places }: SearchResult): string[] {
  const timed = [...offers.flatMap(({ legs }) => legs), ...soldOut];
  const zones = new Set(timed.flatMap(({ departs, arrives }) => [zoneOf(departs), zoneOf(arrives)]));
  const [zone] = zones.size === 1 ? zones : [];
  const ctx = { currency, zone, placeName: (code: string) => own(places ?? {}, code) };
  const shared = [...classText(common), ...factTexts(common, currency)];
  const names = (common.legs ?? []).map((leg, i, all) => legHeading(leg, all.length > 1 ? i + 1 : undefined, ctx));
  return [
    [...names, datesText(timed, zone)].filter(Boolean).join(' '),
    ...(shared.length === 0 ? [] : [`All: ${shared.join('; ')}.`]),
    ...[...Map.groupBy(offers, trainsKey).values()].flatMap((same) => {
      const [only, ...others] = same;
      return only === undefined || others.length > 0 ? trainLines(same, ctx) : offerLines(only, ctx);
    }),
    ...soldOutLines(soldOut, ctx),
  ];
}

/** `Leg 1: Makkah (QCA) → Madinah (XMD), class Y.` */
function legHeading(
  leg: NonNullable<CommonView['legs']>[number],
  number: number | undefined,
  ctx: TextContext,
): string {
  const texts = [...routeText(leg, ctx), ...operatorText(leg), ...classText(leg)];
  if (texts.length === 0) return '';
  return `${number === undefined ? '' : `Leg ${number}: `}${texts.join(', ')}.`;
}

/** `Times are local (UTC+3), dates in 2026.` */
function datesText(timed: readonly { readonly departs: string }[], zone = ''): string {
  const years = [...new Set(timed.flatMap(({ departs }) => departs.slice(0, 4) || []))].sort().join(' and ');
  if (years === '') return '';
  if (zone === '') return `Dates are in ${years}.`;
  return `Times are ${zone === 'UTC' ? 'in UTC' : `local (${zone})`}, dates in ${years}.`;
}

/** What offers of the same trains have in common, as a key. */
function trainsKey({ leg, legs }: OfferView): string {
  return JSON.stringify([leg, legs.map(({ class: _, fare: __, seats_left: ___, ...train }) => train)]);
}

/** One row for the same trains, with their fares: what is equal is written once. */
function trainLines(offers: readonly OfferView[], ctx: TextContext): string[] {
  const facts = offers.map((offer) => [...factTexts(offer, ctx.currency), ...priceText(offer)]);
  const shared = (facts[0] ?? []).filter((fact) => facts.every((each) => each.includes(fact)));
  const [cheapest] = offers;
  const [first = '', ...further] =
    cheapest === undefined ? [] : placedLegs(cheapest).map(({ each }) => rideText(each, ctx));
  return [
    `${cheapest?.leg === undefined ? '' : `leg ${cheapest.leg}: `}${first}`,
    ...further.map((text) => `    then ${text}`),
    ...(shared.length === 0 ? [] : [`    ${shared.join('; ')}`]),
    ...offers.flatMap((offer, i) => {
      const fares = [...new Set(offer.legs.map((leg) => fareText(leg)).filter((text) => text !== ''))].join(' then ');
      const own = (facts[i] ?? []).filter((fact) => !shared.includes(fact));
      return [
        ['', offer.offer_id, offer.total, fares].join('  ').trimEnd(),
        ...(own.length === 0 ? [] : [`    ${own.join('; ')}`]),
      ];
    }),
  ];
}

function offerLines(offer: OfferView, ctx: TextContext): string[] {
  const [first = '', ...further] = placedLegs(offer).map(({ each }) =>
    [rideText(each, ctx), fareText(each)].filter(Boolean).join(' '),
  );
  const facts = [...factTexts(offer, ctx.currency), ...priceText(offer)];
  const leg = offer.leg === undefined ? '' : `leg ${offer.leg}: `;
  return [
    `${offer.offer_id}  ${withThousands(offer.total)}  ${leg}${first}`,
    ...further.map((text) => `    then ${text}`),
    ...(facts.length === 0 ? [] : [`    ${facts.join('; ')}`]),
  ];
}

function soldOutLines(flights: readonly SoldOutView[], ctx: TextContext): string[] {
  const rows = flights.map((each) => [
    each.flight,
    ...routeText(each, ctx),
    showTrip(each.departs, each.arrives, { withoutZone: ctx.zone !== undefined }),
    `class ${each.class}`,
  ]);
  return rows.length === 0 ? [] : ['Sold out:', ...table(rows)];
}

function routeText({ from, to }: Pick<LegView, 'from' | 'to'>, { placeName }: TextContext): string[] {
  return from === undefined || to === undefined ? [] : [showRoute({ from, to }, placeName)];
}

function operatorText({ operated_by: operator }: Pick<LegView, 'operated_by'>): string[] {
  return operator === undefined ? [] : [`operated by ${operator}`];
}

/** The fare's name is the airline's text, so it is quoted. */
function classText({ class: bookingClass, fare }: Pick<LegView, 'class' | 'fare'>): string[] {
  const texts = [
    bookingClass && `class ${bookingClass}`,
    fare && `fare ${fare.code}`,
    fare?.name && quoted(fare.name, 80),
  ];
  const text = texts.filter(Boolean).join(' ');
  return text === '' ? [] : [text];
}

/** Class, fare and seats left. */
function fareText(leg: LegView): string {
  return [...classText(leg), leftText(leg)].filter(Boolean).join(' ');
}

function rideText(leg: LegView, ctx: TextContext): string {
  const { departs, arrives, segments = [] } = leg;
  const minutes = leg.duration_minutes ?? minutesBetween(departs, arrives);
  const texts = [
    ...routeText(leg, ctx),
    ...(segments.length > 0 ? segments.map((each, i) => segmentText(each, i === 0, ctx)) : [timesText(leg, ctx)]),
    minutes !== undefined && `(${showMinutes(minutes)})`,
    ...(segments.length > 0 ? [] : operatorText(leg)),
    leg.journey_date && `local date ${leg.journey_date}`,
  ];
  return texts.filter(Boolean).join(' ');
}

function timesText(
  { flight, departs, arrives }: Pick<LegView, 'flight' | 'departs' | 'arrives'>,
  { zone }: TextContext,
): string {
  return `${flight ?? ''} ${showTrip(departs, arrives, { withoutZone: zone !== undefined })}`;
}

/** One of several segments: `then from Riyadh (RUH) HHR202 …`. */
function segmentText(each: NonNullable<LegView['segments']>[number], isFirst: boolean, ctx: TextContext): string {
  const texts = [
    !isFirst && `then from ${showPlace(each.from, ctx.placeName)}`,
    timesText(each, ctx),
    ...operatorText(each),
    each.journey_date && `local date ${each.journey_date}`,
    each.class && `class ${each.class}`,
    leftText(each),
  ];
  return texts.filter(Boolean).join(' ');
}

function leftText({ seats_left: left }: Pick<LegView, 'seats_left'>): string | undefined {
  return left === undefined ? undefined : `${left} ${left === 1 ? 'seat' : 'seats'} left`;
}

/** Facts besides price and times, which several offers can have in common. */
function factTexts(of: Omit<CommonView, 'legs'>, currency: string): string[] {
  const {
    change,
    refund,
    checked,
    baggage,
    pay_by: payBy,
    names_until: names,
    notes = [],
    airline_says: says = [],
  } = of;
  return [
    refund && `refund: ${refundText(refund, currency).join(' ').replace(/\.$/, '')}`,
    checked && 'price checked',
    baggage && `baggage ${baggage}`,
    payBy && `pay by ${showLocal(payBy)}`,
    names && `names can be corrected until ${showLocal(names)}`,
    ...notes.map((note) => note.replace(/\.$/, '')),
    ...airlineQuotes(says),
    ...changeTexts(change, currency),
  ].filter((fact): fact is string => Boolean(fact));
}

/** What full detail adds to a price. */
function priceText({ per_type: types = [], base, taxes, fees, quote_id: quote, ...offer }: OfferView): string[] {
  const { fare_basis: fares, price_lines: lines = [] } = offer;
  return [
    types.map((row) => `${passengersInWords(row.type, row.count)} ${withThousands(row.total)}`).join(', '),
    fares && `fare ${fares.join(', ')}`,
    base && `base ${withThousands(base)}, taxes ${withThousands(taxes ?? '')}, fees ${withThousands(fees ?? '')}`,
    lines.map((line) => `${line.kind} ${line.code} ${withThousands(line.amount)}`).join(', '),
    quote && `quote ${quote}`,
  ].filter((part): part is string => Boolean(part));
}
