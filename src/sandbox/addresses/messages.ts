/** The OTA messages: how each is read, run and answered. First the changes, then the table of all messages. */
import type * as z from 'zod';
import { type Carrier, requireBooking, type SandboxContext } from '../carrier.ts';
import { addServices, book, bookCounts } from '../operations/book.ts';
import { cancelBooking, cancelPassengers, cancelSegments } from '../operations/cancel.ts';
import { changeSeats, seatMap } from '../operations/change-seats.ts';
import { rename, splitBooking, updatePassengers } from '../operations/change-travelers.ts';
import { pay } from '../operations/pay.ts';
import { rebook } from '../operations/rebook.ts';
import { searchAvailability, searchFares } from '../operations/search.ts';
import type { CarrierBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { writeAvailability } from '../replies/availability.ts';
import { writeCountsBooking, writeSearch } from '../replies/offers.ts';
import { type ReservationReplyKind, writeReservation } from '../replies/reservation.ts';
import { writeSeatMap } from '../replies/seat-map.ts';
import { writePayment } from '../replies/tickets.ts';
import * as requests from '../requests/messages.ts';
import * as changes from '../requests/modify.ts';
import { modificationType, parse } from '../requests/parse.ts';
import type { Dialect, Wire } from '../wire.ts';

export const MODIFY = 'OTA_AirBookModifyRQ';
export const SEAT_MAP = 'OTA_AirSeatMapRQ';
/** The modification type of {@link rename}. */
const NAME_CHANGE = '3';

/** Runs a message that was read, and returns its reply. Throws Refusal. */
type RunMessage = (carrier: Carrier, context: SandboxContext) => Wire;

export interface Message {
  /** Whether it runs in a write transaction. */
  readonly writes: boolean;
  /** Reads a message without its envelope. Throws Refusal for an invalid one. */
  read(body: Wire, dialect: Dialect): RunMessage;
}

/** The schema of a request in each dialect. */
type Schemas<T> = Readonly<Record<Dialect, z.ZodType<T>>>;

const inBothDialects = <T>(schema: z.ZodType<T>): Schemas<T> => ({ rail: schema, airline: schema });

function makeMessage<T>(
  effect: 'reads' | 'writes',
  schemas: Schemas<T>,
  answer: (carrier: Carrier, request: T) => Wire,
): Message {
  return {
    writes: effect === 'writes',
    read: (body, dialect) => {
      const request = parse(schemas[dialect], body);
      return (carrier) => answer(carrier, request);
    },
  };
}

interface ChangeOptions {
  /** How the reply shows the booking; default `changed`. */
  readonly replyKind?: ReservationReplyKind;
  /** The only dialect that serves the change; default both. */
  readonly onlyDialect?: Dialect;
}

/** One modification type: how its request is read, and what it does to a booking. */
interface Change extends ChangeOptions {
  read(body: Wire, dialect: Dialect): (carrier: Carrier, booking: CarrierBooking) => CarrierBooking;
}

function makeChange<T>(
  schemas: Schemas<T>,
  apply: (carrier: Carrier, booking: CarrierBooking, change: T) => CarrierBooking,
  options: ChangeOptions = {},
): Change {
  return {
    read: (body, dialect) => {
      const change = parse(schemas[dialect], body);
      return (carrier, booking) => apply(carrier, booking, change);
    },
    ...options,
  };
}

/** Rebooking has another number in each dialect (docs/wire/notes.md, Changes). */
const rebookChange = (onlyDialect: Dialect): Change =>
  makeChange(changes.rebookRequests, rebook, { replyKind: 'rebooked', onlyDialect });

/** The changes by modification type. */
const CHANGES: Readonly<Record<string, Change>> = {
  '2': makeChange(inBothDialects(changes.leavingPassengersRequest), cancelPassengers),
  [NAME_CHANGE]: makeChange(inBothDialects(changes.peopleRequest), rename, { replyKind: 'renamed' }),
  '5': makeChange(inBothDialects(changes.seatsOrServicesRequest), (carrier, booking, { seats, services }) =>
    seats.length === 0 ? addServices(carrier, booking, services) : changeSeats(carrier, booking, seats),
  ),
  '7': makeChange(inBothDialects(changes.leavingPassengersRequest), splitBooking),
  '10': makeChange(inBothDialects(changes.cancelledOptionsRequest), cancelSegments),
  '20': rebookChange('rail'),
  '30': rebookChange('airline'),
  '40': makeChange(inBothDialects(changes.peopleRequest), updatePassengers),
};

/** Reads a change. Running it throws unless the request's copy of the reservation is as in the last reading. */
function readChange(body: Wire, dialect: Dialect): RunMessage {
  const type = modificationType(body);
  const change = typeof type === 'string' && Object.hasOwn(CHANGES, type) ? CHANGES[type] : undefined;
  if (change === undefined) {
    // This throws the refusal, which names the path and all types.
    parse(changes.requestOfType(Object.keys(CHANGES)), body);
    throw new TypeError('every modification type has a change');
  }

  const { replyKind = 'changed', onlyDialect } = change;
  const apply = change.read(body, dialect);

  return (carrier, context) => {
    if (onlyDialect !== undefined && onlyDialect !== carrier.dialect)
      throw new Refusal('172', `modification type ${type} is not served`);

    const booking = requireBooking(carrier, changes.locatorIn(body.airReservation));
    const reading = { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
    const { airReservation } = context.rewrite(reading, { name: 'OTA_ReadRQ', request: {}, carrier });
    changes.checkCopiedReading(airReservation, body.airReservation, { isNameChange: type === NAME_CHANGE });

    const changed = apply(carrier, booking);
    return { success: {}, airReservation: writeReservation(carrier, changed, replyKind), version: 2.001 };
  };
}

export const MESSAGES: Readonly<Record<string, Message>> = {
  OTA_AirLowFareSearchRQ: makeMessage('reads', inBothDialects(requests.searchRequest), (carrier, query) =>
    query.wantsRecord
      ? writeAvailability(carrier, searchAvailability(carrier, query), query)
      : writeSearch(carrier, searchFares(carrier, query)),
  ),
  // A rail hold has neither `success` nor a version (docs/wire/notes.md, Replies).
  OTA_AirBookRQ: makeMessage('writes', requests.bookRequests, (carrier, request) => {
    const airReservation = writeReservation(carrier, book(carrier, request), 'hold');
    return carrier.dialect === 'rail' ? { airReservation } : { success: {}, airReservation };
  }),
  OTA_AirPriceRQ: makeMessage('writes', requests.countsRequests, (carrier, request) =>
    writeCountsBooking(carrier, bookCounts(carrier, request)),
  ),
  OTA_AirDemandTicketRQ: makeMessage('writes', requests.paymentRequests, (carrier, payment) =>
    writePayment(carrier, pay(carrier, payment), payment),
  ),
  OTA_ReadRQ: makeMessage('reads', inBothDialects(requests.readRequest), (carrier, locator) => ({
    success: {},
    airReservation: writeReservation(carrier, requireBooking(carrier, locator), 'reading'),
  })),
  [MODIFY]: { writes: true, read: readChange },
  OTA_CancelRQ: makeMessage('writes', inBothDialects(requests.cancelRequest), (carrier, id) => {
    const { locator } = cancelBooking(carrier, id);
    return {
      success: {},
      uniqueID: [{ id: locator, type: changes.RESERVATION_ID }],
      segment: [],
      status: 'CANCELLED',
      timeStamp: new Date(carrier.now).toISOString(),
    };
  }),
  [SEAT_MAP]: makeMessage('reads', inBothDialects(requests.seatMapRequest), (carrier, query) =>
    writeSeatMap(carrier, seatMap(carrier, query)),
  ),
};
