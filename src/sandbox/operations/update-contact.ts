/**
 * New contact details (OTA_AirBookModifyRQ, type 9; field-notes.md, modifications).
 */
import type { Booking } from '../../domain/booking.ts';
import type { Contact } from '../../domain/traveler.ts';
import type { Carrier } from '../carrier.ts';
import { checkContact } from '../checks/travelers.ts';
import { Fault } from '../fault.ts';
import { enter } from '../ledger.ts';
import { present } from '../present.ts';
import { type CarrierBooking, isExpired, saveBooking } from '../record.ts';

/** Runs within a write transaction. */
export function updateContact(carrier: Carrier, booking: CarrierBooking, asked: Contact): Booking {
  if (booking.state === 'cancelled') throw new Fault('95', 'the whole booking is cancelled');
  if (isExpired(booking, carrier.now)) throw new Fault('73', 'the hold lapsed');
  const changed = { ...booking, contact: checkContact(asked) };
  enter(carrier.state, carrier.now, 'contact_updated', booking.locator);
  saveBooking(carrier.state, changed);
  return present(carrier, changed);
}
