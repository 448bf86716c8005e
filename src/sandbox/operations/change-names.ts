/**
 * Changing names and documents (OTA_AirBookModifyRQ, type 3); also how a group's passengers get their names.
 */
import type { Booking } from '../../domain/booking.ts';
import type { Traveler } from '../../domain/traveler.ts';
import { type Carrier, departureOf } from '../carrier.ts';
import { checkDocumentsDiffer, checkPassenger } from '../checks/travelers.ts';
import { Fault } from '../fault.ts';
import { enter } from '../ledger.ts';
import { present } from '../present.ts';
import { activeSegments, type CarrierBooking, isExpired, saveBooking } from '../record.ts';

/** Runs within a write transaction. */
export function changeNames(carrier: Carrier, booking: CarrierBooking, asked: readonly Traveler[]): Booking {
  if (booking.state === 'ticketed' && carrier.now >= booking.namesUntil) {
    throw new Fault('417', `names were fixed at ${new Date(booking.namesUntil).toISOString()}`);
  }
  return replaceTravelers(carrier, booking, asked, 'renamed');
}

/** Takes new details of travellers, checked as at booking. */
export function replaceTravelers(
  carrier: Carrier,
  booking: CarrierBooking,
  asked: readonly Traveler[],
  event: 'renamed' | 'passenger_updated',
): Booking {
  checkChangeable(carrier, booking);
  const departures = activeSegments(booking).map((segment) => departureOf(carrier, segment));
  const replaced = new Map<string, Traveler>();
  for (const change of asked) {
    if (replaced.has(change.ref)) throw new Fault('83', `traveler ${change.ref} stands twice`);
    const merged = merge(sameTraveler(booking, change), change);
    replaced.set(change.ref, checkPassenger(merged, `traveler ${change.ref}`, departures));
  }
  const travelers = booking.travelers.map((it) => replaced.get(it.ref) ?? it);
  checkDocumentsDiffer(travelers);
  const changed = { ...booking, travelers };
  enter(carrier.state, carrier.now, event, booking.locator, { about: [...replaced.keys()] });
  saveBooking(carrier.state, changed);
  return present(carrier, changed);
}

function sameTraveler(booking: CarrierBooking, change: Traveler): Traveler {
  const before = booking.travelers.find((it) => it.ref === change.ref);
  if (before === undefined) throw new Fault('83', `the booking has no traveler ${change.ref}`);
  if (change.type !== before.type) throw new Fault('320', `traveler ${change.ref} is no ${change.type}`);
  if (before.segmentRefs.join() !== change.segmentRefs.join()) {
    throw new Fault('83', `traveler ${change.ref} is on segments ${before.segmentRefs.join(', ')}`);
  }
  return before;
}

function checkChangeable(carrier: Carrier, booking: CarrierBooking): void {
  if (booking.state === 'cancelled') throw new Fault('95', 'the whole booking is cancelled');
  if (isExpired(booking, carrier.now)) throw new Fault('73', 'the hold lapsed');
}

/** New details over the old ones; the infant stays with its adult. */
function merge(before: Traveler, change: Traveler): Traveler {
  const { attendantRef } = before;
  if (change.attendantRef !== undefined && change.attendantRef !== attendantRef) {
    throw new Fault('3005', `infant ${before.ref} stays with adult ${attendantRef}`);
  }
  return {
    ...before,
    ...change,
    ...(attendantRef === undefined ? {} : { attendantRef }),
    document: { ...before.document, ...change.document },
    emails: change.emails.length > 0 ? change.emails : before.emails,
    phones: change.phones.length > 0 ? change.phones : before.phones,
    addresses: change.addresses.length > 0 ? change.addresses : before.addresses,
    comments: change.comments.length > 0 ? change.comments : before.comments,
  };
}
