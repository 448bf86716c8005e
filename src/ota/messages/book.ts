/**
 * Regular booking with named passengers: OTA_AirBookRQ (docs/wire/interface.md, Booking by names).
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking/booking.ts';
import type { NewBooking } from '../../domain/booking/booking-requests.ts';
import { replyBody, type Wire } from './parts/reader.ts';
import { readReservation, reservationOf } from './parts/reservation.ts';
import {
  airItinerary,
  airlineItinerary,
  airlineRequestItinerary,
  type RequestForm,
  requestItinerary,
} from './parts/segment-request.ts';
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

/** The request in the airline's dialect. */
export function encodeBookRequest(booking: NewBooking, { dialect, sendFare }: RequestForm): Wire {
  const people = writePeople(booking);
  return dialect === 'rail'
    ? request.parse({ airItinerary: requestItinerary(booking.options), travelerInfo: people })
    : airlineRequest.parse({ airItinerary: airlineRequestItinerary(booking.options, sendFare), travelerInfo: people });
}

export function decodeBookReply(wire: unknown): Booking {
  const body = replyBody(wire);
  return readReservation(reservationOf(body), body);
}
