/**
 * Inventory codes (interface.md, code lists): what the availability record and seat maps say instead of booking class
 * letters and passenger types.
 */

const CLASS_OF: Readonly<Record<string, string>> = { T: 'Y', P: 'C' };
const TYPE_OF: Readonly<Record<string, string>> = { 1: 'ADT', 2: 'CHD', 3: 'INF' };

function inverse(codes: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(codes).map(([code, meaning]) => [meaning, code]));
}

const INVENTORY_CLASS = inverse(CLASS_OF);
const PROFILE = inverse(TYPE_OF);
const CLASSES = new Map(Object.entries(CLASS_OF));
const TYPES = new Map(Object.entries(TYPE_OF));

/** Booking class letter; a code that is not in the list is its own letter. */
export function bookingClassOf(code: string): string {
  return CLASSES.get(code) ?? code;
}

export function inventoryClass(bookingClass: string): string {
  return INVENTORY_CLASS.get(bookingClass) ?? bookingClass;
}

/** Passenger type; an id that is not in the list stays as it is. */
export function passengerTypeOf(profile: string): string {
  return TYPES.get(profile) ?? profile;
}

/** Profile id: a number where it is one. */
export function profileOf(type: string): number | string {
  const id = PROFILE.get(type) ?? type;
  return /^\d{1,9}$/.test(id) ? Number(id) : id;
}
