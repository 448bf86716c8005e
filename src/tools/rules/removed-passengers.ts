/** Passengers who leave a booking, cancelled or moved to another one. */
import type { Booking } from '../../domain/booking/booking.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { manyByRef } from './find-by-ref.ts';
import { notSent } from './refusal.ts';

export interface Departure {
  readonly going: readonly Traveler[];
  readonly refs: readonly string[];
  readonly staying: readonly Traveler[];
}

export function departureOf({ travelers }: Booking, given: readonly string[]): Departure {
  const going = manyByRef(travelers, given, 'passenger_refs', 'the booking has');
  const refs = going.map(({ ref }) => ref);
  return { going, refs, staying: travelers.filter(({ ref }) => !refs.includes(ref)) };
}

export function passengersText(going: readonly Traveler[]): string {
  return going.length === 1 ? '1 passenger' : `${going.length} passengers`;
}

export const hasAdult = (party: readonly Traveler[]) => party.some(({ type }) => type === 'ADT');

/** A lap infant cannot stay without its adult. `tool`: the tool that the error names. */
export function assertNoOrphan({ staying, refs }: Departure, tool: string): void {
  const orphan = staying.find(({ attendantRef }) => attendantRef !== undefined && refs.includes(attendantRef));
  if (orphan === undefined) return;
  throw notSent(
    'E_NOT_PERMITTED',
    `Passenger ${orphan.attendantRef} has infant ${orphan.ref} on the lap, who cannot stay alone.`,
    `Call ${tool} with infant ${orphan.ref} as well, if that is wanted.`,
  );
}

/** A lap infant cannot travel on without its adult. */
export function assertNoLoneInfant({ going, refs }: Departure, tool: string): void {
  const infant = going.find(({ attendantRef }) => attendantRef !== undefined && !refs.includes(attendantRef));
  if (infant === undefined) return;
  throw notSent(
    'E_NOT_PERMITTED',
    `Infant ${infant.ref} travels on the lap of passenger ${infant.attendantRef}, who would stay.`,
    `Call ${tool} with passenger ${infant.attendantRef} as well, if that is wanted.`,
  );
}
