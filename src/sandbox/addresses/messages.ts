/** The OTA messages: each reads its request, runs the operation that answers it, and writes the reply. */
import type * as z from 'zod';
import { type Carrier, needBooking, type SandboxContext } from '../carrier.ts';
import { addServices, book, groupBook } from '../operations/book.ts';
import { cancelBooking, cancelPassengers, cancelSegments } from '../operations/cancel.ts';
import { changeSeats, seatMap } from '../operations/change-seats.ts';
import { rename, splitBooking, updateContact, updatePassengers } from '../operations/change-travelers.ts';
import { pay } from '../operations/pay.ts';
import { rebook } from '../operations/rebook.ts';
import { checkPrice, searchAvailability, searchFares } from '../operations/search.ts';
import type { CarrierBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { writeAvailability, writeCounts, writePriceCheck, writeSearch } from '../replies/offers.ts';
import { type ReservationPlace, writeReservation } from '../replies/reservation.ts';
import { writeSeatMap } from '../replies/seat-map.ts';
import { writePayment } from '../replies/tickets.ts';
import { readOptions, readPerson, readTraveler, splitPeople } from '../requests/fields.ts';
import * as requests from '../requests/messages.ts';
import * as changes from '../requests/modify.ts';
import { modificationType, type Parsed, parse } from '../requests/parse.ts';
import { type Dialect, isRecord, type Wire } from '../wire.ts';

/** Throws Refusal for an invalid request. */
type Run = (carrier: Carrier, context: SandboxContext) => Wire;

/** `writes` runs in a write transaction. `read` takes the message without its envelope. */
export interface Message {
  readonly writes: boolean;
  read(body: Wire, dialect: Dialect): Parsed<Run>;
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
  answer: (carrier: Carrier, sent: z.output<R | A>) => Wire,
): Message {
  return {
    writes: effect === 'writes',
    read: (body, dialect) => {
      const { value, unknown } = parse(schemas[dialect], body);
      return { value: (carrier) => answer(carrier, value), unknown };
    },
  };
}

const priceCheck = message('writes', requests.priceChecks, (carrier, sent) =>
  writePriceCheck(carrier, checkPrice(carrier, requests.readPriceCheck(sent))),
);
const countsBooking = message('writes', requests.countsRequests, (carrier, sent) =>
  writeCounts(carrier, groupBook(carrier, requests.readCountsRequest(sent))),
);

interface Change {
  /** Checks the request. */
  read(body: Wire, dialect: Dialect): Parsed<(carrier: Carrier, booking: CarrierBooking) => CarrierBooking>;
  /** How the reply shows the booking. */
  readonly place: ReservationPlace;
  /** The only dialect that serves it. */
  readonly only?: Dialect;
}

type ChangeSchema = z.ZodType<{ airBookModifyRQ: unknown }>;

function change<R extends ChangeSchema, A extends ChangeSchema>(
  schemas: Schemas<R, A>,
  apply: (carrier: Carrier, booking: CarrierBooking, sent: z.output<R | A>['airBookModifyRQ']) => CarrierBooking,
  place: ReservationPlace = 'changed',
  only?: Dialect,
): Change {
  return {
    read: (body, dialect) => {
      const { value, unknown } = parse(schemas[dialect], body);
      return { value: (carrier, booking) => apply(carrier, booking, value.airBookModifyRQ), unknown };
    },
    place,
    only,
  };
}

/** Rebooking has another number in each dialect (docs/wire/notes.md, Changes). */
const rebookIn = (only: Dialect): Change =>
  change(
    changes.rebookRequests,
    (carrier, booking, sent) => rebook(carrier, booking, readOptions(sent.airItinerary)),
    'rebooked',
    only,
  );

const NAME_CHANGE = '3';

/** By modification type. */
const CHANGES: Readonly<Record<string, Change>> = {
  '2': change(inBothDialects(changes.leavingRequest), (carrier, booking, { travelerInfo }) =>
    cancelPassengers(carrier, booking, changes.readLeaving(travelerInfo.airTraveler)),
  ),
  [NAME_CHANGE]: change(
    inBothDialects(changes.namesRequest),
    (carrier, booking, { travelerInfo }) => {
      const { contacts, passengers } = splitPeople(travelerInfo.airTraveler);
      return rename(carrier, booking, contacts.map(readPerson), passengers.map(readTraveler));
    },
    'renamed',
  ),
  '5': change(inBothDialects(changes.seatsOrServicesRequest), (carrier, booking, { travelerInfo }) => {
    const [details] = travelerInfo.specialReqDetails;
    if (details.seatRequests === undefined) return addServices(carrier, booking, changes.readServices(details));
    return changeSeats(carrier, booking, changes.readSeatWishes(details.seatRequests));
  }),
  '7': change(inBothDialects(changes.leavingRequest), (carrier, booking, { travelerInfo }) =>
    splitBooking(carrier, booking, changes.readLeaving(travelerInfo.airTraveler)),
  ),
  '9': change(inBothDialects(changes.contactRequest), (carrier, booking, { travelerInfo }) =>
    updateContact(carrier, booking, readPerson(travelerInfo.airTraveler[0])),
  ),
  '10': change(inBothDialects(changes.cancelledOptionsRequest), (carrier, booking, sent) =>
    cancelSegments(carrier, booking, readOptions(sent.airItinerary)),
  ),
  '20': rebookIn('rail'),
  '30': rebookIn('airline'),
  '40': change(inBothDialects(changes.passengersRequest), (carrier, booking, { travelerInfo }) =>
    updatePassengers(carrier, booking, travelerInfo.airTraveler.map(readTraveler)),
  ),
};

/** The reservation must be the one of the last read; then one operation per modification type. */
function readChange(body: Wire, dialect: Dialect): Parsed<Run> {
  const type = modificationType(body);
  const change = typeof type === 'string' && Object.hasOwn(CHANGES, type) ? CHANGES[type] : undefined;
  if (change === undefined) {
    parse(changes.requestOfType(Object.keys(CHANGES)), body);
    throw new TypeError('every modification type has a change');
  }
  const { place, only } = change;
  const { value: apply, unknown } = change.read(body, dialect);
  const run: Run = (carrier, context) => {
    if (only !== undefined && only !== carrier.dialect) {
      throw new Refusal('172', `modification type ${type} is not served`);
    }
    const booking = needBooking(carrier, locatorIn(body.airReservation));
    const reading = { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
    const { airReservation } = context.rewrite(reading, { name: 'OTA_ReadRQ', request: {}, carrier });
    checkCopied(airReservation, body.airReservation, type === NAME_CHANGE);
    return { success: {}, airReservation: writeReservation(carrier, apply(carrier, booking), place), version: 2.001 };
  };
  return { value: run, unknown };
}

export const MODIFY = 'OTA_AirBookModifyRQ';
export const SEAT_MAP = 'OTA_AirSeatMapRQ';

export const MESSAGES: Readonly<Record<string, Message>> = {
  OTA_AirLowFareSearchRQ: message('reads', inBothDialects(requests.searchRequest), (carrier, sent) => {
    const query = requests.readSearch(sent);
    // A search that names `availableFlightsOnly` gets the record (docs/wire/interface.md, Fare search).
    if (sent.availableFlightsOnly === undefined) return writeSearch(carrier, searchFares(carrier, query));
    return writeAvailability(carrier, searchAvailability(carrier, query), query);
  }),
  // A rail hold has neither `success` nor a version (docs/wire/notes.md, Replies).
  OTA_AirBookRQ: message('writes', requests.bookRequests, (carrier, sent) => {
    const airReservation = writeReservation(carrier, book(carrier, requests.readNamed(sent)), 'hold');
    return carrier.dialect === 'rail' ? { airReservation } : { success: {}, airReservation };
  }),
  OTA_AirPriceRQ: {
    writes: true,
    read: (body, dialect) => (requests.isPriceCheck(body) ? priceCheck : countsBooking).read(body, dialect),
  },
  OTA_AirDemandTicketRQ: message('writes', requests.paymentRequests, (carrier, sent) => {
    const asked = requests.readPayment(sent);
    return writePayment(carrier, pay(carrier, asked), asked);
  }),
  OTA_ReadRQ: message('reads', inBothDialects(requests.readRequest), (carrier, { readRequests }) => {
    const booking = needBooking(carrier, readRequests.readRequest[0].uniqueID.id);
    return { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
  }),
  [MODIFY]: { writes: true, read: readChange },
  OTA_CancelRQ: message('writes', inBothDialects(requests.cancelRequest), (carrier, { uniqueID: [{ id }] }) => {
    const { locator } = cancelBooking(carrier, id);
    return {
      success: {},
      uniqueID: [{ id: locator, type: '14' }],
      segment: [],
      status: 'CANCELLED',
      timeStamp: new Date(carrier.now).toISOString(),
    };
  }),
  [SEAT_MAP]: message('reads', inBothDialects(requests.seatMapRequest), (carrier, sent) =>
    writeSeatMap(carrier, seatMap(carrier, requests.readSeatMapQuery(sent))),
  ),
};

const RESERVATION = '14';
/** The reservation system's own locator; the operator's is longer. */
const OWN_LOCATOR = /^[A-Z0-9]{6}$/;

/** The reservation system's locator in a copy of the reading. Throws 87 without one. */
function locatorIn(reservation: unknown): string {
  const references = isRecord(reservation) ? reservation.bookingReferenceID : undefined;
  const list: readonly unknown[] = Array.isArray(references) ? references : [references];
  const ids = list.flatMap((reference) =>
    isRecord(reference) && reference.type === RESERVATION && typeof reference.id === 'string' ? [reference.id] : [],
  );
  const locator = ids.find((id) => OWN_LOCATOR.test(id)) ?? ids[0];
  if (locator === undefined) throw new Refusal('87', '$.airReservation.bookingReferenceID');
  return locator;
}

/** Throws 320 with the path of the first difference. */
function checkCopied(read: unknown, sent: unknown, isNameChange: boolean): void {
  // Two published changes of names leave the prices out (docs/wire/notes.md, Shapes sent).
  const isShort = isNameChange && isRecord(sent) && sent.priceInfo === undefined;
  const due = isShort && isRecord(read) ? { ...read, priceInfo: undefined } : read;
  const difference = firstDifference(due, sent, '$.airReservation');
  if (difference !== undefined) throw new Refusal('320', `${difference}: not as in the last read of the booking`);
}

/** Fields that change with the clock: allowed operations and seats left. */
const CHANGING_FIELDS = new Set(['operations', 'bookingClassAvails']);

/** The names of the fields that are compared: present, not empty, and the same whenever the booking is read. */
function presentKeys(value: Wire): string[] {
  return Object.keys(value).filter((key) => {
    const inner = value[key];
    return !CHANGING_FIELDS.has(key) && inner !== undefined && !(isRecord(inner) && presentKeys(inner).length === 0);
  });
}

/** Ignores the origin of download addresses: it names the process that answered. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/https?:\/\/[^/\s]+\//g, '/') : value;
}

/** Path of the first value that differs. */
function firstDifference(due: unknown, sent: unknown, path: string): string | undefined {
  if (Array.isArray(due) && Array.isArray(sent)) {
    if (due.length !== sent.length) return path;
    for (const [i, item] of due.entries()) {
      const found = firstDifference(item, sent[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isRecord(due) || !isRecord(sent)) return comparable(due) === comparable(sent) ? undefined : path;
  for (const key of new Set([...presentKeys(due), ...presentKeys(sent)])) {
    const found = firstDifference(due[key], sent[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
