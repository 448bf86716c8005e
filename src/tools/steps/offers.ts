/**
 * The steps of an offer on its way to a booking, in this order: search, storage under an id, and joining with others into a
 * trip.
 */

import { cleanRef } from '../../core/clean-text.ts';
import { ClerkError, inputError, notSent } from '../../core/errors.ts';
import { type Money, sumIfAllKnown } from '../../core/money.ts';
import { instantOf } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import { departureDate, type Segment, type SegmentOption } from '../../domain/booking/booking.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import { type Deadlines, fareDeadlines } from '../../domain/booking/deadlines.ts';
import { lacksCarrier, namesNoCarrier } from '../../domain/booking/flight-name.ts';
import {
  type FareLeg,
  type FareQuery,
  type FareSearchResult,
  leftOutWords,
  type Offer,
  type PassengerCounts,
  type ShelvedOffer,
  type UnshownOffers,
} from '../../domain/booking/offers.ts';
import type { ChosenOffer } from '../../domain/facts/compare-hold-with-offer.ts';
import { inForce, keptRules, ruleWords } from '../../domain/refund/rules-in-force.ts';
import { readCall, type ToolContext } from '../definition/define.ts';
import { type CountsInput, countsOf } from '../definition/input-fields.ts';
import { inOrder, type OfferOrder } from '../rules/offer-filters.ts';
import { NEEDS_CARRIER } from '../views/offer-data.ts';

const FIELD = 'offer_ids';
const SEARCH_TOGETHER =
  'Call search_fares with all legs of the trip at once; where the airline refuses that, once for each leg with the same passengers.';

/** The arguments of a search that say who travels and in which classes. */
interface FareSearchArgs {
  readonly passengers: CountsInput;
  readonly booking_classes?: readonly string[] | undefined;
  readonly include_sold_out?: boolean | undefined;
}

/** Writes a query of fares. `most`: how many of the cheapest offers to read; undefined for all. */
export function fareQuery(legs: readonly FareLeg[], args: FareSearchArgs, most?: number): FareQuery {
  const bookingClasses = [...new Set(args.booking_classes ?? [])];
  return { legs, passengers: countsOf(args.passengers), bookingClasses, most, includeSoldOut: args.include_sold_out };
}

/** Searches for the fares of one flight, on its day. Undefined if the airline does not say them. */
export async function searchFlight(
  flight: Segment,
  { passengers, bookingClasses = [] }: Pick<FareQuery, 'passengers'> & Partial<Pick<FareQuery, 'bookingClasses'>>,
  ctx: Pick<ToolContext, 'airline' | 'signal'>,
): Promise<FareSearchResult | undefined> {
  const leg = { from: flight.from, to: flight.to, date: departureDate(flight), daysBefore: 0, daysAfter: 0 };
  const query = { legs: [leg], passengers, bookingClasses };
  return ctx.airline.searchFares(query, readCall(ctx)).catch(() => undefined);
}

/** What a reply has besides the offers that a tool goes on with: with those that have no price in its currency. */
export function leftOutOf(
  found: FareSearchResult,
  priced: { readonly offers: readonly Offer[]; readonly currency?: string | undefined },
): readonly UnshownOffers[] {
  const others = found.offers.filter((offer) => !priced.offers.includes(offer));
  const unpriced = others.filter(({ pricing }) => pricing.total === undefined).length;
  const inOther = others.length - unpriced;

  return [
    ...(found.leftOut ?? []),
    ...(unpriced > 0 ? [{ count: unpriced, why: 'without a price that can be read' }] : []),
    ...(inOther > 0 ? [{ count: inOther, why: `in another currency than ${priced.currency}` }] : []),
  ];
}

/** Says how many offers of the airline's reply are not shown, and why. Empty if there are none. */
export function leftOutText(leftOut: readonly UnshownOffers[]): string {
  return leftOut.length === 0 ? '' : ` Left out of the airline's reply: ${leftOutWords(leftOut)}.`;
}

/**
 * Selects the priced offers in one currency: in `preferred`, or else in that of the first offer. Sorts them by price, or in another
 * order. If each leg has its own offers, the first `most` contain equally many of each leg.
 */
export function pricedOffers(
  offers: readonly Offer[],
  most: number,
  preferred: string | undefined,
  order: OfferOrder = 'price',
): { offers: readonly Offer[]; currency: string | undefined } {
  const currencies = offers.flatMap((offer) => offer.pricing.total?.total.currency ?? []);
  const currency = preferred !== undefined && currencies.includes(preferred) ? preferred : currencies[0];
  const sorted = offers
    .filter((offer) => offer.pricing.total !== undefined && offer.pricing.total.total.currency === currency)
    .sort(inOrder('price'))
    .sort(inOrder(order));
  const offersByLeg = Map.groupBy(sorted, (offer) => offer.leg ?? -1);
  if (offersByLeg.size < 2) return { offers: sorted, currency };

  const mostPerLeg = Math.ceil(most / offersByLeg.size);
  const shownByLeg = [...offersByLeg.values()].flatMap((legOffers) => legOffers.slice(0, mostPerLeg));
  const shown = new Set(shownByLeg.slice(0, most));
  const offersShownFirst = [
    ...sorted.filter((offer) => shown.has(offer)),
    ...sorted.filter((offer) => !shown.has(offer)),
  ];
  return { offers: offersShownFirst, currency };
}

/** Stores offers so that they can be booked. Returns their ids in the same order. */
export function storeOffers(
  offers: readonly Offer[],
  { legs, passengers }: FareQuery,
  ctx: ToolContext,
  validUntil?: string,
): Promise<readonly string[]> {
  const common = { passengers, shownAt: ctx.now(), validUntil };
  const stored = offers.map(
    (offer): ShelvedOffer => ({
      ...common,
      offer: keepForBooking(offer),
      refundNote: noteRefundRule(offer, ctx),
      refundRules: keptRules(offer.options, offer.pricing.fares, common.shownAt),
      legs: legs.map(({ from, to, date }) => ({ from, to, date })),
    }),
  );
  return ctx.state.offers.put(ctx.caller, stored);
}

/** Keeps only what booking needs: flights, price and time limits. The booking has its own rules. */
function keepForBooking({ leg, options, pricing: { total, fares, quoteId } }: Offer): Offer {
  const limits = fares.filter(({ payBy, namesUntil }) => payBy !== undefined || namesUntil !== undefined);
  return {
    leg,
    options,
    pricing: {
      total: total && { ...total, lines: [], remarks: [] },
      refunds: [],
      fares: limits.map(({ payBy, namesUntil }) => ({
        payBy,
        namesUntil,
        references: [],
        refundRules: [],
        changeRules: [],
      })),
      perType: [],
      quoteId,
    },
    notes: [],
  };
}

/** Writes the refund rules in force in words, to compare them with the hold's later. Undefined if the offer has none. */
function noteRefundRule({ pricing, options }: Offer, { now }: ToolContext): string | undefined {
  const fares = pricing.fares.map((fare) => ({
    ...fare,
    refundRules: fare.refundRules.filter((rule) => inForce(rule, now())),
  }));
  return (
    capitalized(ruleWords({ options, pricing: { ...pricing, fares } }, now())?.words.join('; ') ?? '') || undefined
  );
}

/** Offers joined for one booking. */
export interface Trip {
  readonly options: readonly SegmentOption[];
  /** As the airline offered them: without the carrier that the settings name. */
  readonly offered: readonly SegmentOption[];
  readonly passengers: PassengerCounts;
  /** Sum of the offers; absent if they are in two currencies. */
  readonly total?: Money;
  readonly limits: Pick<Deadlines, 'payBy' | 'namesUntil'>;
  readonly refundNote?: string;
  /** Refund rules and baggage of the offers, to compare the hold with them. Absent where an offer states none. */
  readonly terms?: Pick<ChosenOffer, 'rules' | 'ruleWords' | 'baggage'>;
}

/** Joins stored offers. Throws E_OFFER_EXPIRED, E_CONFIG, E_INPUT. */
export async function tripFromOffers(ids: readonly string[], ctx: ToolContext): Promise<Trip> {
  const stored = await Promise.all(ids.map((id) => ctx.state.offers.get(ctx.caller, id)));
  const shelved = stored.map((offer, i) => assertUnexpired(offer, ids[i] ?? '', ctx.now()));
  const offers = orderByLeg(shelved);
  const passengers = shelved[0]?.passengers ?? { adults: 0, children: 0, infants: 0 };
  const trip = joinOffers(offers, passengers, ctx.settings.carrier);
  assertInOrder(trip.options);
  return { ...trip, refundNote: shelved[0]?.refundNote, terms: joinTerms(shelved) };
}

function joinTerms(shelved: readonly ShelvedOffer[]): NonNullable<Trip['terms']> {
  const join = <T>(read: (offer: ShelvedOffer) => readonly T[] | undefined): readonly T[] | undefined => {
    const lists = shelved.map(read);
    return lists.some((list) => list === undefined || list.length === 0)
      ? undefined
      : [...new Set(lists.flat() as T[])];
  };

  const [{ shownAt: at, refundNote } = { shownAt: 0, refundNote: undefined }] = shelved;
  const rules = join(({ refundRules }) => refundRules?.rules);
  const texts = join(({ refundRules }) => refundRules?.texts);

  return {
    rules: rules === undefined && texts === undefined ? undefined : { at, rules, texts },
    // The rule of several offers is not one rule.
    ruleWords: shelved.length === 1 ? refundNote : undefined,
    baggage: join(({ offer }) => offer.pricing.total?.baggage),
  };
}

/** Joins offers in their order. Throws E_CONFIG if a carrier is needed and not set. */
export function joinOffers(offers: readonly Offer[], passengers: PassengerCounts, carrier: string | undefined): Trip {
  const offered = numberSegments(offers);
  const fares = offers.flatMap(({ pricing }) => pricing.fares);
  const limits = fareDeadlines({ refunds: [], fares, perType: [] });
  const total = sumIfAllKnown(offers.map(({ pricing }) => pricing.total?.total));
  return { options: withCarrier(offered, carrier), offered, passengers, limits, total };
}

/** Supplies the carrier (FARECLERK_CARRIER) of segments that name none. Throws E_CONFIG if one is needed and not set. */
function withCarrier(options: readonly SegmentOption[], carrier: string | undefined): readonly SegmentOption[] {
  if (!lacksCarrier(options)) return options;
  if (carrier === undefined) {
    throw new ClerkError('E_CONFIG', `${NEEDS_CARRIER} Nothing was booked.`, {
      next: 'Ask the operator to set FARECLERK_CARRIER.',
    });
  }

  return options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) =>
      namesNoCarrier(segment) ? { ...segment, operating: { carrier, number: segment.flightNumber } } : segment,
    ),
  }));
}

/** Refuses offers without a fare (rail would choose one) or with UTC times (docs/wire/notes.md, Availability record). */
export function assertSendable({ options }: Trip, { settings }: ToolContext): void {
  const segments = options.flatMap((option) => option.segments);
  const next = 'Book another offer. If none can be booked, ask the operator to run `fareclerk doctor`.';
  if (segments.some(({ journeyDate }) => journeyDate !== undefined)) {
    const what = 'The airline gave the times of this offer in UTC alone, and books in local time.';
    throw notSent('E_AIRLINE_REPLY', what, next);
  }
  if (settings.dialect === 'airline' || segments.every(({ fareBasis }) => fareBasis !== undefined)) return;

  throw notSent('E_AIRLINE_REPLY', 'The airline did not say which fare this offer is.', next);
}

/** Returns the stored offer. @throws ClerkError E_OFFER_EXPIRED if it is not known or has expired */
function assertUnexpired(stored: ShelvedOffer | undefined, id: string, now: number): ShelvedOffer {
  // Repeats only offer ids: other text may be personal data in the wrong field.
  const shownId = /^o[a-z\d]{1,11}$/.test(id) ? id : 'given';
  const fares = stored?.offer.pricing.fares ?? [];
  const limits = [stored?.validUntil, ...fares.map((fare) => fare.payBy)];
  if (stored !== undefined && !limits.some((limit) => hasPassed(limit, now))) return stored;

  const search = 'call search_fares again and take one of its offers.';
  if (stored !== undefined) {
    const next = capitalized(search);
    throw new ClerkError('E_OFFER_EXPIRED', `Offer ${shownId} has expired. This call booked nothing.`, { next });
  }

  // A restored journal may lack the booking, so this does not say that nothing was booked earlier.
  const what = `Offer ${shownId} is not known here, or was found more than an hour ago. This call booked nothing, but an earlier one may have.`;
  throw new ClerkError('E_OFFER_EXPIRED', what, {
    next: `If an earlier call booked it, list_bookings shows the booking; else ${search}`,
  });
}

/**
 * Orders the offers: one for the whole trip, or one for each leg that was searched, in one search or in several, as some airlines require
 * (docs/wire/notes.md, Round trips). Throws E_INPUT for any others.
 */
function orderByLeg(shelved: readonly ShelvedOffer[]): readonly Offer[] {
  const [first, ...others] = shelved;
  if (first === undefined) throw inputError(FIELD, 'expected at least one offer_id.');
  if (others.length === 0 && first.offer.leg === undefined) return [first.offer];

  const legs = shelved.map(legOf);
  if (legs.includes(undefined)) throw inputError(FIELD, 'expected one offer: each of these is for a whole trip.');
  if (new Set(shelved.map(({ passengers }) => JSON.stringify(passengers))).size > 1)
    throw inputError(FIELD, 'expected offers for the same passengers.', SEARCH_TOGETHER);

  const sorted = shelved.toSorted(
    (a, b) => (a.offer.leg ?? 0) - (b.offer.leg ?? 0) || departureInstant(a) - departureInstant(b),
  );

  const searched = new Set(shelved.flatMap((offer) => offer.legs.map((leg) => JSON.stringify(leg))));
  // Two flights from one place are alternatives, not legs of a trip.
  const areAlternatives = sorted.some((offer, i) => i > 0 && legOf(offer)?.from === legOf(sorted[i - 1])?.from);
  if (shelved.length !== searched.size || areAlternatives)
    throw inputError(FIELD, 'expected one offer for each leg that was searched.', SEARCH_TOGETHER);

  return sorted.map(({ offer }) => offer);
}

/** The leg that the offer is for. Undefined if it is for a whole trip of several. */
function legOf(shelved: ShelvedOffer | undefined) {
  const { legs = [], offer } = shelved ?? {};
  return legs.length === 1 ? legs[0] : legs[offer?.leg ?? -1];
}

function departureInstant({ offer }: ShelvedOffer): number {
  return instantOf(offer.options[0]?.segments[0]?.departs) ?? 0;
}

/** Numbers all segments, so that travellers can refer to them. An option has the ref of its first segment. */
function numberSegments(offers: readonly Offer[]): readonly SegmentOption[] {
  let count = 0;
  return offers.flatMap((offer) =>
    offer.options.map((option) => {
      const ref = String(count + 1);
      const segments = option.segments.map((segment) => ({ ...segment, ref: String(++count), optionRef: ref }));
      return { ref, segments };
    }),
  );
}

/** Checks that each segment departs after the one before has arrived. Throws E_INPUT. */
function assertInOrder(options: readonly SegmentOption[]): void {
  const segments = options.flatMap((option) => option.segments);
  for (const [i, segment] of segments.entries()) {
    const arrived = instantOf(segments[i - 1]?.arrives);
    const departs = instantOf(segment.departs);
    if (arrived !== undefined && departs !== undefined && departs < arrived) {
      throw inputError(
        FIELD,
        `expected flights in order: segment ${cleanRef(segment.ref)} departs before segment ${i} arrives.`,
        'Call search_fares for a later leg, or an earlier one, that fits.',
      );
    }
  }
}
