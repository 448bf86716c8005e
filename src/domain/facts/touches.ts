/**
 * What an act of ours touches of a booking. Each act lists its touches (tools/acts). From them follows what of two readings is our own
 * work and not the airline's, which findings are dealt with, what is cancelled here already, and what may be paid.
 *
 * A touch explains a difference once: what the act did is put into the reading before, as soon as a later reading shows it, or must have
 * shown it. What still differs then, the airline changed.
 *
 * In this order: touches, how they are put into a reading, the touches of money. cancelled-parts.ts has those of a cancellation.
 */
import { type Money, sameMoney, sumMoney } from '../../core/money.ts';
import { DAY_MS, HOUR_MS } from '../../core/times.ts';
import type { Booking, JudgedDeed } from '../booking/booking.ts';
import type { Finding } from '../booking/finding.ts';
import type { KnownCancellation } from '../booking/owed-segments.ts';
import type { Digest } from '../people/identity-text.ts';
import type { AddedToHold } from './asked-people.ts';
import type { ExpectedTraveler } from './expected-change.ts';
import { type KeptOrder, type KeptReading, shortDigest } from './kept-reading.ts';
import { type Alike, type FlightKey, pairPersons } from './pair.ts';
import type { KeptPerson } from './person-rows.ts';
import { newRefunds, ordersOfAct, withoutHalfExchanges } from './tickets-and-orders.ts';

/** One thing that an act touches. */
export interface Touch {
  /**
   * Explains one difference each. Their places are stored: an act never changes the order of its touches, nor a touch that of its
   * explanations.
   */
  readonly explains?: readonly Explanation[];
  /** What stays of rules, limits and sums where this changes the booking. Absent: nothing is known of them. */
  readonly leaves?: 'all' | Remainder;
  /** What was paid is divided among two bookings. */
  readonly dividesSums?: true;
  /** Whether later readings can show no more of it. Absent: an explanation explains once. */
  isOver?(expected: KeptReading): boolean;
  /** Whether it leaves nothing to do about the finding. */
  closes?(finding: Finding, closing: Closing): boolean;
  /** The segments that it cancels, whose refund was requested with it. */
  readonly cancels?: KnownCancellation;
  /** Says what was done, by the refs of this reading, and whether the reading shows it. Leaves out what the reading says nothing about. */
  deeds?(booking: Booking, digest: Digest): readonly JudgedDeed[];
  /** The special service that it adds, to compare with what is held. */
  readonly adds?: AddedToHold;
  /** The most that an order of the airline for it may be of; `any`: the cost was not known. Absent: it makes no order. */
  readonly pays?: Money | 'any';
}

/** Puts what the act did into the reading before. Undefined: the new reading does not show it yet. */
export type Explanation = (readings: TouchedReadings) => KeptReading | undefined;

/** What an act leaves of a booking beside the flights that it does not touch, as far as that is known before. */
export interface Remainder {
  /** The total is one of these. */
  readonly totals?: readonly Money[] | undefined;
  /** Allowances that may come to those of before, as a reading keeps them. Absent: any may. */
  readonly baggage?: readonly string[] | undefined;
}

/** The two readings of an explanation. */
export interface TouchedReadings {
  readonly before: KeptReading;
  readonly reading: KeptReading;
  /** Whether this is the first reading of the booking, which is then its own `before`. */
  readonly isFirst: boolean;
  /** Whether the operation is known to have succeeded: what it did is real, whatever the reading shows. */
  readonly isDone: boolean;
  /** Whether a reading would show it by now. */
  readonly isLate: boolean;
}

/** What a touch needs to know of a finding to decide whether it closes it. */
export interface Closing {
  /** The segment of the finding, by its pointers in both readings. */
  readonly refs: readonly string[];
  /** Whether the segment runs, or a ticket for it is still valid, so that its refund can still be requested. */
  mayStillBeRefunded(): boolean;
  /** Whether the segment is this train or flight, as it was or as it became. */
  isOn(flight: FlightKey): boolean;
}

/** An operation, and what it touches. */
export interface TouchingOperation {
  readonly id: string;
  readonly touches: readonly Touch[];
  /** When it succeeded, milliseconds since 1970; absent: its outcome is not known. */
  readonly doneAt?: number;
}

/** For how long after a successful operation a reading can still show the booking as it was, milliseconds. */
export const SHOWN_WITHIN_MS = HOUR_MS;
/** How long the refund of an operation is looked for, milliseconds. */
const REFUND_MS = 60 * DAY_MS;

/** Puts what operations of ours did into the reading before, oldest first. `operations`: newest first. */
export function withTouches(before: KeptReading, reading: KeptReading, operations: readonly TouchingOperation[]) {
  const { expected, shown, spent } = explainSteps(before, reading, operations);
  const bringing = shown.filter(({ touch }) => touch.leaves !== 'all');
  const bringers = new Set(bringing.map(({ operation }) => operation));
  const recent = operations.filter((operation) => ageAt(reading, operation) < SHOWN_WITHIN_MS);
  const doneAt = newestIn(reading, recent);

  return {
    before: expected,
    reading: recent.length > 0 ? withoutHalfExchanges(expected, reading) : reading,
    /** When the newest operation of the last hour was done, and the newest of these that this reading shows. */
    recent: {
      doneAt,
      shownAt: newestIn(
        reading,
        recent.filter((operation) => shown.some((step) => step.operation === operation)),
      ),
    },
    /** Keys of explanations that were used or came to nothing: they explain no change in later readings. */
    spent,
    /** Whether what this reading shows of our acts may bring other rules, limits and sums. */
    bringsRules: bringers.size > 0,
    // The sums can show before the people do, and after them.
    dividesSums: shown.some(({ touch }) => touch.dividesSums) || (recent.some(dividesSums) && !areSumsDivided(before)),
    /** What the only operation that brings other rules leaves; undefined where it does not say it. */
    leaves: bringers.size === 1 ? bringing.map(({ touch }) => touch.leaves).findLast(isRemainder) : undefined,
  };
}

/** Puts in what the reading shows of our operations, step by step. `shown`: the steps that did something. */
function explainSteps(before: KeptReading, reading: KeptReading, operations: readonly TouchingOperation[]) {
  const spentBefore = new Set(before.spent);
  const spent: string[] = [];
  const shown: Step[] = [];
  let expected = before;

  for (const step of operations.toReversed().flatMap(stepsOf)) {
    const { key, operation, touch } = step;
    if (spentBefore.has(key)) {
      spent.push(key);
      continue;
    }

    const age = ageAt(reading, operation);
    const readings = {
      before: expected,
      reading,
      isFirst: before === reading,
      isDone: operation.doneAt !== undefined,
      isLate: age >= SHOWN_WITHIN_MS,
    };
    const explained = age >= REFUND_MS ? expected : step.explain(readings);
    if (explained === undefined) continue;

    expected = explained;
    shown.push(step);
    if (touch.isOver === undefined || touch.isOver(expected)) spent.push(key);
  }

  return { expected, shown, spent };
}

type Step = ReturnType<typeof stepsOf>[number];

/** The explanations of an operation, each with the key by which it is known in later readings. */
function stepsOf(operation: TouchingOperation) {
  const { id, touches } = operation;
  const steps = touches.flatMap((touch) => (touch.explains ?? []).map((explain) => ({ operation, touch, explain })));
  return steps.map((step, place) => ({ ...step, key: keyOf(id, place) }));
}

const keyOf = (operationId: string, place: number): string => `${operationId} ${place}`;

/** The key of the first explanation of an operation in {@link KeptReading.spent}. */
export const firstStep = (operationId: string): string => keyOf(operationId, 0);

const isRemainder = (leaves: Touch['leaves']): leaves is Remainder => typeof leaves === 'object';

/** How long ago an operation succeeded, milliseconds. One whose outcome is not known may be happening now. */
function ageAt(reading: KeptReading, { doneAt = reading.at }: TouchingOperation): number {
  return reading.at - doneAt;
}

/** Whether an act of the last hour changed the sum of an order already: what changes it once more is the airline's. */
function areSumsDivided({ flips = [] }: KeptReading): boolean {
  const orders = flips.flatMap((flip) => flip.orders);
  return orders.some(({ was, is }) => was && is && !sameMoney(was.amount, is.amount));
}

const dividesSums = ({ touches }: TouchingOperation): boolean => touches.some((touch) => touch.dividesSums);

/** When the newest of the operations was done. */
function newestIn(reading: KeptReading, operations: readonly TouchingOperation[]): number | undefined {
  const times = operations.map(({ doneAt = reading.at }) => doneAt);
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Finds the people of an act in a reading: by their identity, or by the airline's pointer where documents, which are a part of it, come
 * and go between readings.
 */
export function findPeople<One extends ExpectedTraveler>(
  named: readonly One[],
  persons: readonly KeptPerson[] = [],
): ReadonlyMap<One, KeptPerson> {
  const alike: Alike<KeptPerson, One> = {
    identity: (person, { who }) => person.who === shortDigest(who),
    ref: (person, { travelerRef }) => person.ref === travelerRef,
    type: () => true,
    name: () => 0,
    document: () => false,
  };
  return pairPersons(named, persons, alike, 'some');
}

// Money.

/** What is known of the refund of an operation. */
export interface RefundOfAct {
  /** As the airline stated it for the operation. */
  readonly amount?: Money | undefined;
  /** Of what was approved. While the amount is not known, an order in another currency is not this refund. */
  readonly currency?: string | undefined;
}

/**
 * Adds one refund:
 *
 * | the reading shows                        | explains                                 |
 * | ---------------------------------------- | ---------------------------------------- |
 * | no new refund                            | not shown yet                            |
 * | a new order of this or an unknown amount | adds the refund with its order           |
 * | new orders, together of this amount      | the same with all of them                |
 * | new orders, all of other amounts         | not shown yet: these are not this refund |
 * | a new refund in the price, no new order  | adds the refund without an order         |
 *
 * @param countBefore how many refunds were known when the operation was made, for a first reading of the booking
 */
export const refundMade = (countBefore: number, refund: RefundOfAct): Touch => ({
  explains: [
    ({ before, reading, isFirst }) => {
      if (!isFirst) return withRefund(before, reading, refund);
      return (reading.refunds ?? 0) > countBefore ? before : undefined;
    },
  ],
});

function withRefund(before: KeptReading, reading: KeptReading, refund: RefundOfAct): KeptReading | undefined {
  const { newOrders, newCount } = newRefunds(before, reading);
  const ours = ordersOf(refund, newOrders);
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
}

/** The orders of a refund: one, or all that are new. */
function ordersOf(refund: RefundOfAct, newOrders: readonly KeptOrder[]): readonly KeptOrder[] {
  const one = newOrders.find((order) => mayBeRefund(order, refund));
  if (one !== undefined) return [one];
  const sum = sumMoney(newOrders.flatMap((order) => order.amount ?? []));
  return sameMoney(sum, refund.amount) ? newOrders : [];
}

/** Whether an order can be the refund: it is of the amount, or in the currency if no amount is known. What is not known fits. */
function mayBeRefund(order: KeptOrder, { amount, currency }: RefundOfAct): boolean {
  if (order.amount === undefined) return true;
  return amount === undefined
    ? currency === undefined || order.amount.currency === currency
    : sameMoney(order.amount, amount);
}

/** One order of an act that costs at most this: a new order, or the payment of an earlier one. */
export const orderMade = (atMost: Money | 'any'): Touch => ({
  leaves: 'all',
  pays: atMost,
  explains: [
    ({ before, reading, isLate }) => {
      const { ours, isShown } = ordersOfAct(before, reading, atMost);
      return isShown || isLate ? { ...before, orders: [...before.orders, ...ours] } : undefined;
    },
  ],
});
