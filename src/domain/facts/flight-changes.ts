/**
 * Finds what changed of the flights from one reading of a booking to the next: what differs by the rows of a flight, whether it runs, and
 * the connections that it breaks.
 *
 * `expected` and `known` are the two readings, as in compare-readings.ts: what was known before, and what is known now.
 * `was` and `now` are one segment in them. In this order: what became of each segment, what changed of it, connections.
 */
import { DAY_MS, instantOf, latestTime } from '../../core/times.ts';
import type { FindingFacts, FindingSegment } from '../booking/finding.ts';
import { hasPlace, hasStopped, isWaiting, segmentMeaning, segmentStatusWord } from '../booking/status-codes.ts';
import { type DifferencesTogether, diffFlight, stated, statedBy, together } from './differ.ts';
import { type Difference, isAhead, type PairedReadings } from './difference.ts';
import type { FlightField, KeptSegment } from './flight-rows.ts';
import { type FlightPair, pairFlights } from './pair.ts';

/** What became of an expected segment. */
type SegmentFate = FlightPair<KeptSegment, KeptSegment>;

/** A connection that is no longer possible: the segments on both sides, as they were before. */
interface BrokenConnection {
  readonly arriving: KeptSegment;
  readonly leaving: KeptSegment;
}

/** A segment that leaves later than this after an arrival is not a connection, milliseconds. */
const LONGEST_STAY_MS = DAY_MS;

/** Finds the changes of segments that still matter, each with the connections that it breaks. */
export function segmentChanges(readings: PairedReadings): readonly Difference[] {
  const { known } = readings;
  if (known.segments.length === 0) return [];

  const { fates, added } = segmentFates(readings);
  const changes = [
    ...fates.filter((fate) => !isFlown(fate, known.at)).flatMap(compareSegment),
    ...added.map(addedSegment),
  ];
  const brokenConnections = findBrokenConnections(fates, known.at);

  return changes
    .map((change) => withMissed(change, brokenConnections, changes))
    .filter((change) => stillMatters(change, known.at))
    .map((change) => closeAfterConnection(change, known.at));
}

/** What became of each segment that was expected, and those that nobody booked. A flight that is listed twice is one. */
function segmentFates({ expected, known, earlierSegments }: PairedReadings) {
  const same = known.segments.flatMap((now, i) => {
    const was = earlierSegments[i];
    return was === undefined ? [] : [[was, now] as const];
  });
  const { pairs, added } = pairFlights(expected.segments, known.segments, 'same stations', new Map(same));

  const listed = pairs.flatMap(({ now, instead }) => instead ?? now ?? []);
  const isListed = (segment: KeptSegment) => listed.some((other) => diffFlight(other, segment).length === 0);
  const fresh = added.filter((segment) => expected.segments.length > 0 && hasPlace(segment) && !isListed(segment));
  return { fates: pairs, added: fresh };
}

/** Whether a segment that is gone was probably flown: a reply can leave out such a one. */
function isFlown({ was, now, instead }: SegmentFate, at: number): boolean {
  return now === undefined && instead === undefined && !isAhead(was, at);
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
function compareSegment({ was, now, instead }: SegmentFate): readonly Difference[] {
  if (hasStopped(was)) {
    const isRestored = now?.status !== undefined && !hasStopped(now) && !isWaiting(now);
    return isRestored ? [difference('segment_restored', was, now, restoredFacts)] : [];
  }

  if (now !== undefined && segmentMeaning(now.status) === 'no_show') {
    // Its own departure does not close it: a traveller who did not come to one segment may lose the later ones.
    return [{ ...difference('no_show', was, now, statusFacts), departsAt: undefined }];
  }

  if (now !== undefined && hasPlace(now)) return [...confirmedAgain(was, now), ...compareRunning(was, now)];
  if (now !== undefined && isWaiting(now) && isWaiting(was)) return compareRunning(was, now);

  if (instead !== undefined) {
    // A moved segment can be listed anew, beside the old one.
    const [heaviest] = compareRunning(was, instead);
    return [heaviest ?? difference('number_changed', was, instead, ({ number }) => ({ number }))];
  }

  return [cancelledSegment(was, now)];
}

/** A segment that was confirmed, then waited, and is confirmed again. One that only waited is confirmed as expected. */
function confirmedAgain(was: KeptSegment, now: KeptSegment): readonly Difference[] {
  const isRestored = was.waitsAgain === true && now.status !== undefined;
  return isRestored ? [difference('segment_restored', was, now, statusFacts)] : [];
}

/** Where, when and as which flight the traveller goes: after one of these changes, a mark of a schedule change says no more. */
const JOURNEY: ReadonlySet<FlightField> = new Set(['from', 'to', 'number', 'departs', 'arrives']);

/** What changed of a segment that still runs: each group of facts that go together, the journey first. */
function compareRunning(was: KeptSegment, now: KeptSegment): readonly Difference[] {
  const groups = together(diffFlight(was, now));
  const ofJourney = groups.filter(({ leader }) => JOURNEY.has(leader.field));
  const others = groups.filter(({ leader }) => !JOURNEY.has(leader.field));

  const changes = ofJourney.map((group) => changedFacts(group, was, now));
  const isMarked = ofJourney.length === 0 && hasNewMark(was, now);
  if (isMarked) changes.push(difference('schedule_change', was, now, statusFacts));

  return [...changes, ...others.map((group) => changedFacts(group, was, now))];
}

function changedFacts(group: DifferencesTogether, was: KeptSegment, now: KeptSegment): Difference {
  return {
    kind: group.leader.kind,
    ...aboutSegment(was, now),
    before: stated(group, 'was', was),
    after: stated(group, 'is', now),
  };
}

/** Whether the status is now that of a schedule change, or one that nobody knows, and was not before. */
function hasNewMark({ status: was }: KeptSegment, { status: now }: KeptSegment): boolean {
  const before = segmentMeaning(was);
  const after = segmentMeaning(now);
  if (after === 'moved') return before !== 'moved' && before !== 'unstated';
  return after === 'unknown' && (before === 'confirmed' || before === 'moved');
}

/** What a finding states of one side of a change: the segment in one reading, compared with the other. */
type FactsOf = (segment: KeptSegment, other: KeptSegment) => FindingFacts;

const statusFacts: FactsOf = ({ status }) => ({ status: segmentStatusWord(status) });

const TIMES: ReadonlySet<FlightField> = new Set(['departs', 'arrives']);

/** Status, number and times: a restored segment may run at another time. */
const restoredFacts: FactsOf = (segment, other) => {
  const times = diffFlight(segment, other).filter(({ row }) => TIMES.has(row.field));
  return { ...statusFacts(segment, other), number: segment.number, ...statedBy(times, 'was', segment) };
};

function difference(kind: Difference['kind'], was: KeptSegment, now: KeptSegment, factsOf: FactsOf): Difference {
  return { kind, ...aboutSegment(was, now), before: factsOf(was, now), after: factsOf(now, was) };
}

function cancelledSegment(was: KeptSegment, now: KeptSegment | undefined): Difference {
  const after = now === undefined ? { status: 'no longer in the booking' } : statusFacts(now, was);
  return { kind: 'segment_cancelled', ...aboutSegment(was, now), before: statusFacts(was, was), after };
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

function addedSegment(now: KeptSegment): Difference {
  const { was: _, ...about } = aboutSegment(now, now);
  return { kind: 'flight_added', ...about, before: {}, after: statusFacts(now, now) };
}

export function findingSegment({ from = '', to = '', number = '', departs = '' }: KeptSegment): FindingSegment {
  return { from, to, number, departs };
}

/**
 * Finds the connections that are no longer possible, of all segments but those that are lost still or probably flown. One
 * that runs again takes back the loss of its connection, so a connection that it still breaks is said again.
 */
function findBrokenConnections(fates: readonly SegmentFate[], at: number): readonly BrokenConnection[] {
  // A segment that was replaced goes on as its replacement.
  const laterForms = new Map(fates.map(({ was, now, instead }) => [was, instead ?? now]));
  const isLostStill = ({ was, now }: SegmentFate) => !hasPlace(was) && (now === undefined || !hasPlace(now));
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
  if (first === undefined || !hasPlace(first)) return hasPlace(second);

  const arrives = instantOf(first.arrives);
  const leaves = instantOf(second.departs);
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
