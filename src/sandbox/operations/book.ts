/**
 * Regular booking with named passengers (OTA_AirBookRQ).
 */
import type { Booking } from '../../domain/booking.ts';
import type { NewBooking } from '../../domain/requests.ts';
import type { Carrier } from '../carrier.ts';
import { checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/party.ts';
import {
  checkAttendants,
  checkContact,
  checkDocumentsDiffer,
  checkPassenger,
  checkPointers,
} from '../checks/travelers.ts';
import { Fault } from '../fault.ts';
import { present } from '../present.ts';
import { countTypes, hold } from './hold.ts';

export function book(carrier: Carrier, request: NewBooking): Booking {
  for (const segment of request.options.flatMap((option) => option.segments)) {
    if (segment.statusCode !== '30') throw new Fault('320', `segment ${segment.ref}: status 30 is due`);
  }
  const types = countTypes(request.travelers);
  const counts = { adults: types.ADT ?? 0, children: types.CHD ?? 0, infants: types.INF ?? 0 };
  checkCounts(counts);
  const contact = checkContact(request.contact);
  const segmentRefs = request.options.flatMap((option) => option.segments.map((segment) => segment.ref));
  checkPointers(request.travelers, segmentRefs);
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts));
  const departures = itinerary.departures.map((it) => it.departure);
  const travelers = request.travelers.map((it) => checkPassenger(it, `traveler ${it.ref}`, departures));
  checkDocumentsDiffer(travelers);
  checkAttendants(travelers);
  return present(carrier, hold(carrier, { itinerary, contact, travelers }), { availability: true });
}
