/**
 * Names of a booking: `bookingReferenceID`, `uniqueID` (docs/wire/interface.md, Message conventions).
 */
import * as z from 'zod';
import type { BookingReference } from '../../../domain/booking/booking.ts';
import { company, defined, pointers, readPointer, records, text } from './reader.ts';

/** OpenTravel unique id type of a reservation. */
export const RESERVATION = '14' as const;
/** OpenTravel unique id type of a group. */
export const GROUP = '9' as const;

/**
 * The reservation system's locator: six of A–Z and 0–9 (docs/wire/notes.md, Tolerated in replies); the operator's is
 * longer.
 */
const LOCATOR = /^[A-Z0-9]{6}$/;

export const uniqueId = z.strictObject({ id: z.string().min(1), type: z.literal(RESERVATION) });

/** `bookingReferenceID[]` of a seat map request. */
export const bookingReference = z.strictObject({
  ...uniqueId.shape,
  companyName: z.strictObject({ code: z.string() }).optional(),
});

export function readReferences(value: unknown): BookingReference[] {
  const found: BookingReference[] = [];
  for (const wire of records(value)) {
    // A group is named by a person, in any words.
    const id = text(wire.type) === GROUP ? text(wire.id) : readPointer(wire.id);
    if (id === undefined) continue;
    const segmentRefs = pointers(wire.flightRefNumberRPHList);
    found.push(defined({ id, type: text(wire.type), system: company(wire.companyName), segmentRefs }));
  }
  return found;
}

/** The reservation system's own name for the booking; where only another's is given, that one. */
export function locatorOf(references: readonly BookingReference[]): string | undefined {
  const named = references.filter((reference) => reference.type !== GROUP);
  return (named.find((reference) => LOCATOR.test(reference.id)) ?? named[0])?.id;
}
