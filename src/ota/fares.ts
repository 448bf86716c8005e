/** Searches fares and checks prices (docs/wire/interface.md, Fare search). */
import type { Airline, ReadCall } from '../domain/airline.ts';
import type { FareQuery, FareSearchResult } from '../domain/pricing/fare-search.ts';
import { ClerkError } from '../errors.ts';
import { isAboutSearch } from './errors/reply-identity.ts';
import { decodeFareSearchReply, encodeFareSearchRequest, FARE_SEARCH } from './messages/fare-search.ts';
import { decodePriceCheckReply, encodePriceCheckRequest, PRICE_CHECK } from './messages/price-check.ts';
import { createSeenTrains } from './messages/seen-trains.ts';
import type { Exchange } from './transport/exchange.ts';

export function createFares(exchange: Exchange): Pick<Airline, 'searchFares' | 'checkPrice'> {
  const trains = createSeenTrains();

  const search = async (query: FareQuery, how?: ReadCall): Promise<FareSearchResult> => {
    const found = await exchange.read(how, {
      operation: 'fare_search',
      message: FARE_SEARCH,
      encode: () => encodeFareSearchRequest(query),
      about: (body) => isAboutSearch(body, query),
      anyDepth: true,
      legs: query.legs.length,
      decode: (body) => decodeFareSearchReply(body, query.most),
    });
    if (found.form === 'itineraries') trains.learn(found.offers);
    return trains.complete(found, exchange.options.carrier);
  };

  /** The priced search. An empty one does not end a search for sold-out departures. */
  async function offered(query: FareQuery, how?: ReadCall): Promise<FareSearchResult> {
    try {
      return await search({ ...query, includeSoldOut: false }, how);
    } catch (error) {
      if (!(error instanceof ClerkError) || error.code !== 'E_NO_AVAILABILITY') throw error;
      return { form: 'itineraries', offers: [], soldOut: [] };
    }
  }

  return {
    async searchFares(query, how) {
      if (!query.includeSoldOut) return search(query, how);
      // The record lists sold-out departures. Only priced offers can be booked.
      const onSale = await offered(query, how);
      const { soldOut } = await search(query, how);
      return { ...onSale, soldOut };
    },
    checkPrice: (query, how) =>
      exchange.read(how, {
        operation: 'price_check',
        message: PRICE_CHECK,
        encode: () => encodePriceCheckRequest(query),
        once: true,
        decode: (body) => decodePriceCheckReply(body, query),
      }),
  };
}
