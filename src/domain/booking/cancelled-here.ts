/**
 * What an operation of ours cancelled, and the airline's reading still shows as before. It is shown as cancelled: nothing of it is refunded
 * twice, and nobody travels on it. The reading stays as it is: it is what the next one is compared with.
 */

import { cleanRef } from '../../core/clean-text.ts';
import { utcText } from '../../core/times.ts';
import { capitalized, counted, listed, nounWithRefs } from '../../core/words.ts';
import { type Booking, type PartCancelledHere, segmentsOf } from './booking.ts';
import { showDeadline } from './deadlines.ts';
import { withSegments } from './owed-segments.ts';
import { CANCELLED_SEGMENT, segmentStatus } from './status-codes.ts';

/** Shows these parts as cancelled. */
export function withCancelledHere(booking: Booking, cancelled: readonly PartCancelledHere[]): Booking {
  const cancelledHere = cancelled.filter(
    ({ segmentRefs, travelerRefs }) => segmentRefs.length + travelerRefs.length > 0,
  );
  if (cancelledHere.length === 0) return booking;

  const goneRefs = cancelledHere.flatMap(({ travelerRefs }) => travelerRefs);
  const isEverybody = goneRefs.length > 0 && booking.travelers.every(({ ref }) => goneRefs.includes(ref));
  const segmentRefs = cancelledHere.flatMap((part) => part.segmentRefs);

  const shown = {
    ...withSegments(booking, (segment) =>
      isEverybody || segmentRefs.includes(segment.ref) ? { ...segment, statusCode: CANCELLED_SEGMENT } : segment,
    ),
    cancelledHere,
  };
  return goneRefs.length === 0 || isEverybody ? shown : withoutPeople(shown, goneRefs);
}

function withoutPeople(booking: Booking, goneRefs: readonly string[]): Booking {
  const stays = (ref: string) => !goneRefs.includes(ref);
  return {
    ...booking,
    travelers: booking.travelers.filter(({ ref }) => stays(ref)),
    tickets: booking.tickets.filter(({ travelerRefs }) => travelerRefs.length === 0 || travelerRefs.some(stays)),
    services: booking.services.filter(({ travelerRefs }) => travelerRefs.length === 0 || travelerRefs.some(stays)),
  };
}

const NOT_SHOWN = "the airline's reading does not show it yet";

/** Says what was cancelled here that the airline's reading does not show yet. Empty if there is nothing. */
export function cancelledHereText(booking: Booking): string {
  if (booking.cancelledHere === undefined) return '';
  const whole = wholeCancelledAt(booking);
  if (whole !== undefined) return `Booking ${booking.locator} was cancelled here on ${whole}; ${NOT_SHOWN}.`;
  return `${capitalized(partsCancelledHere(booking))}.`;
}

/** `segment 1 was cancelled here on Sun 29 Nov 08:00 (UTC+3); the airline's reading does not show it yet`. */
export function partsCancelledHere(booking: Booking): string {
  const parts = (booking.cancelledHere ?? []).map(({ at, segmentRefs, travelerRefs }) => {
    const people = travelerRefs.length;
    const what = people > 0 ? counted(people, 'passenger') : nounWithRefs('segment', segmentRefs.map(cleanRef));
    return `${what} ${people + segmentRefs.length === 1 ? 'was' : 'were'} cancelled here on ${shownTime(booking, at)}`;
  });
  return `${listed(parts)}; ${NOT_SHOWN}`;
}

/** Why nothing can be done with a cancelled booking: `it is cancelled`, or since when, if only we know. */
export function whyCancelled(booking: Booking): string {
  const at = wholeCancelledAt(booking);
  return at === undefined ? 'it is cancelled' : `it was cancelled here on ${at}; ${NOT_SHOWN}`;
}

/** When the last of it was cancelled here. Undefined if something is left of it, or nothing was. */
function wholeCancelledAt(booking: Booking): string | undefined {
  const [last] = (booking.cancelledHere ?? []).map(({ at }) => at).toSorted((a, b) => b - a);
  const isLeft = segmentsOf(booking).some(({ statusCode }) => segmentStatus(statusCode) !== 'cancelled');
  return last === undefined || isLeft ? undefined : shownTime(booking, last);
}

function shownTime(booking: Booking, at: number): string {
  return showDeadline(utcText(at), segmentsOf(booking)[0]?.departs);
}
