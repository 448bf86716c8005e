/**
 * Fare search (interface.md, fare search details).
 */

import * as z from 'zod';
import type { FareSearching } from '../domain/airline.ts';
import type { Segment, SegmentOption } from '../domain/itinerary.ts';
import type { FareSearchResult } from '../domain/offer.ts';
import type { Adapter } from './adapter.ts';
import { FARE_SEARCH, fareSearchReply, fareSearchRequest } from './messages/fare-search.ts';
import { cheapestItineraries } from './messages/parts/cheapest-itineraries.ts';
import { isRecord } from './messages/parts/reader.ts';
import { isAboutSearch } from './reply-identity.ts';

export function createFares({ options, exchange }: Adapter): FareSearching {
  return {
    async searchFares(query, call) {
      const found = await exchange.read(
        {
          operation: 'fare_search',
          url: options.baseUrl,
          purpose: 'search',
          message: FARE_SEARCH,
          encode: () => z.encode(fareSearchRequest, query),
          about: (body) => isAboutSearch(body, query),
          anyDepth: true,
          legs: query.legs.length,
          decode: (body) => readFound(body, query.most),
        },
        call,
      );
      return options.carrier === undefined ? found : withCarrier(found, options.carrier);
    },
  };
}

function readFound(body: unknown, most: number | undefined): FareSearchResult {
  if (most === undefined || !isRecord(body)) return fareSearchReply.parse(body);
  const { body: cheapest, left } = cheapestItineraries(body, most);
  const found = fareSearchReply.parse(cheapest);
  return left === 0 ? found : { ...found, unread: left };
}

/** An availability record names no carrier: the operator's setting does (field-notes.md, where the pieces meet). */
function withCarrier(found: FareSearchResult, carrier: string): FareSearchResult {
  const named = (segment: Segment): Segment =>
    segment.operating === undefined ? { ...segment, operating: { carrier, number: segment.flightNumber } } : segment;
  const option = (one: SegmentOption): SegmentOption => ({ ...one, segments: one.segments.map(named) });
  return {
    ...found,
    offers: found.offers.map((offer) => ({ ...offer, options: offer.options.map(option) })),
    soldOut: found.soldOut.map((flight) => ({ ...flight, segment: named(flight.segment) })),
  };
}
