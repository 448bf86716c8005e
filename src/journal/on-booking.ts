/** Which operations a reading of a booking is compared with. */
import type { Booking } from '../domain/booking/booking.ts';
import { earliestOf } from '../domain/booking/booking-identity.ts';
import type { Operation } from './operation.ts';
import type { OperationStore } from './ports.ts';

/** How many operations of a booking are looked at, the newest first. */
const MOST_OPERATIONS = 50;

/** Lists the newest operations on a booking, whoever asked for them. Leaves out those on an older booking that had its locator. */
export function newestOn(
  booking: Booking,
  store: Pick<OperationStore, 'list'>,
  tenant: string,
): Promise<readonly Operation[]> {
  return store.list({ tenant, locator: booking.locator, from: earliestOf(booking), limit: MOST_OPERATIONS });
}
