/** A fare search for any tool: its query, and its offers in order, with checked prices, and kept for a booking. */

import { airlineWords, plainText } from '../../core/clean-text.ts';
import { sameMoney, showMoney } from '../../core/money.ts';
import type { SegmentOption } from '../../domain/booking/booking.ts';
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
import { lacksCarrier } from '../rules/missing-carrier.ts';
import { inOrder, type OfferOrder } from '../rules/offer-filters.ts';
import { offerRuleText } from '../views/refund-text.ts';

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
  const each = Math.ceil(most / legs.size);
  const first = new Set([...legs.values()].flatMap((ofLeg) => ofLeg.slice(0, each)).slice(0, most));
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

/** Undefined unless the offer has refund rules. */
function noteRefundRule({ pricing, options }: Offer, { now }: ToolContext): string | undefined {
  if (!pricing.fares.some(({ refundRules }) => refundRules.length > 0)) return undefined;
  return offerRuleText(pricing, now(), options[0]?.segments[0]?.departs);
}

const MOST_CHECKED = 3;
/** Limit for all checks of one search, because clients stop waiting. */
const CHECK_MS = 15_000;
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

/** Off by default. The rail dialect does not document the message. */
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
    const said = airlineWords(text);
    if (said === '') return [];
    return name === undefined ? [said] : [`${plainText(name, 40)}: ${said}`];
  });
  return [...new Set(words)].slice(0, MOST_RULES);
}
