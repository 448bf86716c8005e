/**
 * Finds what changed from one reading of a booking to the next on its segments, their connections and coupons.
 *
 * `expected` and `known` are the two readings, as in compare-readings.ts: what was known before, and what is known now.
 * `was` and `now` are one segment in them. In this order: segments, what a change states, connections, coupons and tickets, passengers
 * on segments, what is said of coupons.
 */
import { DAY_MS, HOUR_MS, instantOf, latestTime } from '../../core/times.ts';
import type { PersonPair } from '../people/person-forms.ts';
import { digitsOnly } from './expected-change.ts';
import type { Finding, FindingFacts, FindingSegment } from './finding.ts';
import { isLost, isWaiting, type KeptCoupon, type KeptReading, type KeptSegment } from './kept-reading.ts';
import { couponHeirs, type EarlierSegments, isSameTime } from './pair-readings.ts';
import { couponStatus, isUnknownCoupon, segmentMeaning, segmentStatusWord } from './status-codes.ts';

/** A change between two readings: a finding, unless an operation of ours made it. */
export interface Difference
  extends Pick<Finding, 'kind' | 'segment' | 'before' | 'after' | 'missed' | 'deadlines' | 'departsAt'> {
  readonly was?: KeptSegment;
  /** Undefined: the segment is gone. The replacement of a replaced one. */
  readonly now?: KeptSegment;
  /** Id of the refund order. */
  readonly order?: string;
}

/** What became of an expected segment. */
interface SegmentFate {
  readonly was: KeptSegment;
  /** Undefined: it is gone. */
  readonly now: KeptSegment | undefined;
  /** The new segment that runs in its place; only of a segment that is gone or lost. */
  readonly replacement: KeptSegment | undefined;
}

/** A connection that is no longer possible: the segments on both sides, as they were before. */
interface BrokenConnection {
  readonly arriving: KeptSegment;
  readonly leaving: KeptSegment;
}

/** A coupon in both readings, or the one in its place. */
interface CouponPair {
  readonly earlier: KeptCoupon;
  readonly later: KeptCoupon;
}

/** Codes of a coupon that cannot be flown any more. Checked in, boarded and flown are no change to report. */
const CLOSED_COUPON: ReadonlySet<string | undefined> = new Set(['E', 'V', 'R', 'S', 'U', 'X', 'Z']);
const OPEN = 'O';
const FLOWN = 'F';
/** A coupon that counts as flown so long before the departure was not flown, milliseconds. */
const EARLIEST_FLOWN_MS = HOUR_MS;
/** A segment that leaves later than this after an arrival is not a connection, milliseconds. */
const LONGEST_STAY_MS = DAY_MS;

/** Finds the changes of segments that still matter, each with the connections that it breaks. */
export function segmentChanges(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly Difference[] {
  if (known.segments.length === 0) return [];
  const fates = segmentFates(expected, known, earlierSegments);
  const changes = fates.filter((fate) => !isFlown(fate, known.at)).flatMap(compareSegment);
  const brokenConnections = findBrokenConnections(fates, known.at);
  return changes
    .map((change) => withMissed(change, brokenConnections, changes))
    .filter((change) => stillMatters(change, known.at))
    .map((change) => closeAfterConnection(change, known.at));
}

function segmentFates(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly SegmentFate[] {
  const pairs = expected.segments.map((was) => ({
    was,
    now: known.segments.find((_, i) => earlierSegments[i] === was),
  }));
  const lostSegments = pairs
    .filter(({ was, now }) => !hasStopped(was) && (now === undefined || hasNoPlace(now)))
    .map(({ was }) => was);
  const newSegments = known.segments.filter((segment, i) => earlierSegments[i] === undefined && !hasNoPlace(segment));
  const replacements = findReplacements(lostSegments, newSegments);
  return pairs.map(({ was, now }) => ({ was, now, replacement: replacements.get(was) }));
}

/**
 * Finds for lost segments the new ones that replace them, each new one once: the airline can cancel a segment and add
 * another one between the same stations.
 */
function findReplacements(
  lostSegments: readonly KeptSegment[],
  newSegments: readonly KeptSegment[],
): ReadonlyMap<KeptSegment, KeptSegment> {
  const replacements = new Map<KeptSegment, KeptSegment>();
  const unused = new Set(newSegments);
  for (const lost of lostSegments) {
    const replacement = [...unused].find(({ from, to }) => from === lost.from && to === lost.to);
    if (replacement === undefined) continue;
    replacements.set(lost, replacement);
    unused.delete(replacement);
  }
  return replacements;
}

/** Whether a segment that is gone was probably flown: a reply can leave out such a one. */
function isFlown({ was, now, replacement }: SegmentFate, at: number): boolean {
  return now === undefined && replacement === undefined && !isAhead(was, at);
}

/** Whether a departure is ahead. One whose time is not known counts as ahead, so that no change of it is missed. */
function isAhead({ departs }: Pick<KeptSegment, 'departs'>, at: number): boolean {
  const departure = instantOf(departs);
  return departure === undefined || departure > at;
}

/** Whether the code says that the segment does not run. With a changed schedule it still runs. */
export function hasStopped({ status }: KeptSegment): boolean {
  const meaning = segmentMeaning(status);
  return meaning === 'lost' || meaning === 'no_show';
}

/** Whether the traveller has no place on the segment: it is lost, or not confirmed. */
function hasNoPlace(segment: KeptSegment): boolean {
  return isLost(segment) || isWaiting(segment);
}

/** Whether somebody can still act on a change: always on a loss, else while a segment of it is ahead. */
function stillMatters({ kind, was, now, missed = [] }: Difference, at: number): boolean {
  const isLoss = kind === 'segment_cancelled' || kind === 'no_show';
  return isLoss || [was, now, ...missed].some((segment) => segment !== undefined && isAhead(segment, at));
}

/**
 * Finds what changed of a segment. Its state decides, in this order: it did not run before; the traveller missed it; it
 * runs, or waits for confirmation as before; it was replaced; it was cancelled, or is no longer confirmed.
 */
function compareSegment({ was, now, replacement }: SegmentFate): readonly Difference[] {
  if (hasStopped(was)) {
    const isRestored = now?.status !== undefined && !hasStopped(now) && !isWaiting(now);
    return isRestored ? [difference('segment_restored', was, now, restoredFacts)] : [];
  }
  if (now !== undefined && segmentMeaning(now.status) === 'no_show') {
    // Its own departure does not close it: a traveller who did not come to one segment may lose the later ones.
    return [{ ...difference('no_show', was, now, statusFacts), departsAt: undefined }];
  }
  if (now !== undefined && !hasNoPlace(now)) return [...confirmedAgain(was, now), ...compareRunning(was, now)];
  if (now !== undefined && isWaiting(now) && isWaiting(was)) return compareRunning(was, now);
  if (replacement !== undefined) {
    // A moved segment can be listed anew, beside the old one.
    const kind = heaviestChange(was, replacement) ?? 'number_changed';
    return [difference(kind, was, replacement, RUNNING_FACTS[kind])];
  }
  return [cancelledSegment(was, now)];
}

/** A segment that was confirmed, then waited, and is confirmed again. One that only waited is confirmed as expected. */
function confirmedAgain(was: KeptSegment, now: KeptSegment): readonly Difference[] {
  const isRestored = was.waitsAgain === true && now.status !== undefined;
  return isRestored ? [difference('segment_restored', was, now, statusFacts)] : [];
}

/** The heaviest change of a segment that still runs, and that of its class. */
function compareRunning(was: KeptSegment, now: KeptSegment): readonly Difference[] {
  const changes: Difference[] = [];
  const heaviest = heaviestChange(was, now);
  if (heaviest !== undefined) changes.push(difference(heaviest, was, now, RUNNING_FACTS[heaviest]));
  for (const { kind, isOther, facts } of SOLD_AS) {
    if (isOther(was, now)) changes.push(difference(kind, was, now, facts));
  }
  return changes;
}

interface SoldAs {
  readonly kind: Difference['kind'];
  readonly isOther: (was: KeptSegment, now: KeptSegment) => boolean;
  readonly facts: FactsOf;
}

const isOtherClass = (was: KeptSegment, now: KeptSegment): boolean => isOtherCode(was.class, now.class);

/** A flight that is sold under its own number as before, and operated under another one. */
function isOtherOperatingNumber(was: KeptSegment, now: KeptSegment): boolean {
  const [before, after] = [digitsOnly(was.operatedAs ?? ''), digitsOnly(now.operatedAs ?? '')];
  const isSameCarrier = !isOtherCode(was.operatedBy, now.operatedBy);
  return isSameCarrier && before !== '' && after !== '' && before !== after && was.number === now.number;
}

/** As what a segment is sold. Another class has another fare, and another operating carrier says enough of both. */
const SOLD_AS: readonly SoldAs[] = [
  { kind: 'class_changed', isOther: isOtherClass, facts: (segment) => ({ class: segment.class }) },
  {
    kind: 'fare_changed',
    isOther: (was, now) => !isOtherClass(was, now) && isOtherCode(was.fare, now.fare),
    facts: ({ fare }) => ({ fare }),
  },
  {
    kind: 'carrier_changed',
    isOther: (was, now) => isOtherCode(was.operatedBy, now.operatedBy),
    facts: ({ operatedBy }) => ({ carrier: operatedBy }),
  },
  {
    kind: 'carrier_changed',
    isOther: (was, now) => !isOtherCode(was.operatedBy, now.operatedBy) && isOtherCode(was.soldBy, now.soldBy),
    facts: ({ soldBy }) => ({ carrier: soldBy, detail: 'sold' }),
  },
  {
    kind: 'carrier_changed',
    isOther: isOtherOperatingNumber,
    facts: ({ operatedBy = '', operatedAs }) => ({ carrier: `${operatedBy}${operatedAs}` }),
  },
];

/** Whether two codes differ. One that a reading lacks is no change. */
function isOtherCode(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && before.trim().toUpperCase() !== after.trim().toUpperCase();
}

type RunningChange = 'number_changed' | 'retimed' | 'schedule_change';

function heaviestChange(was: KeptSegment, now: KeptSegment): RunningChange | undefined {
  const [numberBefore, numberNow] = [digitsOnly(was.number), digitsOnly(now.number)];
  if (numberBefore !== numberNow && numberBefore !== '' && numberNow !== '') return 'number_changed';
  if (isOtherTime(was.departs, now.departs) || isOtherTime(was.arrives, now.arrives)) return 'retimed';
  // The status of a schedule change, which the segment did not have before.
  const isNewScheduleChange =
    segmentMeaning(now.status) === 'moved' && !['moved', 'unstated'].includes(segmentMeaning(was.status));
  return isNewScheduleChange || isUnknownNow(was, now) ? 'schedule_change' : undefined;
}

/** Whether the airline confirmed a segment, and says now what nobody knows. */
function isUnknownNow(was: KeptSegment, now: KeptSegment): boolean {
  return segmentMeaning(now.status) === 'unknown' && ['confirmed', 'moved'].includes(segmentMeaning(was.status));
}

/** Whether two times differ. A time that one reading lacks is no change. */
function isOtherTime(before: string, after: string): boolean {
  return before !== '' && after !== '' && !isSameTime(before, after);
}

/** What a finding states of one side of a change: the segment in one reading, compared with the other. */
type FactsOf = (segment: KeptSegment, other: KeptSegment) => FindingFacts;

const statusFacts: FactsOf = ({ status }) => ({ status: segmentStatusWord(status) });

/** The times that differ. */
const timeFacts: FactsOf = ({ departs, arrives }, other) => ({
  ...(isSameTime(departs, other.departs) ? {} : { departs }),
  ...(isSameTime(arrives, other.arrives) ? {} : { arrives }),
});

const numberAndTimes: FactsOf = (segment, other) => ({ number: segment.number, ...timeFacts(segment, other) });

/** Status and times: a restored segment may run at another time. */
const restoredFacts: FactsOf = (segment, other) => ({
  ...statusFacts(segment, other),
  ...numberAndTimes(segment, other),
});

const RUNNING_FACTS: Readonly<Record<RunningChange, FactsOf>> = {
  number_changed: numberAndTimes,
  retimed: timeFacts,
  schedule_change: statusFacts,
};

function difference(kind: Difference['kind'], was: KeptSegment, now: KeptSegment, factsOf: FactsOf): Difference {
  return { kind, ...aboutSegment(was, now), before: factsOf(was, now), after: factsOf(now, was) };
}

function cancelledSegment(was: KeptSegment, now: KeptSegment | undefined): Difference {
  const status = now === undefined ? 'no longer in the booking' : segmentStatusWord(now.status);
  const before = { status: segmentStatusWord(was.status) };
  return { kind: 'segment_cancelled', ...aboutSegment(was, now), before, after: { status } };
}

/** Names the segment of a difference. A finding about it closes when it departs: at the later of its departure times. */
function aboutSegment(
  was: KeptSegment,
  now: KeptSegment | undefined,
): Pick<Difference, 'segment' | 'was' | 'now' | 'departsAt'> {
  const departures = [was.departs, now?.departs].map((departs) => instantOf(departs)).filter((at) => at !== undefined);
  const departsAt = departures.length > 0 ? Math.max(...departures) : undefined;
  return { segment: findingSegment(was), was, now, departsAt };
}

export function findingSegment({ from, to, number, departs }: KeptSegment): FindingSegment {
  return { from, to, number, departs };
}

/**
 * Finds the connections that are no longer possible, of all segments but those that are lost still or probably flown. One
 * that runs again takes back the loss of its connection, so a connection that it still breaks is said again.
 */
function findBrokenConnections(fates: readonly SegmentFate[], at: number): readonly BrokenConnection[] {
  // A segment that was replaced goes on as its replacement.
  const laterForms = new Map(fates.map(({ was, now, replacement }) => [was, replacement ?? now]));
  const isLostStill = ({ was, now }: SegmentFate) => hasNoPlace(was) && (now === undefined || hasNoPlace(now));
  const candidates = fates.filter((fate) => !isLostStill(fate) && !isFlown(fate, at)).map(({ was }) => was);
  return candidates.flatMap((arriving): BrokenConnection[] => {
    const leaving = nextSegment(arriving, candidates);
    if (leaving === undefined) return [];
    return isBroken(laterForms.get(arriving), laterForms.get(leaving)) ? [{ arriving, leaving }] : [];
  });
}

/** The segment that continues from where this one arrives, within a day. */
function nextSegment(segment: KeptSegment, all: readonly KeptSegment[]): KeptSegment | undefined {
  const stay = (next: KeptSegment) => (instantOf(next.departs) ?? -1) - (instantOf(segment.arrives) ?? 0);
  return all
    .filter((next) => next.from === segment.to && stay(next) >= 0 && stay(next) <= LONGEST_STAY_MS)
    .sort((a, b) => stay(a) - stay(b))[0];
}

/**
 * Whether a connection is no longer possible: the first segment does not run but the second does, or the second leaves
 * before the first arrives. Undefined: the segment is gone.
 */
function isBroken(first: KeptSegment | undefined, second: KeptSegment | undefined): boolean {
  if (second === undefined) return false;
  if (first === undefined || hasNoPlace(first)) return !hasNoPlace(second);
  const [arrives, leaves] = [instantOf(first.arrives), instantOf(second.departs)];
  return arrives !== undefined && leaves !== undefined && leaves < arrives;
}

/**
 * Adds broken connections to a change. Each connection belongs to one change only: to that of the segment that arrives,
 * if it has one, else to that of the segment that leaves.
 */
function withMissed(
  change: Difference,
  brokenConnections: readonly BrokenConnection[],
  changes: readonly Difference[],
): Difference {
  const ownConnections = brokenConnections.filter(({ arriving, leaving }) => {
    const arrivingHasChanged = changes.some(({ was }) => was === arriving);
    return change.was === (arrivingHasChanged ? arriving : leaving);
  });
  if (ownConnections.length === 0) return change;
  return { ...change, missed: ownConnections.map(({ leaving }) => findingSegment(leaving)) };
}

/**
 * Moves the closing of a change whose segment has departed: to the departure of a connection that it breaks; without
 * one, a loss closes only once somebody has dealt with it.
 */
function closeAfterConnection(change: Difference, at: number): Difference {
  if (change.departsAt === undefined || change.departsAt > at) return change;
  const { departsAt: _, ...lasting } = change;
  const leaves = instantOf(latestTime((change.missed ?? []).map(({ departs }) => departs)));
  return leaves !== undefined && leaves > at ? { ...lasting, departsAt: leaves } : lasting;
}

/** A segment that runs and is ahead, in both readings, with its indexes. */
export interface RunningPair {
  readonly was: KeptSegment;
  readonly now: KeptSegment;
  readonly before: number;
  readonly after: number;
}

export function runningPairs(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): RunningPair[] {
  return known.segments.flatMap((now, after): RunningPair[] => {
    const was = earlierSegments[after];
    if (was === undefined || hasNoPlace(now) || !isAhead(now, known.at)) return [];
    return [{ was, now, before: expected.segments.indexOf(was), after }];
  });
}

/** What is said of a segment, before that is said of which one. */
type SaidOfSegment = Pick<Difference, 'kind' | 'before' | 'after'>;

function ofSegment({ was, now }: RunningPair, said: readonly (SaidOfSegment | undefined)[]): readonly Difference[] {
  const about = { segment: findingSegment(was), was, now, departsAt: instantOf(now.departs) };
  return said.filter((change) => change !== undefined).map((change) => ({ ...change, ...about }));
}

/** Finds, for each segment that still runs, what changed of its coupons, and of their seats. */
export function couponChanges(
  people: readonly PersonPair[],
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly Difference[] {
  const heirs = couponHeirs(expected, known);
  const hasLeft = ({ who }: KeptCoupon) => who !== undefined && !known.people.includes(who);
  return runningPairs(expected, known, earlierSegments).flatMap((pair) => {
    const { now, before } = pair;
    const pairs = expected.coupons.flatMap((earlier): CouponPair[] => {
      const later = earlier.segment === before ? heirs.get(earlier) : undefined;
      return later === undefined || hasLeft(later) || isClosed(earlier) ? [] : [{ earlier, later }];
    });
    return ofSegment(pair, [
      couponsClosed(pairs),
      flownEarly(pairs, now, known.at),
      seatsChanged(pairs),
      ...ticketsOfOthers(pairs, expected, known),
      ...ticketsGone(pair, people, expected, known, heirs),
      ...ticketsTwice(pair, expected, known),
    ]);
  });
}

/** Finds coupons that count as flown long before the departure. */
function flownEarly(pairs: readonly CouponPair[], { departs }: KeptSegment, at: number): SaidOfSegment | undefined {
  const departure = instantOf(departs);
  const flown = pairs.filter(({ earlier, later }) => later.status === FLOWN && earlier.status !== FLOWN);
  const [first] = flown;
  if (first === undefined || departure === undefined || departure <= at + EARLIEST_FLOWN_MS) return undefined;
  return {
    kind: 'flown_early',
    before: { status: couponStatus(first.earlier.status) },
    after: { status: couponStatus(first.later.status), tickets: flown.length },
  };
}

/** The pointer of the person in the reading. Undefined if it shows none, or several who could be them. */
function refOf(who: string | undefined, { persons = [] }: KeptReading): string | undefined {
  const [person, ...others] = persons.filter((each) => each.who === who);
  return others.length > 0 ? undefined : person?.ref;
}

/** Finds tickets that were one passenger's and are another's. Both must be in both readings: else somebody was renamed. */
function ticketsOfOthers(
  pairs: readonly CouponPair[],
  expected: KeptReading,
  known: KeptReading,
): readonly SaidOfSegment[] {
  return pairs.flatMap(({ earlier, later }): SaidOfSegment[] => {
    const isSameTicket = earlier.id === later.id && earlier.who !== later.who;
    const [from, to] = [refOf(earlier.who, known), refOf(later.who, known)];
    const wereBoth = [earlier.who, later.who].every((who) => refOf(who, expected) !== undefined);
    if (!isSameTicket || from === undefined || to === undefined || !wereBoth) return [];
    return [{ kind: 'ticket_of_other', before: { person: from }, after: { person: to } }];
  });
}

/**
 * Finds passengers who had a valid ticket for the segment and have none, in a reading that shows other tickets. A ticket whose segment
 * it does not show may be theirs.
 */
function ticketsGone(
  { before, after }: RunningPair,
  people: readonly PersonPair[],
  expected: KeptReading,
  known: KeptReading,
  heirs: ReadonlyMap<KeptCoupon, KeptCoupon>,
): readonly SaidOfSegment[] {
  const countIn = ({ coupons }: KeptReading, index: number) =>
    coupons.filter(({ segment, status }) => segment === index && status === OPEN).length;
  const gone = expected.coupons.filter((coupon) => {
    const heir = heirs.get(coupon);
    const isStillThere = heir !== undefined && (heir.segment === undefined || heir.segment === after);
    if (coupon.segment !== before || coupon.status !== OPEN || isStillThere) return false;
    // Who was renamed has another identity.
    const renamed = people.filter(({ was, isSure }) => isSure && was.who === coupon.who).map(({ now }) => now.who);
    const theirs = renamed.length === 1 ? renamed[0] : coupon.who;
    const mayBeTheirs = known.coupons.some(
      ({ who, segment }) => (who === undefined || who === theirs) && (segment === undefined || segment === after),
    );
    return !mayBeTheirs && refOf(theirs, known) !== undefined;
  });
  if (gone.length === 0) return [];
  const tickets = countIn(known, after);
  return [{ kind: 'ticket_gone', before: { tickets: countIn(expected, before) }, after: { tickets } }];
}

/** Finds passengers with two open tickets for the segment who had one. One number can be in several rows. */
function ticketsTwice(
  { before, after }: RunningPair,
  expected: KeptReading,
  known: KeptReading,
): readonly SaidOfSegment[] {
  const ticketsOf = (who: string, { coupons }: KeptReading, index: number) => {
    const open = coupons.filter((each) => each.who === who && each.segment === index && each.status === OPEN);
    return new Set(open.map(({ ticket, id }) => ticket ?? id)).size;
  };
  return (known.persons ?? []).flatMap(({ who, ref }): SaidOfSegment[] => {
    const [had, has] = [ticketsOf(who, expected, before), ticketsOf(who, known, after)];
    if (had > 1 || has < 2 || refOf(who, known) === undefined) return [];
    return [{ kind: 'ticket_twice', before: { tickets: had }, after: { tickets: has, person: ref } }];
  });
}

/** Finds, for each segment that still runs, passengers who are no longer on it, or are new on it. */
export function rideChanges(
  people: readonly PersonPair[],
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly Difference[] {
  return runningPairs(expected, known, earlierSegments).flatMap((pair) => {
    const riders = people.flatMap(({ was, now, isSure }) => {
      if (!isSure || was.on === undefined || now.on === undefined) return [];
      return [{ ref: now.ref, wasOn: was.on.includes(pair.before), isOn: now.on.includes(pair.after) }];
    });
    const person = (some: typeof riders) => some.map(({ ref }) => ref).join(', ');
    const off = riders.filter(({ wasOn, isOn }) => wasOn && !isOn);
    const on = riders.filter(({ wasOn, isOn }) => isOn && !wasOn);
    return ofSegment(pair, [
      off.length === 0 ? undefined : { kind: 'passenger_off_flight', before: { person: person(off) }, after: {} },
      on.length === 0 ? undefined : { kind: 'passenger_on_flight', before: {}, after: { person: person(on) } },
    ]);
  });
}

const isClosed = ({ status }: KeptCoupon): boolean => CLOSED_COUPON.has(status);

function couponsClosed(pairs: readonly CouponPair[]): SaidOfSegment | undefined {
  const closed = pairs.filter(({ later }) => isClosed(later) || isUnknownCoupon(later.status));
  const [first] = closed;
  if (first === undefined) return undefined;
  return {
    kind: 'coupon_closed',
    before: { status: couponStatus(first.earlier.status) },
    after: { status: couponStatus(first.later.status), passengers: closed.length },
  };
}

/** Leaves out coupons without a seat before, and those of which the later reading does not say where the seat is. */
function seatsChanged(pairs: readonly CouponPair[]): SaidOfSegment | undefined {
  const moved = pairs.filter(({ earlier, later }) => {
    const showsSeats = Boolean(earlier.seat) && later.seat !== undefined;
    return showsSeats && !isClosed(later) && earlier.seat !== later.seat;
  });
  if (moved.length === 0) return undefined;
  return {
    kind: 'seat_changed',
    before: { seat: seatList(moved.map(({ earlier }) => earlier.seat)) },
    after: { seat: seatList(moved.map(({ later }) => later.seat)) },
  };
}

const seatList = (seats: readonly (string | undefined)[]): string => seats.filter(Boolean).toSorted().join(', ');
