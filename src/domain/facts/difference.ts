/** Two readings of a booking, which part of one is which of the other, and what the airline changed between them. */
import { instantOf } from '../../core/times.ts';
import type { Finding } from '../booking/finding.ts';
import { hasPlace } from '../booking/status-codes.ts';
import type { KeptSegment } from './flight-rows.ts';
import type { KeptReading } from './kept-reading.ts';
import type { EarlierSegments } from './pair.ts';
import { type PersonPair, pairPeople } from './person-rows.ts';

/** A change between two readings: a finding, unless an operation of ours made it. */
export interface Difference
  extends Pick<Finding, 'kind' | 'segment' | 'before' | 'after' | 'missed' | 'deadlines' | 'departsAt'> {
  /** Undefined: nobody booked the segment. */
  readonly was?: KeptSegment;
  /** Undefined: the segment is gone. The replacement of a replaced one. */
  readonly now?: KeptSegment;
  /** Id of the order. */
  readonly order?: string;
}

/** A segment that runs and is ahead, in both readings, with its indexes. */
export interface RunningPair {
  readonly was: KeptSegment;
  readonly now: KeptSegment;
  readonly before: number;
  readonly after: number;
}

/** `expected` and `known` are as in compare-readings.ts: what was known before, and what is known now. */
export interface PairedReadings {
  readonly expected: KeptReading;
  readonly known: KeptReading;
  readonly earlierSegments: EarlierSegments;
  readonly running: readonly RunningPair[];
  readonly people: readonly PersonPair[];
}

export function pairReadings(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): PairedReadings {
  const running = known.segments.flatMap((now, after): RunningPair[] => {
    const was = earlierSegments[after];
    if (was === undefined || !hasPlace(now) || !isAhead(now, known.at)) return [];
    return [{ was, now, before: expected.segments.indexOf(was), after }];
  });
  return { expected, known, earlierSegments, running, people: pairPeople(expected.persons, known.persons) };
}

/** Whether a departure is ahead. One whose time is not known counts as ahead, so that no change of it is missed. */
export function isAhead({ departs }: Pick<KeptSegment, 'departs'>, at: number): boolean {
  const departure = instantOf(departs);
  return departure === undefined || departure > at;
}
