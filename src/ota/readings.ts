/** Reads bookings and seat maps (docs/wire/interface.md, OTA messages, Seat map). */
import type { Airline } from '../domain/airline.ts';
import { isAboutBooking, isAboutSeats } from './errors/reply-identity.ts';
import { decodeReadReply, encodeReadRequest, READ } from './messages/read.ts';
import { decodeSeatMapReply, encodeSeatMapRequest } from './messages/seat-map.ts';
import { seatMapAddress } from './transport/addresses.ts';
import type { Exchange } from './transport/exchange.ts';

export function createReadings(exchange: Exchange): Pick<Airline, 'read' | 'seatMap'> {
  const { baseUrl, seatMapUrl } = exchange.options;
  return {
    read: (locator, how) =>
      exchange.read(how, {
        operation: 'read',
        message: READ,
        encode: () => encodeReadRequest(locator),
        about: (body) => isAboutBooking(body, locator),
        decode: decodeReadReply,
      }),
    // Its address selects it: `local-name` is not sent.
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
