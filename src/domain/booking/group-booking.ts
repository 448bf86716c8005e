/**
 * Bookings from passenger counts: the group's name, and the passengers whose names are still to come
 * (docs/wire/interface.md, Booking by counts).
 */

import type { Traveler } from '../people/traveler.ts';
import type { Booking } from './booking.ts';

/** OpenTravel unique id type of a group. */
const GROUP = '9';

/** The name that the group was booked under, where the airline gives it back. */
export function groupNameOf({ references }: Booking): string | undefined {
  return references.find(({ type }) => type === GROUP)?.id;
}

/** The names the booking itself goes by: a group's name is none of them. */
export function bookingReferences({ references }: Booking): Booking['references'] {
  return references.filter(({ type }) => type !== GROUP);
}

/** Passengers without a name, in the order of the booking. */
export function unnamedOf({ travelers }: Booking): readonly Traveler[] {
  return travelers.filter(({ name }) => name === undefined);
}
