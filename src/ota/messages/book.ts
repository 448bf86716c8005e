/**
 * Regular booking with named passengers: OTA_AirBookRQ (interface.md, regular booking details).
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import type { NewBooking } from '../../domain/requests.ts';
import { replyBody, type Wire } from './parts/reader.ts';
import { readReservation, reservationOf, writeReservation } from './parts/reservation.ts';
import { readOptions } from './parts/segment.ts';
import { airItinerary, requestItinerary } from './parts/segment-request.ts';
import { readContact, readTraveler } from './parts/traveler.ts';
import { contactTraveler, namedTraveler, requestContact, requestTraveler } from './parts/traveler-request.ts';

export const BOOK = 'OTA_AirBookRQ';

const request = z.strictObject({
  airItinerary,
  travelerInfo: z.strictObject({
    /** The contact first, then at least one passenger. */
    airTraveler: z.tuple([contactTraveler, namedTraveler], namedTraveler),
  }),
});

export const bookRequest = z.codec(request, z.custom<NewBooking>(), {
  decode: ({ airItinerary: itinerary, travelerInfo: { airTraveler } }) => {
    const [contact, ...passengers] = airTraveler;
    return {
      options: readOptions(itinerary),
      contact: readContact(contact),
      travelers: passengers.map((passenger) => readTraveler(passenger, passenger.travelerRefNumber.rph)),
    };
  },
  encode: (booking) => {
    const people = [requestContact(booking.contact), ...booking.travelers.map(requestTraveler)];
    return {
      airItinerary: requestItinerary(booking.options),
      // Without a passenger the schema refuses it.
      travelerInfo: { airTraveler: people as z.input<typeof request>['travelerInfo']['airTraveler'] },
    };
  },
});

export const bookReply = z.codec(z.custom<Wire>(), z.custom<Booking>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    return readReservation(reservationOf(body), body);
  },
  encode: (booking): Wire => ({ airReservation: writeReservation(booking) }),
});
