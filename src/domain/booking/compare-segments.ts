/**
 * Finds what changed from one reading of a booking to the next on its segments, their connections and coupons.
 *
 * `expected` and `known` are the two readings, as in compare-readings.ts: what was known before, and what is known now.
 * `was` and `now` are one segment in them. In this order: segments, what a change states, connections, coupons.
 */
import { DAY_MS, instantOf, latestTime } from '../../core/times.ts';
import { digitsOnly } from './expected-change.ts';
import type { Finding, FindingFacts, FindingSegment } from './finding.ts';
import { isLost, isWaiting, type KeptCoupon, type KeptReading, type KeptSegment } from './kept-reading.ts';
import { couponHeirs, type EarlierSegments, isSameTime } from './pair-readings.ts';
import { couponStatus, segmentMeaning, segmentStatusWord } from './status-codes.ts';

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
  if (was.class !== undefined && now.class !== undefined && was.class !== now.class) {
    changes.push(difference('class_changed', was, now, classFacts));
  }
  return changes;
}

type RunningChange = 'number_changed' | 'retimed' | 'schedule_change';

function heaviestChange(was: KeptSegment, now: KeptSegment): RunningChange | undefined {
  const [numberBefore, numberNow] = [digitsOnly(was.number), digitsOnly(now.number)];
  if (numberBefore !== numberNow && numberBefore !== '' && numberNow !== '') return 'number_changed';
  if (isOtherTime(was.departs, now.departs) || isOtherTime(was.arrives, now.arrives)) return 'retimed';
  // The status of a schedule change, which the segment did not have before.
  const isNewScheduleChange =
    segmentMeaning(now.status) === 'moved' && !['moved', 'unstated'].includes(segmentMeaning(was.status));
  return isNewScheduleChange ? 'schedule_change' : undefined;
}

/** Whether two times differ. A time that one reading lacks is no change. */
function isOtherTime(before: string, after: string): boolean {
  return before !== '' && after !== '' && !isSameTime(before, after);
}

/** What a finding states of one side of a change: the segment in one reading, compared with the other. */
type FactsOf = (segment: KeptSegment, other: KeptSegment) => FindingFacts;

const statusFacts: FactsOf = ({ status }) => ({ status: segmentStatusWord(status) });

const classFacts: FactsOf = (segment) => ({ class: segment.class });

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

function findingSegment({ from, to, number, departs }: KeptSegment): FindingSegment {
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

/** Finds, for each segment that still runs, coupons that closed without a successor, and seats that changed. */
export function couponChanges(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly Difference[] {
  const heirs = couponHeirs(expected, known);
  const hasLeft = ({ who }: KeptCoupon) => who !== undefined && !known.people.includes(who);
  return known.segments.flatMap((now, i): Difference[] => {
    const was = earlierSegments[i];
    if (was === undefined || hasNoPlace(now) || !isAhead(now, known.at)) return [];
    const index = expected.segments.indexOf(was);
    const pairs = expected.coupons.flatMap((earlier): CouponPair[] => {
      const later = earlier.segment === index ? heirs.get(earlier) : undefined;
      return later === undefined || hasLeft(later) || isClosed(earlier) ? [] : [{ earlier, later }];
    });
    const about = { segment: findingSegment(was), was, now, departsAt: instantOf(now.departs) };
    return [couponsClosed(pairs), seatsChanged(pairs)]
      .filter((change) => change !== undefined)
      .map((change) => ({ ...change, ...about }));
  });
}

const isClosed = ({ status }: KeptCoupon): boolean => CLOSED_COUPON.has(status);

function couponsClosed(pairs: readonly CouponPair[]): Difference | undefined {
  const closed = pairs.filter(({ later }) => isClosed(later));
  const [first] = closed;
  if (first === undefined) return undefined;
  return {
    kind: 'coupon_closed',
    before: { status: couponStatus(first.earlier.status) },
    after: { status: couponStatus(first.later.status), passengers: closed.length },
  };
}

/** Leaves out coupons without a seat before, and those of which the later reading does not say where the seat is. */
function seatsChanged(pairs: readonly CouponPair[]): Difference | undefined {
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
