/** Booking with named passengers: OTA_AirBookRQ (docs/wire/interface.md, Booking by names). */
import * as z from 'zod';
import type { NewBooking } from '../../domain/booking/airline-requests.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { Wire } from './parts/reader.ts';
import { readReservation } from './parts/reservation.ts';
import { bookedItinerary, type RequestForm, requestItinerary } from './parts/segment-request.ts';
import { contactTraveler, namedTraveler, requestContact, requestTraveler } from './parts/traveler-request.ts';

export const BOOK = 'OTA_AirBookRQ';

/** The contact first, then at least one passenger. */
const airTraveler = z.tuple([contactTraveler, namedTraveler], namedTraveler);

const requestIn = (dialect: RequestForm['dialect']) =>
  z.strictObject({ airItinerary: bookedItinerary[dialect], travelerInfo: z.strictObject({ airTraveler }) });

const requests = { rail: requestIn('rail'), airline: requestIn('airline') } as const;

export function encodeBookRequest({ options, contact, travelers }: NewBooking, form: RequestForm): Wire {
  return requests[form.dialect].parse({
    airItinerary: requestItinerary(options, form),
    travelerInfo: { airTraveler: [requestContact(contact), ...travelers.map(requestTraveler)] },
  });
}

export const decodeBookReply = (reply: unknown): Booking => readReservation(reply);
