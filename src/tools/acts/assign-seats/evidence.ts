/** What a change of seats is expected to change, and what proves it (docs/wire/notes.md, Changes). */
import type { SeatChoice } from '../../../domain/airline.ts';
import { type Booking, segmentsOf } from '../../../domain/booking/booking.ts';
import { assignedSeat, flightKey, type SeatAim, sameSeat } from '../../../domain/booking/expected-change.ts';
import { type Digest, identityText } from '../../../domain/people/identity-text.ts';
import type { Traveler } from '../../../domain/people/traveler.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import { together, type Verdict } from '../../../journal/evidence.ts';

export type AssignSeats = { readonly kind: 'assign_seats'; readonly seats: readonly SeatAim[] };

export function expectAssignedSeats(booking: Booking, seats: readonly SeatChoice[], digest: Digest): AssignSeats {
  const aims = seats.map(({ segmentRef, travelerRef, seat, coach }): SeatAim => {
    const traveler = booking.travelers.find(({ ref }) => ref === travelerRef);
    const was = assignedSeat(booking, travelerRef, segmentRef);
    const who = traveler === undefined ? '' : digest(identityText(traveler));
    const wanted = { seat, coach: coach ?? was?.coach };
    const segment = segmentsOf(booking).find(({ ref }) => ref === segmentRef);
    const flight = segment && { flight: flightKey(segment) };
    return { segmentRef, ...flight, travelerRef, who, ...(was && { was }), wanted };
  });
  return { kind: 'assign_seats', seats: aims };
}

export const seatsEvidence: ActEvidence<AssignSeats> = {
  kind: 'assign_seats',
  reading({ seats }, booking, { digest }) {
    if (booking.travelers.length === 0) return 'void';
    return together(seats.map((aim) => judgeSeat(aim, booking, digest)));
  },
  toCheck: () => 'which seats the passengers have now',
};

function judgeSeat({ segmentRef, travelerRef, who, was, wanted }: SeatAim, booking: Booking, digest: Digest): Verdict {
  const traveler = travelerOf(booking, travelerRef, who, digest);
  if (traveler === undefined) return 'contradicted';
  const now = assignedSeat(booking, traveler.ref, segmentRef);
  if (sameSeat(now, wanted)) return 'done';
  // The airline may not show seats at all.
  if (now === undefined) return was === undefined ? 'void' : 'contradicted';
  return was !== undefined && sameSeat(now, was) ? 'not_done' : 'contradicted';
}

/** By identity; by pointer among those who share one. */
function travelerOf(booking: Booking, ref: string, who: string, digest: Digest): Traveler | undefined {
  const same = booking.travelers.filter((traveler) => digest(identityText(traveler)) === who);
  return same.find((traveler) => traveler.ref === ref) ?? (same.length === 1 ? same[0] : undefined);
}
