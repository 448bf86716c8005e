/**
 * Changing a booking: OTA_AirBookModifyRQ (interface.md, modify booking). The reservation goes back as the read reply
 * gave it, and `airBookModifyRQ` holds the change alone. A new modification type is one more member of the union.
 *
 * Types 2, 3 and 10 are documented; the payloads of 5, 7, 9, 20, 30 and 40 are known from field-notes.md (modifications
 * whose payload is not shown) alone.
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import { type Segment, segmentStatus } from '../../domain/itinerary.ts';
import type { Modification } from '../../domain/requests.ts';
import type { Traveler } from '../../domain/traveler.ts';
import { ClerkError } from '../../errors.ts';
import { chosenOptions, copiedItinerary } from './parts/copied-itinerary.ts';
import { REPLY_VERSION } from './parts/envelope.ts';
import { isRecord, only, replyBody, type Wire } from './parts/reader.ts';
import { readReservation, reservationOf, writeReservation } from './parts/reservation.ts';
import { readSeats, seatDetails, writeSeats } from './parts/seat-request.ts';
import { readOptions } from './parts/segment.ts';
import { airItinerary, requestSegment } from './parts/segment-request.ts';
import { readContact, readTravelers, writeTraveler } from './parts/traveler.ts';
import {
  contactTraveler,
  copiedTraveler,
  namedTraveler,
  requestContact,
  requestTraveler,
} from './parts/traveler-request.ts';

export const MODIFY = 'OTA_AirBookModifyRQ';

/** Modification types (interface.md, modify booking). */
const TYPE = {
  cancelPassenger: '2',
  changeName: '3',
  seats: '5',
  split: '7',
  contact: '9',
  cancelSegment: '10',
  rebook: '20',
  /** The airline dialect's number for rebooking. */
  rebookAirline: '30',
  passengerInfo: '40',
} as const;

const people = <T extends z.ZodType>(traveler: T) => z.strictObject({ airTraveler: z.array(traveler).min(1) });

const change = z.discriminatedUnion('modificationType', [
  z.strictObject({ modificationType: z.literal(TYPE.cancelSegment), airItinerary: copiedItinerary }),
  z.strictObject({ modificationType: z.literal(TYPE.cancelPassenger), travelerInfo: people(copiedTraveler) }),
  z.strictObject({
    modificationType: z.literal(TYPE.changeName),
    travelerInfo: people(z.union([contactTraveler, namedTraveler])),
  }),
  z.strictObject({ modificationType: z.literal(TYPE.seats), travelerInfo: seatDetails }),
  z.strictObject({ modificationType: z.literal(TYPE.split), travelerInfo: people(copiedTraveler) }),
  z.strictObject({
    modificationType: z.literal(TYPE.contact),
    travelerInfo: z.strictObject({ airTraveler: z.tuple([contactTraveler]) }),
  }),
  z.strictObject({ modificationType: z.literal(TYPE.rebook), airItinerary }),
  z.strictObject({ modificationType: z.literal(TYPE.rebookAirline), airItinerary }),
  z.strictObject({ modificationType: z.literal(TYPE.passengerInfo), travelerInfo: people(namedTraveler) }),
]);

/** What the airline requires back of its own tree. */
const returned = z.looseObject({
  airItinerary: z.looseObject({}),
  travelerInfo: z.looseObject({
    airTraveler: z.array(z.looseObject({ passengerTypeCode: z.string().min(1) })),
  }),
});

const request = z.strictObject({
  /** Checked and passed on as it is: a schema that rebuilds it would reorder its fields. */
  airReservation: z.custom<Wire>((value) => returned.safeParse(value).success, 'not a whole reservation'),
  airBookModifyRQ: change,
});

type Change = z.output<typeof change>;

function sourceOf(booking: Booking): Wire {
  if (isRecord(booking.source)) return booking.source;
  throw new ClerkError('E_INTERNAL', 'A change needs the reservation as the airline sent it; nothing was sent.', {
    next: 'Read the booking with read_booking and ask for the change again.',
  });
}

/** A passenger who leaves is identified by its pointer; the rest is what the schema requires of a traveller. */
function leaving(travelers: readonly Traveler[]): z.output<typeof copiedTraveler>[] {
  return travelers.map((one) => {
    const { personName, travelerRefNumber, passengerTypeCode } = writeTraveler(one);
    const named = personName === undefined ? {} : { personName };
    return { ...named, travelerRefNumber, passengerTypeCode };
  });
}

function segmentsOf(booking: Booking): readonly Segment[] {
  return booking.options.flatMap((option) => option.segments);
}

/** As the airline numbers it on the segment itself; 20 is the documented number. */
function rebookType({ permitted = [] }: Partial<Segment>): typeof TYPE.rebook | typeof TYPE.rebookAirline {
  const offered = permitted.map((operation) => operation.modificationType);
  return offered.includes(TYPE.rebookAirline) && !offered.includes(TYPE.rebook) ? TYPE.rebookAirline : TYPE.rebook;
}

/** The new segment, without a status (field-notes.md, modifications, type 20). */
function newItinerary({ option }: Modification & { kind: 'rebook_segment' }): z.output<typeof airItinerary> {
  const flightSegment = option.segments.map((segment) => requestSegment(segment));
  return { originDestinationOptions: { originDestinationOption: [{ flightSegment, rph: option.ref }] } };
}

function writeChange(modification: Modification): Change {
  const { booking } = modification;
  switch (modification.kind) {
    case 'cancel_segments':
      return {
        modificationType: TYPE.cancelSegment,
        airItinerary: chosenOptions(sourceOf(booking), modification.options),
      };
    case 'cancel_passengers':
      return {
        modificationType: TYPE.cancelPassenger,
        travelerInfo: { airTraveler: leaving(modification.travelers) },
      };
    case 'change_names':
      return {
        modificationType: TYPE.changeName,
        travelerInfo: { airTraveler: modification.travelers.map(requestTraveler) },
      };
    case 'assign_seats':
      return { modificationType: TYPE.seats, travelerInfo: writeSeats(modification.seats) };
    case 'update_contact':
      return {
        modificationType: TYPE.contact,
        travelerInfo: { airTraveler: only(requestContact(modification.contact)) },
      };
    case 'update_passengers':
      return {
        modificationType: TYPE.passengerInfo,
        travelerInfo: { airTraveler: modification.travelers.map(requestTraveler) },
      };
    case 'rebook_segment': {
      const replaced = segmentsOf(booking).find(({ ref }) => ref === modification.replacedRef);
      return { modificationType: rebookType(replaced ?? {}), airItinerary: newItinerary(modification) };
    }
    case 'split_booking':
      return { modificationType: TYPE.split, travelerInfo: { airTraveler: leaving(modification.travelers) } };
  }
}

function readChange(wire: Change, booking: Booking): Modification {
  switch (wire.modificationType) {
    case TYPE.cancelSegment:
      return { kind: 'cancel_segments', booking, options: readOptions(wire.airItinerary) };
    case TYPE.rebook:
    case TYPE.rebookAirline:
      return readRebooking(booking, wire.airItinerary);
    case TYPE.seats:
      return { kind: 'assign_seats', booking, seats: readSeats(wire.travelerInfo) };
    case TYPE.contact:
      return { kind: 'update_contact', booking, contact: readContact(wire.travelerInfo.airTraveler[0]) };
    default:
      return {
        kind: PEOPLE[wire.modificationType],
        booking,
        travelers: readTravelers(wire.travelerInfo.airTraveler).travelers,
      };
  }
}

const PEOPLE = {
  [TYPE.cancelPassenger]: 'cancel_passengers',
  [TYPE.changeName]: 'change_names',
  [TYPE.split]: 'split_booking',
  [TYPE.passengerInfo]: 'update_passengers',
} as const;

/** The message names no segment to replace: it is the one active between the same stations. */
function readRebooking(booking: Booking, itinerary: z.output<typeof airItinerary>): Modification {
  const [option = { ref: '', segments: [] }] = readOptions(itinerary);
  const [first, last] = [option.segments[0], option.segments.at(-1)];
  const replaced = segmentsOf(booking).find(
    (one) => segmentStatus(one.statusCode) === 'active' && one.from === first?.from && one.to === last?.to,
  );
  return { kind: 'rebook_segment', booking, replacedRef: replaced?.ref ?? '', option };
}

export const modifyRequest = z.codec(request, z.custom<Modification>(), {
  decode: ({ airReservation, airBookModifyRQ }) => {
    const booking = { ...readReservation(airReservation), source: airReservation };
    return readChange(airBookModifyRQ, booking);
  },
  encode: (modification) => ({
    airReservation: sourceOf(modification.booking),
    airBookModifyRQ: writeChange(modification),
  }),
});

export const modifyReply = z.codec(z.custom<Wire>(), z.custom<Booking>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    return readReservation(reservationOf(body), body);
  },
  encode: (booking): Wire => ({
    success: {},
    airReservation: writeReservation(booking),
    version: REPLY_VERSION,
  }),
});
