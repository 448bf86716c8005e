/** Special services, asked for with the booking or by a change of type 5 (docs/wire/notes.md, Changes). */
import { type Carrier, needOpen } from '../carrier.ts';
import { enter } from '../ledger.ts';
import { activeSegments, type CarrierBooking, type Service, saveBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';

/** Runs within a write transaction. */
export function addServices(carrier: Carrier, booking: CarrierBooking, asked: readonly Service[]): CarrierBooking {
  needOpen(carrier, booking);
  const segments = activeSegments(booking).map((segment) => segment.ref);
  const travelers = booking.travelers.map((traveler) => traveler.ref);
  for (const { segmentRefs, travelerRefs } of asked) {
    const isUnknown =
      segmentRefs.some((ref) => !segments.includes(ref)) || travelerRefs.some((ref) => !travelers.includes(ref));
    if (isUnknown) throw new Refusal('83', 'a service points to no active segment or traveler');
  }
  const changed = { ...booking, services: [...booking.services, ...asked] };
  enter(carrier, 'services_added', booking.locator, { about: asked.map((service) => service.code) });
  return saveBooking(carrier.state, changed);
}
