/** Rules on how many and which kinds of passenger may travel together. */
import { MOST_TRAVELERS } from '../carrier.ts';
import type { Counts } from '../model.ts';
import { Refusal } from '../refusal.ts';

export function checkCounts(counts: Counts): void {
  const all = counts.ADT + counts.CHD + counts.INF;
  if (all === 0) throw new Refusal('20', 'nobody travels');
  if (all > MOST_TRAVELERS) throw new Refusal('22', `at most ${MOST_TRAVELERS} travellers in a booking`);
  if (counts.ADT === 0) throw new Refusal('26', 'children and infants travel with an adult');
  if (counts.INF > counts.ADT) throw new Refusal('124', 'one lap infant for each adult');
}

/** Infants sit on a lap. */
export function seatsFor(counts: Counts): number {
  return counts.ADT + counts.CHD;
}
