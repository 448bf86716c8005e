/**
 * How many passengers of each type travel together (docs/wire/notes.md, Travellers): first the checks of a party, then its counts,
 * then its words, and at the end the types by age.
 */
import { inputError } from '../../core/errors.ts';
import { departureDate, type Segment } from '../../domain/booking/booking.ts';
import type { PassengerCounts } from '../../domain/booking/offers.ts';
import { countType } from '../../domain/booking/status-codes.ts';
import type { InputProblems } from './input-problems.ts';

/** The fields of a party, with the type codes that the airline uses. */
const TYPES = [
  ['adults', 'ADT'],
  ['children', 'CHD'],
  ['infants', 'INF'],
] as const;

const SPLIT_PARTY =
  'Split the party into several bookings. Call search_fares for each: an offer is only for the party it was searched for.';

/** Airlines answer error 26 (docs/wire/notes.md, Errors); no documented field or service lifts that. */
const CHILD_ALONE =
  'A child must travel with an adult: no booking for a child alone can be made here, not even with the service for an unaccompanied minor (UMNR)';
const CHILD_NEXT =
  'Search again with an adult, or tell the person to ask the airline itself: it alone can say whether it takes a child without an adult, and book that.';

/** Throws E_INPUT for a party that no airline books. `maxTravelers`: the most in one booking. */
export function assertParty({ adults, children, infants }: PassengerCounts, maxTravelers: number, field: string): void {
  const total = partySize({ adults, children, infants });
  if (adults === 0 && total > 0) {
    throw inputError(field, `${CHILD_ALONE}.`, CHILD_NEXT);
  }

  if (total === 0 || total > maxTravelers) {
    const problem = `expected 1 to ${maxTravelers} travellers in all, found ${total}.`;
    throw inputError(field, problem, total === 0 ? undefined : SPLIT_PARTY);
  }
  if (infants <= adults) return;

  const problem = `expected one adult for each lap infant; nearest valid: ${adults}.`;
  throw inputError(`${field}.infants`, problem, 'Ask the person: each infant needs an adult of its own.');
}

interface PassengerAge {
  readonly type: string;
  readonly birth_date: string;
}

/** Adds a problem if, by birth date, no adult travels: children can be booked as adults. */
export function checkAdult(
  passengers: readonly PassengerAge[],
  segments: readonly Segment[],
  problems: InputProblems,
): void {
  const types = passengers.map(({ type, birth_date: birthDate }) => {
    const misfit = firstMisfit(type, birthDate, segments);
    return misfit === undefined || misfit.age < 0 ? type : misfit.fits;
  });
  if (types.length > 0 && !types.includes('ADT')) problems.add('passengers', CHILD_ALONE, CHILD_NEXT);
}

/** Says how the party differs from the one that was priced. Undefined if it is the same. */
export function partyProblem(counts: PassengerCounts, offered: PassengerCounts): string | undefined {
  const differing = TYPES.filter(([name]) => counts[name] !== offered[name]);
  if (differing.length === 0) return undefined;
  const differences = differing.map(([name, type]) => `${offered[name]} ${type}, found ${counts[name]}`);
  return `expected the party that the offer was searched for: ${differences.join('; ')}`;
}

export function partySize({ adults, children, infants }: PassengerCounts): number {
  return adults + children + infants;
}

export function countPassengers(passengers: readonly { readonly type: string }[]): PassengerCounts {
  const count = (type: string) => passengers.filter((passenger) => passenger.type === type).length;
  return { adults: count('ADT'), children: count('CHD'), infants: count('INF') };
}

/** One type for each passenger: adults, children, infants. */
export function typesIn(counts: PassengerCounts): readonly AgeType[] {
  return TYPES.flatMap(([name, type]) => Array<AgeType>(counts[name]).fill(type));
}

/** `2 ADT, 1 CHD`. */
export function partyInCodes(counts: PassengerCounts): string {
  return TYPES.flatMap(([name, type]) => (counts[name] > 0 ? [`${counts[name]} ${type}`] : [])).join(', ');
}

/** `2 adults, 1 child`. */
export function partyInWords(counts: PassengerCounts): string {
  return TYPES.flatMap(([name, type]) => (counts[name] > 0 ? [countType(type, counts[name])] : [])).join(', ');
}

// Passenger types by age (docs/wire/notes.md, Travellers): an infant is under 2, a child 2 to 11, at the local departure date
// of every segment.

export type AgeType = 'ADT' | 'CHD' | 'INF';

/** Whole years on a date; both YYYY-MM-DD. Negative before birth. */
function ageOn(birthDate: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

function typeAtAge(age: number): AgeType {
  if (age < 2) return 'INF';
  return age < 12 ? 'CHD' : 'ADT';
}

/** The party of some travellers on a day, by their ages where birth dates are known. @param date YYYY-MM-DD */
export function partyOn(
  travelers: readonly { readonly type: string; readonly birthDate?: string }[],
  date: string,
): PassengerCounts {
  const types = travelers.map(({ type, birthDate }) => {
    const isByAge = birthDate !== undefined && TYPES.some(([, code]) => code === type);
    const age = isByAge ? ageOn(birthDate, date) : -1;
    return { type: age < 0 ? type : typeAtAge(age) };
  });
  return countPassengers(types);
}

export function isSameParty(a: PassengerCounts, b: PassengerCounts): boolean {
  return TYPES.every(([name]) => a[name] === b[name]);
}

/** The first segment at whose departure the traveller's age does not match the type, and the type that matches. */
export function firstMisfit(
  type: string,
  birthDate: string,
  segments: readonly Segment[],
): { segment: Segment; date: string; age: number; fits: AgeType } | undefined {
  for (const segment of segments) {
    const date = departureDate(segment);
    const age = ageOn(birthDate, date);
    const fits = typeAtAge(age);
    if (age < 0 || fits !== type) return { segment, date, age, fits };
  }
  return undefined;
}
