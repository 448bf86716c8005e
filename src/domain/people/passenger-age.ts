/**
 * Passenger types by age (docs/wire/notes.md, Travellers): an infant is under 2, a child 2 to 11, at the local
 * departure date of every segment.
 */

import { departureDate, type Segment } from '../booking/booking.ts';

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
