/**
 * Accounts for what our own operations did to a booking, so that it is not reported as the airline's work. An effect that
 * a reading shows is applied, once, to the reading before: what still differs after that, the airline changed.
 */
import { type Money, sameMoney } from '../../core/money.ts';
import { DAY_MS, instantOf, latestTime } from '../../core/times.ts';
import type { FlightKey } from './expected-change.ts';
import { isLost, isUnpaid, type KeptReading, type KeptSegment, shortDigest } from './kept-reading.ts';
import {
  digitsOnly,
  findEarlierSegments,
  isRefundedIn,
  isSameTime,
  newRefunds,
  withoutHalfExchanges,
} from './pair-readings.ts';

/** An operation, and what it does to the booking. */
export interface OperationEffects {
  readonly id: string;
  readonly effects: readonly OperationEffect[];
  /** When it succeeded, milliseconds since 1970; absent: its outcome is not known. */
  readonly doneAt?: number;
}

/** What a reading is compared with. */
interface ComparisonBase {
  readonly before: KeptReading;
  readonly reading: KeptReading;
  /** Keys of effects that were applied or came to nothing: they explain no change in later readings. */
  readonly spent: readonly string[];
}

/** For how long after a successful operation a reading can still show the booking as it was, milliseconds. */
const SHOWN_WITHIN_MS = 60 * 60_000;
/** How long the refund of an operation is looked for, milliseconds. */
const REFUND_MS = 60 * DAY_MS;

/** The status code of a segment that we cancelled. */
const CANCELLED = '16';

/** What an effect is applied to. */
interface EffectReadings {
  readonly before: KeptReading;
  readonly reading: KeptReading;
  /** Whether this is the first reading of the booking. */
  readonly isFirst: boolean;
  /** Whether the operation is known to have succeeded: its effect is real, whatever the reading shows. */
  readonly isDone: boolean;
  /** Whether a reading would show the effect by now. */
  readonly isLate: boolean;
}

/** Applies an effect to the reading before; undefined if the new reading does not show it yet. */
export type OperationEffect = (readings: EffectReadings) => KeptReading | undefined;

/** Applies the effects of operations, oldest first, to the reading before. `operations`: newest first. */
export function withOperationEffects(
  before: KeptReading,
  reading: KeptReading,
  operations: readonly OperationEffects[],
): ComparisonBase {
  const spentBefore = new Set(before.spent);
  const spent: string[] = [];
  let expected = before;
  for (const operation of operations.toReversed()) {
    const { id, doneAt } = operation;
    const age = doneAt === undefined ? 0 : reading.at - doneAt;
    operation.effects.forEach((effect, i) => {
      const key = `${id} ${i}`;
      const isSpent = spentBefore.has(key);
      const readings = {
        before: expected,
        reading,
        isFirst: before === reading,
        isDone: doneAt !== undefined,
        isLate: age >= SHOWN_WITHIN_MS,
      };
      const withEffect = isSpent || age >= REFUND_MS ? expected : effect(readings);
      if (withEffect === undefined) return;
      expected = withEffect;
      // More of a whole booking's cancellation can show later, so that it is not spent until all segments are lost.
      if (isSpent || effect !== bookingCancelled || withEffect.segments.every(isLost)) spent.push(key);
    });
  }
  const isRecent = operations.some(({ doneAt }) => doneAt === undefined || reading.at - doneAt < SHOWN_WITHIN_MS);
  return { before: expected, reading: isRecent ? withoutHalfExchanges(expected, reading) : reading, spent };
}

/** Finds in the new reading the segment that was this one before. */
function pairAfter(was: KeptSegment, { before, reading }: EffectReadings): KeptSegment | undefined {
  const index = findEarlierSegments(before.segments, reading.segments).indexOf(was);
  return index < 0 ? undefined : reading.segments[index];
}

function isLostIn(was: KeptSegment, readings: EffectReadings): boolean {
  const { reading } = readings;
  if (reading.state === 'cancelled') return true;
  if (reading.segments.length === 0) return false;
  const now = pairAfter(was, readings);
  return now === undefined || isLost(now) || isRefundedIn(now, reading);
}

/** Cancels the segment of this flight. */
export const segmentCancelled =
  (flight: FlightKey): OperationEffect =>
  (readings) => {
    const { before, reading, isLate } = readings;
    const was = nearest(before.segments, flight);
    if (was === undefined || isLost(was)) return cancelledAlready(readings);
    const isShown = isLostIn(was, readings) || (isLate && reading.segments.length > 0);
    return isShown ? withState(withoutSegments(before, [was]), reading) : undefined;
  };

/** Cancels the segments that the reading shows cancelled; all of them, once a reading would show that. */
export const bookingCancelled: OperationEffect = (readings) => {
  const { before, reading, isLate } = readings;
  const runningSegments = before.segments.filter((segment) => !isLost(segment));
  if (runningSegments.length === 0) return cancelledAlready(readings);
  const cancelledSegments =
    isLate && reading.segments.length > 0
      ? runningSegments
      : runningSegments.filter((segment) => isLostIn(segment, readings));
  if (cancelledSegments.length === 0) return undefined;
  return withState(withoutSegments(before, cancelledSegments), reading);
};

/** The effect of cancelling what no longer ran: only the state of the booking shows that we did it. */
function cancelledAlready({ before, reading, isLate }: EffectReadings): KeptReading | undefined {
  const withNewState = withState(before, reading);
  const isShown = before.state === 'cancelled' || withNewState.state !== before.state;
  return isLate || isShown ? withNewState : undefined;
}

/** Marks these segments as cancelled by us. */
export function withoutSegments(before: KeptReading, cancelled: readonly KeptSegment[]): KeptReading {
  const segments = before.segments.map((segment) =>
    cancelled.includes(segment) ? { ...segment, status: CANCELLED } : segment,
  );
  return { ...before, segments };
}

/** Applies what a cancellation changes beside segments: the state of the booking, its limits, and the price of a hold. */
export function withState(before: KeptReading, reading: KeptReading, limits: 'later' | 'any' = 'later'): KeptReading {
  const { at, state, total } = reading;
  const moved = withLimits(before, reading, limits);
  if (state !== 'partly_cancelled' && !(state === 'cancelled' && before.segments.every(isLost))) return moved;
  return {
    ...moved,
    state,
    cancelledAt: state === 'cancelled' && before.state !== 'cancelled' ? at : moved.cancelledAt,
    total: isUnpaid(before) ? (total ?? moved.total) : moved.total,
  };
}

/** How often a digest of a person occurs: two travellers can have the same one. */
const countPerson = (people: readonly string[], who: string): number => people.filter((each) => each === who).length;

/** Takes the passengers who leave out of the reading before, once the reading shows them gone, or should by now. */
export const passengersRemoved =
  ({ gone, kept }: { readonly gone: readonly string[]; readonly kept: readonly string[] }): OperationEffect =>
  ({ before, reading, isLate }) => {
    const { people } = reading;
    if (people.length === 0) return undefined;
    const isStillShown = (who: string) => countPerson(people, shortDigest(who)) > countPerson(kept, who);
    if (gone.some(isStillShown) && !isLate) return undefined;
    const staying = [...before.people];
    for (const who of gone) {
      const index = staying.indexOf(shortDigest(who));
      if (index >= 0) staying.splice(index, 1);
    }
    const passengers = before.passengers - (before.people.length - staying.length);
    const { total } = reading;
    const price = isUnpaid(before) && total !== undefined && { total };
    return withState({ ...before, passengers, people: staying, ...price }, reading);
  };

/** Adds one refund, of the amount that the airline stated for the operation, if it stated any. */
export const refundShown =
  (countBefore: number, amount: Money | undefined): OperationEffect =>
  ({ before, reading, isFirst }) => {
    if (isFirst) return (reading.refunds ?? 0) > countBefore ? before : undefined;
    const { newOrders, newCount } = newRefunds(before, reading);
    const refund = newOrders.find(
      (order) => amount === undefined || order.amount === undefined || sameMoney(order.amount, amount),
    );
    if (newCount === 0 || (refund === undefined && newOrders.length > 0)) return undefined;
    const state = reading.state === 'partly_cancelled' ? reading.state : before.state;
    const orders = refund === undefined ? before.orders : [...before.orders, refund];
    // Its price can list it in several parts.
    const refunds = (reading.refunds ?? before.refunds ?? 0) - Math.max(0, newOrders.length - 1);
    const refundsWithoutOrder = (before.refundsWithoutOrder ?? 0) + (refund === undefined ? 1 : 0);
    return { ...before, state, refunds, orders, refundsWithoutOrder };
  };

/**
 * Takes the limits of the new reading: a later one, because the limit of a cancelled segment no longer counts. An earlier
 * one is the airline's change, unless `any` limit may follow, as after a change of train. A limit that the reading does
 * not show is no longer known.
 */
export function withLimits(before: KeptReading, reading: KeptReading, which: 'later' | 'any' = 'later'): KeptReading {
  const limitNow = (earlier: string | undefined, shown: string | undefined) => {
    if (earlier === undefined || shown === undefined) return undefined;
    return which === 'any' || latestTime([earlier, shown]) === shown ? shown : earlier;
  };
  return {
    ...before,
    namesUntil: limitNow(before.namesUntil, reading.namesUntil),
    cancelUntil: limitNow(before.cancelUntil, reading.cancelUntil),
  };
}

/** Milliseconds between the two departures. */
const departureDistance = (segment: KeptSegment, { departs }: FlightKey): number =>
  Math.abs((instantOf(segment.departs) ?? 0) - (instantOf(departs) ?? 0));

/** Whether a segment is this train or flight, also if the airline has moved it by less than a day. */
export function isNear(segment: KeptSegment, flight: FlightKey): boolean {
  if (segment.from !== flight.from || segment.to !== flight.to) return false;
  return digitsOnly(segment.number) === flight.number
    ? departureDistance(segment, flight) < DAY_MS
    : isSameTime(segment.departs, flight.departs);
}

/**
 * Finds the segment of a train or flight: by number, then by class, then one that runs, because a cancelled or replaced
 * segment can be listed beside it.
 */
export function nearest(segments: readonly KeptSegment[], flight: FlightKey): KeptSegment | undefined {
  // The first of these numbers that differs decides between two segments; the lower one wins.
  const unlikeness = (segment: KeptSegment): readonly number[] => [
    digitsOnly(segment.number) === flight.number ? 0 : 1,
    segment.class === undefined || flight.bookingClass === undefined || segment.class === flight.bookingClass ? 0 : 1,
    isLost(segment) ? 1 : 0,
    departureDistance(segment, flight),
  ];
  const candidates = segments
    .filter((segment) => isNear(segment, flight))
    .map((segment) => ({ segment, ranks: unlikeness(segment) }));
  const [best] = candidates.sort((a, b) => compareRanks(a.ranks, b.ranks));
  return best?.segment;
}

/** Compares two lists of numbers of the same length: by the first number that differs. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((rank, i) => rank - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
