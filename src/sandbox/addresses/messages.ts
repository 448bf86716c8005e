/**
 * The OTA messages: which operation answers each, through the codec that both sides share.
 */
import { BOOK, bookReply, bookRequest } from '../../ota/messages/book.ts';
import { CANCEL, cancelReply, cancelRequest } from '../../ota/messages/cancel.ts';
import { FARE_SEARCH, fareSearchReply, fareSearchRequest } from '../../ota/messages/fare-search.ts';
import { GROUP_BOOK, groupBookReply, groupBookRequest, groupPriceReply } from '../../ota/messages/group-book.ts';
import type { Wire } from '../../ota/messages/parts/reader.ts';
import { READ, readReply, readRequest } from '../../ota/messages/read.ts';
import { SEAT_MAP, seatMapReply, seatMapRequest } from '../../ota/messages/seat-map.ts';
import { TICKET, ticketReply, ticketRequest } from '../../ota/messages/ticket.ts';
import type { Carrier } from '../carrier.ts';
import type { House } from '../house.ts';
import { searchAvailability } from '../operations/availability.ts';
import { book } from '../operations/book.ts';
import { cancelBooking } from '../operations/cancel-booking.ts';
import { groupBook } from '../operations/group-book.ts';
import { pay } from '../operations/pay.ts';
import { checkPrice } from '../operations/price-check.ts';
import { readBooking } from '../operations/read.ts';
import { searchFares } from '../operations/search.ts';
import { seatMap } from '../operations/seat-map.ts';
import { MODIFY, modify } from './modify.ts';

/** `writes` runs in a write transaction. `body` is the message without its envelope; throws Fault or ZodError. */
export interface Message {
  readonly writes: boolean;
  run(carrier: Carrier, body: Wire, house: House): Wire;
}

const search: Message = {
  writes: false,
  run: (carrier, body, house) => {
    const query = fareSearchRequest.parse(body);
    // The record answers a search that says whether sold-out departures are wanted (interface.md, fare search details).
    const form = house.searchForm ?? (body.availableFlightsOnly === undefined ? 'itineraries' : 'availability');
    const answer = form === 'availability' ? searchAvailability : searchFares;
    return fareSearchReply.encode(answer(carrier, query));
  },
};

const priceOrBook: Message = {
  writes: true,
  run: (carrier, body) => {
    const request = groupBookRequest.parse(body);
    if (request.priceOnly === true) return groupPriceReply.encode(checkPrice(carrier, request));
    return groupBookReply.encode(groupBook(carrier, request));
  },
};

export const MESSAGES: Readonly<Record<string, Message>> = {
  [FARE_SEARCH]: search,
  [BOOK]: { writes: true, run: (carrier, body) => bookReply.encode(book(carrier, bookRequest.parse(body))) },
  [GROUP_BOOK]: priceOrBook,
  [TICKET]: {
    writes: true,
    run: (carrier, body) => ticketReply.encode(pay(carrier, ticketRequest.parse(body))),
  },
  [READ]: {
    writes: false,
    run: (carrier, body) => readReply.encode(readBooking(carrier, readRequest.parse(body).locator)),
  },
  [MODIFY]: { writes: true, run: modify },
  [CANCEL]: {
    writes: true,
    run: (carrier, body) => cancelReply.encode(cancelBooking(carrier, cancelRequest.parse(body).locator)),
  },
  [SEAT_MAP]: {
    writes: false,
    run: (carrier, body) => seatMapReply.encode(seatMap(carrier, seatMapRequest.parse(body))),
  },
};
