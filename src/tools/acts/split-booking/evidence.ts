/** What a split is expected to change, and what proves it (docs/wire/notes.md, Changes). */
import { activeSegments, type Booking } from '../../../domain/booking/booking.ts';
import { type FlightKey, flightKey, identitiesByRef, sameFlight } from '../../../domain/booking/expected-change.ts';
import { type Digest, identityText } from '../../../domain/people/identity-text.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import { type Verdict, without } from '../../../journal/evidence.ts';

export type SplitBooking = {
  readonly kind: 'split_booking';
  /** Identity digests, one for each passenger. */
  readonly moved: readonly string[];
  readonly kept: readonly string[];
  readonly flights: readonly FlightKey[];
};

export function expectSplitBooking(booking: Booking, refs: readonly string[], digest: Digest): SplitBooking {
  const [moved, kept] = identitiesByRef(booking, refs, digest);
  return { kind: 'split_booking', moved, kept, flights: activeSegments(booking).map(flightKey) };
}

export const splitEvidence: ActEvidence<SplitBooking> = {
  kind: 'split_booking',

  reply(expected, { booking }, { isSameBooking, digest }) {
    if (booking === undefined || isSameBooking) return undefined;
    return isSplitOff(expected, booking, digest) ? 'done' : 'void';
  },

  reading: (expected, booking, { digest }) => judgeSplit(expected, booking, digest),

  learns: (_, { booking }) => ({ ...(booking && { newLocator: booking.locator }) }),

  toCheck: () => 'which passengers are still on the booking, and the locator of the one that the others moved to',
};

/** The old booking shows who left, not where to. Without the airline's answer (the new booking) a person must find out. */
function judgeSplit(expected: SplitBooking, booking: Booking, digest: Digest): Verdict {
  const here = booking.travelers.map((traveler) => digest(identityText(traveler)));
  const others = without(here, expected.kept, Object.is);
  if (others === undefined) return here.length === 0 ? 'void' : 'contradicted';
  return without(others, expected.moved, Object.is) === undefined ? 'partial' : 'not_done';
}

/** The answer to a split: a booking of exactly the passengers who moved, on the same flights. */
function isSplitOff(expected: SplitBooking, booking: Booking, digest: Digest): boolean {
  const here = booking.travelers.map((traveler) => digest(identityText(traveler)));
  const flights = activeSegments(booking).map(flightKey);
  return (
    without(here, expected.moved, Object.is)?.length === 0 &&
    without(flights, expected.flights, sameFlight)?.length === 0
  );
}
