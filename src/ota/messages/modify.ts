/**
 * Changing a booking: OTA_AirBookModifyRQ (docs/wire/interface.md, Changes). The reservation goes back as the read
 * reply gave it, and `airBookModifyRQ` holds the change alone. A new modification type is one more member of the union.
 *
 * Types 2, 3, 5 and 10 are published, for the airline dialect 30 too; the payloads of 7, 20 and 40 are assumed
 * (docs/wire/notes.md, Shapes sent, Changes).
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking/booking.ts';
import type { Modification } from '../../domain/booking/booking-requests.ts';
import type { Segment } from '../../domain/booking/itinerary.ts';
import type { Contact, Traveler } from '../../domain/people/traveler.ts';
import { ClerkError } from '../../errors.ts';
import type { OtaOptions } from '../options.ts';
import { chosenOptions, copiedItinerary } from './parts/copied-itinerary.ts';
import { changedPassenger, copiedPassenger } from './parts/copied-travelers.ts';
import type { CurrencySpelling } from './parts/envelope.ts';
import { isRecord, only, replyBody, type Wire } from './parts/reader.ts';
import { readReservation, reservationOf } from './parts/reservation.ts';
import { seatDetails, writeSeats } from './parts/seat-request.ts';
import { airItinerary, requestSegment } from './parts/segment-request.ts';
import { writeTraveler } from './parts/traveler.ts';
import {
  changedTraveler,
  contactTraveler,
  copiedNamed,
  copiedTraveler,
  requestContact,
  requestGroupNames,
  requestTraveler,
} from './parts/traveler-request.ts';

export const MODIFY = 'OTA_AirBookModifyRQ';

/** Modification types (docs/wire/interface.md, Changes). */
const TYPE = {
  cancelPassenger: '2',
  changeName: '3',
  seats: '5',
  split: '7',
  cancelSegment: '10',
  rebook: '20',
  /** The airline dialect's number for rebooking. */
  rebookAirline: '30',
  passengerInfo: '40',
} as const;

type Dialect = NonNullable<OtaOptions['dialect']>;

const people = <T extends z.ZodType>(traveler: T) => z.strictObject({ airTraveler: z.array(traveler).min(1) });

/** The airline dialect names passengers in the reading's full shape. */
const named = { rail: people(z.union([contactTraveler, changedTraveler])), airline: people(copiedNamed) } as const;

const leavers = z.strictObject({
  airTraveler: z.array(copiedTraveler).min(1),
  /** Empty; in the airline dialect only. */
  specialReqDetails: z.tuple([]).optional(),
});

const changeIn = (dialect: Dialect) =>
  z.discriminatedUnion('modificationType', [
    z.strictObject({ modificationType: z.literal(TYPE.cancelSegment), airItinerary: copiedItinerary }),
    z.strictObject({ modificationType: z.literal(TYPE.cancelPassenger), travelerInfo: leavers }),
    z.strictObject({ modificationType: z.literal(TYPE.changeName), travelerInfo: named[dialect] }),
    z.strictObject({ modificationType: z.literal(TYPE.seats), travelerInfo: seatDetails }),
    z.strictObject({ modificationType: z.literal(TYPE.split), travelerInfo: people(copiedTraveler) }),
    z.strictObject({ modificationType: z.literal(TYPE.rebook), airItinerary }),
    z.strictObject({ modificationType: z.literal(TYPE.rebookAirline), airItinerary }),
    z.strictObject({ modificationType: z.literal(TYPE.passengerInfo), travelerInfo: named[dialect] }),
  ]);

/** What the airline requires back of its own tree. */
const returned = z.looseObject({
  airItinerary: z.looseObject({}),
  travelerInfo: z.looseObject({
    airTraveler: z.array(z.looseObject({ passengerTypeCode: z.string().min(1) })),
  }),
});

const requestIn = (dialect: Dialect) =>
  z.strictObject({
    /** Checked and passed on as it is: a schema that rebuilds it would reorder its fields. */
    airReservation: z.custom<Wire>((value) => returned.safeParse(value).success, 'not a whole reservation'),
    airBookModifyRQ: changeIn(dialect),
  });

const requests = { rail: requestIn('rail'), airline: requestIn('airline') } as const;

type Change = z.output<ReturnType<typeof changeIn>>;

function sourceOf(booking: Booking): Wire {
  if (isRecord(booking.source)) return booking.source;
  throw new ClerkError('E_INTERNAL', 'A change needs the reservation as the airline sent it; nothing was sent.', {
    next: 'Read the booking with read_booking and ask for the change again.',
  });
}

/**
 * Passengers who leave. The airline dialect copies them whole; elsewhere the pointer identifies each, and the rest is
 * what the schema requires of a traveller.
 */
function leaving(booking: Booking, travelers: readonly Traveler[], dialect: Dialect): z.output<typeof leavers> {
  if (dialect === 'airline') {
    const airTraveler = travelers.map(({ ref }) => copiedPassenger(sourceOf(booking), ref));
    return { airTraveler: airTraveler as z.output<typeof copiedTraveler>[], specialReqDetails: [] };
  }
  return { airTraveler: pointed(travelers) };
}

function pointed(travelers: readonly Traveler[]): z.output<typeof copiedTraveler>[] {
  return travelers.map((one) => {
    const { personName, travelerRefNumber, passengerTypeCode } = writeTraveler(one);
    const named = personName === undefined ? {} : { personName };
    return { ...named, travelerRefNumber, passengerTypeCode };
  });
}

/** Passengers with their new details. */
function changed(
  booking: Booking,
  travelers: readonly Traveler[],
  dialect: Dialect,
): z.output<(typeof named)[Dialect]> {
  if (dialect === 'airline') {
    const source = sourceOf(booking);
    return { airTraveler: travelers.map((one) => changedPassenger(source, one) as z.output<typeof copiedNamed>) };
  }
  const isNaming = travelers.some(({ ref }) => booking.travelers.some((one) => one.ref === ref && !one.name));
  return { airTraveler: isNaming ? requestGroupNames(travelers, booking.travelers) : travelers.map(requestTraveler) };
}

/** The airline dialect has no contact traveller: details stand on the passengers (docs/wire/notes.md, Travellers). */
function contactChange(contact: Contact, dialect: Dialect): Change {
  if (dialect === 'rail')
    return { modificationType: TYPE.changeName, travelerInfo: { airTraveler: only(requestContact(contact)) } };
  throw new ClerkError('E_NOT_PERMITTED', 'This airline keeps contact details on the passengers. Nothing was sent.', {
    next: 'Call update_passenger with the e-mail or phone of a passenger.',
  });
}

function segmentsOf(booking: Booking): readonly Segment[] {
  return booking.options.flatMap((option) => option.segments);
}

type Rebooking = Extract<Modification, { kind: 'rebook_segment' }>;

/** As the airline numbers it on the segment itself, else by dialect. */
function rebookType(
  { permitted = [] }: Partial<Segment>,
  dialect: Dialect,
): typeof TYPE.rebook | typeof TYPE.rebookAirline {
  const offered = permitted.map((operation) => operation.modificationType);
  const [own, other] = dialect === 'airline' ? [TYPE.rebookAirline, TYPE.rebook] : [TYPE.rebook, TYPE.rebookAirline];
  return offered.includes(other) && !offered.includes(own) ? other : own;
}

/** The new segment, without a status; type 30 names no fare basis either (docs/wire/notes.md, Shapes sent). */
function rebooked({ booking, replacedRef, option }: Rebooking, dialect: Dialect): Change {
  const replaced = segmentsOf(booking).find(({ ref }) => ref === replacedRef);
  const modificationType = rebookType(replaced ?? {}, dialect);
  const flightSegment = option.segments.map((segment) => {
    const { fareBasisCode, ...rest } = requestSegment(segment);
    return modificationType === TYPE.rebookAirline || fareBasisCode === undefined ? rest : { ...rest, fareBasisCode };
  });
  const originDestinationOption = [{ flightSegment, rph: option.ref }];
  return { modificationType, airItinerary: { originDestinationOptions: { originDestinationOption } } };
}

function writeChange(modification: Modification, dialect: Dialect): Change {
  const { booking } = modification;
  switch (modification.kind) {
    case 'cancel_segments':
      return {
        modificationType: TYPE.cancelSegment,
        airItinerary: chosenOptions(booking, sourceOf(booking), modification.options),
      };
    case 'cancel_passengers':
      return {
        modificationType: TYPE.cancelPassenger,
        travelerInfo: leaving(booking, modification.travelers, dialect),
      };
    case 'change_names':
      return {
        modificationType: TYPE.changeName,
        travelerInfo: changed(booking, modification.travelers, dialect),
      };
    case 'assign_seats':
      return { modificationType: TYPE.seats, travelerInfo: writeSeats(modification.seats) };
    case 'update_contact':
      return contactChange(modification.contact, dialect);
    case 'update_passengers':
      return {
        // Published for the airline dialect as type 3; 40 is assumed.
        modificationType: dialect === 'airline' ? TYPE.changeName : TYPE.passengerInfo,
        travelerInfo: changed(booking, modification.travelers, dialect),
      };
    case 'rebook_segment':
      return rebooked(modification, dialect);
    case 'split_booking':
      return { modificationType: TYPE.split, travelerInfo: { airTraveler: pointed(modification.travelers) } };
  }
}

export function encodeModifyRequest(modification: Modification, dialect: Dialect): Wire {
  return requests[dialect].parse({
    airReservation: sourceOf(modification.booking),
    airBookModifyRQ: writeChange(modification, dialect),
  });
}

/** Rail publishes types 3 and 5 with a capital C (docs/wire/notes.md, Shapes sent); the schema documents the other. */
export function modifySpelling(kind: Modification['kind'], dialect: Dialect): CurrencySpelling {
  const capital = kind === 'change_names' || kind === 'update_contact' || kind === 'assign_seats';
  return capital || dialect === 'airline' ? 'isoCurrency' : 'isocurrency';
}

export function decodeModifyReply(wire: unknown): Booking {
  const body = replyBody(wire);
  return readReservation(reservationOf(body), body);
}
