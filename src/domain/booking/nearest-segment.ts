/** Finds in a reading the train or flight that an operation was about. */
import { instantOf } from '../time-and-text/times.ts';
import type { FlightKey } from './expected-change.ts';
import type { KeptSegment } from './kept-reading.ts';
import { digitsOf, isSameTime } from './pair-segments.ts';

const apart = (one: KeptSegment, { departs }: FlightKey): number =>
  Math.abs((instantOf(one.departs) ?? 0) - (instantOf(departs) ?? 0));

/** The same train or flight, also when the airline has moved it a little. */
export function isNear(one: KeptSegment, flight: FlightKey): boolean {
  if (one.from !== flight.from || one.to !== flight.to) return false;
  return digitsOf(one.number) === flight.number
    ? apart(one, flight) < 86_400_000
    : isSameTime(one.departs, flight.departs);
}

export function nearest(segments: readonly KeptSegment[], flight: FlightKey): KeptSegment | undefined {
  return segments.filter((one) => isNear(one, flight)).sort((a, b) => apart(a, flight) - apart(b, flight))[0];
}
