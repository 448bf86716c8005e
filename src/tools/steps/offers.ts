/** An offer on its way to a booking: searched, checked by the airline, kept under its id, joined with others into a trip. */
import { airlineWords, plainText } from '../../core/clean-text.ts';
import { ClerkError, inputError } from '../../core/errors.ts';
import { type Money, sameMoney, showMoney, sumIfAllKnown } from '../../core/money.ts';
import { instantOf } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import type { SegmentOption } from '../../domain/booking/booking.ts';
import { type Deadlines, fareDeadlines, hasPassed } from '../../domain/booking/booking-state.ts';
import { lacksCarrier, namesNoCarrier } from '../../domain/booking/flight-name.ts';
import type {
  FareLeg,
  FareQuery,
  Offer,
  PassengerCounts,
  PriceCheck,
  ShelvedOffer,
} from '../../domain/pricing/offers.ts';
import { signalWithin, type ToolContext } from '../definition/define.ts';
import { type CountsInput, countsOf } from '../definition/input-fields.ts';
import { inOrder, type OfferOrder } from '../rules/offer-filters.ts';
import { notSent } from '../rules/why-not.ts';
import { NEEDS_CARRIER } from '../views/offer-data.ts';
import { offerRuleText } from '../views/refund-text.ts';

/** The arguments of a search that say who travels and in which classes. */
interface Searched {
  readonly passengers: CountsInput;
  readonly booking_classes?: readonly string[] | undefined;
}

/** @param most of the cheapest to read; undefined: all */
export function fareQuery(
  legs: readonly FareLeg[],
  args: Searched,
  most: number | undefined,
  includeSoldOut = false,
): FareQuery {
  const bookingClasses = [...new Set(args.booking_classes ?? [])];
  return { legs, passengers: countsOf(args.passengers), bookingClasses, includeSoldOut, most };
}

/**
 * Priced offers in one currency: in `wanted`, or else in the currency of the first offer; cheapest first, or in another order. If each
 * leg has its own offers, the first `most` hold equally many of each leg.
 */
export function pricedOffers(
  offers: readonly Offer[],
  most: number,
  wanted: string | undefined,
  order: OfferOrder = 'price',
): { offers: readonly Offer[]; currency: string | undefined } {
  const currencies = offers.flatMap((offer) => offer.pricing.total?.total.currency ?? []);
  const currency = wanted !== undefined && currencies.includes(wanted) ? wanted : currencies[0];
  const found = offers
    .filter((offer) => offer.pricing.total !== undefined && offer.pricing.total.total.currency === currency)
    .sort(inOrder('price'))
    .sort(inOrder(order));
  const legs = Map.groupBy(found, (offer) => offer.leg ?? -1);
  if (legs.size < 2) return { offers: found, currency };
  const mostOfLeg = Math.ceil(most / legs.size);
  const first = new Set([...legs.values()].flatMap((ofLeg) => ofLeg.slice(0, mostOfLeg)).slice(0, most));
  return {
    offers: [...found.filter((offer) => first.has(offer)), ...found.filter((offer) => !first.has(offer))],
    currency,
  };
}

export function storeOffers(
  offers: readonly Offer[],
  { legs, passengers }: FareQuery,
  ctx: ToolContext,
  validUntil?: string,
): Promise<readonly string[]> {
  const shown = { passengers, shownAt: ctx.now(), validUntil };
  const stored = offers.map(
    (offer): ShelvedOffer => ({
      ...shown,
      offer: bookable(offer),
      refundNote: noteRefundRule(offer, ctx),
      legs: legs.map(({ from, to, date }) => ({ from, to, date })),
    }),
  );
  return ctx.state.offers.put(ctx.caller, stored);
}

/** Keeps only what booking needs: flights, price and time limits. The booking has its own rules. */
function bookable({ leg, options, pricing: { total, fares, quoteId } }: Offer): Offer {
  const limits = fares.filter(({ payBy, namesUntil }) => payBy !== undefined || namesUntil !== undefined);
  return {
    leg,
    options,
    pricing: {
      total: total && { ...total, lines: [], baggage: [], remarks: [] },
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

/** The refund rule in words, to compare with the hold's later; undefined unless the offer has refund rules. */
function noteRefundRule({ pricing, options }: Offer, { now }: ToolContext): string | undefined {
  if (!pricing.fares.some(({ refundRules }) => refundRules.length > 0)) return undefined;
  return offerRuleText(pricing, now(), options[0]?.segments[0]?.departs);
}

/** Offers of one search whose price is checked. */
const MOST_CHECKED = 3;
/** Limit for all checks of one search, because clients stop waiting. */
const CHECK_MS = 15_000;
/** Texts of fare rules that one offer shows. */
const MOST_RULES = 4;

interface CheckedOffer {
  readonly offer: Offer;
  readonly checked: boolean;
  readonly notes: readonly string[];
  /** The airline's words for its fare rules. */
  readonly airlineSays: readonly string[];
}

export interface Checks {
  readonly offers: readonly CheckedOffer[];
  /** Locator of a booking that the airline made in reply to a check. */
  readonly unintendedHold?: string;
}

export function unchecked(offers: readonly Offer[]): Checks {
  return { offers: offers.map((offer) => ({ offer, checked: false, notes: [], airlineSays: [] })) };
}

/** Whether prices are checked: off by default, and in the rail dialect also a message that is assumed, not documented. */
function mayCheck({ settings }: ToolContext): boolean {
  const assumed = settings.dialect !== 'airline';
  return settings.priceCheck === true && (!assumed || settings.assumedOperations === true);
}

/** Checks the first offers in turn. A failed check never fails the search; an unintended hold ends the checks. */
export async function checkedOffers(
  offers: readonly Offer[],
  passengers: PassengerCounts,
  ctx: ToolContext,
): Promise<Checks> {
  if (!mayCheck(ctx)) return unchecked(offers);
  const found = [...unchecked(offers).offers];
  const signal = signalWithin(CHECK_MS, ctx);
  for (const [i, offer] of offers.slice(0, MOST_CHECKED).entries()) {
    if (signal.aborted) break;
    if (lacksCarrier(offer.options)) continue;
    const check = await ctx.airline
      .checkPrice({ options: offer.options, passengers }, { signal })
      .catch(() => undefined);
    if (check?.possibleHold !== undefined) return { offers: found, unintendedHold: check.possibleHold };
    if (check !== undefined) found[i] = afterCheck(offer, check);
  }
  return { offers: found };
}

function afterCheck(offer: Offer, { options, pricing }: PriceCheck): CheckedOffer {
  const [was, now] = [offer.pricing.total?.total, pricing?.total?.total];
  if (isOfAnotherFare(offer, options)) return { offer, checked: false, notes: [OTHER_FARE], airlineSays: [] };
  const unchanged = { offer, notes: [], airlineSays: checkedRuleTexts(options) };
  if (pricing === undefined || was === undefined || now === undefined) return { ...unchanged, checked: false };
  if (sameMoney(was, now)) return { ...unchanged, checked: true };
  const notes = [`The airline now asks ${showMoney(now)}; the search said ${showMoney(was)}.`];
  // Prices in another currency cannot be ranked with the others.
  const kept = was.currency === now.currency ? { ...offer, pricing: { ...offer.pricing, ...pricing } } : offer;
  return { ...unchanged, offer: kept, checked: true, notes };
}

const OTHER_FARE = 'The airline checked the price of another fare of these flights, so this one is not checked.';

/** A check names only the class, and the airline picks the fare (docs/wire/notes.md, Price check). */
function isOfAnotherFare(offer: Offer, checked: readonly SegmentOption[]): boolean {
  const fareCodes = (options: readonly SegmentOption[]) =>
    options.flatMap(({ segments }) => segments.map(({ fareBasis }) => fareBasis));
  const offered = fareCodes(offer.options);
  return fareCodes(checked).some((fare, i) => fare !== undefined && offered[i] !== undefined && fare !== offered[i]);
}

/** `Penalties: Fee SAR 30.00`. */
function checkedRuleTexts(options: readonly SegmentOption[]): readonly string[] {
  const rules = options.flatMap(({ segments }) => segments.flatMap((segment) => segment.fareRules ?? []));
  const words = rules.flatMap(({ name, text }) => {
    const shown = airlineWords(text);
    if (shown === '') return [];
    return name === undefined ? [shown] : [`${plainText(name, 40)}: ${shown}`];
  });
  return [...new Set(words)].slice(0, MOST_RULES);
}

export interface Trip {
  readonly options: readonly SegmentOption[];
  readonly passengers: PassengerCounts;
  /** Sum of the offers; absent if they are in two currencies. */
  readonly total?: Money;
  readonly limits: Pick<Deadlines, 'payBy' | 'namesUntil'>;
  readonly refundNote?: string;
}

const FIELD = 'offer_ids';

/** Joins stored offers. Throws E_OFFER_EXPIRED, E_CONFIG, E_INPUT. */
export async function tripFromOffers(ids: readonly string[], ctx: ToolContext): Promise<Trip> {
  const stored = await Promise.all(ids.map((id) => ctx.state.offers.get(ctx.caller, id)));
  const taken = stored.map((offer, i) => unexpired(offer, ids[i] ?? '', ctx.now()));
  const offers = inLegOrder(taken);
  const passengers = taken[0]?.passengers ?? { adults: 0, children: 0, infants: 0 };
  const trip = tripOffered(offers, passengers, ctx.settings.carrier);
  assertInOrder(trip.options);
  return { ...trip, refundNote: taken[0]?.refundNote };
}

/** Joins offers in their order. Throws E_CONFIG if a carrier is needed and not set. */
export function tripOffered(
  offers: readonly Offer[],
  passengers: PassengerCounts,
  carrier: string | undefined,
): Omit<Trip, 'refundNote'> {
  const options = withCarrier(numbered(offers), carrier);
  const fares = offers.flatMap(({ pricing }) => pricing.fares);
  const limits = fareDeadlines({ refunds: [], fares, perType: [] });
  return { options, passengers, limits, total: sumOffers(offers) };
}

/** Supplies the carrier (FARECLERK_CARRIER) of segments that name none. Throws E_CONFIG if one is needed and not set. */
function withCarrier(options: readonly SegmentOption[], carrier: string | undefined): readonly SegmentOption[] {
  if (!lacksCarrier(options)) return options;
  if (carrier === undefined) {
    throw new ClerkError('E_CONFIG', `${NEEDS_CARRIER} Nothing was booked.`, {
      next: 'Ask the operator to set FARECLERK_CARRIER, or search without include_sold_out.',
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
  const next = 'Call search_fares again without include_sold_out, and book another offer.';
  if (segments.some(({ journeyDate }) => journeyDate !== undefined)) {
    const what = 'The airline gave the times of this offer in UTC alone, and books in local time.';
    throw notSent('E_AIRLINE_REPLY', what, next);
  }
  if (settings.dialect === 'airline' || segments.every(({ fareBasis }) => fareBasis !== undefined)) return;
  throw notSent('E_AIRLINE_REPLY', 'The airline did not say which fare this offer is.', next);
}

/** @throws ClerkError E_OFFER_EXPIRED */
function unexpired(stored: ShelvedOffer | undefined, id: string, now: number): ShelvedOffer {
  // Repeats only offer ids: other text may be personal data in the wrong field.
  const shown = /^o[a-z\d]{1,11}$/.test(id) ? id : 'given';
  const limits = [stored?.validUntil, ...(stored?.offer.pricing.fares.map((fare) => fare.payBy) ?? [])];
  if (stored !== undefined && !limits.some((limit) => hasPassed(limit, now))) return stored;
  const search = 'call search_fares again and book one of its offers.';
  if (stored !== undefined) {
    const next = capitalized(search);
    throw new ClerkError('E_OFFER_EXPIRED', `Offer ${shown} has expired. This call booked nothing.`, { next });
  }
  // A journal that was restored does not know of each booking either.
  const what = `Offer ${shown} is not known here, or was found more than an hour ago. This call booked nothing; an earlier one may have.`;
  throw new ClerkError('E_OFFER_EXPIRED', what, {
    next: `If an earlier call booked it, list_bookings shows the booking; else ${search}`,
  });
}

/** One offer for the whole trip, or one per leg from one search or several. */
function inLegOrder(taken: readonly ShelvedOffer[]): readonly Offer[] {
  const [first] = taken;
  if (first === undefined) throw inputError(FIELD, 'expected at least one offer_id.');
  const joined = legByLeg(taken);
  if (joined !== undefined) return joined;
  const legs = first.legs.length;
  const perLeg = taken.every(({ offer }) => offer.leg !== undefined);
  if (taken.length === 1 && (!perLeg || legs === 1)) return [first.offer];
  if (!perLeg) throw inputError(FIELD, 'expected one offer: each of these is for a whole trip.');
  const search = (stored: ShelvedOffer) => JSON.stringify([stored.legs, stored.passengers]);
  if (taken.some((stored) => search(stored) !== search(first))) {
    throw inputError(FIELD, 'expected offers of one search, or of one search for each leg.', TOGETHER);
  }
  const byLeg = Array.from({ length: legs }, (_, leg) => taken.filter(({ offer }) => offer.leg === leg));
  const wrong = byLeg.findIndex((offers) => offers.length !== 1);
  if (wrong >= 0 || taken.length !== legs) {
    const found = `leg ${wrong + 1} has ${byLeg[wrong]?.length}`;
    throw inputError(FIELD, `expected one offer for each of the ${legs} legs; ${found}.`);
  }
  return byLeg.flatMap((offers) => offers.map(({ offer }) => offer));
}

const TOGETHER =
  'Call search_fares with all legs of the trip at once; where the airline refuses that, once for each leg with the same passengers.';

/**
 * Offers of one search per leg, which some airlines require (docs/wire/notes.md, Round trips), in order of departure. Undefined if
 * they are not such offers.
 */
function legByLeg(taken: readonly ShelvedOffer[]): readonly Offer[] | undefined {
  if (taken.length < 2 || taken.some(({ legs }) => legs.length !== 1)) return undefined;
  const sorted = [...taken].sort((a, b) => departureInstant(a) - departureInstant(b));
  const from = ({ legs }: ShelvedOffer) => legs[0]?.from;
  // Two flights from one place are alternatives, not legs of a trip.
  if (sorted.some((offer, i) => i > 0 && from(offer) === from(sorted[i - 1] as ShelvedOffer))) return undefined;
  if (new Set(taken.map(({ passengers }) => JSON.stringify(passengers))).size > 1) {
    throw inputError(FIELD, 'expected offers for the same passengers.', TOGETHER);
  }
  return sorted.map(({ offer }) => offer);
}

function departureInstant({ offer }: ShelvedOffer): number {
  return instantOf(offer.options[0]?.segments[0]?.departs) ?? 0;
}

/** Numbers all segments, for pointers of travellers. An option has the ref of its first segment. */
function numbered(offers: readonly Offer[]): readonly SegmentOption[] {
  let count = 0;
  return offers.flatMap((offer) =>
    offer.options.map((option) => {
      const ref = String(count + 1);
      const segments = option.segments.map((segment) => ({ ...segment, ref: String(++count), optionRef: ref }));
      return { ref, segments };
    }),
  );
}

function assertInOrder(options: readonly SegmentOption[]): void {
  const segments = options.flatMap((option) => option.segments);
  for (const [i, segment] of segments.entries()) {
    const before = segments[i - 1];
    const arrived = instantOf(before?.arrives);
    const departs = instantOf(segment.departs);
    if (arrived !== undefined && departs !== undefined && departs < arrived) {
      throw inputError(FIELD, `expected flights in order: segment ${segment.ref} departs before segment ${i} arrives.`);
    }
  }
}

function sumOffers(offers: readonly Offer[]): Money | undefined {
  return sumIfAllKnown(offers.map((offer) => offer.pricing.total?.total));
}
