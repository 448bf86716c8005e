/** What a rebooking is expected to change, and what proves it (docs/wire/notes.md, Changes). */
import { type Money, subtractMoney } from '../../../core/money.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../../../domain/booking/booking.ts';
import {
  earlierOrders,
  type FlightKey,
  flightKey,
  inAnotherClass,
  type PaymentsBefore,
  type RefundsBefore,
  refundsBefore,
  sameFlight,
} from '../../../domain/booking/expected-change.ts';
import { paymentsOf } from '../../../domain/booking/paid-and-refunded.ts';
import type { ActEvidence, Overcharge } from '../../../journal/act.ts';
import { type Verdict, without } from '../../../journal/evidence.ts';
import type { Outcome } from '../../../journal/operation.ts';

export type RebookSegment = RefundsBefore &
  PaymentsBefore & {
    readonly kind: 'rebook_segment';
    readonly replaced: FlightKey;
    readonly wanted: FlightKey;
    /** Active before and not replaced: must stay active. */
    readonly kept: readonly FlightKey[];
    /** The most that was approved; absent if it was not known. */
    readonly atMost?: Money;
  };

export function expectRebookedSegment(
  booking: Booking,
  replaced: Segment,
  wanted: Segment,
  atMost?: Money,
): RebookSegment {
  const kept = activeSegments(booking).filter(({ ref }) => ref !== replaced.ref);
  return {
    kind: 'rebook_segment',
    replaced: flightKey(replaced),
    wanted: flightKey(wanted),
    kept: kept.map(flightKey),
    earlierPayments: earlierOrders(paymentsOf(booking)),
    ...refundsBefore(booking),
    ...(atMost && { atMost }),
  };
}

/** Undefined where the airline states no charge, or no more than was approved. In another currency, nothing was approved. */
export function overcharge(
  { atMost }: Pick<RebookSegment, 'atMost'>,
  { charge, refund }: Pick<Outcome, 'charge' | 'refund'> = {},
): Overcharge | undefined {
  if (atMost === undefined || charge === undefined) return undefined;
  const { currency, minor } = charge.amount;
  const back = refund?.amount.currency === currency ? refund.amount.minor : 0;
  const charged = { minor: minor - back, currency };
  if (currency !== atMost.currency) return charged.minor > 0 ? { approved: atMost, charged } : undefined;
  if (charged.minor <= atMost.minor) return undefined;
  return { approved: atMost, charged, above: subtractMoney(charged, atMost) };
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
