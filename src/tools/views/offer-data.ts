/**
 * Offers as data: first the schemas, then how one offer is viewed, at last how what all offers have in common is written once, which keeps
 * a result short.
 */

import * as z from 'zod';
import { airlineWords, cleanCode, plainText } from '../../core/clean-text.ts';
import { formatMoney } from '../../core/money.ts';
import { localMinute, minutesBetween } from '../../core/times.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import { fareDeadlines, looseLimitTexts } from '../../domain/booking/deadlines.ts';
import {
  flightName,
  lacksCarrier,
  operatedBy,
  seatsLeft,
  stopsText,
  viewRoute,
} from '../../domain/booking/flight-name.ts';
import type { Offer, SoldOutFlight } from '../../domain/booking/offers.ts';
import { notOnOffer } from '../../domain/booking/status-codes.ts';
import type { ResultOf } from '../definition/define.ts';
import {
  filled,
  listedWithoutShape,
  optionalStrings,
  optionalTexts,
  placeFields,
  strings,
  unlisted,
} from '../definition/field-notes.ts';
import { priceSchema } from './booking-schema.ts';
import { viewLine, viewParts, viewPerType } from './price-and-rules.ts';
import { offerRefund } from './refund-data.ts';
import type { RefundContext } from './refund-lines.ts';
import { refundConditionSchema, refundLimitsSchema, refundSchema } from './refund-schema.ts';
import { equalFields, withoutShared } from './shared-fields.ts';

export const NEEDS_CARRIER =
  'Cannot be booked until the operator sets FARECLERK_CARRIER: the airline names no carrier.';

/** More seats are shown only with `detail: full`. */
const FEW_SEATS = 9;

const fare = () => z.object({ ...strings('code'), ...optionalStrings('name') }).optional();

const segment = () =>
  z.object({
    ...strings('flight', 'from', 'to', 'departs', 'arrives'),
    ...optionalStrings('operated_by', 'journey_date', 'class'),
    seats_left: z.int().optional(),
  });

/** A leg without a change says itself what the segments of others say. */
const leg = () =>
  z.object({
    ...optionalStrings('from', 'to'),
    ...strings('departs', 'arrives'),
    duration_minutes: z.int().optional(),
    ...optionalStrings('flight', 'operated_by', 'journey_date', 'class'),
    seats_left: z.int().optional(),
    fare: fare(),
    segments: listedWithoutShape(z.array(segment()).optional()),
  });

const anewSchema = () =>
  z.object({
    ...optionalStrings('gets_back'),
    between: refundLimitsSchema(),
    ...unlisted(optionalStrings('on_condition')),
    refund_condition: listedWithoutShape(refundConditionSchema()),
    ...optionalStrings('costs_at_most', 'note'),
  });

/**
 * What taking an offer in place of a booked flight costs, only in a search with `instead_of`. `not_rebooked`: why the airline does not
 * exchange the flight for the offer. `lower_cabin`: the cabin of the offer, if it is below that of the booked flight. `anew`: what it costs instead to make a new booking and cancel the old one.
 */
const changeSchema = () =>
  z.object({
    ...optionalStrings('lower_cabin', 'pays_at_most', 'gets_back_at_most', 'rule', 'not_rebooked'),
    airline_says: optionalTexts(),
    anew: anewSchema().optional(),
  });

/** Facts that the offers of a search often share. */
const shared = () => ({
  refund: listedWithoutShape(refundSchema().optional()),
  ...optionalStrings('baggage', 'pay_by', 'names_until'),
  notes: optionalTexts(),
  airline_says: optionalTexts(),
});

function offerSchema() {
  return z.object({
    ...strings('offer_id'),
    leg: z.int().optional(),
    ...strings('total'),
    ...optionalStrings('base', 'taxes', 'fees'),
    per_type: priceSchema.perType().optional(),
    legs: z.array(leg()),
    ...shared(),
    change: listedWithoutShape(changeSchema().optional()),
    fare_basis: optionalTexts(),
    ...unlisted(optionalStrings('quote_id')),
    price_lines: listedWithoutShape(priceSchema.lines()),
  });
}

/** What is equal for all offers, under the names that an offer and its legs have. */
function commonSchema() {
  const bookingClass = () => optionalStrings('class');
  const fields = { ...optionalStrings('from', 'to', 'operated_by'), ...bookingClass(), fare: fare() };
  const legs = z.array(z.object(fields)).optional();
  const change = listedWithoutShape(changeSchema().optional());
  return z.object({ legs, ...bookingClass(), fare: fare(), ...shared(), change });
}

/** A class of a departure without enough seats. `leg`: from 1, in a trip of several. */
const soldOutSchema = () => z.object({ leg: z.int().optional(), ...segment().partial({ from: true, to: true }).shape });

/** The result of a search. */
export const searchFields = () => ({
  ...strings('currency'),
  total_found: z.int(),
  matching: z.int().optional(),
  ...placeFields(),
  common: listedWithoutShape(commonSchema().optional()),
  offers: z.array(offerSchema()),
  sold_out: listedWithoutShape(z.array(soldOutSchema()).optional()),
  ...optionalStrings('valid_until'),
});

export type SearchResult = ResultOf<typeof searchFields>;
export type OfferView = SearchResult['offers'][number];
export type ChangeView = NonNullable<OfferView['change']>;
export type LegView = OfferView['legs'][number];
export type CommonView = NonNullable<SearchResult['common']>;
export type SoldOutView = NonNullable<SearchResult['sold_out']>[number];

interface OfferViewOptions {
  readonly ctx: RefundContext;
  readonly now: number;
  readonly full: boolean;
  /** FARECLERK_CARRIER: used where the airline names no carrier. */
  readonly carrier?: string | undefined;
  readonly party: Readonly<Record<string, number>>;
  /** What it costs to take it in place of a booked one. */
  readonly change?: ChangeView | undefined;
}

/** Undefined for an offer without a price, which cannot be sold. */
export function viewOffer(id: string, offer: Offer, options: OfferViewOptions): OfferView | undefined {
  const { pricing } = offer;
  const price = pricing.total;
  if (price === undefined) return undefined;

  const { full, carrier, party } = options;
  const near = offer.options[0]?.segments[0]?.departs;
  const { payBy, namesUntil, cancelUntil } = fareDeadlines(pricing);
  const local = (limit: string | undefined) => limit && localMinute(limit, near);
  const legs = offer.options.map(({ segments }) => viewLeg(segments, { carrier, full }));
  const perType = viewPerType(pricing.perType, party);

  return {
    offer_id: id,
    leg: offer.leg === undefined ? undefined : offer.leg + 1,
    total: formatMoney(price.total),
    ...(full && viewParts(price)),
    per_type: perType.length > 1 ? perType : undefined,
    legs,
    refund: {
      ...offerRefund({ ...offer, party }, options.now, options.ctx),
      cancel_until: full ? local(cancelUntil) : undefined,
    },
    baggage: price.baggage.length > 0 ? plainText([...new Set(price.baggage)].join('; '), 120) : undefined,
    pay_by: local(payBy),
    names_until: local(namesUntil),
    notes: filled(offerNotes(offer, options)),
    change: options.change,
    airline_says: full ? filled(airlineTexts(offer)) : undefined,
    fare_basis: filled(otherFares(offer, legs)),
    quote_id: full && pricing.quoteId !== undefined ? cleanCode(pricing.quoteId, 60) : undefined,
    price_lines: full ? filled(price.lines.map(viewLine)) : undefined,
  };
}

function offerNotes(offer: Offer, { carrier, full }: OfferViewOptions): string[] {
  const obstacle = carrier === undefined && lacksCarrier(offer.options) ? [NEEDS_CARRIER] : [];
  const limits = looseLimitTexts(offer.looseLimits);
  return [...limits, ...obstacle, ...statusNotes(offer, carrier), ...(full ? stopNotes(offer, carrier) : [])];
}

/** Flights that the airline does not simply offer. */
function statusNotes({ options }: Offer, carrier: string | undefined): string[] {
  return options.flatMap(({ segments }) =>
    segments.flatMap((segment) => {
      const words = notOnOffer(segment.statusCode);
      return words === undefined
        ? []
        : [`The airline sends ${flightName(segment, carrier)} as ${words}: it may not confirm it.`];
    }),
  );
}

/** The airline's own words beside the price, without names of fares, which the legs have. */
function airlineTexts({ notes, options, pricing }: Offer): string[] {
  const words = [...notes, ...(pricing.total?.remarks ?? [])].map((note) => airlineWords(note));
  const fareNames = options.flatMap(({ segments }) => segments.map(({ fareName }) => airlineWords(fareName ?? '')));
  return [...new Set(words)].filter((text) => text !== '' && !fareNames.includes(text));
}

/** Stops on the way, in the same train or aeroplane (docs/wire/interface.md, Flight segment). */
function stopNotes({ options }: Offer, carrier: string | undefined): string[] {
  return options.flatMap(({ segments }) =>
    segments.flatMap((segment) => {
      const { stops } = segment;
      if (!stops) return [];
      return [`${flightName(segment, carrier)} ${stopsText(stops)}.`];
    }),
  );
}

interface LegOptions {
  readonly carrier: string | undefined;
  readonly full: boolean;
}

function viewLeg(segments: readonly Segment[], options: LegOptions): LegView {
  const viewed = segments.map((segment) => viewSegment(segment, options));
  const [first, ...others] = viewed;
  const last = others.at(-1) ?? first;
  if (first === undefined || last === undefined) return { departs: '', arrives: '' };

  const fare = viewFare(segments);
  if (others.length === 0) return { ...first, fare };

  const { from, departs, class: bookingClass } = first;
  const isOneClass = viewed.every((segment) => segment.class === bookingClass);

  return {
    from,
    to: last.to,
    departs,
    arrives: last.arrives,
    duration_minutes: minutesBetween(departs, last.arrives),
    class: isOneClass ? bookingClass : undefined,
    fare,
    segments: isOneClass ? viewed.map(({ class: _, ...segment }) => segment) : viewed,
  };
}

function viewSegment(segment: Segment, { carrier, full }: LegOptions): NonNullable<LegView['segments']>[number] {
  const seats = seatsLeft(segment);
  const { from, to } = viewRoute(segment);

  return {
    from,
    to,
    departs: localMinute(segment.departs),
    arrives: localMinute(segment.arrives),
    flight: flightName(segment, carrier),
    operated_by: operatedBy(segment),
    journey_date: segment.journeyDate,
    class: segment.bookingClass === undefined ? undefined : cleanCode(segment.bookingClass),
    seats_left: seats !== undefined && (full || seats <= FEW_SEATS) ? seats : undefined,
  };
}

/** All fares of the leg's segments; absent if one is unknown. */
function viewFare(segments: readonly Segment[]): LegView['fare'] {
  const codes = segments.map(({ fareBasis }) => cleanCode(fareBasis ?? '', 30));
  if (codes.includes('')) return undefined;
  const names = segments.flatMap(({ fareName }) => plainText(fareName ?? '', 40) || []);
  const joined = (texts: readonly string[]) => [...new Set(texts)].join('+');
  return { code: joined(codes), name: names.length > 0 ? joined(names) : undefined };
}

/** Codes of fares that no leg names. */
function otherFares({ pricing, options }: Offer, legs: readonly LegView[]): string[] {
  const codes = [
    ...pricing.perType.flatMap((row) => row.fareBasis.map((basis) => basis.code)),
    ...options.flatMap(({ segments }) => segments.flatMap((each) => each.fareBasis ?? [])),
    ...pricing.fares.flatMap((fare) => fare.references.map((reference) => reference.code)),
  ].map((code) => cleanCode(code, 30));
  const named = new Set(legs.flatMap((each) => each.fare?.code.split('+') ?? []));
  return [...new Set(codes)].filter((code) => code !== '' && !named.has(code));
}

/** Views a departure without enough seats. @param isOneOfSeveral the trip has several legs, so that it names its own */
export function viewSoldOut(
  { leg, segment }: SoldOutFlight,
  carrier: string | undefined,
  isOneOfSeveral: boolean,
): SoldOutView {
  return { leg: isOneOfSeveral ? leg + 1 : undefined, ...viewSegment(segment, { carrier, full: true }) };
}

/** Fields that stand in `common` where they are equal: in all offers, in what all changes cost, and in legs. */
const SHARED_BY_OFFERS = ['refund', 'baggage', 'pay_by', 'names_until', 'notes', 'airline_says'] as const;
const SHARED_BY_CHANGES = ['rule', 'not_rebooked', 'airline_says'] as const;
/** Equal in every leg of every offer. */
const SHARED_BY_LEGS = ['class', 'fare'] as const;
/** Equal in the legs at one place in the trip. */
const SHARED_AT_PLACE = ['operated_by', 'class', 'fare'] as const;
const ROUTE_FIELDS = ['from', 'to'] as const;

type ListedOffers = Pick<SearchResult, 'common' | 'offers' | 'sold_out'>;

interface PlacedLeg {
  readonly leg: LegView;
  /** Its place in the trip, from 0. */
  readonly place: number;
}

function placedLegs({ legs, leg: number }: OfferView): readonly PlacedLeg[] {
  return legs.map((leg, i) => ({ leg, place: number === undefined ? i : number - 1 }));
}

const placeOf = ({ leg = 1 }: SoldOutView): number => leg - 1;

/**
 * Moves what is equal for all offers into `common`, of departures without seats only their route. A single one keeps all of its fields. For
 * two trains of one route and class:
 *
 *     common: { legs: [{ from: 'QCA', to: 'XMD' }], class: 'Y', baggage: '1 piece' }
 *     offers: [{ offer_id: 'a', legs: [{ departs: '08:00' }] }, { offer_id: 'b', legs: [{ departs: '10:00' }] }]
 */
export function withCommon(offers: OfferView[], soldOut: SoldOutView[] | undefined): ListedOffers {
  if (offers.length + (soldOut?.length ?? 0) < 2) return { offers, sold_out: soldOut };

  const { everyLeg, legs: commonLegs } = commonLegFields(offers.flatMap(placedLegs), soldOut);
  const shared = equalFields(offers, SHARED_BY_OFFERS);
  const changes = offers.map((offer) => offer.change ?? {});
  const change = equalFields(changes, SHARED_BY_CHANGES);
  const hasCommonLegs = commonLegs.some((leg) => Object.keys(leg).length > 0);

  return {
    common: {
      legs: hasCommonLegs ? commonLegs : undefined,
      ...everyLeg,
      ...shared,
      ...((change.rule ?? change.not_rebooked) && { change }),
    },
    offers: offers.map((offer) => ({
      ...withoutShared(offer, shared),
      change: offer.change && withoutShared(offer.change, change),
      legs: placedLegs(offer).map(({ leg, place }) => withoutShared(leg, { ...everyLeg, ...commonLegs[place] })),
    })),
    sold_out: soldOut?.map((flight) => {
      const { from, to } = commonLegs[placeOf(flight)] ?? {};
      return withoutShared(flight, { from, to });
    }),
  };
}

/** Finds what is equal in every leg, and for each place in the trip what is equal in its legs besides. */
function commonLegFields(placed: readonly PlacedLeg[], soldOut: readonly SoldOutView[] = []) {
  const allLegs = placed.map(({ leg }) => leg);
  const everyLeg = equalFields(allLegs, SHARED_BY_LEGS);
  const count = 1 + Math.max(0, ...placed.map(({ place }) => place), ...soldOut.map(placeOf));

  const legs = Array.from({ length: count }, (_, place) => {
    const legsHere = placed.filter((each) => each.place === place).map(({ leg }) => leg);
    const soldOutHere = soldOut.filter((flight) => placeOf(flight) === place);
    const route = equalFields([...legsHere, ...soldOutHere], ROUTE_FIELDS);
    // Offers that differ in one of the two stations name both.
    const isWhole = route.from !== undefined && route.to !== undefined;
    return { ...(isWhole && route), ...withoutShared(equalFields(legsHere, SHARED_AT_PLACE), everyLeg) };
  });
  return { everyLeg, legs };
}
