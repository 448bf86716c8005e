/**
 * Changing a booking: OTA_AirBookModifyRQ (interface.md, modify booking). The reservation goes back as the read reply
 * gave it, and `airBookModifyRQ` holds the change alone. A new modification type is one more member of the union.
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import type { Modification } from '../../domain/requests.ts';
import { ClerkError } from '../../errors.ts';
import { chosenOptions, copiedItinerary } from './parts/copied-itinerary.ts';
import { REPLY_VERSION } from './parts/envelope.ts';
import { isRecord, replyBody, type Wire } from './parts/reader.ts';
import { readReservation, reservationOf, writeReservation } from './parts/reservation.ts';
import { readOptions } from './parts/segment.ts';
import { readTravelers, writeTraveler } from './parts/traveler.ts';
import { contactTraveler, copiedTraveler, namedTraveler, requestTraveler } from './parts/traveler-request.ts';

export const MODIFY = 'OTA_AirBookModifyRQ';

const CANCEL_PASSENGER = '2';
const CHANGE_NAME = '3';
const CANCEL_SEGMENT = '10';

const change = z.discriminatedUnion('modificationType', [
  z.strictObject({ modificationType: z.literal(CANCEL_SEGMENT), airItinerary: copiedItinerary }),
  z.strictObject({
    modificationType: z.literal(CANCEL_PASSENGER),
    travelerInfo: z.strictObject({ airTraveler: z.array(copiedTraveler).min(1) }),
  }),
  z.strictObject({
    modificationType: z.literal(CHANGE_NAME),
    travelerInfo: z.strictObject({ airTraveler: z.array(z.union([contactTraveler, namedTraveler])).min(1) }),
  }),
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

/** A passenger to cancel is identified by its pointer; the rest is what the schema requires of a traveller. */
function leaving(traveler: Modification & { kind: 'cancel_passengers' }): z.output<typeof copiedTraveler>[] {
  return traveler.travelers.map((one) => {
    const { personName, travelerRefNumber, passengerTypeCode } = writeTraveler(one);
    const named = personName === undefined ? {} : { personName };
    return { ...named, travelerRefNumber, passengerTypeCode };
  });
}

function writeChange(modification: Modification): Change {
  switch (modification.kind) {
    case 'cancel_segments':
      return {
        modificationType: CANCEL_SEGMENT,
        airItinerary: chosenOptions(sourceOf(modification.booking), modification.options),
      };
    case 'cancel_passengers':
      return { modificationType: CANCEL_PASSENGER, travelerInfo: { airTraveler: leaving(modification) } };
    case 'change_names':
      return {
        modificationType: CHANGE_NAME,
        travelerInfo: { airTraveler: modification.travelers.map(requestTraveler) },
      };
  }
}

function readChange(wire: Change, booking: Booking): Modification {
  if (wire.modificationType === CANCEL_SEGMENT) {
    return { kind: 'cancel_segments', booking, options: readOptions(wire.airItinerary) };
  }
  const { travelers } = readTravelers(wire.travelerInfo.airTraveler);
  return {
    kind: wire.modificationType === CANCEL_PASSENGER ? 'cancel_passengers' : 'change_names',
    booking,
    travelers,
  };
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
