/**
 * Inventory codes (docs/wire/interface.md, Code lists): what the availability record and seat maps say instead of
 * booking class letters and passenger types.
 */

const CLASS_OF: Readonly<Record<string, string>> = { T: 'Y', P: 'C' };
const TYPE_OF: Readonly<Record<string, string>> = { 1: 'ADT', 2: 'CHD', 3: 'INF' };

const CLASSES = new Map(Object.entries(CLASS_OF));
const TYPES = new Map(Object.entries(TYPE_OF));

/** Booking class letter; a code that is not in the list is its own letter. */
export function bookingClassOf(code: string): string {
  return CLASSES.get(code) ?? code;
}

/** Passenger type; an id that is not in the list stays as it is. */
export function passengerTypeOf(profile: string): string {
  return TYPES.get(profile) ?? profile;
}
