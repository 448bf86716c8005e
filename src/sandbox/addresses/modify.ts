/**
 * OTA_AirBookModifyRQ: the reservation must be the one of the last read; then one operation per modification type.
 */
import type { Booking } from '../../domain/booking.ts';
import { MODIFY, modifyReply, modifyRequest } from '../../ota/messages/modify.ts';
import { isRecord, type Wire } from '../../ota/messages/parts/reader.ts';
import { readReply } from '../../ota/messages/read.ts';
import { type Carrier, needBooking } from '../carrier.ts';
import { applyTolerances } from '../dialects.ts';
import { Fault } from '../fault.ts';
import type { House } from '../house.ts';
import { cancelPassengers } from '../operations/cancel-passengers.ts';
import { cancelSegments } from '../operations/cancel-segments.ts';
import { changeNames } from '../operations/change-names.ts';
import { present } from '../present.ts';
import type { CarrierBooking } from '../record.ts';

export { MODIFY };

export function modify(carrier: Carrier, body: Wire, house: House): Wire {
  const modification = modifyRequest.decode(body as never);
  const booking = needBooking(carrier, modification.booking.locator);
  checkCopied(carrier, house, booking, body.airReservation);
  return modifyReply.encode(change(carrier, booking, modification));
}

function change(
  carrier: Carrier,
  booking: CarrierBooking,
  modification: ReturnType<typeof modifyRequest.decode>,
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

/** "`airReservation` is copied from the read reply of the booking" (interface.md, modify booking). */
function checkCopied(carrier: Carrier, house: House, booking: CarrierBooking, sent: unknown): void {
  const read = readReply.encode(present(carrier, booking));
  const now = applyTolerances(house.tolerances, read).airReservation;
  const difference = firstDifference(now, sent, '$.airReservation');
  if (difference !== undefined) throw new Fault('320', `${difference}: not as in the last read of the booking`);
}

/** What the clock changes, not the booking: allowed operations and seats left. */
const TIMELY = new Set(['operations', 'bookingClassAvails']);

function keysOf(value: Wire): string[] {
  return Object.keys(value).filter((key) => {
    const inner = value[key];
    return !TIMELY.has(key) && inner !== undefined && !(isRecord(inner) && keysOf(inner).length === 0);
  });
}

/** Addresses of downloads name the process that answered: its origin is no part of the booking. */
function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/https?:\/\/[^/\s]+\//g, '/') : value;
}

/** Path of the first value that differs. */
function firstDifference(due: unknown, sent: unknown, path: string): string | undefined {
  if (Array.isArray(due) && Array.isArray(sent)) {
    if (due.length !== sent.length) return path;
    return firstOf(due.map((_, i) => () => firstDifference(due[i], sent[i], `${path}[${i}]`)));
  }
  if (isRecord(due) && isRecord(sent)) {
    const keys = new Set([...keysOf(due), ...keysOf(sent)]);
    return firstOf([...keys].map((key) => () => firstDifference(due[key], sent[key], `${path}.${key}`)));
  }
  return comparable(due) === comparable(sent) ? undefined : path;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}
