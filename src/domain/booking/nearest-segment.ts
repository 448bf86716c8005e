/** Finds in a reading the train or flight that an operation was about. */
import { instantOf } from '../time-and-text/times.ts';
import { isLost } from './connections.ts';
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

/** By its number, then by its class: one that was cancelled or replaced can be listed beside the one that runs. */
export function nearest(segments: readonly KeptSegment[], flight: FlightKey): KeptSegment | undefined {
  const unlike = (one: KeptSegment): readonly number[] => [
    digitsOf(one.number) === flight.number ? 0 : 1,
    one.class === undefined || flight.bookingClass === undefined || one.class === flight.bookingClass ? 0 : 1,
    isLost(one) ? 1 : 0,
    apart(one, flight),
  ];
  const ranked = segments.filter((one) => isNear(one, flight)).map((one) => ({ one, by: unlike(one) }));
  return ranked.sort((a, b) => a.by.map((n, i) => n - (b.by[i] ?? 0)).find((n) => n !== 0) ?? 0)[0]?.one;
}
