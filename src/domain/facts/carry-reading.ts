/**
 * Completes a new reading of a booking with what was known before (compare-readings.ts has the names of the readings): people, segments
 * and what they were sold as, the state, limits and rules, the total.
 */

import type { BookingState } from '../booking/booking-state.ts';
import { hasStopped, isLost, isWaiting } from '../booking/status-codes.ts';
import { BAGGAGE, otherKept } from './booking-rows.ts';
import { carryFlight, isOtherIn } from './differ.ts';
import type { KeptSegment } from './flight-rows.ts';
import { isNeverPaid, isUnpaid, type KeptReading } from './kept-reading.ts';
import type { EarlierSegments } from './pair.ts';
import { type KeptPerson, pairPeople } from './person-rows.ts';
import { knownCoupons, knownOrders, newRefunds } from './tickets-and-orders.ts';

/** The states of a booking that was paid, or of which something is cancelled. */
const AFTER_HOLD: ReadonlySet<BookingState> = new Set(['ticketed', 'partly_cancelled', 'cancelled']);

/**
 * Completes a reading with what was known before and this one does not show: a stripped reply is no change, and the
 * next complete one is compared with what was last seen.
 */
export function completeReading(
  expected: KeptReading,
  shown: KeptReading,
  earlierSegments: EarlierSegments,
): KeptReading {
  const showsSegments = shown.segments.length > 0;
  const showsWhy = showsAllOfSegments(shown, earlierSegments);

  const segments = shown.segments.map((segment, i) => {
    const earlier = earlierSegments[i];
    const completed = completeSegment(earlier, segment);
    return showsWhy ? completed : { ...completed, cancelUntil: earlier?.cancelUntil, rules: earlier?.rules };
  });

  const state = knownState(expected, shown.state, segments);
  const showsWhoOnWhat = showsWhy && shown.persons !== undefined;
  const total = knownTotal(expected, shown, showsWhoOnWhat);
  const cancelledAt = expected.state === 'cancelled' ? expected.cancelledAt : shown.at;
  // Limits and rules move with their segments: a reading that leaves out something of these does not show why.
  const limits = showsWhy ? shown : expected;

  return {
    at: shown.at,
    createdAt: shown.createdAt ?? expected.createdAt,
    names: shown.names ?? expected.names,
    state,
    segments: showsSegments ? segments : expected.segments,
    coupons: showsSegments ? knownCoupons(expected, shown, earlierSegments) : expected.coupons,
    persons: knownPersons(expected, shown, earlierSegments),
    contact: shown.contact === undefined ? expected.contact : { ...expected.contact, ...shown.contact },
    orders: shown.orders.length > 0 ? knownOrders(expected.orders, shown.orders) : expected.orders,
    cancelledAt: state === 'cancelled' ? cancelledAt : undefined,
    // A reading that states fewer than the one before left some out.
    refunds: expected.refunds === undefined ? shown.refunds : Math.max(expected.refunds, shown.refunds ?? 0),
    // Absent instead of 0.
    refundsWithoutOrder: newRefunds(expected, shown).withoutOrder || undefined,
    payBy: shown.payBy ?? expected.payBy,
    namesUntil: limits.namesUntil ?? expected.namesUntil,
    cancelUntil: limits.cancelUntil ?? expected.cancelUntil,
    rules: limits.rules ?? expected.rules,
    ruleTexts: limits.ruleTexts ?? expected.ruleTexts,
    changeRules: limits.changeRules ?? expected.changeRules,
    total,
    baggage: showsWhoOnWhat ? knownBaggage(expected, shown) : expected.baggage,
    currency: total === undefined ? expected.currency : undefined,
  };
}

/** The passengers that the reading shows, completed with what was known of them; those known before if it shows none. */
function knownPersons(
  expected: KeptReading,
  shown: KeptReading,
  earlierSegments: EarlierSegments,
): KeptReading['persons'] {
  const showsSegments = shown.segments.length > 0;
  const persons = movedPersons(expected, showsSegments ? earlierSegments : undefined);
  if (shown.persons === undefined) return persons;

  const sure = pairPeople(persons, shown.persons).filter(({ isSure }) => isSure);
  const earlier = new Map(sure.map(({ was, now }) => [now, was]));

  return shown.persons.map((person) => {
    const was = earlier.get(person);
    // A reading without segments has no indexes of its own.
    const on = showsSegments ? person.on : undefined;
    const adult = sure.find((pair) => was?.lap !== undefined && pair.was.ref === was.lap)?.now;
    return { ...was, ...person, on: on ?? was?.on, lap: person.lap ?? adult?.ref };
  });
}

/** The passengers known before, on their flights by the indexes of the new reading, if that one has any. */
function movedPersons(
  { persons, segments }: KeptReading,
  earlierSegments: EarlierSegments | undefined,
): KeptReading['persons'] {
  return persons?.map(({ on, ...person }): KeptPerson => {
    if (on === undefined || earlierSegments === undefined) return { ...person, on };

    const isOn = (was: KeptSegment | undefined) => was !== undefined && on.includes(segments.indexOf(was));
    const now = [...earlierSegments.keys()].filter((i) => isOn(earlierSegments[i]));
    return { ...person, on: now.length === 0 ? undefined : now };
  });
}

/** Completes a segment with what was known of it. What a reading leaves out is an empty text, or absent. */
function completeSegment(expected: KeptSegment | undefined, shown: KeptSegment): KeptSegment {
  if (expected === undefined) return shown;

  // The old code belongs to the old flight, if that one ran. One that did not run, or waited, still does not until a code says that it
  // runs.
  const isOther = isOtherIn(expected, shown);
  const hasMoved = isOther('departs') || isOther('number');
  const runs = !hasStopped(expected) && !isWaiting(expected);
  const status = shown.status ?? (hasMoved && runs ? undefined : expected.status);

  const isOnlyWaiting = isWaiting(expected) && expected.waitsAgain !== true;
  const ofNumber = isOther('number') ? undefined : expected;

  return {
    ...carryFlight(expected, shown),
    status,
    waitsAgain: isWaiting({ ...shown, status }) && !isOnlyWaiting ? true : undefined,
    cancelUntil: shown.cancelUntil ?? ofNumber?.cancelUntil,
    rules: shown.rules ?? ofNumber?.rules,
  };
}

/**
 * The state after a reading. Some states show only that the reading left something out:
 *
 * | expected                                | shown           | known     | the reading left out        |
 * | --------------------------------------- | --------------- | --------- | --------------------------- |
 * | any                                     | unknown         | expected  | all that shows a state      |
 * | cancelled, all segments known to be     | any             | cancelled | the segments or their codes |
 * | partly cancelled and unpaid             | expired         | expired   | nothing                     |
 * | never paid, a segment known to be lost  | held            | expected  | the code of the segment     |
 * | never paid, all segments run            | held or expired | shown     | nothing                     |
 * | ticketed, partly cancelled or cancelled | held or expired | expected  | tickets and orders          |
 * | any other                               | any other       | shown     | nothing                     |
 *
 * @param segments the shown ones, completed
 */
function knownState(expected: KeptReading, shown: BookingState, segments: readonly KeptSegment[]): BookingState {
  const { state } = expected;

  if (shown === 'unknown' || (state === 'cancelled' && segments.every(isLost))) return state;
  if (shown === 'expired' && isUnpaid(expected)) return shown;

  const isRestored = isNeverPaid(expected) && segments.length > 0 && !segments.some(isLost);
  if (AFTER_HOLD.has(state) && (shown === 'held' || shown === 'expired')) return isRestored ? shown : state;

  return shown;
}

function showsAllOfSegments({ segments }: KeptReading, earlierSegments: EarlierSegments): boolean {
  return segments.length > 0 && !segments.some((segment, i) => lacksCodeOrClass(segment, earlierSegments[i]));
}

/**
 * The total of a paid booking and its baggage go by who travels on what. A reading that leaves out something of these does not show
 * why they are others, so that they are ignored.
 */
function knownTotal(expected: KeptReading, shown: KeptReading, showsWhy: boolean): KeptReading['total'] {
  const wasPaid = AFTER_HOLD.has(expected.state) && !isUnpaid(expected);
  return showsWhy || !wasPaid ? (shown.total ?? expected.total) : expected.total;
}

/** Of two forms of one allowance, keeps the one that says more, such as how heavy a piece may be. */
function knownBaggage(expected: KeptReading, shown: KeptReading): string | undefined {
  const { baggage: before = '' } = expected;
  const { baggage: now = '' } = shown;
  const isFuller = before.length > now.length && otherKept(BAGGAGE, expected, shown) === undefined;
  return isFuller ? before : shown.baggage;
}

/** Whether a segment lacks the status code or the class that was known of it. */
function lacksCodeOrClass(shown: KeptSegment, expected: KeptSegment | undefined): boolean {
  const lacksCode = shown.status === undefined && expected?.status !== undefined;
  const lacksClass = shown.bookingClass === undefined && expected?.bookingClass !== undefined;
  return lacksCode || lacksClass;
}
