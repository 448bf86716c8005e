/**
 * What our own operations did to a booking. An effect that a reading shows becomes part of what was known before that
 * reading, once: the reading is then compared with that, and whatever differs is the airline's.
 */
import { type Money, sameMoney } from '../../core/money.ts';
import { DAY_MS, instantOf, latest } from '../../core/times.ts';
import type { FlightKey } from './expected-change.ts';
import { isLost, isUnpaid, type KeptReading, type KeptSegment, newRefunds, shortDigest } from './kept-reading.ts';
import { digitsOnly, isRefundedIn, isSameTime, pairSegments, withUnfinished } from './pair-readings.ts';

/** An operation that acts, or has acted. */
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
  /** Effects that were applied once, or came to nothing: they explain nothing in later readings. */
  readonly spent: readonly string[];
}

/** A reading can show the booking as it was for so long after an operation that succeeded, milliseconds. */
const SHOWN_WITHIN_MS = 60 * 60_000;
/** The refund of an operation is looked for this long, milliseconds. */
const REFUND_MS = 60 * DAY_MS;

/** The status code of a segment that we cancelled. */
const CANCELLED = '16';

interface EffectReadings {
  readonly before: KeptReading;
  readonly reading: KeptReading;
  /** The first reading of the booking: nothing was known of it before. */
  readonly isFirst: boolean;
  /** The operation succeeded: what it changed was so at that time, whatever the reading shows. */
  readonly isDone: boolean;
  /** The reading would show it by now. */
  readonly isLate: boolean;
}

/** The reading of before with the effect; undefined: the reading does not show it yet. */
export type OperationEffect = (readings: EffectReadings) => KeptReading | undefined;

/** @param spent as the reading before left it */
export function withOperationEffects(
  before: KeptReading,
  reading: KeptReading,
  operations: readonly OperationEffects[],
): ComparisonBase {
  const spentBefore = new Set(before.spent);
  const spent: string[] = [];
  let expected = before;
  // Oldest first: they come with the newest first.
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
      const shown = isSpent || age >= REFUND_MS ? expected : effect(readings);
      if (shown === undefined) return;
      expected = shown;
      // More of a whole booking's cancellation can show later, so that it is not spent until all segments are lost.
      if (isSpent || effect !== bookingCancelled || shown.segments.every(isLost)) spent.push(key);
    });
  }
  const isRecent = operations.some(({ doneAt }) => doneAt === undefined || reading.at - doneAt < SHOWN_WITHIN_MS);
  return { before: expected, reading: isRecent ? withUnfinished(expected, reading) : reading, spent };
}

/** The same segment in the reading as this one of before. */
function pairAfter(was: KeptSegment, { before, reading }: EffectReadings): KeptSegment | undefined {
  const at = pairSegments(before.segments, reading.segments).before.indexOf(was);
  return at < 0 ? undefined : reading.segments[at];
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

/** Cancels all segments, or those that the reading shows cancelled so far. */
export const bookingCancelled: OperationEffect = (readings) => {
  const { before, reading, isLate } = readings;
  const running = before.segments.filter((segment) => !isLost(segment));
  if (running.length === 0) return cancelledAlready(readings);
  const ours =
    isLate && reading.segments.length > 0 ? running : running.filter((segment) => isLostIn(segment, readings));
  return ours.length > 0 ? withState(withoutSegments(before, ours), reading) : undefined;
};

/**
 * Where nothing ran any more when we cancelled it: only the state of the booking shows that we did, at once or later.
 */
function cancelledAlready({ before, reading, isLate }: EffectReadings): KeptReading | undefined {
  const shown = withState(before, reading);
  return isLate || before.state === 'cancelled' || shown.state !== before.state ? shown : undefined;
}

/** With these segments cancelled by us. */
export function withoutSegments(before: KeptReading, gone: readonly KeptSegment[]): KeptReading {
  const segments = before.segments.map((segment) =>
    gone.includes(segment) ? { ...segment, status: CANCELLED } : segment,
  );
  return { ...before, segments };
}

/** With what a cancellation of ours changes beside segments: the state of the booking, its limits, and the price of a hold. */
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

/** How often a person is among these: two travellers can have the same digest. */
const count = (people: readonly string[], who: string): number => people.filter((each) => each === who).length;

/** Takes the passengers who leave out of the reading before, once the reading shows them gone, or should by now. */
export const passengersRemoved =
  ({ gone: leaving, kept }: { readonly gone: readonly string[]; readonly kept: readonly string[] }): OperationEffect =>
  ({ before, reading, isLate }) => {
    const { people } = reading;
    if (people.length === 0) return undefined;
    const isHere = (who: string) => count(people, shortDigest(who)) > count(kept, who);
    if (leaving.some(isHere) && !isLate) return undefined;
    const staying = [...before.people];
    for (const who of leaving)
      if (staying.includes(shortDigest(who))) staying.splice(staying.indexOf(shortDigest(who)), 1);
    const passengers = before.passengers - (before.people.length - staying.length);
    const { total } = reading;
    const price = isUnpaid(before) && total !== undefined && { total };
    return withState({ ...before, passengers, people: staying, ...price }, reading);
  };

/** One refund, of the amount that the airline stated for the operation, if it stated any. */
export const refundShown =
  (countBefore: number, amount: Money | undefined): OperationEffect =>
  ({ before, reading, isFirst }) => {
    if (isFirst) return (reading.refunds ?? 0) > countBefore ? before : undefined;
    const { fresh, more } = newRefunds(before, reading);
    const refund = fresh.find(
      (order) => amount === undefined || order.amount === undefined || sameMoney(order.amount, amount),
    );
    if (more === 0 || (refund === undefined && fresh.length > 0)) return undefined;
    const state = reading.state === 'partly_cancelled' ? reading.state : before.state;
    const orders = refund === undefined ? before.orders : [...before.orders, refund];
    // Its price can list it in several parts.
    const refunds = (reading.refunds ?? before.refunds ?? 0) - Math.max(0, fresh.length - 1);
    const refundsWithoutOrder = (before.refundsWithoutOrder ?? 0) + (refund === undefined ? 1 : 0);
    return { ...before, state, refunds, orders, refundsWithoutOrder };
  };

/**
 * Limits go with what was cancelled. An earlier one is the airline's, but for another train. What the reading does
 * not show is not known any more.
 */
export function withLimits(before: KeptReading, reading: KeptReading, which: 'later' | 'any' = 'later'): KeptReading {
  const keepLimit = (was: string | undefined, is: string | undefined) => {
    if (was === undefined || is === undefined) return undefined;
    return which === 'any' || latest([was, is]) === is ? is : was;
  };
  return {
    ...before,
    namesUntil: keepLimit(before.namesUntil, reading.namesUntil),
    cancelUntil: keepLimit(before.cancelUntil, reading.cancelUntil),
  };
}

/** Milliseconds between the two departures. */
const departureDistance = (segment: KeptSegment, { departs }: FlightKey): number =>
  Math.abs((instantOf(segment.departs) ?? 0) - (instantOf(departs) ?? 0));

/** The same train or flight, also when the airline has moved it a little. */
export function isNear(segment: KeptSegment, flight: FlightKey): boolean {
  if (segment.from !== flight.from || segment.to !== flight.to) return false;
  return digitsOnly(segment.number) === flight.number
    ? departureDistance(segment, flight) < DAY_MS
    : isSameTime(segment.departs, flight.departs);
}

/**
 * Finds in a reading the train or flight that an operation was about: by its number, then by its class. One that was
 * cancelled or replaced can be listed beside the one that runs.
 */
export function nearest(segments: readonly KeptSegment[], flight: FlightKey): KeptSegment | undefined {
  const unlikeness = (segment: KeptSegment): readonly number[] => [
    digitsOnly(segment.number) === flight.number ? 0 : 1,
    segment.class === undefined || flight.bookingClass === undefined || segment.class === flight.bookingClass ? 0 : 1,
    isLost(segment) ? 1 : 0,
    departureDistance(segment, flight),
  ];
  // The first of these numbers that differs decides, so that the most telling stands first.
  const ranked = segments
    .filter((candidate) => isNear(candidate, flight))
    .map((segment) => ({ segment, by: unlikeness(segment) }));
  return ranked.sort((a, b) => a.by.map((n, i) => n - (b.by[i] ?? 0)).find((n) => n !== 0) ?? 0)[0]?.segment;
}
