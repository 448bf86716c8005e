/**
 * Fare search (interface.md, fare search details).
 */

import * as z from 'zod';
import type { FareSearching, ReadCall } from '../domain/airline.ts';
import type { FareQuery, FareSearchResult } from '../domain/offer.ts';
import { ClerkError } from '../errors.ts';
import type { Adapter } from './adapter.ts';
import { FARE_SEARCH, fareSearchReply, fareSearchRequest } from './messages/fare-search.ts';
import { cheapestItineraries } from './messages/parts/cheapest-itineraries.ts';
import { isRecord } from './messages/parts/reader.ts';
import { PRICE_CHECK, priceCheckReply, writePriceCheck } from './messages/price-check.ts';
import { isAboutSearch } from './reply-identity.ts';
import { createSeenTrains } from './seen-trains.ts';

export function createFares({ options, exchange }: Adapter): FareSearching {
  const trains = createSeenTrains();

  const search = (query: FareQuery, call?: ReadCall): Promise<FareSearchResult> =>
    exchange.read(
      {
        operation: 'fare_search',
        url: options.baseUrl,
        purpose: 'search',
        message: FARE_SEARCH,
        encode: () => z.encode(fareSearchRequest, query),
        ...(options.dialect === 'airline' && { source: 'currency' as const }),
        about: (body) => isAboutSearch(body, query),
        anyDepth: true,
        legs: query.legs.length,
        decode: (body) => readFound(body, query.most),
      },
      call,
    );

  async function searchFares(query: FareQuery, call?: ReadCall): Promise<FareSearchResult> {
    if (!query.includeSoldOut) return known(await search(query, call));
    const onSale = known(await offered({ ...query, includeSoldOut: false }, call));
    const record = known(await search(query, call));
    // The record lists departures that are sold out; what can be booked is what was priced.
    return { ...onSale, soldOut: record.soldOut };
  }

  /** The priced search. That it finds nothing does not end a search for what is sold out. */
  async function offered(query: FareQuery, call: ReadCall | undefined): Promise<FareSearchResult> {
    try {
      return await search(query, call);
    } catch (error) {
      if (!(error instanceof ClerkError) || error.code !== 'E_NO_AVAILABILITY') throw error;
      return { form: 'itineraries', offers: [], soldOut: [] };
    }
  }

  function known(found: FareSearchResult): FareSearchResult {
    if (found.form === 'itineraries') trains.learn(found.offers);
    return trains.complete(found, options.carrier);
  }

  return {
    searchFares,
    checkPrice: (query, call) =>
      exchange.read(
        {
          operation: 'price_check',
          url: options.baseUrl,
          purpose: 'search',
          message: PRICE_CHECK,
          encode: () => writePriceCheck(query),
          ...(options.dialect === 'airline' && { source: 'channel' as const }),
          once: true,
          decode: (body) => priceCheckReply(body, query),
        },
        call,
      ),
  };
}

function readFound(body: unknown, most: number | undefined): FareSearchResult {
  if (most === undefined || !isRecord(body)) return fareSearchReply.parse(body);
  const { body: cheapest, left } = cheapestItineraries(body, most);
  const found = fareSearchReply.parse(cheapest);
  return left === 0 ? found : { ...found, unread: left };
}
