/** The OTA messages: each reads its request, runs the operation that answers it, and writes the reply. */
import type * as z from 'zod';
import { type Carrier, needBooking, type SandboxContext } from '../carrier.ts';
import { book, groupBook } from '../operations/book.ts';
import { cancelBooking, cancelPassengers, cancelSegments } from '../operations/cancel.ts';
import { changeSeats, seatMap } from '../operations/change-seats.ts';
import { rename, splitBooking, updateContact, updatePassengers } from '../operations/change-travelers.ts';
import { pay } from '../operations/pay.ts';
import { rebook } from '../operations/rebook.ts';
import { checkPrice, searchAvailability, searchFares } from '../operations/search.ts';
import { addServices } from '../operations/services.ts';
import type { CarrierBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import { writeAvailability, writeCounts, writePriceCheck, writeSearch } from '../replies/offers.ts';
import { type ReservationPlace, writeReservation } from '../replies/reservation.ts';
import { writeSeatMap } from '../replies/seat-map.ts';
import { writePayment } from '../replies/tickets.ts';
import {
  airlineCounts,
  airlineCountsOf,
  bookRequest,
  cancelRequest,
  isPriceCheck,
  namedRequestOf,
  paymentOf,
  paymentRequest,
  priceCheckFrom,
  priceCheckRequest,
  railCounts,
  railCountsOf,
  readRequest,
  searchOf,
  searchRequest,
  seatMapQueryOf,
  seatMapRequest,
} from '../requests/messages.ts';
import { type Change, readChange } from '../requests/modify.ts';
import { changeTypeOf, type Parsed, parse } from '../requests/parse.ts';
import { type Dialect, isRecord, type Wire } from '../wire.ts';

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

/** Throws Refusal for an invalid request. */
type Run = (carrier: Carrier, context: SandboxContext) => Wire;

/** `writes` runs in a write transaction. `read` takes the message without its envelope. */
export interface Message {
  readonly writes: boolean;
  read(body: Wire, dialect: Dialect): Parsed<Run>;
}

const RESERVATION = '14';
const OWN = /^[A-Z0-9]{6}$/;

/** The reservation system's locator in a copy of the reading. Throws 87 without one. */
function locatorIn(reservation: unknown): string {
  const references = isRecord(reservation) ? reservation.bookingReferenceID : undefined;
  const list: readonly unknown[] = Array.isArray(references) ? references : [references];
  const ids = list.flatMap((it) =>
    isRecord(it) && it.type === RESERVATION && typeof it.id === 'string' ? [it.id] : [],
  );
  const locator = ids.find((id) => OWN.test(id)) ?? ids[0];
  if (locator === undefined) throw new Refusal('87', '$.airReservation.bookingReferenceID');
  return locator;
}

/** Rebooking has another number in each dialect (docs/wire/notes.md, Changes). */
function checkType(carrier: Carrier, type: unknown, change: Change): void {
  const other = carrier.dialect === 'rail' ? '30' : '20';
  if (change.kind === 'rebook' && type === other) throw new Refusal('172', `modification type ${other} is not served`);
}

function apply(carrier: Carrier, booking: CarrierBooking, change: Change): CarrierBooking {
  switch (change.kind) {
    case 'cancel_segments':
      return cancelSegments(carrier, booking, change.options);
    case 'cancel_passengers':
      return cancelPassengers(carrier, booking, change.leaving);
    case 'rename':
      return rename(carrier, booking, change.contacts, change.travelers);
    case 'seats':
      return changeSeats(carrier, booking, change.wishes);
    case 'services':
      return addServices(carrier, booking, change.services);
    case 'split':
      return splitBooking(carrier, booking, change.leaving);
    case 'contact':
      return updateContact(carrier, booking, change.contact);
    case 'passenger_info':
      return updatePassengers(carrier, booking, change.travelers);
    case 'rebook':
      return rebook(carrier, booking, change.options);
  }
}

const PLACES: Readonly<Partial<Record<Change['kind'], ReservationPlace>>> = { rename: 'renamed', rebook: 'rebooked' };

/** The reservation must be the one of the last read; then one operation per modification type. */
const modify: Message = {
  writes: true,
  read: (body, dialect) => {
    const type = changeTypeOf(body);
    const { value: change, unknown } = readChange(body, type, dialect);
    const run: Run = (carrier, context) => {
      checkType(carrier, type, change);
      const booking = needBooking(carrier, locatorIn(body.airReservation));
      const read = { success: {}, airReservation: writeReservation(carrier, booking, 'reading') };
      const { airReservation: now } = context.rewrite(read, { name: 'OTA_ReadRQ', request: {}, carrier });
      checkCopied(now, body.airReservation, change);
      const changed = apply(carrier, booking, change);
      const place = PLACES[change.kind] ?? 'changed';
      return { success: {}, airReservation: writeReservation(carrier, changed, place), version: 2.001 };
    };
    return { value: run, unknown };
  },
};

/** Throws 320 with the path of the first difference. */
function checkCopied(now: unknown, sent: unknown, change: Change): void {
  // Two published changes of names leave the prices out (docs/wire/notes.md, Shapes sent).
  const isShort = change.kind === 'rename' && isRecord(sent) && sent.priceInfo === undefined;
  const due = isShort && isRecord(now) ? { ...now, priceInfo: undefined } : now;
  const difference = firstDifference(due, sent, '$.airReservation');
  if (difference !== undefined) throw new Refusal('320', `${difference}: not as in the last read of the booking`);
}

/** Fields that change with the clock: allowed operations and seats left. */
const TIMELY = new Set(['operations', 'bookingClassAvails']);

function keysOf(value: Wire): string[] {
  return Object.keys(value).filter((key) => {
    const inner = value[key];
    return !TIMELY.has(key) && inner !== undefined && !(isRecord(inner) && keysOf(inner).length === 0);
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
    return firstOf(due.map((_, i) => () => firstDifference(due[i], sent[i], `${path}[${i}]`)));
  }
  if (isRecord(due) && isRecord(sent)) {
    const keys = new Set([...keysOf(due), ...keysOf(sent)]);
    return firstOf([...keys].map((key) => () => firstDifference(due[key], sent[key], `${path}.${key}`)));
  }
  return comparable(due) === comparable(sent) ? undefined : path;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}

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
