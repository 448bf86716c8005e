/**
 * What a reading proves of a change of seats, contact, flight or passengers (docs/wire/notes.md, Changes): only what
 * the airline shows counts.
 */
import type { Booking } from '../../domain/booking/booking.ts';
import { activeSegments, type SeatAim, segmentsOf } from '../../domain/booking/expected-change.ts';
import { flightKey, inAnotherClass, sameFlight, sameSeat, seatOf } from '../../domain/booking/expected-details.ts';
import { contactText, type Digest, detailsText, identityText } from '../../domain/people/identity-text.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { compared, type Of, together, type Verdict, without } from './verdict.ts';

/** Names, and any other information of passengers, by pointer: the passengers of a booking stay. */
export function judgeTravelers(
  subject: Of<'change_names'> | Of<'update_passengers'>,
  booking: Booking,
  digest: Digest,
): Verdict {
  if (booking.travelers.length === 0) return 'void';
  return together(
    subject.changes.map((change) => {
      const traveler = booking.travelers.find(({ ref }) => ref === change.ref);
      return compared(traveler && digest(detailsText(traveler, change.details ?? ['name'])), change);
    }),
  );
}

export function judgeContact(subject: Of<'update_contact'>, { contact }: Booking, digest: Digest): Verdict {
  if (contact === undefined) return 'void';
  return together(subject.changes.map((change) => compared(digest(contactText(contact, change.detail)), change)));
}

export function judgeSeats(subject: Of<'assign_seats'>, booking: Booking, digest: Digest): Verdict {
  if (booking.travelers.length === 0) return 'void';
  return together(subject.seats.map((aim) => judgeSeat(aim, booking, digest)));
}

function judgeSeat({ segmentRef, travelerRef, who, was, wanted }: SeatAim, booking: Booking, digest: Digest): Verdict {
  const traveler = travelerOf(booking, travelerRef, who, digest);
  if (traveler === undefined) return 'contradicted';
  const now = seatOf(booking, traveler.ref, segmentRef);
  if (sameSeat(now, wanted)) return 'done';
  // No seat shown before, and none now: the airline may not show seats at all.
  if (now === undefined) return was === undefined ? 'void' : 'contradicted';
  return was !== undefined && sameSeat(now, was) ? 'not_done' : 'contradicted';
}

/** By identity; the pointer tells apart those who share one. */
function travelerOf(booking: Booking, ref: string, who: string, digest: Digest): Traveler | undefined {
  const same = booking.travelers.filter((traveler) => digest(identityText(traveler)) === who);
  return same.find((traveler) => traveler.ref === ref) ?? (same.length === 1 ? same[0] : undefined);
}

/**
 * By flight and class, never by pointer: the new segment may have been given any. The airline may book another class
 * than asked: that is done, and the result says the difference.
 */
export function judgeRebooked(subject: Of<'rebook_segment'>, booking: Booking): Verdict {
  const { replaced, wanted, kept } = subject;
  if (segmentsOf(booking).length === 0) return 'void';
  const left = without(activeSegments(booking).map(flightKey), kept, sameFlight);
  if (left === undefined) return 'contradicted';
  const isFresh = left.map((one) => sameFlight(one, wanted) || inAnotherClass(one, subject));
  const isOld = left.map((one) => sameFlight(one, replaced));
  if (left.some((_, i) => isFresh[i] !== true && isOld[i] !== true)) return 'contradicted';
  // Without its class a segment may be either.
  if (left.some((_, i) => isFresh[i] === isOld[i])) return 'void';
  if (left.length !== 1) return 'partial';
  return isFresh[0] === true ? 'done' : 'not_done';
}

/**
 * The old booking shows who left it, never where they are: that a person must find out, unless the airline's own
 * answer, which is the new booking, has been had.
 */
export function judgeSplit(subject: Of<'split_booking'>, booking: Booking, digest: Digest): Verdict {
  const here = booking.travelers.map((traveler) => digest(identityText(traveler)));
  const others = without(here, subject.kept, Object.is);
  if (others === undefined) return here.length === 0 ? 'void' : 'contradicted';
  return without(others, subject.moved, Object.is) === undefined ? 'partial' : 'not_done';
}

/** The answer to a split: a booking of the passengers who moved, and of nobody else, on the same flights. */
export function isSplitOff(subject: Of<'split_booking'>, booking: Booking, digest: Digest): boolean {
  const here = booking.travelers.map((traveler) => digest(identityText(traveler)));
  const flights = activeSegments(booking).map(flightKey);
  return (
    without(here, subject.moved, Object.is)?.length === 0 && without(flights, subject.flights, sameFlight)?.length === 0
  );
}
