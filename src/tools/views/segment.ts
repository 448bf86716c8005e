import type { Segment } from '../../domain/booking/itinerary.ts';
import { cleanCode } from '../../domain/time-and-text/clean-text.ts';

/** Where and when a segment goes, as every view has it. */
export function viewRoute({ from, to, departs, arrives }: Segment) {
  return { from: cleanCode(from), to: cleanCode(to), departs, arrives };
}
