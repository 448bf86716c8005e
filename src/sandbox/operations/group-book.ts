/** Booking from passenger counts plus a contact (OTA_AirPriceRQ): names come later. */
import type { Carrier } from '../carrier.ts';
import { checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/party.ts';
import { checkContact } from '../checks/travelers.ts';
import type { Counts, Person, Traveler } from '../model.ts';
import type { CarrierBooking } from '../record.ts';
import type { CountsRequest } from '../requests/booking.ts';
import { hold } from './hold.ts';

/** Runs within a write transaction. */
export function groupBook(carrier: Carrier, request: CountsRequest): CarrierBooking {
  const { counts, groupName } = request;
  checkCounts(counts);
  const contact = checkContact(request.contact);
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts));
  const segmentRefs = itinerary.departures.map((departure) => departure.segment.ref);
  const travelers = unnamed(counts, segmentRefs, carrier.dialect === 'airline' ? contact : undefined);
  return hold(carrier, { itinerary, contact, travelers, ...(groupName !== undefined && { groupName }) });
}

/**
 * Adults, then children, then infants; the nth infant sits with the nth adult. `reached` is the contact whose e-mail
 * and telephone everybody gets.
 */
function unnamed(counts: Counts, segmentRefs: readonly string[], reached: Person | undefined): Traveler[] {
  const types = (['ADT', 'CHD', 'INF'] as const).flatMap((type) => Array.from({ length: counts[type] }, () => type));
  const firstInfant = counts.ADT + counts.CHD;
  return types.map((type, i) => ({
    ref: String(i + 1),
    type,
    gender: 'Unknown',
    emails: reached?.emails ?? [],
    phones: reached?.phones ?? [],
    addresses: [],
    comments: [],
    segmentRefs,
    ...(type === 'INF' && { attendantRef: String(i - firstInfant + 1) }),
  }));
}
