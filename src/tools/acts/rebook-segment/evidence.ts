/** What a rebooking is expected to change, and what proves it (docs/wire/notes.md, Changes). */
import { activeSegments, type Booking, segmentsOf } from '../../../domain/booking/booking.ts';
import {
  earlierOrders,
  type FlightKey,
  flightKey,
  type PaymentsBefore,
  type RefundsBefore,
  refundsBefore,
} from '../../../domain/booking/expected-change.ts';
import { inAnotherClass, sameFlight } from '../../../domain/booking/expected-details.ts';
import type { Segment } from '../../../domain/booking/itinerary.ts';
import { paymentsOf } from '../../../domain/booking/paid-and-refunded.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import { type Verdict, without } from '../../../journal/evidence/verdict.ts';

export type RebookSegment = RefundsBefore &
  PaymentsBefore & {
    readonly kind: 'rebook_segment';
    readonly replaced: FlightKey;
    readonly wanted: FlightKey;
    /** Active before and not replaced: must stay active. */
    readonly kept: readonly FlightKey[];
  };

export function expectRebookedSegment(booking: Booking, replaced: Segment, wanted: Segment): RebookSegment {
  const kept = activeSegments(booking).filter(({ ref }) => ref !== replaced.ref);
  return {
    kind: 'rebook_segment',
    replaced: flightKey(replaced),
    wanted: flightKey(wanted),
    kept: kept.map(flightKey),
    earlierPayments: earlierOrders(paymentsOf(booking)),
    ...refundsBefore(booking),
  };
}

export const rebookEvidence: ActEvidence<RebookSegment> = {
  kind: 'rebook_segment',
  reading: judgeRebooked,
  toCheck: () => 'which flights are booked, and what was charged or refunded',
};

/** By flight and class: the new segment may have any pointer. Another class counts as done; the result names it. */
function judgeRebooked(expected: RebookSegment, booking: Booking): Verdict {
  const { replaced, wanted, kept } = expected;
  if (segmentsOf(booking).length === 0) return 'void';
  const left = without(activeSegments(booking).map(flightKey), kept, sameFlight);
  if (left === undefined) return 'contradicted';
  const isFresh = left.map((one) => sameFlight(one, wanted) || inAnotherClass(one, expected));
  const isOld = left.map((one) => sameFlight(one, replaced));
  if (left.some((_, i) => isFresh[i] !== true && isOld[i] !== true)) return 'contradicted';
  // A segment without a class may be either.
  if (left.some((_, i) => isFresh[i] === isOld[i])) return 'void';
  if (left.length !== 1) return 'partial';
  return isFresh[0] === true ? 'done' : 'not_done';
}
