/**
 * Cancelling passengers of a paid booking with the refund (OTA_AirBookModifyRQ, type 2). They and their tickets
 * disappear; the others keep their pointers.
 */
import { type Carrier, changeLimit, needTicketed } from '../carrier.ts';
import { enter } from '../ledger.ts';
import type { Traveler } from '../model.ts';
import { activeSegments, type CarrierBooking, saveBooking } from '../record.ts';
import { refundFor } from '../refunds.ts';
import { Refusal } from '../refusal.ts';
import type { Leaving } from '../requests/modify.ts';
import { releaseTraveler } from '../stock.ts';
import { withRefund } from './refund-order.ts';

/** Runs within a write transaction. */
export function cancelPassengers(carrier: Carrier, booking: CarrierBooking, asked: readonly Leaving[]): CarrierBooking {
  needTicketed(booking);
  const leaving = asked.map((traveler) => travelerOf(booking, traveler));
  const refs = leaving.map((traveler) => traveler.ref);
  if (refs.length === 0) throw new Refusal('321', 'no traveler to cancel');
  if (new Set(refs).size !== refs.length) throw new Refusal('320', 'a traveler stands twice');
  const staying = booking.travelers.filter((it) => !refs.includes(it.ref));
  checkStaying(staying, refs);
  const segments = activeSegments(booking);
  for (const segment of segments) {
    if (carrier.now >= changeLimit(carrier, segment))
      throw new Refusal('150', `the time limit of segment ${segment.ref} has passed`);
  }
  const refund = refundFor(carrier, leaving, segments);
  for (const ref of refs) releaseTraveler(carrier.state, booking.locator, ref);
  enter(carrier.state, carrier.now, 'passengers_cancelled', booking.locator, { about: refs });
  const rest = {
    ...booking,
    travelers: staying,
    tickets: booking.tickets.filter((ticket) => !refs.includes(ticket.travelerRef)),
  };
  const changed = withRefund(carrier, rest, refund);
  saveBooking(carrier.state, changed);
  return changed;
}

/** Finds the traveller of a pointer. A type or name sent with it must match. */
export function travelerOf(booking: CarrierBooking, asked: Leaving): Traveler {
  const traveler = booking.travelers.find((it) => it.ref === asked.ref);
  if (traveler === undefined) throw new Refusal('83', `the booking has no traveler ${asked.ref}`);
  if (asked.type !== traveler.type) throw new Refusal('320', `traveler ${asked.ref} is no ${asked.type}`);
  if (asked.surname !== undefined && asked.surname !== traveler.name?.surname) {
    throw new Refusal('320', `traveler ${asked.ref} has another name`);
  }
  return traveler;
}

/** Checks that the remaining passengers may travel together. */
export function checkStaying(staying: readonly Traveler[], leaving: readonly string[]): void {
  if (staying.length === 0) throw new Refusal('172', 'the last passenger: cancel the segments instead');
  const orphan = staying.find((it) => it.attendantRef !== undefined && leaving.includes(it.attendantRef));
  if (orphan !== undefined) throw new Refusal('3004', `infant ${orphan.ref} would stay without its adult`);
  if (!staying.some((it) => it.type === 'ADT')) throw new Refusal('26', 'a child would stay without an adult');
}
