/** Segments that continue a journey, and those that a traveller misses because the one before is late or gone. */
import { instantOf } from '../../core/times.ts';
import type { FindingSegment } from './finding.ts';
import type { KeptSegment } from './kept-reading.ts';
import { segmentLoss } from './status-codes.ts';

/** A segment that leaves later than this continues no journey, milliseconds. */
const LONGEST_STAY_MS = 24 * 60 * 60_000;

export function findingSegment({ from, to, number, departs }: KeptSegment): FindingSegment {
  return { from, to, number, departs };
}

/** The segment that continues from where this one arrives, within a day. */
function nextSegment(segment: KeptSegment, all: readonly KeptSegment[]): KeptSegment | undefined {
  const stay = (next: KeptSegment) => (instantOf(next.departs) ?? -1) - (instantOf(segment.arrives) ?? 0);
  return all
    .filter((next) => next.from === segment.to && stay(next) >= 0 && stay(next) <= LONGEST_STAY_MS)
    .sort((a, b) => stay(a) - stay(b))[0];
}

interface Missed {
  /** As before: the segments on both sides of the connection. */
  readonly arriving: KeptSegment;
  readonly leaving: KeptSegment;
}

/**
 * Connections that were possible and are no more: the first segment does not run, or arrives after the second one leaves.
 *
 * @param now the same segment in the later reading; undefined: it is gone
 */
export function missedConnections(
  before: readonly KeptSegment[],
  now: (segment: KeptSegment) => KeptSegment | undefined,
): readonly Missed[] {
  return before.flatMap((arriving): Missed[] => {
    const leaving = nextSegment(arriving, before);
    const [first, second] = [now(arriving), leaving && now(leaving)];
    if (leaving === undefined || second === undefined) return [];
    if (first === undefined || isLost(first)) return isLost(second) ? [] : [{ arriving, leaving }];
    const [arrives, leaves] = [instantOf(first.arrives), instantOf(second.departs)];
    return arrives !== undefined && leaves !== undefined && leaves < arrives ? [{ arriving, leaving }] : [];
  });
}

export function isLost({ status }: KeptSegment): boolean {
  return segmentLoss(status) === 'lost';
}
