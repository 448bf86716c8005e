/** What a removal of passengers is expected to change, and what proves it. */
import type { Booking } from '../../../domain/booking/booking.ts';
import { identitiesByRef, type RefundsBefore, refundsBefore } from '../../../domain/booking/expected-change.ts';
import { type Digest, identityText } from '../../../domain/people/identity-text.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import { type Verdict, without } from '../../../journal/evidence.ts';
import { hasOpenCoupons, isFullyRefunded } from '../cancel-segment/evidence.ts';

export type CancelPassengers = RefundsBefore & {
  readonly kind: 'cancel_passengers';
  /** Identity digests, one for each passenger: equal ones are counted. */
  readonly gone: readonly string[];
  readonly kept: readonly string[];
};

export function expectCancelledPassengers(booking: Booking, refs: readonly string[], digest: Digest): CancelPassengers {
  const [gone, kept] = identitiesByRef(booking, refs, digest);
  return { kind: 'cancel_passengers', gone, kept, ...refundsBefore(booking) };
}

export const passengersEvidence: ActEvidence<CancelPassengers> = {
  kind: 'cancel_passengers',

  /** A reply to a full cancellation may be a booking without its content. A reading like that proves nothing. */
  reply({ kept }, { booking }, { isSameBooking }) {
    if (!isSameBooking || booking === undefined || hasOpenCoupons(booking)) return undefined;
    return kept.length === 0 && booking.travelers.length === 0 ? 'done' : undefined;
  },

  reading: (expected, booking, { digest }) => judgePassengers(expected, booking, digest),

  toCheck: () => 'which passengers are still on the booking, and what was refunded',
};

/**
 * By identity: an airline may renumber pointers once a passenger is gone. Nobody else may be on the booking: somebody may
 * have renamed a passenger who was to go.
 */
function judgePassengers(expected: CancelPassengers, booking: Booking, digest: Digest): Verdict {
  const present = booking.travelers.map((traveler) => digest(identityText(traveler)));
  if (present.length === 0) return expected.kept.length === 0 && isFullyRefunded(booking) ? 'done' : 'void';
  const afterKept = without(present, expected.kept, Object.is);
  if (afterKept === undefined) return 'contradicted';
  if (without(afterKept, expected.gone, Object.is) !== undefined) return 'not_done';
  return afterKept.length === 0 ? 'done' : 'partial';
}
