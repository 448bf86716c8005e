/**
 * Passenger information other than the name (OTA_AirBookModifyRQ, type 40; field-notes.md, modifications): as type 3,
 * with the name as it was. It is not bound by the time limit of names.
 */
import type { Booking } from '../../domain/booking.ts';
import type { Traveler } from '../../domain/traveler.ts';
import type { Carrier } from '../carrier.ts';
import { Fault } from '../fault.ts';
import type { CarrierBooking } from '../record.ts';
import { replaceTravelers } from './change-names.ts';

/** Runs within a write transaction. */
export function updatePassengers(carrier: Carrier, booking: CarrierBooking, asked: readonly Traveler[]): Booking {
  for (const { ref, name } of asked) {
    const before = booking.travelers.find((it) => it.ref === ref)?.name;
    const same = before?.surname === name?.surname && before?.given.join(' ') === name?.given.join(' ');
    if (!same || (name?.middle.length ?? 0) > 0) throw new Fault('417', `traveler ${ref}: names are changed by type 3`);
  }
  return replaceTravelers(carrier, booking, asked, 'passenger_updated');
}
