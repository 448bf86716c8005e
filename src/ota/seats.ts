/**
 * Seat maps (docs/wire/interface.md, Seat map): selected by their address, so without `local-name`.
 */
import type { Seats } from '../domain/airline.ts';
import type { Adapter } from './adapter.ts';
import { isAboutSeats } from './errors/reply-identity.ts';
import { decodeSeatMapReply, encodeSeatMapRequest } from './messages/seat-map.ts';
import { seatMapAddress } from './transport/addresses.ts';

export function createSeats({ options, exchange }: Adapter): Seats {
  return {
    seatMap: (query, call) =>
      exchange.read(
        {
          operation: 'seat_map',
          url: seatMapAddress(options.baseUrl, options.seatMapUrl),
          purpose: 'read',
          encode: () => encodeSeatMapRequest(query),
          about: (body) => isAboutSeats(body, query),
          anyDepth: true,
          decode: decodeSeatMapReply,
        },
        call,
      ),
  };
}
