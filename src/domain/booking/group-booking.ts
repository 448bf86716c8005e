/**
 * Bookings by passenger counts: the group's name, and passengers without names (docs/wire/interface.md, Booking by
 * counts).
 */
import type { Traveler } from '../people/traveler.ts';
import type { Booking } from './booking.ts';

/** OpenTravel unique id type of a group. */
const GROUP = '9';

export function groupNameOf({ references }: Booking): string | undefined {
  return references.find(({ type }) => type === GROUP)?.id;
}

/** References of the booking, without the group's name. */
export function bookingReferences({ references }: Booking): Booking['references'] {
  return references.filter(({ type }) => type !== GROUP);
}

export function unnamedOf({ travelers }: Booking): readonly Traveler[] {
  return travelers.filter(({ name }) => name === undefined);
}
