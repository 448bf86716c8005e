/**
 * `pricedItineraries.pricedItinerary[]`: search results, and the answer to a booking from counts.
 */
import type { Offer } from '../../../domain/offer.ts';
import { readPricing, writePricing } from './price-info.ts';
import { count, defined, isRecord, records, texts, type Wire } from './reader.ts';
import { readOptions, writeItinerary } from './segment.ts';

const NO_PRICING = { refunds: [], fares: [], perType: [] };

function readItinerary(wire: Wire): Offer {
  return defined({
    options: readOptions(wire.airItinerary),
    pricing: readPricing(wire) ?? NO_PRICING,
    notes: texts(wire.notes),
    sequence: count(wire.sequenceNumber),
  });
}

/** `pricedItineraries{pricedItinerary[]}` or the bare array. */
export function readPricedItineraries(value: unknown): Offer[] {
  return records(isRecord(value) ? value.pricedItinerary : value).map(readItinerary);
}

export function writePricedItineraries(offers: readonly Offer[]): Wire {
  const pricedItinerary = offers.map((offer) =>
    defined({
      airItinerary: writeItinerary(offer.options),
      airItineraryPricingInfo: writePricing(offer.pricing),
      quoteID: offer.pricing.quoteId,
      notes: [...offer.notes],
      sequenceNumber: offer.sequence,
    }),
  );
  return { pricedItinerary };
}
