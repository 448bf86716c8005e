/**
 * Of a search reply with hundreds of itineraries, those that will be looked at: ranked by the total that each states,
 * before anything else of them is read.
 */
import { decimal, isRecord, record, records, text, type Wire } from './reader.ts';

interface Stated {
  readonly itinerary: Wire;
  readonly total: number;
}

/** `totalFare` of the first fare that is no refund; undefined where it states no amount and currency of its own. */
function statedTotal(itinerary: Wire): { readonly total: number; readonly currency: string } | undefined {
  const fare = records(record(itinerary.airItineraryPricingInfo).itinTotalFare)[0];
  if (fare === undefined || fare.usage !== undefined) return undefined;
  const { amount, currencyCode } = record(fare.totalFare);
  const [digits, currency] = [decimal(amount), text(currencyCode)];
  return digits === undefined || currency === undefined ? undefined : { total: Number(digits), currency };
}

/**
 * The reply with its `most` cheapest itineraries alone, in the order in which they came, and how many were left out. As it
 * came where one states no total, or two are in different currencies: then only reading them all can tell.
 */
export function cheapestItineraries(body: Wire, most: number): { readonly body: Wire; readonly left: number } {
  const holder = isRecord(body.pricedItineraries) ? body.pricedItineraries : {};
  const all = Array.isArray(holder.pricedItinerary) ? holder.pricedItinerary.filter(isRecord) : [];
  if (all.length <= most) return { body, left: 0 };
  const stated: Stated[] = [];
  let currency: string | undefined;
  for (const itinerary of all) {
    const found = statedTotal(itinerary);
    currency ??= found?.currency;
    if (found === undefined || found.currency !== currency) return { body, left: 0 };
    stated.push({ itinerary, total: found.total });
  }
  const kept = new Set(
    stated
      .toSorted((a, b) => a.total - b.total)
      .slice(0, most)
      .map(({ itinerary }) => itinerary),
  );
  const pricedItinerary = all.filter((itinerary) => kept.has(itinerary));
  return { body: { ...body, pricedItineraries: { ...holder, pricedItinerary } }, left: all.length - kept.size };
}
