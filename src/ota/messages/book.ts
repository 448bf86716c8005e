/**
 * Regular booking with named passengers: OTA_AirBookRQ (interface.md, regular booking details).
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import type { NewBooking } from '../../domain/requests.ts';
import { replyBody, type Wire } from './parts/reader.ts';
import { readReservation, reservationOf, writeReservation } from './parts/reservation.ts';
import { readOptions } from './parts/segment.ts';
import {
  airItinerary,
  airlineItinerary,
  airlineRequestItinerary,
  type RequestForm,
  requestItinerary,
} from './parts/segment-request.ts';
import { readContact, readTraveler } from './parts/traveler.ts';
import { contactTraveler, namedTraveler, requestContact, requestTraveler } from './parts/traveler-request.ts';

export const BOOK = 'OTA_AirBookRQ';

const travelerInfo = z.strictObject({
  /** The contact first, then at least one passenger. */
  airTraveler: z.tuple([contactTraveler, namedTraveler], namedTraveler),
});

const request = z.strictObject({ airItinerary, travelerInfo });
const airlineRequest = z.strictObject({ airItinerary: airlineItinerary, travelerInfo });

function writePeople({ contact, travelers }: NewBooking): z.input<typeof travelerInfo> {
  const people = [requestContact(contact), ...travelers.map(requestTraveler)];
  // Without a passenger the schema refuses it.
  return { airTraveler: people as z.input<typeof travelerInfo>['airTraveler'] };
}

export const bookRequest = z.codec(request, z.custom<NewBooking>(), {
  decode: ({ airItinerary: itinerary, travelerInfo: { airTraveler } }) => {
    const [contact, ...passengers] = airTraveler;
    return {
      options: readOptions(itinerary),
      contact: readContact(contact),
      travelers: passengers.map((passenger) => readTraveler(passenger, passenger.travelerRefNumber.rph)),
    };
  },
  encode: (booking) => ({ airItinerary: requestItinerary(booking.options), travelerInfo: writePeople(booking) }),
});

/** The request in the airline's dialect. */
export function writeBookRequest(booking: NewBooking, { dialect, sendFare }: RequestForm): object {
  if (dialect === 'rail') return z.encode(bookRequest, booking);
  const itinerary = airlineRequestItinerary(booking.options, sendFare);
  return airlineRequest.parse({ airItinerary: itinerary, travelerInfo: writePeople(booking) });
}

export const bookReply = z.codec(z.custom<Wire>(), z.custom<Booking>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    return readReservation(reservationOf(body), body);
  },
  encode: (booking): Wire => ({ airReservation: writeReservation(booking) }),
});
