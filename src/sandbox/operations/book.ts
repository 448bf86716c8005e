/** Regular booking with named passengers (OTA_AirBookRQ). */
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
import { allSegments, type CarrierBooking, countTypes } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { NamedRequest } from '../requests/booking.ts';
import { hold } from './hold.ts';
import { addServices } from './services.ts';

/** Rail segments carry the requested status; an airline's may omit it (docs/wire/notes.md, Shapes sent). */
function checkStatuses(carrier: Carrier, request: NamedRequest): void {
  for (const { ref, status } of request.options.flatMap((option) => option.segments)) {
    const isRight = status === '30' || (status === undefined && carrier.dialect === 'airline');
    if (!isRight) throw new Refusal('320', `segment ${ref}: status 30 is due`);
  }
}

/** Runs within a write transaction. */
export function book(carrier: Carrier, request: NamedRequest): CarrierBooking {
  checkStatuses(carrier, request);
  const [asked] = request.contacts;
  if (asked === undefined || request.contacts.length > 1) throw new Refusal('321', 'one contact traveler (CTC) is due');
  const types = countTypes(request.travelers);
  const counts = { ADT: types.ADT ?? 0, CHD: types.CHD ?? 0, INF: types.INF ?? 0 };
  checkCounts(counts);
  const contact = checkContact(asked);
  const segmentRefs = request.options.flatMap((option) => option.segments.map((segment) => segment.ref));
  checkPointers(request.travelers, segmentRefs);
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts));
  const departures = itinerary.departures.map((departure) => departure.departure);
  const travelers = request.travelers.map((traveler) => ({
    ...checkPassenger(traveler, `traveler ${traveler.ref}`, departures),
    segmentRefs,
    // An airline's replies have no contact traveller: each passenger carries the e-mail and telephone.
    ...(carrier.dialect === 'airline' && {
      emails: traveler.emails.length > 0 ? traveler.emails : contact.emails,
      phones: traveler.phones.length > 0 ? traveler.phones : contact.phones,
    }),
  }));
  checkDocumentsDiffer(travelers);
  checkAttendants(travelers);
  const booking = hold(carrier, { itinerary, contact, travelers });
  const services = request.services.map((service) => ({
    ...service,
    segmentRefs: allSegments(booking).map((one) => one.ref),
  }));
  return services.length === 0 ? booking : addServices(carrier, booking, services);
}
