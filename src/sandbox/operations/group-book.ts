/**
 * Booking from passenger counts plus a contact (OTA_AirPriceRQ, qualifier 4): names come later.
 */
import type { Booking } from '../../domain/booking.ts';
import type { NewGroupBooking } from '../../domain/requests.ts';
import type { Traveler } from '../../domain/traveler.ts';
import type { Carrier } from '../carrier.ts';
import { codeOf } from '../chance.ts';
import { checkItinerary } from '../checks/itinerary.ts';
import { checkCounts, seatsFor } from '../checks/party.ts';
import { checkContact } from '../checks/travelers.ts';
import { present } from '../present.ts';
import { hold } from './hold.ts';

export function groupBook(carrier: Carrier, request: NewGroupBooking): Booking {
  checkCounts(request.passengers);
  const contact = checkContact(request.contact);
  const itinerary = checkItinerary(carrier, request.options, seatsFor(request.passengers));
  const segmentRefs = itinerary.departures.map((it) => it.segment.ref);
  const travelers = unnamed(request.passengers, segmentRefs);
  const { groupName } = request;
  const booking = present(
    carrier,
    hold(carrier, { itinerary, contact, travelers, ...(groupName === undefined ? {} : { groupName }) }),
  );
  const quoteId = `Q${codeOf(9, carrier.timetable.seed, booking.locator)}`;
  return booking.pricing === undefined ? booking : { ...booking, pricing: { ...booking.pricing, quoteId } };
}

/** Adults, then children, then infants; the nth infant sits with the nth adult. */
function unnamed(counts: NewGroupBooking['passengers'], segmentRefs: readonly string[]): Traveler[] {
  const types = [
    ...Array.from({ length: counts.adults }, () => 'ADT'),
    ...Array.from({ length: counts.children }, () => 'CHD'),
    ...Array.from({ length: counts.infants }, () => 'INF'),
  ];
  const firstInfant = counts.adults + counts.children;
  return types.map((type, i) => ({
    ref: String(i + 1),
    type,
    gender: 'Unknown',
    emails: [],
    phones: [],
    addresses: [],
    comments: [],
    segmentRefs,
    ...(type === 'INF' ? { attendantRef: String(i - firstInfant + 1) } : {}),
  }));
}
