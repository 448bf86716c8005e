/**
 * Accounts for what our own operations did to a booking, so that it is not reported as the airline's work. An effect that
 * a reading shows is applied, once, to the reading before: what still differs after that, the airline changed.
 *
 * In this order: the application of effects, cancellations, passengers, tickets, details of people, refunds, what several effects
 * change (state and limits), and how the segment of a flight is found.
 */
import { type Money, sameMoney, sumMoney } from '../../core/money.ts';
import { sameJson } from '../../core/own.ts';
import { DAY_MS, HOUR_MS, instantOf, latestTime } from '../../core/times.ts';
import type { KeptSegment } from '../facts/flight-rows.ts';
import { findEarlierSegments } from '../facts/pair.ts';
import {
  addedAddresses,
  CHANGED_HERE,
  otherDetails,
  type PersonField,
  pairPeople,
  type SentForms,
} from '../facts/person-rows.ts';
import { isRefundedIn, newRefunds, ordersOfAct, segmentAt, withoutHalfExchanges } from '../facts/tickets-and-orders.ts';
import { isSameTime } from '../facts/values.ts';
import type { ContactDetail, TravelerDetail } from '../people/identity-text.ts';
import { digitsOnly, type FlightKey } from './expected-change.ts';
import { isUnpaid, type KeptCoupon, type KeptOrder, type KeptReading, shortDigest } from './kept-reading.ts';
import { CANCELLED_SEGMENT, isLost } from './status-codes.ts';

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
  /** Whether an effect of this reading may bring other rules, limits and sums. */
  readonly bringsRules: boolean;
  /** Whether an effect of this reading divides what was paid among two bookings. */
  readonly dividesSums: boolean;
  /** What the only operation that brings other rules leaves; undefined where it does not say it. */
  readonly leaves?: Remainder | undefined;
}

/** What an operation leaves of a booking beside the flights that it does not touch, as far as that is known before. */
export interface Remainder {
  /** The total is one of these. */
  readonly totals?: readonly Money[] | undefined;
  /** Allowances that may come to those of before, as a reading keeps them. Absent: any may. */
  readonly baggage?: readonly string[] | undefined;
}

/** For how long after a successful operation a reading can still show the booking as it was, milliseconds. */
const SHOWN_WITHIN_MS = HOUR_MS;
/** How long the refund of an operation is looked for, milliseconds. */
const REFUND_MS = 60 * DAY_MS;

/** What an effect is applied to. */
interface EffectReadings {
  readonly before: KeptReading;
  readonly reading: KeptReading;
  /** Whether this is the first reading of the booking, which is then its own `before`. */
  readonly isFirst: boolean;
  /** Whether the operation is known to have succeeded: its effect is real, whatever the reading shows. */
  readonly isDone: boolean;
  /** Whether a reading would show the effect by now. */
  readonly isLate: boolean;
}

/** Applies an effect to the reading before; undefined if the new reading does not show it yet. */
export interface OperationEffect {
  (readings: EffectReadings): KeptReading | undefined;
  /** It changes nothing that rules, limits and sums depend on. */
  readonly keepsRules?: true;
  /** What was paid is divided among two bookings. */
  readonly dividesSums?: true;
  /** The flights that it does not touch keep their rules and limits, and this is known of the booking. */
  readonly leaves?: Remainder;
}

/** Marks an effect that changes nothing that rules, limits and sums depend on. */
export function keepingRules(effect: OperationEffect): OperationEffect {
  return Object.assign(effect, { keepsRules: true } as const);
}

/** Marks an effect that leaves all other flights as they are. */
export function leaving(leaves: Remainder, effect: OperationEffect): OperationEffect {
  return Object.assign(effect, { leaves });
}

/** Applies the effects of operations, oldest first, to the reading before. `operations`: newest first. */
export function withOperationEffects(
  before: KeptReading,
  reading: KeptReading,
  operations: readonly OperationEffects[],
): ComparisonBase {
  const spentBefore = new Set(before.spent);
  const spent: string[] = [];
  const bringers: OperationEffects[] = [];
  let leaves: Remainder | undefined;
  let dividesSums = false;
  let expected = before;
  for (const operation of operations.toReversed()) {
    const age = ageAt(reading, operation);
    const isDone = operation.doneAt !== undefined;
    for (const [i, effect] of operation.effects.entries()) {
      const key = `${operation.id} ${i}`;
      if (spentBefore.has(key)) {
        spent.push(key);
        continue;
      }
      const readings = {
        before: expected,
        reading,
        isFirst: before === reading,
        isDone,
        isLate: age >= SHOWN_WITHIN_MS,
      };
      const withEffect = age >= REFUND_MS ? expected : effect(readings);
      if (withEffect === undefined) continue;
      expected = withEffect;
      if (effect.keepsRules !== true && bringers.at(-1) !== operation) bringers.push(operation);
      leaves = effect.leaves ?? leaves;
      dividesSums ||= effect.dividesSums === true;
      // More of a whole booking's cancellation can show later, so that it is not spent until all segments are lost.
      if (effect !== bookingCancelled || expected.segments.every(isLost)) spent.push(key);
    }
  }
  const isRecent = operations.some((operation) => ageAt(reading, operation) < SHOWN_WITHIN_MS);
  const shown = isRecent ? withoutHalfExchanges(expected, reading) : reading;
  const bringsRules = bringers.length > 0;
  return {
    ...{ before: expected, reading: shown, spent, bringsRules, dividesSums },
    leaves: bringers.length === 1 ? leaves : undefined,
  };
}

/** How long ago an operation succeeded, milliseconds. One whose outcome is not known may be happening now. */
function ageAt(reading: KeptReading, { doneAt = reading.at }: OperationEffects): number {
  return reading.at - doneAt;
}

/** Finds in the new reading the segment that was this one before; undefined: it is gone. */
function segmentNow(was: KeptSegment, { before, reading }: EffectReadings): KeptSegment | undefined {
  const earlierSegments = findEarlierSegments(before.segments, reading.segments);
  return reading.segments.find((_, i) => earlierSegments[i] === was);
}

/** Whether the new reading shows that the segment is cancelled, refunded or gone. */
function isLostIn(was: KeptSegment, readings: EffectReadings): boolean {
  const { reading } = readings;
  if (reading.state === 'cancelled') return true;
  if (reading.segments.length === 0) return false;
  const now = segmentNow(was, readings);
  return now === undefined || isLost(now) || isRefundedIn(now, reading);
}

/** Cancels the segment of this flight. */
export const segmentCancelled = (flight: FlightKey): OperationEffect =>
  leaving({ baggage: [] }, (readings) => {
    const { before, reading, isLate } = readings;
    const was = nearestSegment(before.segments, flight);
    if (was === undefined || isLost(was)) return cancelledAlready(readings);
    const isShown = isLostIn(was, readings) || (isLate && reading.segments.length > 0);
    return isShown ? withState(withoutSegments(before, [was]), reading) : undefined;
  });

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
    cancelled.includes(segment) ? { ...segment, status: CANCELLED_SEGMENT } : segment,
  );
  return { ...before, segments };
}

/** How often a digest of a person occurs: two travellers can have the same one. */
const countPerson = (people: readonly string[], who: string): number => people.filter((each) => each === who).length;

/** Digests. */
interface RemovedPeople {
  readonly gone: readonly string[];
  readonly kept: readonly string[];
}

/** Takes the passengers who leave out of the reading before, once the reading shows them gone, or should by now. */
export const passengersRemoved = ({ gone, kept }: RemovedPeople): OperationEffect =>
  leaving({}, ({ before, reading, isLate }) => {
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
    const total = isUnpaid(before) ? (reading.total ?? before.total) : before.total;
    return withState({ ...before, passengers, people: staying, total }, reading);
  });

/**
 * Says what a payment changes between two readings:
 *
 *   the earlier reading has coupons                nothing: it was ticketed already
 *   the later one shows no coupon or no segment    not shown yet
 *   any other                                      the booking is ticketed: each coupon of the later one is issued, and open
 *
 * One ticket for each passenger and segment: a second one is the airline's.
 */
export const ticketsIssued = keepingRules(showTickets);

function showTickets({ before, reading }: EffectReadings): KeptReading | undefined {
  if (before.coupons.length > 0) return before;
  if (reading.coupons.length === 0 || reading.segments.length === 0) return undefined;
  const earlierSegments = findEarlierSegments(before.segments, reading.segments);
  const coupons = reading.coupons.map((coupon): KeptCoupon => {
    // An index counts the segments of its own reading.
    const earlier = segmentAt(earlierSegments, coupon);
    return { ...coupon, status: 'O', segment: earlier && before.segments.indexOf(earlier) };
  });
  const isSecond = ({ who, segment, ticket }: KeptCoupon, i: number) =>
    who !== undefined &&
    coupons.slice(0, i).some((other) => other.who === who && other.segment === segment && other.ticket !== ticket);
  const issued = coupons.filter((coupon, i) => !isSecond(coupon, i));
  return withLimits({ ...before, coupons: issued, state: 'ticketed' }, reading);
}

/** What an operation changes of one person, and of the contact if it names no passenger. */
interface DetailChange {
  readonly ref?: string;
  readonly details: readonly (TravelerDetail | ContactDetail)[];
}

/** By detail: what a reading keeps of it. */
const FIELDS_OF: Partial<Record<DetailChange['details'][number], readonly PersonField[]>> = {
  name: ['names'],
  gender: ['gender'],
  birth_date: ['birthDate'],
  document: ['document', 'documentType', 'birthDate', 'expires', 'nationality', 'gender'],
  email: ['emails'],
  phone: ['phones'],
};

/**
 * Takes over the details that we changed of one person, once the reading shows new ones. If the reading still shows the old details
 * after the time in which airlines update them, they are reported as a change by the airline.
 */
export function detailsChanged({ ref, details }: DetailChange): OperationEffect {
  const fields = details.flatMap((detail) => FIELDS_OF[detail] ?? []);
  const isShown = (was: SentForms, now: SentForms) =>
    [...otherDetails(was, now), ...addedAddresses(was, now, [was])].some(({ field }) => fields.includes(field));
  const withFields = <P extends SentForms>(was: P, value: (field: PersonField) => SentForms[PersonField]): P => ({
    ...was,
    ...Object.fromEntries(fields.map((field) => [field, value(field)])),
  });
  const withNew = <P extends SentForms>(was: P, now: SentForms): P => withFields(was, (field) => now[field]);
  const withoutOld = <P extends SentForms>(was: P, now: SentForms): P => {
    const isAsBefore = fields.every((field) => sameJson(was[field], now[field]));
    return isAsBefore ? withFields(was, (field) => was[field] && CHANGED_HERE) : was;
  };
  const effect: OperationEffect = ({ before, reading, isLate, isFirst }) => {
    const isDue = isLate && !isFirst;
    if (ref === undefined) {
      const [was, now] = [before.contact ?? {}, reading.contact ?? {}];
      if (isShown(was, now)) return { ...before, contact: withNew(was, now) };
      return isDue ? { ...before, contact: before.contact && withoutOld(was, now) } : undefined;
    }
    const pairs = pairPeople(before.persons, reading.persons);
    // An airline may number passengers anew.
    const isKnown = before.persons?.some((person) => person.ref === ref) === true;
    const pair = pairs.find(({ was, now }) => (was.ref === ref || !isKnown) && isShown(was, now));
    const late = isDue ? pairs.find(({ was }) => was.ref === ref) : undefined;
    if (pair === undefined && late === undefined) return isLate ? before : undefined;
    const persons = before.persons?.map((person) => {
      if (person === pair?.was) return withNew(person, pair.now);
      return pair === undefined && person === late?.was ? withoutOld(person, late.now) : person;
    });
    return { ...before, persons };
  };
  return keepingRules(effect);
}

/**
 * Adds one refund, of the amount that the airline stated for the operation, if it stated any.
 *
 * | the reading shows                        | effect                                   |
 * | ---------------------------------------- | ---------------------------------------- |
 * | no new refund                            | not shown yet                            |
 * | a new order of this or an unknown amount | adds the refund with its order           |
 * | new orders, together of this amount      | the same with all of them                |
 * | new orders, all of other amounts         | not shown yet: these are not this refund |
 * | a new refund in the price, no new order  | adds the refund without an order         |
 *
 * @param countBefore how many refunds were known when the operation was made, for a first reading of the booking
 * @param currency of what was approved: an order in another one is not this refund, where its amount is not known
 */
export const refundShown =
  (countBefore: number, amount: Money | undefined, currency: string | undefined): OperationEffect =>
  ({ before, reading, isFirst }) => {
    if (isFirst) return (reading.refunds ?? 0) > countBefore ? before : undefined;
    const { newOrders, newCount } = newRefunds(before, reading);
    const ours = ordersOf(amount, currency, newOrders);
    if (newCount === 0 || (ours.length === 0 && newOrders.length > 0)) return undefined;
    const otherNewOrders = newOrders.length - ours.length;
    return {
      ...before,
      state: reading.state === 'partly_cancelled' ? reading.state : before.state,
      // All that the reading states, because its price can list this refund in several parts.
      refunds: (reading.refunds ?? before.refunds ?? 0) - otherNewOrders,
      orders: [...before.orders, ...ours],
      refundsWithoutOrder: (before.refundsWithoutOrder ?? 0) + (ours.length === 0 ? 1 : 0),
    };
  };

/** Expects one order of an act that costs at most this: a new order, or the payment of an earlier one. */
export const orderMade = (atMost: Money | 'any'): OperationEffect =>
  keepingRules(({ before, reading, isLate }) => {
    const { ours, isShown } = ordersOfAct(before, reading, atMost);
    return isShown || isLate ? { ...before, orders: [...before.orders, ...ours] } : undefined;
  });

/** The orders of a refund of this amount: one, or all that are new. */
function ordersOf(
  amount: Money | undefined,
  currency: string | undefined,
  newOrders: readonly KeptOrder[],
): readonly KeptOrder[] {
  const one = newOrders.find((order) => mayBeRefund(order, amount, currency));
  if (one !== undefined) return [one];
  const sum = sumMoney(newOrders.flatMap((order) => order.amount ?? []));
  return sameMoney(sum, amount) ? newOrders : [];
}

/** Whether an order can be the refund of this amount, or of one in this currency. Neither, and no amount of the order, may be known. */
function mayBeRefund(order: KeptOrder, amount: Money | undefined, currency: string | undefined): boolean {
  if (order.amount === undefined) return true;
  return amount === undefined
    ? currency === undefined || order.amount.currency === currency
    : sameMoney(order.amount, amount);
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
function withLimits(before: KeptReading, reading: KeptReading, which: 'later' | 'any' = 'later'): KeptReading {
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

/** Milliseconds between the departures of a segment and a flight. */
const departureDistance = (segment: KeptSegment, { departs }: FlightKey): number =>
  Math.abs((instantOf(segment.departs) ?? 0) - (instantOf(departs) ?? 0));

/** Whether a segment is this train or flight, also if the airline has moved it by less than a day. */
export function isNearFlight(segment: KeptSegment, flight: FlightKey): boolean {
  if (segment.from !== flight.from || segment.to !== flight.to) return false;
  return digitsOnly(segment.number) === flight.number
    ? departureDistance(segment, flight) < DAY_MS
    : isSameTime(segment.departs, flight.departs);
}

/**
 * Finds the segment of a train or flight: by number, then by class, then one that runs, because a cancelled or replaced
 * segment can be listed beside it.
 */
export function nearestSegment(segments: readonly KeptSegment[], flight: FlightKey): KeptSegment | undefined {
  // The first of these numbers that differs decides between two segments; the lower one wins.
  const unlikeness = (segment: KeptSegment): readonly number[] => [
    digitsOnly(segment.number) === flight.number ? 0 : 1,
    segment.class === undefined || flight.bookingClass === undefined || segment.class === flight.bookingClass ? 0 : 1,
    isLost(segment) ? 1 : 0,
    departureDistance(segment, flight),
  ];
  const candidates = segments
    .filter((segment) => isNearFlight(segment, flight))
    .map((segment) => ({ segment, ranks: unlikeness(segment) }));
  const [best] = candidates.sort((a, b) => compareRanks(a.ranks, b.ranks));
  return best?.segment;
}

/** Compares two lists of numbers of the same length: by the first number that differs. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((rank, i) => rank - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
