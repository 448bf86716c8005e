/** The OTA messages: reading the request, the operation that answers it, writing the reply. */
import type * as z from 'zod';
import { needBooking } from '../carrier.ts';
import { searchAvailability } from '../operations/availability.ts';
import { book } from '../operations/book.ts';
import { cancelBooking } from '../operations/cancel-booking.ts';
import { groupBook } from '../operations/group-book.ts';
import { pay } from '../operations/pay.ts';
import { checkPrice } from '../operations/price-check.ts';
import { searchFares } from '../operations/search.ts';
import { seatMap } from '../operations/seat-map.ts';
import { writeAvailability } from '../replies/availability.ts';
import { writePayment } from '../replies/payment.ts';
import { writeCounts, writePriceCheck, writeSearch } from '../replies/priced-itinerary.ts';
import { writeReservation } from '../replies/reservation.ts';
import { writeSeatMap } from '../replies/seat-map.ts';
import {
  airlineCounts,
  airlineCountsOf,
  bookRequest,
  isPriceCheck,
  namedRequestOf,
  priceCheckFrom,
  priceCheckRequest,
  railCounts,
  railCountsOf,
} from '../requests/booking.ts';
import {
  cancelRequest,
  paymentOf,
  paymentRequest,
  readRequest,
  seatMapQueryOf,
  seatMapRequest,
} from '../requests/existing.ts';
import { type Parsed, parse } from '../requests/parse.ts';
import { searchOf, searchRequest } from '../requests/search.ts';
import type { Wire } from '../wire.ts';
import { type Message, modify, type Run } from './modify.ts';

function reads<S extends z.ZodType>(schema: S, body: Wire, run: (sent: z.output<S>) => Run): Parsed<Run> {
  const { value, unknown } = parse(schema, body);
  return { value: run(value), unknown };
}

const search: Message = {
  writes: false,
  read: (body) =>
    reads(searchRequest, body, (sent) => (carrier) => {
      const query = searchOf(sent);
      // A search that names `availableFlightsOnly` gets the record (docs/wire/interface.md, Fare search).
      if (sent.availableFlightsOnly === undefined) return writeSearch(carrier, searchFares(carrier, query));
      return writeAvailability(carrier, searchAvailability(carrier, query), query);
    }),
};

const price: Message = {
  writes: true,
  read: (body, dialect) => {
    if (isPriceCheck(body)) {
      return reads(priceCheckRequest(dialect), body, (sent) => (carrier) => {
        return writePriceCheck(carrier, checkPrice(carrier, priceCheckFrom(sent)));
      });
    }
    if (dialect === 'rail') {
      return reads(railCounts, body, (sent) => (carrier) => {
        return writeCounts(carrier, groupBook(carrier, railCountsOf(sent)));
      });
    }
    return reads(airlineCounts, body, (sent) => (carrier) => {
      return writeCounts(carrier, groupBook(carrier, airlineCountsOf(sent)));
    });
  },
};

/** A rail hold has neither `success` nor a version (docs/wire/notes.md, Replies). */
const named: Message = {
  writes: true,
  read: (body, dialect) =>
    reads(bookRequest(dialect), body, (sent) => (carrier) => {
      const airReservation = writeReservation(carrier, book(carrier, namedRequestOf(sent)), 'hold');
      return dialect === 'rail' ? { airReservation } : { success: {}, airReservation };
    }),
};

const payment: Message = {
  writes: true,
  read: (body, dialect) =>
    reads(paymentRequest(dialect), body, (sent) => (carrier) => {
      const asked = paymentOf(sent);
      return writePayment(carrier, pay(carrier, asked), asked);
    }),
};

const reading: Message = {
  writes: false,
  read: (body) =>
    reads(readRequest, body, ({ readRequests }) => (carrier) => {
      const booking = needBooking(carrier, readRequests.readRequest[0].uniqueID.id);
      return { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
    }),
};

const cancel: Message = {
  writes: true,
  read: (body) =>
    reads(cancelRequest, body, ({ uniqueID: [{ id }] }) => (carrier) => {
      const { locator } = cancelBooking(carrier, id);
      return {
        success: {},
        uniqueID: [{ id: locator, type: '14' }],
        segment: [],
        status: 'CANCELLED',
        timeStamp: new Date(carrier.now).toISOString(),
      };
    }),
};

const seats: Message = {
  writes: false,
  read: (body) =>
    reads(seatMapRequest, body, (sent) => (carrier) => writeSeatMap(carrier, seatMap(carrier, seatMapQueryOf(sent)))),
};

export const MODIFY = 'OTA_AirBookModifyRQ';
export const SEAT_MAP = 'OTA_AirSeatMapRQ';

export const MESSAGES: Readonly<Record<string, Message>> = {
  OTA_AirLowFareSearchRQ: search,
  OTA_AirBookRQ: named,
  OTA_AirPriceRQ: price,
  OTA_AirDemandTicketRQ: payment,
  OTA_ReadRQ: reading,
  [MODIFY]: modify,
  OTA_CancelRQ: cancel,
  [SEAT_MAP]: seats,
};
