/**
 * Whether a party can travel (docs/wire/notes.md, Travellers): every infant on an adult's lap, not too many in all.
 */
import type { PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { inputError } from '../../errors.ts';

export function assertParty(counts: PassengerCounts, most: number, field: string): void {
  const { adults, children, infants } = counts;
  if (infants > adults) {
    const problem = `expected one adult for each lap infant; nearest valid: ${adults}.`;
    throw inputError(`${field}.infants`, problem, 'Travel with more adults, or book the infants otherwise.');
  }
  if (adults + children + infants > most) {
    const problem = `expected at most ${most} travellers in all, found ${adults + children + infants}.`;
    throw inputError(field, problem, 'Split the party into several bookings.');
  }
}

/** `2 ADT, 1 CHD`. */
export function partyText(counts: PassengerCounts): string {
  const { adults, children, infants } = counts;
  const parts = [
    [adults, 'ADT'],
    [children, 'CHD'],
    [infants, 'INF'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, type]) => `${count} ${type}`)
    .join(', ');
}
