/**
 * Offers in the order shown: cheapest first, and where legs are offered on their own, enough of each leg.
 */
import type { Offer } from '../../domain/pricing/fare-search.ts';

const totalOf = (offer: Offer) => offer.pricing.total?.total.minor ?? Number.POSITIVE_INFINITY;

/**
 * Offers that have a price, in one currency: the one asked for if any is in it, else that of the first. The `most` to
 * be shown come first, each cheapest first.
 */
export function cheapest(
  offers: readonly Offer[],
  most: number,
  wanted: string | undefined,
): { offers: readonly Offer[]; currency: string | undefined } {
  const currencies = offers.flatMap((offer) => offer.pricing.total?.total.currency ?? []);
  const currency = wanted !== undefined && currencies.includes(wanted) ? wanted : currencies[0];
  const priced = offers
    .filter((offer) => offer.pricing.total !== undefined && offer.pricing.total.total.currency === currency)
    .sort((a, b) => totalOf(a) - totalOf(b));
  const legs = Map.groupBy(priced, (offer) => offer.leg ?? -1);
  if (legs.size < 2) return { offers: priced, currency };
  const each = Math.ceil(most / legs.size);
  const first = new Set([...legs.values()].flatMap((own) => own.slice(0, each)).slice(0, most));
  return {
    offers: [...priced.filter((offer) => first.has(offer)), ...priced.filter((offer) => !first.has(offer))],
    currency,
  };
}
