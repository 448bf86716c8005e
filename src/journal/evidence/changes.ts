/** What a reading proves about a change of seats, contact, segments or passengers (docs/wire/notes.md, Changes). */
import { activeSegments, type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { flightKey, type SeatAim } from '../../domain/booking/expected-change.ts';
import { inAnotherClass, sameFlight, sameSeat, seatOf } from '../../domain/booking/expected-details.ts';
import { contactText, type Digest, detailsText, identityText } from '../../domain/people/identity-text.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { compared, type Of, together, type Verdict, without } from './verdict.ts';

/** Names and details of passengers, by pointer: the passengers stay the same. */
export function judgeTravelers(
  subject: Of<'change_names'> | Of<'update_passengers'>,
  booking: Booking,
  digest: Digest,
): Verdict {
  if (booking.travelers.length === 0) return 'void';
  return together(
    subject.changes.map((change) => {
      const traveler = booking.travelers.find(({ ref }) => ref === change.ref);
      return compared(traveler && digest(detailsText(traveler, change.details)), change);
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
  // The airline may not show seats at all.
  if (now === undefined) return was === undefined ? 'void' : 'contradicted';
  return was !== undefined && sameSeat(now, was) ? 'not_done' : 'contradicted';
}

/** By identity; by pointer among those who share one. */
function travelerOf(booking: Booking, ref: string, who: string, digest: Digest): Traveler | undefined {
  const same = booking.travelers.filter((traveler) => digest(identityText(traveler)) === who);
  return same.find((traveler) => traveler.ref === ref) ?? (same.length === 1 ? same[0] : undefined);
}

/** By flight and class: the new segment may have any pointer. Another class counts as done; the result names it. */
export function judgeRebooked(subject: Of<'rebook_segment'>, booking: Booking): Verdict {
  const { replaced, wanted, kept } = subject;
  if (segmentsOf(booking).length === 0) return 'void';
  const left = without(activeSegments(booking).map(flightKey), kept, sameFlight);
  if (left === undefined) return 'contradicted';
  const isFresh = left.map((one) => sameFlight(one, wanted) || inAnotherClass(one, subject));
  const isOld = left.map((one) => sameFlight(one, replaced));
  if (left.some((_, i) => isFresh[i] !== true && isOld[i] !== true)) return 'contradicted';
  // A segment without a class may be either.
  if (left.some((_, i) => isFresh[i] === isOld[i])) return 'void';
  if (left.length !== 1) return 'partial';
  return isFresh[0] === true ? 'done' : 'not_done';
}

/** The old booking shows who left, not where to. Without the airline's answer (the new booking) a person must find out. */
export function judgeSplit(subject: Of<'split_booking'>, booking: Booking, digest: Digest): Verdict {
  const here = booking.travelers.map((traveler) => digest(identityText(traveler)));
  const others = without(here, subject.kept, Object.is);
  if (others === undefined) return here.length === 0 ? 'void' : 'contradicted';
  return without(others, subject.moved, Object.is) === undefined ? 'partial' : 'not_done';
}

/** The answer to a split: a booking of exactly the passengers who moved, on the same flights. */
export function isSplitOff(subject: Of<'split_booking'>, booking: Booking, digest: Digest): boolean {
  const here = booking.travelers.map((traveler) => digest(identityText(traveler)));
  const flights = activeSegments(booking).map(flightKey);
  return (
    without(here, subject.moved, Object.is)?.length === 0 && without(flights, subject.flights, sameFlight)?.length === 0
  );
}
