/** Finds what changed from one reading of a booking to the next on its segments, their connections and coupons. */
import { DAY_MS, instantOf, latestTime } from '../../core/times.ts';
import type { Finding, FindingFacts, FindingSegment } from './finding.ts';
import { isLost, type KeptCoupon, type KeptReading, type KeptSegment } from './kept-reading.ts';
import { couponHeirs, digitsOnly, isSameTime, type Pairs } from './pair-readings.ts';
import { couponStatus, segmentLoss, segmentStatusWord } from './status-codes.ts';

/** A change between two readings: a finding, unless an operation of ours made it. */
export interface Difference
  extends Pick<Finding, 'kind' | 'segment' | 'before' | 'after' | 'missed' | 'deadlines' | 'departsAt'> {
  /** The segment in the reading before, and in this one. */
  readonly was?: KeptSegment;
  readonly now?: KeptSegment;
  /** Id of the refund order. */
  readonly order?: string;
}

/** A connection that is no longer possible. */
interface BrokenConnection {
  /** The segments on both sides of the connection, as they were before. */
  readonly arriving: KeptSegment;
  readonly leaving: KeptSegment;
}

/** Codes of a coupon that cannot be flown any more. Checked in, boarded and flown are no change to report. */
const CLOSED_COUPON: ReadonlySet<string | undefined> = new Set(['E', 'V', 'R', 'S', 'U', 'X', 'Z']);
/** A segment that leaves later than this after an arrival is not a connection, milliseconds. */
const LONGEST_STAY_MS = DAY_MS;

/** Finds the changes of segments that still matter, each with the connections that it breaks. */
export function segmentChanges(before: KeptReading, after: KeptReading, pairs: Pairs): readonly Difference[] {
  if (after.segments.length === 0) return [];
  const isAhead = ({ departs }: Pick<KeptSegment, 'departs'>) => (instantOf(departs) ?? after.at + 1) > after.at;
  const shownAs = new Map<KeptSegment, KeptSegment>();
  after.segments.forEach((shown, i) => {
    const was = pairs.before[i];
    if (was !== undefined) shownAs.set(was, shown);
  });
  const newSegments = after.segments.filter((segment, i) => pairs.before[i] === undefined && !isLost(segment));
  const lostSegments = before.segments.filter((was) => {
    const now = shownAs.get(was);
    return !hasStopped(was) && (now === undefined || isLost(now));
  });
  const replacements = findReplacements(lostSegments, newSegments);
  const changes = before.segments.flatMap((was): Difference[] => {
    const [now, replacement] = [shownAs.get(was), replacements.get(was)];
    // A reply can leave out a segment that was flown.
    const isFlown = now === undefined && replacement === undefined && !isAhead(was);
    return isFlown ? [] : compareSegment(was, now, replacement);
  });
  // A segment that was replaced goes on as its replacement.
  const laterSegment = (was: KeptSegment) =>
    changes.find((change) => change.was === was && change.kind === 'number_changed')?.now ?? shownAs.get(was);
  const brokenConnections = findBrokenConnections(
    before.segments.filter((was) => !isLost(was) && (isAhead(was) || laterSegment(was) !== undefined)),
    laterSegment,
  );
  return changes
    .map((change) => withMissed(change, brokenConnections, changes))
    .filter(({ kind, was, now, missed: connections = [] }) => {
      const isLoss = kind === 'segment_cancelled' || kind === 'no_show';
      return isLoss || [was, now, ...connections].some((segment) => segment !== undefined && isAhead(segment));
    })
    .map((change) => closeAfterConnection(change, after.at));
}

/**
 * Moves the closing of a difference whose segment has departed: to the departure of a connection that it breaks; without
 * one, a loss closes only once somebody has dealt with it.
 */
function closeAfterConnection(difference: Difference, at: number): Difference {
  if (difference.departsAt === undefined || difference.departsAt > at) return difference;
  const { departsAt: _, ...lasting } = difference;
  const leaves = instantOf(latestTime((difference.missed ?? []).map(({ departs }) => departs))) ?? at;
  return leaves > at ? { ...lasting, departsAt: leaves } : lasting;
}

/**
 * Adds broken connections to a difference. Each connection belongs to one difference only: to that of the segment that
 * arrives, if it has one, else to that of the segment that leaves.
 */
function withMissed(
  difference: Difference,
  brokenConnections: readonly BrokenConnection[],
  differences: readonly Difference[],
): Difference {
  const ownConnections = brokenConnections.filter(({ arriving, leaving }) => {
    const arrivingHasChanged = differences.some(({ was }) => was === arriving);
    return difference.was === (arrivingHasChanged ? arriving : leaving);
  });
  if (ownConnections.length === 0) return difference;
  return { ...difference, missed: ownConnections.map(({ leaving }) => findingSegment(leaving)) };
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

/**
 * Finds what changed of a segment. Its state decides, in this order: it did not run before; the traveller missed it; it
 * still runs; it was replaced; it was cancelled.
 * @param now the same segment in the later reading; undefined: it is gone
 * @param replacement the new segment that replaces a lost one
 */
function compareSegment(
  was: KeptSegment,
  now: KeptSegment | undefined,
  replacement: KeptSegment | undefined,
): Difference[] {
  if (hasStopped(was)) {
    const isRestored = now?.status !== undefined && !hasStopped(now);
    return isRestored ? [difference('segment_restored', was, now, restoredFacts)] : [];
  }
  if (now !== undefined && segmentLoss(now.status) === 'no_show') {
    return [difference('no_show', was, now, statusFacts)];
  }
  if (now !== undefined && !isLost(now)) return compareRunning(was, now);
  if (replacement !== undefined) return [difference('number_changed', was, replacement, timeFacts)];
  return [difference('segment_cancelled', was, now, lossFacts)];
}

/** Whether two times differ. A time that one reading lacks is no change. */
const isOtherTime = (before: string, after: string): boolean =>
  before !== '' && after !== '' && !isSameTime(before, after);

/** The heaviest change of a segment that still runs, and that of its class. */
function compareRunning(was: KeptSegment, now: KeptSegment): Difference[] {
  const heaviest = heaviestChange(was, now);
  const showFacts = heaviest === 'schedule_change' ? statusFacts : timeFacts;
  const hasOtherClass = was.class !== undefined && now.class !== undefined && was.class !== now.class;
  return [
    ...(heaviest === undefined ? [] : [difference(heaviest, was, now, showFacts)]),
    ...(hasOtherClass ? [difference('class_changed', was, now, (segment) => ({ class: segment?.class }))] : []),
  ];
}

function heaviestChange(
  was: KeptSegment,
  segment: KeptSegment,
): 'number_changed' | 'retimed' | 'schedule_change' | undefined {
  const [numberBefore, numberNow] = [digitsOnly(was.number), digitsOnly(segment.number)];
  if (numberBefore !== numberNow && numberBefore !== '' && numberNow !== '') return 'number_changed';
  if (isOtherTime(was.departs, segment.departs) || isOtherTime(was.arrives, segment.arrives)) return 'retimed';
  // Status code 51, which the segment did not have before.
  const isNewScheduleChange =
    segmentLoss(segment.status) === 'schedule_change' &&
    was.status !== undefined &&
    segmentLoss(was.status) === undefined;
  return isNewScheduleChange ? 'schedule_change' : undefined;
}

/** Whether the code says that the segment does not run. With a changed schedule it still runs. */
const hasStopped = ({ status }: KeptSegment): boolean =>
  (segmentLoss(status) ?? 'schedule_change') !== 'schedule_change';

type FactsOf = (segment: KeptSegment | undefined) => FindingFacts;

/** Status and times: a restored segment may run at another time. */
const restoredFacts: FactsOf = (segment) => ({ ...statusFacts(segment), ...timeFacts(segment) });

const lossFacts: FactsOf = (segment) =>
  segment === undefined ? { status: 'no longer in the booking' } : statusFacts(segment);

const statusFacts: FactsOf = (segment) => ({ status: segmentStatusWord(segment?.status) });

const timeFacts: FactsOf = (segment) => ({
  number: segment?.number,
  departs: segment?.departs,
  arrives: segment?.arrives,
});

/**
 * Makes the difference of one segment, with the facts that differ. A finding about a segment closes when it departs: at
 * the later of its two departure times.
 */
function difference(
  kind: Difference['kind'],
  was: KeptSegment,
  now: KeptSegment | undefined,
  factsOf: FactsOf,
): Difference {
  const [before, after] = [{ ...factsOf(was) }, { ...factsOf(now) }];
  if (kind === 'retimed' && was.departs !== undefined) dropFact(before, after, 'number');
  if (now !== undefined && isSameTime(was.departs, now.departs)) dropFact(before, after, 'departs');
  if (now !== undefined && isSameTime(was.arrives, now.arrives)) dropFact(before, after, 'arrives');
  const departures = [was, now ?? was].map(({ departs }) => instantOf(departs)).filter((at) => at !== undefined);
  return {
    kind,
    segment: findingSegment(was),
    before,
    after,
    was,
    now,
    // A traveller who did not come to one segment may lose the later ones.
    departsAt: departures.length > 0 && kind !== 'no_show' ? Math.max(...departures) : undefined,
  };
}

function dropFact(before: FindingFacts, after: FindingFacts, name: keyof FindingFacts): void {
  for (const facts of [before, after]) Reflect.deleteProperty(facts, name);
}

/** Finds, for each segment that still runs, coupons that closed without a successor, and seats that changed. */
export function couponChanges(
  before: KeptReading,
  after: KeptReading,
  pairs: Pairs,
  segments: readonly Difference[],
): Difference[] {
  const heirs = couponHeirs(before, after);
  const hasLeft = ({ who }: KeptCoupon) => who !== undefined && !after.people.includes(who);
  return after.segments.flatMap((now, i): Difference[] => {
    const was = pairs.before[i];
    if (was === undefined || isLost(now) || (instantOf(now.departs) ?? after.at + 1) <= after.at) return [];
    const index = before.segments.indexOf(was);
    const inBoth = before.coupons.flatMap((earlier) => {
      const later = earlier.segment === index ? heirs.get(earlier) : undefined;
      return later === undefined || hasLeft(later) || CLOSED_COUPON.has(earlier.status) ? [] : [{ earlier, later }];
    });
    const closed = inBoth.filter(({ later }) => CLOSED_COUPON.has(later.status));
    const about = { segment: findingSegment(was), was, now, departsAt: instantOf(now.departs) };
    const otherSeats = inBoth.filter(
      ({ earlier, later }) =>
        !CLOSED_COUPON.has(later.status) && earlier.seat && later.seat !== undefined && earlier.seat !== later.seat,
    );
    const isReplaced = segments.some((segment) => segment.now === now && segment.kind === 'segment_cancelled');
    const changes: Difference[] = [];
    if (closed.length > 0 && !isReplaced) {
      changes.push({
        kind: 'coupon_closed',
        ...about,
        before: { status: couponStatus(closed[0]?.earlier.status) },
        after: { status: couponStatus(closed[0]?.later.status), passengers: closed.length },
      });
    }
    if (otherSeats.length > 0) {
      changes.push({
        kind: 'seat_changed',
        ...about,
        before: { seat: seatList(otherSeats.map(({ earlier }) => earlier.seat)) },
        after: { seat: seatList(otherSeats.map(({ later }) => later.seat)) },
      });
    }
    return changes;
  });
}

const seatList = (seats: readonly (string | undefined)[]): string => seats.filter(Boolean).toSorted().join(', ');

function findingSegment({ from, to, number, departs }: KeptSegment): FindingSegment {
  return { from, to, number, departs };
}

/** The segment that continues from where this one arrives, within a day. */
function nextSegment(segment: KeptSegment, all: readonly KeptSegment[]): KeptSegment | undefined {
  const stay = (next: KeptSegment) => (instantOf(next.departs) ?? -1) - (instantOf(segment.arrives) ?? 0);
  return all
    .filter((next) => next.from === segment.to && stay(next) >= 0 && stay(next) <= LONGEST_STAY_MS)
    .sort((a, b) => stay(a) - stay(b))[0];
}

/**
 * Finds connections that are no longer possible: the first segment does not run, or arrives after the second one
 * leaves.
 *
 * @param laterSegment gives the same segment in the later reading; undefined: it is gone
 */
function findBrokenConnections(
  before: readonly KeptSegment[],
  laterSegment: (was: KeptSegment) => KeptSegment | undefined,
): readonly BrokenConnection[] {
  return before.flatMap((arriving): BrokenConnection[] => {
    const leaving = nextSegment(arriving, before);
    const [first, second] = [laterSegment(arriving), leaving && laterSegment(leaving)];
    if (leaving === undefined || second === undefined) return [];
    if (first === undefined || isLost(first)) return isLost(second) ? [] : [{ arriving, leaving }];
    const [arrives, leaves] = [instantOf(first.arrives), instantOf(second.departs)];
    return arrives !== undefined && leaves !== undefined && leaves < arrives ? [{ arriving, leaving }] : [];
  });
}
