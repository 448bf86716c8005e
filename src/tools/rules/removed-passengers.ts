/**
 * Passengers who leave a booking: off it, or to another one.
 */
import type { Booking } from '../../domain/booking/booking.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { ClerkError, inputError } from '../../errors.ts';

/** The passengers with these refs. Throws E_INPUT with the refs of the booking. */
export function leavingOf(booking: Booking, refs: ReadonlySet<string>): readonly Traveler[] {
  const going = booking.travelers.filter((traveler) => refs.has(traveler.ref));
  if (going.length === refs.size) return going;
  const known = booking.travelers.map((traveler) => `${traveler.ref} (${traveler.type})`).join(', ');
  throw inputError('passenger_refs', `expected refs of this booking: ${known}.`);
}

export function passengersText(going: readonly Traveler[]): string {
  return going.length === 1 ? '1 passenger' : `${going.length} passengers`;
}

/** A lap infant cannot stay without its adult. `tool` is the one to call with both. */
export function assertNoOrphan(booking: Booking, going: readonly string[], tool: string): void {
  const orphan = booking.travelers.find(
    ({ ref, attendantRef }) => attendantRef !== undefined && going.includes(attendantRef) && !going.includes(ref),
  );
  if (orphan === undefined) return;
  throw new ClerkError(
    'E_NOT_PERMITTED',
    `Passenger ${orphan.attendantRef} has infant ${orphan.ref} on the lap, who cannot stay alone. Nothing was sent.`,
    { next: `Call ${tool} with infant ${orphan.ref} as well, if that is wanted.` },
  );
}

/** Nor can it go alone, where it is to travel on. */
export function assertNoLoneInfant(travelers: readonly Traveler[], tool: string): void {
  const refs = travelers.map(({ ref }) => ref);
  const infant = travelers.find(({ attendantRef }) => attendantRef !== undefined && !refs.includes(attendantRef));
  if (infant === undefined) return;
  throw new ClerkError(
    'E_NOT_PERMITTED',
    `Infant ${infant.ref} travels on the lap of passenger ${infant.attendantRef}, who would stay. Nothing was sent.`,
    { next: `Call ${tool} with passenger ${infant.attendantRef} as well, if that is wanted.` },
  );
}
