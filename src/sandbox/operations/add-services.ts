/**
 * Special services (OTA_AirBookModifyRQ, type 5; field-notes.md, modifications): asked with status 11, confirmed HK.
 */
import type { Booking, SpecialService } from '../../domain/booking.ts';
import type { Carrier } from '../carrier.ts';
import { Fault } from '../fault.ts';
import { enter } from '../ledger.ts';
import { present } from '../present.ts';
import { activeSegments, type CarrierBooking, isExpired, saveBooking } from '../record.ts';

/** Runs within a write transaction. */
export function addServices(carrier: Carrier, booking: CarrierBooking, asked: readonly SpecialService[]): Booking {
  if (booking.state === 'cancelled') throw new Fault('95', 'the whole booking is cancelled');
  if (isExpired(booking, carrier.now)) throw new Fault('73', 'the hold lapsed');
  const segments = activeSegments(booking).map((segment) => segment.ref);
  const travelers = booking.travelers.map((traveler) => traveler.ref);
  for (const { segmentRefs, travelerRefs } of asked) {
    const unknown =
      segmentRefs.some((it) => !segments.includes(it)) || travelerRefs.some((it) => !travelers.includes(it));
    if (unknown) throw new Fault('83', 'a service points to no active segment or traveler');
  }
  const services = [...booking.services, ...asked.map((service) => ({ ...service, status: 'HK' }))];
  const changed = { ...booking, services };
  enter(carrier.state, carrier.now, 'services_added', booking.locator, { about: asked.flatMap((it) => it.code ?? []) });
  saveBooking(carrier.state, changed);
  return present(carrier, changed);
}
