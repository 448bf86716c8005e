/**
 * Rules on how many and which kinds of passenger may travel together.
 */
import type { PassengerCounts } from '../../domain/offer.ts';
import { MOST_TRAVELERS } from '../carrier.ts';
import { Fault } from '../fault.ts';

export function checkCounts(counts: PassengerCounts): void {
  const all = counts.adults + counts.children + counts.infants;
  if (all === 0) throw new Fault('20', 'nobody travels');
  if (all > MOST_TRAVELERS) throw new Fault('22', `at most ${MOST_TRAVELERS} travellers in a booking`);
  if (counts.adults === 0) throw new Fault('26', 'children and infants travel with an adult');
  if (counts.infants > counts.adults) throw new Fault('124', 'one lap infant for each adult');
}

/** Infants sit on a lap. */
export function seatsFor(counts: PassengerCounts): number {
  return counts.adults + counts.children;
}

export function countsByType(counts: PassengerCounts): Record<string, number> {
  return { ADT: counts.adults, CHD: counts.children, INF: counts.infants };
}
