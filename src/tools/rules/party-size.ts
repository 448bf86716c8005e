/** How many passengers of each type travel together (docs/wire/notes.md, Travellers). */
import type { PassengerCounts } from '../../domain/pricing/fare-search.ts';
import { inputError } from '../../errors.ts';
import type { Findings } from './passenger-details.ts';

const TYPES = [
  ['adults', 'ADT'],
  ['children', 'CHD'],
  ['infants', 'INF'],
] as const;

/** Throws E_INPUT for more infants than adults, or too many travellers. */
export function assertParty({ adults, children, infants }: PassengerCounts, most: number, field: string): void {
  if (infants > adults) {
    const problem = `expected one adult for each lap infant; nearest valid: ${adults}.`;
    throw inputError(`${field}.infants`, problem, 'Travel with more adults, or book the infants otherwise.');
  }
  const all = adults + children + infants;
  if (all <= most) return;
  const problem = `expected at most ${most} travellers in all, found ${all}.`;
  throw inputError(field, problem, 'Split the party into several bookings.');
}

/** The passengers must be those that were priced. */
export function checkCounts(given: PassengerCounts, offered: PassengerCounts, field: string, findings: Findings): void {
  const wrong = TYPES.filter(([name]) => given[name] !== offered[name]);
  if (wrong.length === 0) return;
  const told = wrong.map(([name, type]) => `${offered[name]} ${type}, found ${given[name]}`);
  findings.problem(field, `expected the party of the offer: ${told.join('; ')}`);
}

export function countTypes(passengers: readonly { readonly type: string }[]): PassengerCounts {
  const count = (type: string) => passengers.filter((passenger) => passenger.type === type).length;
  return { adults: count('ADT'), children: count('CHD'), infants: count('INF') };
}

/** `2 ADT, 1 CHD`. */
export function partyText(counts: PassengerCounts): string {
  return TYPES.flatMap(([name, type]) => (counts[name] > 0 ? [`${counts[name]} ${type}`] : [])).join(', ');
}
