/** OTA_AirPriceRQ with qualifier 5 books nothing (docs/wire/notes.md, Fares and prices, Shapes sent). */
import * as z from 'zod';
import type { PriceCheck, PriceQuery } from '../../domain/pricing/fare-search.ts';
import { readPricedItineraries } from './parts/priced-itinerary.ts';
import { readPointer, record, records, replyBody, replyError, type Wire } from './parts/reader.ts';
import { locatorOf, readReferences } from './parts/references.ts';
import { pricedItinerary, requestSegment, writeItinerary } from './parts/segment-request.ts';
import { writeCounts } from './parts/traveler-request.ts';

export const PRICE_CHECK = 'OTA_AirPriceRQ';

const request = z.strictObject({
  airItinerary: pricedItinerary,
  travelerInfoSummary: z.strictObject({
    pricingPref: z.tuple([z.strictObject({ type: z.literal('5'), qualifier: z.literal('5') })]),
    airTravelerAvail: z.tuple([
      z.strictObject({
        passengerTypeQuantity: z.array(z.strictObject({ code: z.string(), quantity: z.string() })).min(1),
      }),
    ]),
  }),
});

/** Segments without their fare, quantities as texts, no contact and no group. */
export function encodePriceCheckRequest({ options, passengers }: PriceQuery): Wire {
  const airItinerary = writeItinerary(options, (segment) => {
    const { fareBasisCode: _, ...rest } = requestSegment(segment);
    return { ...rest, equipment: [] };
  });
  const lines = writeCounts(passengers).map(({ code, quantity }) => ({ code, quantity: String(quantity) }));
  return request.parse({
    airItinerary,
    travelerInfoSummary: {
      pricingPref: [{ type: '5', qualifier: '5' }],
      airTravelerAvail: [{ passengerTypeQuantity: lines }],
    },
  });
}

/** Reads the first priced itinerary. Reports a locator in the reply: the airline may have made a hold. */
export function decodePriceCheckReply(wire: unknown, asked: PriceQuery): PriceCheck {
  const body = replyBody(wire);
  const itineraries = body.pricedItineraries ?? body.pricedItinerary;
  const possibleHold = heldAs(body);
  const [offer] = readPricedItineraries(itineraries);
  if (offer === undefined && possibleHold === undefined) throw replyError('pricedItineraries');
  return {
    options: offer?.options.length ? offer.options : asked.options,
    ...(offer?.pricing.total && { pricing: offer.pricing }),
    ...(possibleHold !== undefined && { possibleHold }),
  };
}

function heldAs(body: Wire): string | undefined {
  const reservation = record(body.airReservation);
  const references = [body.bookingReferenceID, reservation.bookingReferenceID].flatMap(readReferences);
  return locatorOf(references) ?? quoteOf(body);
}

function quoteOf(body: Wire): string | undefined {
  const itineraries = [body.pricedItineraries, body.pricedItinerary].flatMap(records);
  const holders = itineraries.flatMap((one) => [one, ...records(one.pricedItinerary)]);
  const quotes = holders.flatMap((holder) => [holder.quoteID, record(holder.airItineraryPricingInfo).quoteID]);
  return [body.quoteID, ...quotes].flatMap((quote) => readPointer(quote) ?? [])[0];
}
