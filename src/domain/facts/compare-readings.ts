/**
 * Compares a new reading of a booking with the one before: completes what the new one leaves out, and finds what the
 * airline changed. watching/store-findings.ts stores the result. Other files do a part each: facts/touches.ts
 * applies what our own operations changed; facts/flips.ts leaves out what a node of the airline still shows as it was before. facts/ has the rows of flights, people and the booking, and finds what changed of them:
 * facts/carry-reading.ts completes a reading; facts/flight-changes.ts, facts/ticket-changes.ts and facts/term-changes.ts compare.
 *
 * Three readings have the same names in every function. In the example, the airline moves a train, and its reply leaves
 * out class and seat. The one difference is that the train was retimed.
 *
 * | name       | reading                                                        | departs | class | seat  |
 * | ---------- | -------------------------------------------------------------- | ------- | ----- | ----- |
 * | `expected` | the one before, with what our own operations changed since     | 08:00   | Y     | 4/12A |
 * | `shown`    | the new one, as the airline sent it                            | 09:00   |       |       |
 * | `known`    | the new one; what it leaves out is taken from the expected one | 09:00   | Y     | 4/12A |
 *
 * The reading that is stored is `known`, without what the next one must not be compared with ({@link readingToStore}).
 *
 * Other pointers, another order of rows and unknown codes are no difference.
 *
 * In this order: the comparison, the reading to store, differences in general, deadlines, the booking, people, refunds.
 */
import { formatMoney, type Money, sameMoney, sumMoney } from '../../core/money.ts';
import { DAY_MS, instantOf, latestTime, MINUTE_MS } from '../../core/times.ts';
import type { FindingFacts, MovedDeadline } from '../booking/finding.ts';
import { orderAmounts } from '../booking/paid-and-refunded.ts';
import { isLost, orderStatus, segmentMeaning } from '../booking/status-codes.ts';
import { BOOKING_ROWS, otherKept, PAY_LIMIT, TOTAL } from './booking-rows.ts';
import { completeReading } from './carry-reading.ts';
import { isOtherIn } from './differ.ts';
import { type Difference, type PairedReadings, pairReadings } from './difference.ts';
import { segmentChanges } from './flight-changes.ts';
import type { KeptSegment } from './flight-rows.ts';
import { flipsAfter, flipsAt, withoutFlips } from './flips.ts';
import {
  isNeverPaid,
  isUnpaid,
  isWhole,
  type KeptOrder,
  type KeptReading,
  passengersIn,
  sameReading,
  withoutMemory,
} from './kept-reading.ts';
import { findEarlierSegments } from './pair.ts';
import {
  addedBeside,
  CHANGED_HERE,
  otherDetails,
  type PersonPair,
  type PersonRow,
  type SentForms,
} from './person-rows.ts';
import { keptPromiseChanges, promiseChanges } from './term-changes.ts';
import { couponChanges, rideChanges, strayTicketChanges } from './ticket-changes.ts';
import { addedOrders, isRefund, isSameOrder, newRefunds } from './tickets-and-orders.ts';
import { type Remainder, type TouchingOperation, withTouches } from './touches.ts';

/** The readings that are compared, and how far they can be compared. */
interface Comparing extends PairedReadings {
  /** The new reading, as the airline sent it. */
  readonly shown: KeptReading;
  readonly changesOfSegments: readonly Difference[];
  /** Whether nothing changed on which rules, allowances and the total of a paid booking depend. */
  readonly areAlike: boolean;
  /** Whether sums of what was paid can be compared: not where they are divided among two bookings. */
  readonly comparesSums: boolean;
  /** Whether the new reading shows a total of its own, with which its order can be compared. */
  readonly showsTotal: boolean;
  /** What an operation of ours left, where the readings are not alike. */
  readonly leaves?: Remainder | undefined;
}

/** How long a refund may be PENDING before that is a finding, milliseconds. */
const REFUND_LATE_MS = 14 * DAY_MS;

/** Changes of a segment that move deadlines too. */
const MOVES_DEADLINES: ReadonlySet<Difference['kind']> = new Set([
  'route_changed',
  'retimed',
  'number_changed',
  'flight_added',
  'schedule_change',
  'segment_cancelled',
  'segment_restored',
  'class_changed',
]);
/** Changes of a segment after which the booking can have another state. */
const STATE_CHANGES: ReadonlySet<Difference['kind']> = new Set(['segment_cancelled', 'segment_restored']);
/** The status of an order of which the money has moved (offer.priced[], docs/wire/notes.md). */
const PAID_ORDER = 'PAID';
/** Changes that still matter after the departure. */
const OUTLASTS_DEPARTURE: ReadonlySet<Difference['kind']> = new Set([
  'refunded',
  'refund_pending',
  'refund_arrived',
  'segment_cancelled',
]);
/** How far the airline's clock may be ahead of ours, milliseconds. */
const CLOCK_DIFFERENCE_MS = 2 * MINUTE_MS;

interface ComparedReadings {
  /** The reading to store, and to compare the next one with. */
  readonly known: KeptReading;
  /** What the airline changed. */
  readonly differences: readonly Difference[];
}

/**
 * Compares a reading with the one before, after applying to that one what our own operations changed.
 * @param operations newest first
 */
export function compareReadings(
  before: KeptReading,
  reading: KeptReading,
  operations: readonly TouchingOperation[],
): ComparedReadings {
  const touched = withTouches(before, withoutFlips(before, reading), operations);
  const { before: expected, reading: shown, spent, bringsRules, recent } = touched;

  const withMemory = (known: KeptReading, pairs: PairedReadings, differences: readonly Difference[]): KeptReading => {
    const earlier = flipsAt(before, reading);
    const flips = [...earlier, ...flipsAfter(before, pairs, differences, recent)];
    return { ...known, spent: textsOf(spent), seen: before.seen, flips: flips.length > 0 ? flips : undefined };
  };

  if (!bringsRules && isRepeated(expected, shown)) {
    const pairs = pairReadings(expected, expected, expected.segments);
    return { known: withMemory({ ...expected, at: shown.at }, pairs, []), differences: [] };
  }

  const comparing = completeAndPair(touched);
  const differences = hasLapsed(expected, comparing.known) ? [] : findDifferences(comparing);
  const known = readingToStore(comparing, differences);
  return { known: withMemory(known, comparing, differences), differences };
}

const textsOf = (texts: readonly string[]): readonly string[] | undefined => (texts.length > 0 ? texts : undefined);

/** Completes the new reading, pairs it with the expected one, and finds how far the two can be compared. */
function completeAndPair(touched: ReturnType<typeof withTouches>): Comparing {
  const { before: expected, reading: shown, bringsRules, dividesSums, leaves } = touched;

  // A reading without segments left them out. The expected ones stay known, so each of them is paired with itself.
  const knownSegments = shown.segments.length === 0 ? expected.segments : shown.segments;
  const earlierSegments = findEarlierSegments(expected.segments, knownSegments);
  const known = completeReading(expected, shown, earlierSegments);
  const readings = pairReadings(expected, known, earlierSegments);

  return {
    ...readings,
    shown,
    changesOfSegments: segmentChanges(readings),
    areAlike: !bringsRules && isUntouched(readings),
    comparesSums: !dividesSums && passengersIn(expected) === passengersIn(known),
    showsTotal: shown.total !== undefined,
    leaves,
  };
}

/**
 * Whether the new reading says what is known, and nothing else: a comparison finds nothing then. Times count: of a refund that is pending,
 * each reading says another one. Until when a booking was to be paid, no reading says after the payment.
 */
function isRepeated(expected: KeptReading, shown: KeptReading): boolean {
  return sameReading(withoutMemory(expected), { ...shown, payBy: shown.payBy ?? expected.payBy });
}

// The reading to store.

/**
 * The known reading, as the next one is to be compared with it. What may have changed together with flights, people or payments is taken
 * from the shown one alone: the next reading is not compared with what was known of it before.
 */
function readingToStore(comparing: Comparing, differences: readonly Difference[]): KeptReading {
  const { expected, shown, known, areAlike, showsTotal } = comparing;
  const hasMoved = differences.some(({ kind }) => MOVES_DEADLINES.has(kind));

  let stored = known;
  if (!areAlike) stored = withAmountsOf(stored, shown);
  if (areAlike && !showsTotal) stored = withSumOf(stored, expected);
  if (!areAlike || hasMoved) stored = withPromisesOf(stored, shown);
  if (hasMoved) stored = withLimitsOf(stored, shown);
  return stored;
}

/**
 * Takes the total and the payments of a paid booking that the new reading shows, and no others: what changed beside them has a price of
 * its own, so that the next reading is not compared with that of before. It stays in its currency, though.
 */
function withAmountsOf(known: KeptReading, shown: KeptReading): KeptReading {
  if (isUnpaid(known)) return known;

  const withoutAmount = (order: KeptOrder) => (isRefund(order) ? order : { ...order, amount: undefined });
  const orders = shown.orders.length > 0 ? known.orders : known.orders.map(withoutAmount);
  const currency = shown.total === undefined ? (known.total?.currency ?? known.currency) : undefined;
  return { ...known, total: shown.total, currency, orders };
}

/**
 * Keeps what the only order was of where the new reading shows no total, so that the next one which shows it can say that the order is
 * unlike it. What is paid is compared without a total.
 */
function withSumOf(known: KeptReading, expected: KeptReading): KeptReading {
  const [was, ...othersBefore] = paymentAmounts(expected);
  const [now, ...others] = paymentAmounts(known);
  const isOnlyOrder = othersBefore.length === 0 && others.length === 0;
  if (now === undefined || !isOnlyOrder) return known;

  const amount = isUnpaid(known) ? was : (was ?? now);
  const orders = known.orders.map((order) =>
    order.amount === now && order.status !== PAID_ORDER ? { ...order, amount } : order,
  );
  return { ...known, orders };
}

const paymentAmounts = ({ orders }: KeptReading): readonly Money[] =>
  orderAmounts({ orders: orders.filter((order) => !isRefund(order)) });

/**
 * Takes what the new reading shows of all that {@link promiseChanges} compares, and no more: it may have changed together with flights,
 * people or payments.
 */
function withPromisesOf(known: KeptReading, shown: KeptReading): KeptReading {
  const segments = known.segments.map((segment, i) => {
    const ofSegment = shown.segments[i];
    return { ...segment, cancelUntil: ofSegment?.cancelUntil, rules: ofSegment?.rules };
  });

  const { baggage, rules, ruleTexts, changeRules } = shown;
  return { ...known, segments, baggage, rules, ruleTexts, changeRules };
}

/** Takes the limits that the new reading shows, and no more: those known before may have moved together with their segments. */
function withLimitsOf(known: KeptReading, shown: KeptReading): KeptReading {
  const { namesUntil, cancelUntil } = shown;
  return { ...known, namesUntil, cancelUntil };
}

// Differences in general.

/**
 * Whether the airline released an unpaid hold at its time limit, as announced: then nothing is a difference.
 *
 * | expected                       | known                | lapsed |
 * | ------------------------------ | -------------------- | ------ |
 * | expired                        | expired or cancelled | yes    |
 * | unpaid, its limit has passed   | expired or cancelled | yes    |
 * | unpaid, its limit is ahead     | expired or cancelled | no     |
 * | unpaid, its limit is not known | expired or cancelled | no     |
 * | paid                           | expired or cancelled | no     |
 * | any                            | any other state      | no     |
 */
function hasLapsed(expected: KeptReading, known: KeptReading): boolean {
  if (known.state !== 'expired' && known.state !== 'cancelled') return false;
  if (expected.state === 'expired') return true;
  const limit = instantOf(expected.payBy) ?? Number.POSITIVE_INFINITY;
  return wasHold(expected) && limit <= known.at + CLOCK_DIFFERENCE_MS;
}

/** Whether the booking was an unpaid hold, also one of which all is cancelled: the airline may restore it until its limit. */
function wasHold(expected: KeptReading): boolean {
  return isUnpaid(expected) || (expected.state === 'cancelled' && isNeverPaid(expected));
}

function findDifferences(comparing: Comparing): readonly Difference[] {
  const { expected, known, changesOfSegments } = comparing;
  const differences = [
    ...withDeadlines(changesOfSegments, movedDeadlines(comparing)),
    ...bookingChanges(comparing),
    ...peopleChanges(comparing),
    ...rideChanges(comparing),
    ...couponChanges(comparing),
    ...strayTicketChanges(comparing),
    ...refundChanges(comparing),
    ...changedPromises(comparing),
  ];

  return differences.map((difference) => ({
    ...difference,
    departsAt: difference.departsAt ?? bookingDepartsAt(difference.kind, expected, known),
  }));
}

/** Compares what stands beside the price: all of it, or what an operation of ours left as it was. */
function changedPromises(comparing: Comparing): readonly Difference[] {
  const { areAlike, leaves, changesOfSegments } = comparing;
  if (changesOfSegments.length > 0) return [];
  if (areAlike) return promiseChanges(comparing);
  return leaves === undefined ? [] : keptPromiseChanges(leaves, comparing);
}

/**
 * When a finding closes that no departure of its own closes, milliseconds since 1970; undefined: at no departure.
 *
 * | kind                          | closes at                                                  |
 * | ----------------------------- | ---------------------------------------------------------- |
 * | of {@link OUTLASTS_DEPARTURE} | no departure                                               |
 * | `booking_cancelled`           | the last departure that was expected, if it is still ahead |
 * | any other                     | the last departure that is known now                       |
 */
function bookingDepartsAt(kind: Difference['kind'], expected: KeptReading, known: KeptReading): number | undefined {
  if (OUTLASTS_DEPARTURE.has(kind)) return undefined;
  if (kind !== 'booking_cancelled') return lastDeparture(known);
  const departsAt = lastDeparture(expected);
  return departsAt !== undefined && departsAt > known.at ? departsAt : undefined;
}

/** The last departure of the segments that run, milliseconds since 1970. Undefined if none runs or a time is unknown. */
function lastDeparture({ segments }: KeptReading): number | undefined {
  const runningSegments = segments.filter((segment) => !isLost(segment));
  return instantOf(latestTime(runningSegments.map(({ departs }) => departs)));
}

/** Whether the booking is a hold in both readings, in the same state. */
const isSameHold = (expected: KeptReading, known: KeptReading): boolean =>
  expected.state === known.state && isUnpaid(expected) && isUnpaid(known);

/** Whether flights, people and payments are as before, by which rules, allowances and the total of a paid booking go. */
function isUntouched({ expected, known, earlierSegments }: PairedReadings): boolean {
  const isSamePayment =
    expected.state === known.state && isUnpaid(expected) === isUnpaid(known) && expected.refunds === known.refunds;
  return (
    isSamePayment &&
    passengersIn(expected) === passengersIn(known) &&
    expected.segments.length === known.segments.length &&
    known.segments.every((now, i) => isSameSale(earlierSegments[i], now))
  );
}

/** Whether limits can be compared: the state is as before, or only a segment that is lost, or runs again, changed it. */
function areLimitsComparable({ expected, known, changesOfSegments }: Comparing): boolean {
  if (expected.state === known.state) return true;
  const isOfSegment = changesOfSegments.some(({ kind }) => STATE_CHANGES.has(kind));
  return isOfSegment && wasHold(expected) === isUnpaid(known) && expected.refunds === known.refunds;
}

/** Times of rules go by the departure, and rules and baggage by the class, also of a flight that nobody took. */
function isSameSale(was: KeptSegment | undefined, now: KeptSegment): boolean {
  if (was === undefined || segmentMeaning(was.status) !== segmentMeaning(now.status)) return false;
  const isOther = isOtherIn(was, now);
  return !isOther('departs') && !isOther('bookingClass');
}

/** Adds moved deadlines to the change of a segment that explains them; without one, each is a difference of its own. */
function withDeadlines(changes: readonly Difference[], deadlines: readonly MovedDeadline[]): readonly Difference[] {
  if (deadlines.length === 0) return changes;
  const explaining = changes.find(({ kind }) => MOVES_DEADLINES.has(kind));
  if (explaining !== undefined) return changes.map((each) => (each === explaining ? { ...each, deadlines } : each));
  return [...changes, ...deadlines.map((deadline): Difference => ({ kind: 'deadline_moved', deadlines: [deadline] }))];
}

/** Finds the limits that the airline moved. Only a hold has one to pay. */
function movedDeadlines(comparing: Comparing): readonly MovedDeadline[] {
  const { expected, known } = comparing;
  if (!areLimitsComparable(comparing)) return [];

  const isHold = wasHold(expected) && isUnpaid(known);
  return BOOKING_ROWS.flatMap((row): MovedDeadline[] => {
    const { deadline: what } = row;
    if (what === undefined || (row === PAY_LIMIT && !isHold)) return [];

    const other = otherKept(row, expected, known);
    const before = other?.was[0]?.value;
    const after = other?.is[0]?.value;
    return before === undefined || after === undefined ? [] : [{ what, before, after }];
  });
}

/** Finds what changed of the booking as a whole: its price, its passengers, its state. */
function bookingChanges(comparing: Comparing): readonly Difference[] {
  const { expected, known, changesOfSegments, showsTotal, leaves } = comparing;
  const passengers = otherPassengerCount(expected, known);

  const isSameTrip = changesOfSegments.length === 0 && passengers === undefined;
  const totals = isSameTrip && showsTotal ? leaves?.totals : undefined;
  const ofTotal = priceChange(comparing) ?? otherTotal(totals, comparing);
  const unlikeTotal = showsTotal ? orderUnlikeTotal(comparing) : undefined;
  const payments = unlikeTotal === undefined ? newPayments(comparing) : [];

  const isReported = changesOfSegments.some(({ kind }) => kind === 'segment_cancelled');
  const cancellation = isReported ? undefined : bookingCancellation(expected, known);

  const changes = [ofTotal ?? paymentChange(comparing) ?? unlikeTotal, ...payments, passengers, cancellation];
  return changes.filter((change) => change !== undefined);
}

/**
 * Compares amounts of a hold, and of a ticketed booking in which nothing else changed: what is left after a cancelled segment, a
 * refund or an act of ours has a price of its own. It stays in its currency, though.
 */
function priceChange({ expected, known, areAlike }: Comparing): Difference | undefined {
  const { total: before, currency } = expected;
  const { total: after } = known;

  if (currency !== undefined && after !== undefined && after.currency !== currency)
    return { kind: 'price_changed', before: { currency }, after: amountFacts(after) };

  if (before === undefined || after === undefined || otherKept(TOTAL, expected, known) === undefined) return undefined;
  if (before.currency === after.currency && !isSameHold(expected, known) && !(areAlike && isWhole(known)))
    return undefined;

  return { kind: 'price_changed', before: amountFacts(before), after: amountFacts(after) };
}

/**
 * Finds that the booking costs something else after an operation of ours than that said. An airline may leave the total as it was, or
 * write what was paid in all.
 */
function otherTotal(totals: readonly Money[] = [], { expected, known }: Comparing): Difference | undefined {
  const { total } = known;
  const [first] = totals;
  if (total === undefined || first === undefined) return undefined;

  const paid = sumMoney(paymentAmounts(known));
  const isKnown = [...totals, expected.total, paid].some((sum) => sameMoney(sum, total));
  if (isKnown) return undefined;

  return { kind: 'price_changed', before: amountFacts(first), after: { ...amountFacts(total), detail: 'offer' } };
}

/** Finds that the only order is of another sum than the total, which stayed. */
function orderUnlikeTotal({ expected, known }: Comparing): Difference | undefined {
  const { total } = known;
  const [was, ...othersBefore] = orderAmounts(expected);
  const [order, ...others] = orderAmounts(known);
  const isOnlyOrder = othersBefore.length === 0 && others.length === 0;
  if (total === undefined || order === undefined || !isOnlyOrder) return undefined;

  const hasStayed = expected.total !== undefined && sameMoney(expected.total, total);
  if (!hasStayed || sameMoney(order, total)) return undefined;

  // A payment may carry a fee: of a paid booking only an order that was of the total can be wrong.
  const wasOfTotal = was === undefined ? isSameHold(expected, known) : sameMoney(was, total);
  return wasOfTotal ? { kind: 'order_unlike_total', before: amountFacts(total), after: amountFacts(order) } : undefined;
}

/**
 * Finds that an order which was paid is another one now: of another sum, not paid, or a refund. What
 * was paid stays what it was, whatever becomes of the flights.
 */
function paymentChange({ expected, known, comparesSums }: Comparing): Difference | undefined {
  const paid = expected.orders.filter((order) => order.status === PAID_ORDER && !isRefund(order));
  for (const was of paid) {
    const now = known.orders.find(({ id }) => id !== undefined && id === was.id);
    if (now === undefined || isSameOrder(was, now, comparesSums)) continue;
    const detail = isRefund(now) ? 'refund' : undefined;
    return { kind: 'payment_changed', before: orderFacts(was), after: { ...orderFacts(now), detail }, order: now.id };
  }

  return undefined;
}

/** Finds orders to pay that no reading showed before, and no act of ours made. */
function newPayments({ expected, known, comparesSums }: Comparing): readonly Difference[] {
  const added = addedOrders(expected, known, comparesSums);
  return added.map((order) => ({ kind: 'order_added', before: {}, after: orderFacts(order), order: order.id }));
}

/** Finds that there are fewer passengers, or more. */
function otherPassengerCount(expected: KeptReading, known: KeptReading): Difference | undefined {
  const before = passengersIn(expected);
  const after = passengersIn(known);
  if (after === before || before === 0) return undefined;
  const kind = after < before ? 'passenger_gone' : 'passenger_added';
  return { kind, before: { passengers: before }, after: { passengers: after } };
}

function bookingCancellation(expected: KeptReading, known: KeptReading): Difference | undefined {
  if (known.state !== 'cancelled' || expected.state === 'cancelled') return undefined;
  return { kind: 'booking_cancelled', before: { status: expected.state }, after: { status: 'cancelled' } };
}

// People.

/** Finds what changed of passengers and of the contact: names, types, documents, laps and addresses, and addresses that were added. */
function peopleChanges({ people, expected, known }: Comparing): readonly Difference[] {
  const everybody = [...(expected.persons ?? []), expected.contact ?? {}];
  const ofPassengers = people.flatMap((pair) => passengerChanges(pair, everybody));
  const laps = people.flatMap((pair) => lapChange(pair, people) ?? []);

  const details = detailChanges(expected.contact ?? {}, known.contact ?? {}, 'contact', everybody);
  const ofContact = details.map((change): Difference => ({ ...change, kind: 'contact_changed' }));
  return [...ofPassengers, ...laps, ...ofContact];
}

function passengerChanges({ was, now, isSure }: PersonPair, everybody: readonly SentForms[]): readonly Difference[] {
  const person = now.ref;

  // If nothing says that the two are one person, only the names can be compared.
  if (!isSure) {
    const otherNames = otherDetails(was, now).filter(({ field }) => field === 'names');
    return otherNames.map((row) => detailChange(row, was, person));
  }

  const details = detailChanges(was, now, person, everybody);
  if (was.type === undefined || now.type === undefined || was.type === now.type) return details;

  return [...details, { kind: 'type_changed', before: { type: was.type }, after: { type: now.type, person } }];
}

/**
 * Finds details of one person that are others now, and those that were added to the earlier ones.
 * @param everybody of the booking before
 */
function detailChanges(
  was: SentForms,
  now: SentForms,
  person: string,
  everybody: readonly SentForms[],
): readonly Difference[] {
  const changed = otherDetails(was, now).map((row) => detailChange(row, was, person));
  const added = addedBeside(was, now, everybody).map(({ kind, what }): Difference => {
    return { kind, before: { detail: what }, after: { person, detail: what } };
  });
  return [...changed, ...added];
}

/** Says of the value before only whether we changed it, because no value is kept. */
function detailChange({ kind, what, field }: PersonRow, was: SentForms, person: string): Difference {
  const before = was[field] === CHANGED_HERE ? { status: 'changed here' } : {};
  return { kind, before, after: { person, detail: what } };
}

function lapChange(infant: PersonPair, people: readonly PersonPair[]): Difference | undefined {
  const adult = adultBefore(infant, people);
  if (adult === undefined) return undefined;

  const { ref, lap } = infant.now;
  return { kind: 'lap_changed', before: { detail: adult }, after: { person: ref, detail: lap } };
}

/**
 * The pointer that the earlier adult of an infant has now, if the infant is on the lap of another passenger. In a group without names,
 * people are known by their pointers.
 */
function adultBefore(infant: PersonPair, people: readonly PersonPair[]): string | undefined {
  const { was, now } = infant;

  const isKnown = (pair: PersonPair) => {
    const isUnnamed = pair.was.names === undefined && pair.now.names === undefined;
    return pair.isSure || (isUnnamed && pair.was.ref === pair.now.ref);
  };

  const adult = people.find((pair) => isKnown(pair) && pair.was.ref === was.lap)?.now.ref;
  const isOther = adult !== now.lap && people.some((pair) => pair.now.ref === now.lap);
  return isOther && isKnown(infant) ? adult : undefined;
}

// Refunds.

/** Finds refunds that are new, that arrived, or that are PENDING for too long. */
function refundChanges({ expected, known }: Comparing): readonly Difference[] {
  // Takes the orders that are known, because a reading can leave out their status, by which they are paired.
  const { earlierOrders, newOrders, newCount } = newRefunds(expected, known);

  // There are fewer orders than new refunds if only the price shows some.
  const newChanges = Array.from({ length: newCount }, (_, i): Difference => {
    const order = newOrders[i];
    return { kind: 'refunded', before: {}, after: order === undefined ? {} : orderFacts(order), order: order?.id };
  });

  const progress = known.orders
    .filter(isRefund)
    .map((order) => refundProgress(order, earlierOrders.get(order), known.at))
    .filter((change) => change !== undefined);
  return [...newChanges, ...progress];
}

/** Finds whether a refund has arrived since the earlier reading, or is overdue. */
function refundProgress(order: KeptOrder, earlierOrder: KeptOrder | undefined, now: number): Difference | undefined {
  const { id, status, pendingSince = now } = order;
  const after = orderFacts(order);

  if (earlierOrder?.status === 'PENDING' && status === 'PAID')
    return { kind: 'refund_arrived', before: orderFacts(earlierOrder), after, order: id };
  if (status === 'PENDING' && now - pendingSince >= REFUND_LATE_MS)
    return { kind: 'refund_pending', before: {}, after, order: id };

  return undefined;
}

function orderFacts({ amount, status }: KeptOrder): FindingFacts {
  return { ...amountFacts(amount), status: status && orderStatus(status) };
}

function amountFacts(amount: Money | undefined): FindingFacts {
  return amount === undefined ? {} : { amount: formatMoney(amount), currency: amount.currency };
}
