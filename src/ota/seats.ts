/** Reads seat maps (docs/wire/interface.md, Seat map). Their address selects them, so `local-name` is not sent. */
import type { Seats } from '../domain/airline.ts';
import { isAboutSeats } from './errors/reply-identity.ts';
import { decodeSeatMapReply, encodeSeatMapRequest } from './messages/seat-map.ts';
import { seatMapAddress } from './transport/addresses.ts';
import type { Exchange } from './transport/exchange.ts';

export function createSeats(exchange: Exchange): Seats {
  const { baseUrl, seatMapUrl } = exchange.options;
  return {
    seatMap: (query, how) =>
      exchange.read(how, {
        operation: 'seat_map',
        url: seatMapAddress(baseUrl, seatMapUrl),
        encode: () => encodeSeatMapRequest(query),
        about: (body) => isAboutSeats(body, query),
        anyDepth: true,
        decode: decodeSeatMapReply,
      }),
  };
}
