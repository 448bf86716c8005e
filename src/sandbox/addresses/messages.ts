/** The OTA messages: for each, how its request is read, which operation it runs, and how the reply is written. */
import type * as z from 'zod';
import { type Carrier, requireBooking, type SandboxContext } from '../carrier.ts';
import { addServices, book, bookCounts } from '../operations/book.ts';
import { cancelBooking, cancelPassengers, cancelSegments } from '../operations/cancel.ts';
import { changeSeats, seatMap } from '../operations/change-seats.ts';
import { rename, splitBooking, updateContact, updatePassengers } from '../operations/change-travelers.ts';
import { pay } from '../operations/pay.ts';
import { rebook } from '../operations/rebook.ts';
import { checkPrice, searchAvailability, searchFares } from '../operations/search.ts';
import type { CarrierBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { writeAvailability, writeCountsBooking, writePriceCheck, writeSearch } from '../replies/offers.ts';
import { type ReservationReplyKind, writeReservation } from '../replies/reservation.ts';
import { writeSeatMap } from '../replies/seat-map.ts';
import { writePayment } from '../replies/tickets.ts';
import { readOptions, readPerson, readTraveler, splitPeople } from '../requests/fields.ts';
import * as requests from '../requests/messages.ts';
import * as changes from '../requests/modify.ts';
import { modificationType, type Parsed, parse } from '../requests/parse.ts';
import { type Dialect, isRecord, type Wire } from '../wire.ts';

export const MODIFY = 'OTA_AirBookModifyRQ';
export const SEAT_MAP = 'OTA_AirSeatMapRQ';
/** A modification type. */
const NAME_CHANGE = '3';
/** OpenTravel's type of a reservation's reference. */
const RESERVATION_ID = '14';
/** The form of the reservation system's locators. The operating airline's are longer. */
const SYSTEM_LOCATOR = /^[A-Z0-9]{6}$/;
/** Fields that change with the clock: allowed operations and seats left. */
const CHANGING_FIELDS = new Set(['operations', 'bookingClassAvails']);

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

function message<R extends z.ZodType, A extends z.ZodType>(
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

const priceCheck = message('writes', requests.priceChecks, (carrier, request) =>
  writePriceCheck(carrier, checkPrice(carrier, requests.readPriceCheck(request))),
);
const countsBooking = message('writes', requests.countsRequests, (carrier, request) =>
  writeCountsBooking(carrier, bookCounts(carrier, requests.readCountsRequest(request))),
);

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

function change<R extends ChangeSchema, A extends ChangeSchema>(
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
  change(
    changes.rebookRequests,
    (carrier, booking, { airItinerary }) => rebook(carrier, booking, readOptions(airItinerary)),
    { replyKind: 'rebooked', onlyDialect },
  );

/** The changes by modification type. */
const CHANGES: Readonly<Record<string, Change>> = {
  '2': change(inBothDialects(changes.leavingPassengersRequest), (carrier, booking, { travelerInfo }) =>
    cancelPassengers(carrier, booking, changes.readLeavingPassengers(travelerInfo.airTraveler)),
  ),
  [NAME_CHANGE]: change(
    inBothDialects(changes.namesRequest),
    (carrier, booking, { travelerInfo }) => {
      const { contacts, passengers } = splitPeople(travelerInfo.airTraveler);
      return rename(carrier, booking, contacts.map(readPerson), passengers.map(readTraveler));
    },
    { replyKind: 'renamed' },
  ),
  '5': change(inBothDialects(changes.seatsOrServicesRequest), (carrier, booking, { travelerInfo }) => {
    const [details] = travelerInfo.specialReqDetails;
    if (details.seatRequests === undefined) return addServices(carrier, booking, changes.readServices(details));
    return changeSeats(carrier, booking, changes.readSeatWishes(details.seatRequests));
  }),
  '7': change(inBothDialects(changes.leavingPassengersRequest), (carrier, booking, { travelerInfo }) =>
    splitBooking(carrier, booking, changes.readLeavingPassengers(travelerInfo.airTraveler)),
  ),
  '9': change(inBothDialects(changes.contactRequest), (carrier, booking, { travelerInfo }) =>
    updateContact(carrier, booking, readPerson(travelerInfo.airTraveler[0])),
  ),
  '10': change(inBothDialects(changes.cancelledOptionsRequest), (carrier, booking, { airItinerary }) =>
    cancelSegments(carrier, booking, readOptions(airItinerary)),
  ),
  '20': rebookChange('rail'),
  '30': rebookChange('airline'),
  '40': change(inBothDialects(changes.passengersRequest), (carrier, booking, { travelerInfo }) =>
    updatePassengers(carrier, booking, travelerInfo.airTraveler.map(readTraveler)),
  ),
};

/** Reads a change. Running it throws unless the request's copy of the reservation is as in the last reading. */
function readChange(body: Wire, dialect: Dialect): Parsed<RunMessage> {
  const type = modificationType(body);
  const change = typeof type === 'string' && Object.hasOwn(CHANGES, type) ? CHANGES[type] : undefined;
  if (change === undefined) {
    parse(changes.requestOfType(Object.keys(CHANGES)), body);
    throw new TypeError('every modification type has a change');
  }
  const { replyKind = 'changed', onlyDialect } = change;
  const { value: apply, unknownPaths } = change.read(body, dialect);
  const run: RunMessage = (carrier, context) => {
    if (onlyDialect !== undefined && onlyDialect !== carrier.dialect) {
      throw new Refusal('172', `modification type ${type} is not served`);
    }
    const booking = requireBooking(carrier, locatorIn(body.airReservation));
    const reading = { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
    const { airReservation } = context.rewrite(reading, { name: 'OTA_ReadRQ', request: {}, carrier });
    checkCopiedReading(airReservation, body.airReservation, { isNameChange: type === NAME_CHANGE });
    const changed = apply(carrier, booking);
    return { success: {}, airReservation: writeReservation(carrier, changed, replyKind), version: 2.001 };
  };
  return { value: run, unknownPaths };
}

export const MESSAGES: Readonly<Record<string, Message>> = {
  OTA_AirLowFareSearchRQ: message('reads', inBothDialects(requests.searchRequest), (carrier, request) => {
    const query = requests.readSearch(request);
    // A search that names `availableFlightsOnly` gets the record (docs/wire/interface.md, Fare search).
    if (request.availableFlightsOnly === undefined) return writeSearch(carrier, searchFares(carrier, query));
    return writeAvailability(carrier, searchAvailability(carrier, query), query);
  }),
  // A rail hold has neither `success` nor a version (docs/wire/notes.md, Replies).
  OTA_AirBookRQ: message('writes', requests.bookRequests, (carrier, request) => {
    const airReservation = writeReservation(carrier, book(carrier, requests.readNamedRequest(request)), 'hold');
    return carrier.dialect === 'rail' ? { airReservation } : { success: {}, airReservation };
  }),
  OTA_AirPriceRQ: {
    writes: true,
    read: (body, dialect) => (requests.isPriceCheck(body) ? priceCheck : countsBooking).read(body, dialect),
  },
  OTA_AirDemandTicketRQ: message('writes', requests.paymentRequests, (carrier, request) => {
    const payment = requests.readPayment(request);
    return writePayment(carrier, pay(carrier, payment), payment);
  }),
  OTA_ReadRQ: message('reads', inBothDialects(requests.readRequest), (carrier, { readRequests }) => {
    const booking = requireBooking(carrier, readRequests.readRequest[0].uniqueID.id);
    return { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
  }),
  [MODIFY]: { writes: true, read: readChange },
  OTA_CancelRQ: message('writes', inBothDialects(requests.cancelRequest), (carrier, { uniqueID: [{ id }] }) => {
    const { locator } = cancelBooking(carrier, id);
    return {
      success: {},
      uniqueID: [{ id: locator, type: RESERVATION_ID }],
      segment: [],
      status: 'CANCELLED',
      timeStamp: new Date(carrier.now).toISOString(),
    };
  }),
  [SEAT_MAP]: message('reads', inBothDialects(requests.seatMapRequest), (carrier, request) =>
    writeSeatMap(carrier, seatMap(carrier, requests.readSeatMapQuery(request))),
  ),
};

/** Finds the reservation system's locator in a copy of the reading. Throws 87 if it has none. */
function locatorIn(reservation: unknown): string {
  const references = isRecord(reservation) ? reservation.bookingReferenceID : undefined;
  const referenceList: readonly unknown[] = Array.isArray(references) ? references : [references];
  const ids = referenceList.flatMap((reference) =>
    isRecord(reference) && reference.type === RESERVATION_ID && typeof reference.id === 'string' ? [reference.id] : [],
  );
  const locator = ids.find((id) => SYSTEM_LOCATOR.test(id)) ?? ids[0];
  if (locator === undefined) throw new Refusal('87', '$.airReservation.bookingReferenceID');
  return locator;
}

/** Compares the request's copy with the reading. Throws 320 with the path of the first difference. */
function checkCopiedReading(reading: unknown, copy: unknown, { isNameChange }: { isNameChange: boolean }): void {
  // Two published changes of names leave the prices out (docs/wire/notes.md, Shapes sent).
  const isShort = isNameChange && isRecord(copy) && copy.priceInfo === undefined;
  const expected = isShort && isRecord(reading) ? { ...reading, priceInfo: undefined } : reading;
  const difference = firstDifference(expected, copy, '$.airReservation');
  if (difference !== undefined) throw new Refusal('320', `${difference}: not as in the last read of the booking`);
}

/** Lists the fields to compare: those with a value that is the same whenever the booking is read. */
function presentKeys(value: Wire): string[] {
  return Object.keys(value).filter((key) => {
    const field = value[key];
    return !CHANGING_FIELDS.has(key) && field !== undefined && !(isRecord(field) && presentKeys(field).length === 0);
  });
}

/** Removes the origin of download addresses, because it names the process that answered. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/https?:\/\/[^/\s]+\//g, '/') : value;
}

/** Returns the path of the first value that differs. */
function firstDifference(expected: unknown, copy: unknown, path: string): string | undefined {
  if (Array.isArray(expected) && Array.isArray(copy)) {
    if (expected.length !== copy.length) return path;
    for (const [i, item] of expected.entries()) {
      const difference = firstDifference(item, copy[i], `${path}[${i}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (!isRecord(expected) || !isRecord(copy)) return comparable(expected) === comparable(copy) ? undefined : path;
  for (const key of new Set([...presentKeys(expected), ...presentKeys(copy)])) {
    const difference = firstDifference(expected[key], copy[key], `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
