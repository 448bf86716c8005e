/**
 * OTA_AirBookModifyRQ: the reservation must be the one of the last read; then one operation per modification type.
 */
import type { Booking } from '../../domain/booking.ts';
import { MODIFY, modifyReply, modifyRequest } from '../../ota/messages/modify.ts';
import { isRecord, type Wire } from '../../ota/messages/parts/reader.ts';
import { readReservation } from '../../ota/messages/parts/reservation.ts';
import { type Carrier, needBooking } from '../carrier.ts';
import { Fault } from '../fault.ts';
import type { House } from '../house.ts';
import { cancelPassengers } from '../operations/cancel-passengers.ts';
import { cancelSegments } from '../operations/cancel-segments.ts';
import { changeNames } from '../operations/change-names.ts';
import type { CarrierBooking } from '../record.ts';
import { ASSUMED_CHANGES } from './assumed-changes.ts';
import { checkCopied } from './copied-reservation.ts';

export { MODIFY };

export function modify(carrier: Carrier, body: Wire, house: House): Wire {
  const { airReservation, airBookModifyRQ } = body;
  const type = isRecord(airBookModifyRQ) ? airBookModifyRQ.modificationType : undefined;
  const assumed = typeof type === 'string' ? ASSUMED_CHANGES[type] : undefined;
  if (assumed !== undefined && isRecord(airBookModifyRQ) && isRecord(airReservation)) {
    const change = assumed.read(airBookModifyRQ);
    const booking = needBooking(carrier, readReservation(airReservation).locator);
    checkCopied(carrier, house, booking, airReservation);
    return modifyReply.encode(change(carrier, booking));
  }
  const modification = modifyRequest.parse(body);
  const booking = needBooking(carrier, modification.booking.locator);
  checkCopied(carrier, house, booking, airReservation);
  return modifyReply.encode(documented(carrier, booking, modification));
}

/** The modifications whose payload interface.md shows. */
function documented(
  carrier: Carrier,
  booking: CarrierBooking,
  modification: ReturnType<typeof modifyRequest.parse>,
): Booking {
  switch (modification.kind) {
    case 'cancel_segments':
      return cancelSegments(carrier, booking, modification.options);
    case 'cancel_passengers':
      return cancelPassengers(carrier, booking, modification.travelers);
    case 'change_names':
      return changeNames(carrier, booking, modification.travelers);
    default:
      throw new Fault('172', 'this modification type is not served');
  }
}
