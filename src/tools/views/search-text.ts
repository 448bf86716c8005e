/** The text of a search result. What all its offers have in common (stations, zone, fare rules) is written once. */

import type { ResultHead } from '../../approvals/answer.ts';
import { cleanCode, quoted } from '../../core/clean-text.ts';
import { showMoney, withThousands } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { minutesBetween, showLocal, showMinutes, showTrip, zoneOf } from '../../core/times.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { type PlaceName, showPlace, showRoute } from '../../domain/booking/stations.ts';
import type { FareQuery, Offer } from '../../domain/pricing/offers.ts';
import { type OfferOrder, ORDER_WORDS } from '../rules/offer-filters.ts';
import { countText, partyWords } from '../rules/party-size.ts';
import { legsOf } from './common-facts.ts';
import type { CommonView, LegView, OfferView, SearchResult, SoldOutView } from './offers.ts';
import { understoodText } from './places.ts';
import { refundText, saysText } from './refund-text.ts';
import { table } from './table.ts';

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
}

/** Its summary, next step and warnings. */
export function searchHead(viewed: readonly OfferView[], searched: SearchedOffers): ResultHead {
  const { hold } = searched;
  const head = offersHead(viewed, searched);
  if (hold === undefined) return head;
  const next = [head.next, `To release ${cleanCode(hold)} now, call cancel_booking.`].filter(Boolean).join(' ');
  return { ...head, next, warnings: [holdText(hold)] };
}

function offersHead(viewed: readonly OfferView[], searched: SearchedOffers): ResultHead {
  const { query, total, cheapest, filter, matching, order = 'price' } = searched;
  const { passengers, legs } = query;
  const people = partyWords(passengers);
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
  const price = cheapest?.pricing.total;
  const from = price === undefined ? '' : `, from ${showMoney(price.total)} in all`;
  const isCut = legs.length > 1 && viewed.length < total;
  return { summary: `${found}, ${ORDER_WORDS[order]}${from}.`, next: isCut ? EACH_LEG : undefined };
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

/** Its lines. */
export function searchText(result: SearchResult): readonly (string | undefined)[] {
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
  const shared = [...classText(common), ...factsOf(common, currency)];
  const names = (common.legs ?? []).map((leg, i, all) => headOf(leg, all.length > 1 ? i + 1 : undefined, ctx));
  return [
    [...names, datesText(timed, zone)].filter(Boolean).join(' '),
    ...(shared.length === 0 ? [] : [`All: ${shared.join('; ')}.`]),
    ...[...Map.groupBy(offers, trainsOf).values()].flatMap((same) => {
      const [only, ...others] = same;
      return only === undefined || others.length > 0 ? trainLines(same, ctx) : offerLines(only, ctx);
    }),
    ...soldOutLines(soldOut, ctx),
  ];
}

/** `Leg 1: Makkah (QCA) → Madinah (XMD), class Y.` */
function headOf(leg: NonNullable<CommonView['legs']>[number], number: number | undefined, ctx: TextContext): string {
  const parts = [...routeText(leg, ctx), ...operatorText(leg), ...classText(leg)];
  if (parts.length === 0) return '';
  return `${number === undefined ? '' : `Leg ${number}: `}${parts.join(', ')}.`;
}

/** `Times are local (UTC+3), dates in 2026.` */
function datesText(timed: readonly { readonly departs: string }[], zone = ''): string {
  const years = [...new Set(timed.flatMap(({ departs }) => departs.slice(0, 4) || []))].sort().join(' and ');
  if (years === '') return '';
  if (zone === '') return `Dates are in ${years}.`;
  return `Times are ${zone === 'UTC' ? 'in UTC' : `local (${zone})`}, dates in ${years}.`;
}

/** What offers of the same trains have in common, as a key. */
function trainsOf({ leg, legs }: OfferView): string {
  return JSON.stringify([leg, legs.map(({ class: _, fare: __, seats_left: ___, ...train }) => train)]);
}

/** One row for the same trains, with their fares: what is equal is written once. */
function trainLines(offers: readonly OfferView[], ctx: TextContext): string[] {
  const facts = offers.map((offer) => [...factsOf(offer, ctx.currency), ...priceText(offer)]);
  const shared = (facts[0] ?? []).filter((fact) => facts.every((each) => each.includes(fact)));
  const [one] = offers;
  const [first = '', ...further] = one === undefined ? [] : legsOf(one).map(({ each }) => rideText(each, ctx));
  return [
    `${one?.leg === undefined ? '' : `leg ${one.leg}: `}${first}`,
    ...further.map((text) => `    then ${text}`),
    ...(shared.length === 0 ? [] : [`    ${shared.join('; ')}`]),
    ...offers.flatMap((offer, i) => {
      const fares = [...new Set(offer.legs.map((leg) => fareOf(leg)).filter((text) => text !== ''))].join(' then ');
      const own = (facts[i] ?? []).filter((fact) => !shared.includes(fact));
      return [
        ['', offer.offer_id, offer.total, fares].join('  ').trimEnd(),
        ...(own.length === 0 ? [] : [`    ${own.join('; ')}`]),
      ];
    }),
  ];
}

function offerLines(offer: OfferView, ctx: TextContext): string[] {
  const [first = '', ...further] = legsOf(offer).map(({ each }) => legText(each, ctx));
  const facts = [...factsOf(offer, ctx.currency), ...priceText(offer)];
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
    showTrip(each.departs, each.arrives, ctx.zone !== undefined),
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
  const parts = [
    bookingClass && `class ${bookingClass}`,
    fare && `fare ${fare.code}`,
    fare?.name && quoted(fare.name, 80),
  ];
  const text = parts.filter(Boolean).join(' ');
  return text === '' ? [] : [text];
}

function legText(leg: LegView, ctx: TextContext): string {
  return [rideText(leg, ctx), fareOf(leg)].filter(Boolean).join(' ');
}

/** Class, fare and seats left. */
function fareOf(leg: LegView): string {
  return [...classText(leg), leftText(leg)].filter(Boolean).join(' ');
}

function rideText(leg: LegView, ctx: TextContext): string {
  const { departs, arrives, segments = [] } = leg;
  const minutes = leg.duration_minutes ?? minutesBetween(departs, arrives);
  const parts = [
    ...routeText(leg, ctx),
    ...(segments.length > 0 ? segments.map((each, i) => segmentText(each, i === 0, ctx)) : [timesText(leg, ctx)]),
    minutes !== undefined && `(${showMinutes(minutes)})`,
    ...(segments.length > 0 ? [] : operatorText(leg)),
    leg.journey_date && `local date ${leg.journey_date}`,
  ];
  return parts.filter(Boolean).join(' ');
}

function timesText(
  { flight, departs, arrives }: Pick<LegView, 'flight' | 'departs' | 'arrives'>,
  { zone }: TextContext,
): string {
  return `${flight ?? ''} ${showTrip(departs, arrives, zone !== undefined)}`;
}

/** One of several segments: `then from Riyadh (RUH) HHR202 …`. */
function segmentText(each: NonNullable<LegView['segments']>[number], isFirst: boolean, ctx: TextContext): string {
  const parts = [
    !isFirst && `then from ${showPlace(each.from, ctx.placeName)}`,
    timesText(each, ctx),
    ...operatorText(each),
    each.journey_date && `local date ${each.journey_date}`,
    each.class && `class ${each.class}`,
    leftText(each),
  ];
  return parts.filter(Boolean).join(' ');
}

function leftText({ seats_left: left }: Pick<LegView, 'seats_left'>): string | undefined {
  return left === undefined ? undefined : `${left} ${left === 1 ? 'seat' : 'seats'} left`;
}

/** Facts besides price and times, which several offers can have in common. */
function factsOf(of: Omit<CommonView, 'legs'>, currency: string): string[] {
  const { refund, checked, baggage, pay_by: payBy, names_until: names, notes = [], airline_says: says = [] } = of;
  return [
    refund && `refund: ${refundText(refund, currency).join(' ').replace(/\.$/, '')}`,
    checked && 'price checked',
    baggage && `baggage ${baggage}`,
    payBy && `pay by ${showLocal(payBy)}`,
    names && `names can be corrected until ${showLocal(names)}`,
    ...notes.map((note) => note.replace(/\.$/, '')),
    ...saysText(says),
  ].filter((fact): fact is string => Boolean(fact));
}

/** What full detail adds to a price. */
function priceText({ per_type: types = [], base, taxes, fees, quote_id: quote, ...offer }: OfferView): string[] {
  const { fare_basis: fares, price_lines: lines = [] } = offer;
  return [
    types.map((row) => `${countText(row.type, row.count)} ${withThousands(row.total)}`).join(', '),
    fares && `fare ${fares.join(', ')}`,
    base && `base ${withThousands(base)}, taxes ${withThousands(taxes ?? '')}, fees ${withThousands(fees ?? '')}`,
    lines.map((line) => `${line.kind} ${line.code} ${withThousands(line.amount)}`).join(', '),
    quote && `quote ${quote}`,
  ].filter((part): part is string => Boolean(part));
}
