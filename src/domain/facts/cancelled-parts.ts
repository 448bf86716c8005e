/**
 * The touches of a cancellation: of flights, of a whole booking, of passengers. At the end, what they and a rebooking put into a reading
 * beside flights and passengers.
 */
import { latestTime } from '../../core/times.ts';
import { CANCELLED_SEGMENT, isLost } from '../booking/status-codes.ts';
import type { KeptSegment } from './flight-rows.ts';
import { isUnpaid, type KeptReading, shortDigest } from './kept-reading.ts';
import { type FlightKey, findEarlierSegments, findFlight } from './pair.ts';
import { type KeptPerson, pairPeople } from './person-rows.ts';
import { isRefundedIn } from './tickets-and-orders.ts';
import type { Explanation, Touch, TouchedReadings } from './touches.ts';

/** Whether the new reading shows that the segment is cancelled, refunded or gone. */
function isLostIn(was: KeptSegment, { before, reading }: TouchedReadings): boolean {
  if (reading.state === 'cancelled') return true;
  if (reading.segments.length === 0) return false;
  const earlierSegments = findEarlierSegments(before.segments, reading.segments);
  const now = reading.segments.find((_, i) => earlierSegments[i] === was);
  return now === undefined || isLost(now) || isRefundedIn(now, reading);
}

/** Cancels the segments of these flights. The others keep their baggage, rules and limits. */
export const flightsCancelled = (flights: readonly FlightKey[]): Touch => ({
  leaves: { baggage: [] },
  explains: flights.map(
    (flight): Explanation =>
      (readings) => {
        const { before, reading, isLate } = readings;
        const was = findFlight(flight, before.segments);
        if (was === undefined || isLost(was)) return cancelledAlready(readings);

        const isShown = isLostIn(was, readings) || (isLate && reading.segments.length > 0);
        return isShown ? withState(withoutSegments(before, [was]), reading) : undefined;
      },
  ),
});

/** Cancels the segments that the reading shows cancelled; all of them, once a reading would show that. */
export const bookingCancelled: Touch = {
  // More of it can show later.
  isOver: ({ segments }) => segments.every(isLost),
  explains: [
    (readings) => {
      const { before, reading, isLate } = readings;
      const running = before.segments.filter((segment) => !isLost(segment));
      if (running.length === 0) return cancelledAlready(readings);

      const areAll = isLate && reading.segments.length > 0;
      const cancelled = areAll ? running : running.filter((segment) => isLostIn(segment, readings));
      return cancelled.length === 0 ? undefined : withState(withoutSegments(before, cancelled), reading);
    },
  ],
};

/** Explains the cancellation of what no longer ran: only the state of the booking can show it. */
function cancelledAlready({ before, reading, isLate }: TouchedReadings): KeptReading | undefined {
  const withNewState = withState(before, reading);
  const isShown = before.state === 'cancelled' || withNewState.state !== before.state;
  return isLate || isShown ? withNewState : undefined;
}

/** Removes the passengers who leave from the reading before, once the new reading shows them gone, or should by now. */
export const peopleRemoved = ({ gone, kept }: Readonly<Record<'gone' | 'kept', readonly string[]>>): Touch => ({
  leaves: {},
  explains: [(readings) => withoutPeople(gone.map(shortDigest), kept.map(shortDigest), readings)],
});

/** Undefined: the new reading shows no passengers, or still one of those who leave. */
function withoutPeople(
  leaving: readonly string[],
  staying: readonly string[],
  { before, reading, isLate }: TouchedReadings,
): KeptReading | undefined {
  const { persons: all = [] } = before;
  const shown = reading.persons?.map(({ who }) => who);
  if (shown === undefined) return undefined;

  const surePairs = pairPeople(all, reading.persons).filter(({ isSure }) => isSure);
  const there = surePairs.map(({ was }) => was);
  const isStillShown = (who: string) =>
    howOften(who, shown) > howOften(who, staying) ||
    (!staying.includes(who) && there.some((person) => person.who === who));

  // A passenger whom the reading before shows with other documents has another digest.
  const isKnown = ({ who }: KeptPerson) => leaving.includes(who) || staying.includes(who);
  const unknown = all.filter((person) => !there.includes(person) && !isKnown(person));

  let persons = all;
  for (const who of leaving) {
    const leaver = persons.find((person) => person.who === who) ?? unknown.shift();
    const isThere = leaver === undefined ? all.length === leaving.length + staying.length : isStillShown(who);
    if (isThere && !isLate) return undefined;
    persons = persons.filter((person) => person !== leaver);
  }

  const total = isUnpaid(before) ? (reading.total ?? before.total) : before.total;
  return withState({ ...before, persons, total }, reading);
}

/** Two travellers can have the same digest. */
const howOften = (who: string, people: readonly string[]): number => people.filter((each) => each === who).length;

// What a cancellation and a rebooking put into a reading beside flights and passengers.

/** Marks these segments as cancelled by us. */
export function withoutSegments(before: KeptReading, cancelled: readonly KeptSegment[]): KeptReading {
  const segments = before.segments.map((segment) =>
    cancelled.includes(segment) ? { ...segment, status: CANCELLED_SEGMENT } : segment,
  );
  return { ...before, segments };
}

/** Applies what a cancellation changes beside segments: the state of the booking, its limits, and the price of a hold. */
export function withState(before: KeptReading, reading: KeptReading, limits: 'later' | 'any' = 'later'): KeptReading {
  const { at, total } = reading;
  const withNewLimits = withLimits(before, reading, limits);
  const isAllLost = before.segments.every(isLost);
  const isCancellation = reading.state === 'partly_cancelled' || (reading.state === 'cancelled' && isAllLost);
  if (!isCancellation) return withNewLimits;

  // A reading without status codes shows that all is cancelled by the coupons alone.
  const state = isAllLost && before.segments.length > 0 ? 'cancelled' : reading.state;
  return {
    ...withNewLimits,
    state,
    cancelledAt: state === 'cancelled' && before.state !== 'cancelled' ? at : before.cancelledAt,
    total: isUnpaid(before) ? (total ?? before.total) : before.total,
  };
}

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
