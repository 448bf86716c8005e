/**
 * Fare search (docs/wire/interface.md, Fare search).
 */

import type { FareSearching, ReadCall } from '../domain/airline.ts';
import type { FareQuery, FareSearchResult } from '../domain/pricing/fare-search.ts';
import { ClerkError } from '../errors.ts';
import type { Adapter } from './adapter.ts';
import { isAboutSearch } from './errors/reply-identity.ts';
import { decodeFareSearchReply, encodeFareSearchRequest, FARE_SEARCH } from './messages/fare-search.ts';
import { cheapestItineraries } from './messages/parts/cheapest-itineraries.ts';
import { isRecord } from './messages/parts/reader.ts';
import { decodePriceCheckReply, encodePriceCheckRequest, PRICE_CHECK } from './messages/price-check.ts';
import { createSeenTrains } from './messages/seen-trains.ts';

export function createFares({ options, exchange }: Adapter): FareSearching {
  const trains = createSeenTrains();

  const search = (query: FareQuery, call?: ReadCall): Promise<FareSearchResult> =>
    exchange.read(
      {
        operation: 'fare_search',
        url: options.baseUrl,
        purpose: 'search',
        message: FARE_SEARCH,
        encode: () => encodeFareSearchRequest(query),
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
          encode: () => encodePriceCheckRequest(query),
          once: true,
          decode: (body) => decodePriceCheckReply(body, query),
        },
        call,
      ),
  };
}

function readFound(body: unknown, most: number | undefined): FareSearchResult {
  if (most === undefined || !isRecord(body)) return decodeFareSearchReply(body);
  const { body: cheapest, left } = cheapestItineraries(body, most);
  const found = decodeFareSearchReply(cheapest);
  return left === 0 ? found : { ...found, unread: left };
}
