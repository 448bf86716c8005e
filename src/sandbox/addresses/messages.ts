/** The OTA messages: how each is read, run and answered. First the changes, then the table of all messages. */
import type * as z from 'zod';
import { type Carrier, requireBooking, type SandboxContext } from '../carrier.ts';
import { addServices, book, bookCounts } from '../operations/book.ts';
import { cancelBooking, cancelPassengers, cancelSegments } from '../operations/cancel.ts';
import { changeSeats, seatMap } from '../operations/change-seats.ts';
import { rename, splitBooking, updateContact, updatePassengers } from '../operations/change-travelers.ts';
import { pay } from '../operations/pay.ts';
import { rebook } from '../operations/rebook.ts';
import { searchAvailability, searchFares } from '../operations/search.ts';
import type { CarrierBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { writeAvailability, writeCountsBooking, writeSearch } from '../replies/offers.ts';
import { type ReservationReplyKind, writeReservation } from '../replies/reservation.ts';
import { writeSeatMap } from '../replies/seat-map.ts';
import { writePayment } from '../replies/tickets.ts';
import { readOptions, readPerson, readTraveler, splitPeople } from '../requests/fields.ts';
import * as requests from '../requests/messages.ts';
import * as changes from '../requests/modify.ts';
import { modificationType, type Parsed, parse } from '../requests/parse.ts';
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
  read(body: Wire, dialect: Dialect): Parsed<RunMessage>;
}

/** The schema of a request in each dialect. */
interface Schemas<R, A> {
  readonly rail: R;
  readonly airline: A;
}

const inBothDialects = <S>(schema: S): Schemas<S, S> => ({ rail: schema, airline: schema });

function makeMessage<R extends z.ZodType, A extends z.ZodType>(
  effect: 'reads' | 'writes',
  schemas: Schemas<R, A>,
  answer: (carrier: Carrier, request: z.output<R | A>) => Wire,
): Message {
  return {
    writes: effect === 'writes',
    read: (body, dialect) => {
      const { value, unknownPaths } = parse(schemas[dialect], body);
      return { value: (carrier) => answer(carrier, value), unknownPaths };
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
  read(body: Wire, dialect: Dialect): Parsed<(carrier: Carrier, booking: CarrierBooking) => CarrierBooking>;
}

type ChangeSchema = z.ZodType<{ airBookModifyRQ: unknown }>;

function makeChange<R extends ChangeSchema, A extends ChangeSchema>(
  schemas: Schemas<R, A>,
  apply: (carrier: Carrier, booking: CarrierBooking, request: z.output<R | A>['airBookModifyRQ']) => CarrierBooking,
  options: ChangeOptions = {},
): Change {
  return {
    read: (body, dialect) => {
      const { value, unknownPaths } = parse(schemas[dialect], body);
      return { value: (carrier, booking) => apply(carrier, booking, value.airBookModifyRQ), unknownPaths };
    },
    ...options,
  };
}

/** Rebooking has another number in each dialect (docs/wire/notes.md, Changes). */
const rebookChange = (onlyDialect: Dialect): Change =>
  makeChange(
    changes.rebookRequests,
    (carrier, booking, { airItinerary }) => rebook(carrier, booking, readOptions(airItinerary)),
    { replyKind: 'rebooked', onlyDialect },
  );

/** The changes by modification type. */
const CHANGES: Readonly<Record<string, Change>> = {
  '2': makeChange(inBothDialects(changes.leavingPassengersRequest), (carrier, booking, { travelerInfo }) =>
    cancelPassengers(carrier, booking, changes.readLeavingPassengers(travelerInfo.airTraveler)),
  ),
  [NAME_CHANGE]: makeChange(
    inBothDialects(changes.namesRequest),
    (carrier, booking, { travelerInfo }) => {
      const { contacts, passengers } = splitPeople(travelerInfo.airTraveler);
      return rename(carrier, booking, contacts.map(readPerson), passengers.map(readTraveler));
    },
    { replyKind: 'renamed' },
  ),
  '5': makeChange(inBothDialects(changes.seatsOrServicesRequest), (carrier, booking, { travelerInfo }) => {
    const [details] = travelerInfo.specialReqDetails;
    if (details.seatRequests === undefined) return addServices(carrier, booking, changes.readServices(details));
    return changeSeats(carrier, booking, changes.readSeatWishes(details.seatRequests));
  }),
  '7': makeChange(inBothDialects(changes.leavingPassengersRequest), (carrier, booking, { travelerInfo }) =>
    splitBooking(carrier, booking, changes.readLeavingPassengers(travelerInfo.airTraveler)),
  ),
  '9': makeChange(inBothDialects(changes.contactRequest), (carrier, booking, { travelerInfo }) =>
    updateContact(carrier, booking, readPerson(travelerInfo.airTraveler[0])),
  ),
  '10': makeChange(inBothDialects(changes.cancelledOptionsRequest), (carrier, booking, { airItinerary }) =>
    cancelSegments(carrier, booking, readOptions(airItinerary)),
  ),
  '20': rebookChange('rail'),
  '30': rebookChange('airline'),
  '40': makeChange(inBothDialects(changes.passengersRequest), (carrier, booking, { travelerInfo }) =>
    updatePassengers(carrier, booking, travelerInfo.airTraveler.map(readTraveler)),
  ),
};

/** Reads a change. Running it throws unless the request's copy of the reservation is as in the last reading. */
function readChange(body: Wire, dialect: Dialect): Parsed<RunMessage> {
  const type = modificationType(body);
  const change = typeof type === 'string' && Object.hasOwn(CHANGES, type) ? CHANGES[type] : undefined;
  if (change === undefined) {
    // This throws the refusal, which names the path and all types.
    parse(changes.requestOfType(Object.keys(CHANGES)), body);
    throw new TypeError('every modification type has a change');
  }
  const { replyKind = 'changed', onlyDialect } = change;
  const { value: apply, unknownPaths } = change.read(body, dialect);
  const run: RunMessage = (carrier, context) => {
    if (onlyDialect !== undefined && onlyDialect !== carrier.dialect)
      throw new Refusal('172', `modification type ${type} is not served`);
    const booking = requireBooking(carrier, changes.locatorIn(body.airReservation));
    const reading = { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
    const { airReservation } = context.rewrite(reading, { name: 'OTA_ReadRQ', request: {}, carrier });
    changes.checkCopiedReading(airReservation, body.airReservation, { isNameChange: type === NAME_CHANGE });
    const changed = apply(carrier, booking);
    return { success: {}, airReservation: writeReservation(carrier, changed, replyKind), version: 2.001 };
  };
  return { value: run, unknownPaths };
}

export const MESSAGES: Readonly<Record<string, Message>> = {
  OTA_AirLowFareSearchRQ: makeMessage('reads', inBothDialects(requests.searchRequest), (carrier, request) => {
    const query = requests.readSearch(request);
    // A search that names `availableFlightsOnly` gets the record (docs/wire/interface.md, Fare search).
    if (request.availableFlightsOnly === undefined) return writeSearch(carrier, searchFares(carrier, query));
    return writeAvailability(carrier, searchAvailability(carrier, query), query);
  }),
  // A rail hold has neither `success` nor a version (docs/wire/notes.md, Replies).
  OTA_AirBookRQ: makeMessage('writes', requests.bookRequests, (carrier, request) => {
    const airReservation = writeReservation(carrier, book(carrier, requests.readNamedRequest(request)), 'hold');
    return carrier.dialect === 'rail' ? { airReservation } : { success: {}, airReservation };
  }),
  OTA_AirPriceRQ: makeMessage('writes', requests.countsRequests, (carrier, request) =>
    writeCountsBooking(carrier, bookCounts(carrier, requests.readCountsRequest(request))),
  ),
  OTA_AirDemandTicketRQ: makeMessage('writes', requests.paymentRequests, (carrier, request) => {
    const payment = requests.readPayment(request);
    return writePayment(carrier, pay(carrier, payment), payment);
  }),
  OTA_ReadRQ: makeMessage('reads', inBothDialects(requests.readRequest), (carrier, { readRequests }) => {
    const booking = requireBooking(carrier, readRequests.readRequest[0].uniqueID.id);
    return { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
  }),
  [MODIFY]: { writes: true, read: readChange },
  OTA_CancelRQ: makeMessage('writes', inBothDialects(requests.cancelRequest), (carrier, { uniqueID: [{ id }] }) => {
    const { locator } = cancelBooking(carrier, id);
    return {
      success: {},
      uniqueID: [{ id: locator, type: changes.RESERVATION_ID }],
      segment: [],
      status: 'CANCELLED',
      timeStamp: new Date(carrier.now).toISOString(),
    };
  }),
  [SEAT_MAP]: makeMessage('reads', inBothDialects(requests.seatMapRequest), (carrier, request) =>
    writeSeatMap(carrier, seatMap(carrier, requests.readSeatMapQuery(request))),
  ),
};
