/** Shared by the tools that search fares: the query, the order of the offers and their storage. */

import { omitUndefined } from '../../core/omit-undefined.ts';
import type { FareLeg, FareQuery, Offer, ShelvedOffer } from '../../domain/pricing/offers.ts';
import type { ToolContext } from '../definition/define.ts';
import { type CountsInput, countsOf } from '../definition/input-fields.ts';
import { inOrder, type OfferOrder } from '../rules/offer-filters.ts';
import { offerRuleText } from '../views/refund-of-offer.ts';

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
      ...omitUndefined({ refundNote: refundNoteOf(offer, ctx) }),
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
function refundNoteOf({ pricing, options }: Offer, { now }: ToolContext): string | undefined {
  if (!pricing.fares.some(({ refundRules }) => refundRules.length > 0)) return undefined;
  return offerRuleText(pricing, now(), options[0]?.segments[0]?.departs);
}
