/**
 * Reading a booking by either of its locators (OTA_ReadRQ).
 */
import type { Booking } from '../../domain/booking.ts';
import { type Carrier, needBooking } from '../carrier.ts';
import { present } from '../present.ts';

export function readBooking(carrier: Carrier, locator: string): Booking {
  return present(carrier, needBooking(carrier, locator));
}
