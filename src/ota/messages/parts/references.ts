/** Names of a booking: `bookingReferenceID`, `uniqueID` (docs/wire/interface.md, Message conventions). */
import * as z from 'zod';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { BookingReference } from '../../../domain/booking/booking.ts';
import { company, pointers, readAll, readPointer, text } from './reader.ts';

/** OpenTravel unique id types. */
export const RESERVATION = '14' as const;
export const GROUP = '9' as const;

/** The reservation system's locator (docs/wire/notes.md, Tolerated in replies). The operator's is longer. */
const LOCATOR = /^[A-Z0-9]{6}$/;

export const uniqueId = z.strictObject({ id: z.string().min(1), type: z.literal(RESERVATION) });

export const bookingReference = z.strictObject({
  ...uniqueId.shape,
  companyName: z.strictObject({ code: z.string() }).optional(),
});

export function readReferences(value: unknown): BookingReference[] {
  return readAll(value, (wire): BookingReference | undefined => {
    // A person names a group, in any words.
    const id = text(wire.type) === GROUP ? text(wire.id) : readPointer(wire.id);
    if (id === undefined) return undefined;
    const segmentRefs = pointers(wire.flightRefNumberRPHList);
    return omitUndefined({ id, type: text(wire.type), system: company(wire.companyName), segmentRefs });
  });
}

/** The reservation system's locator, else another system's. */
export function locatorOf(references: readonly BookingReference[]): string | undefined {
  const named = references.filter((reference) => reference.type !== GROUP);
  return (named.find((reference) => LOCATOR.test(reference.id)) ?? named[0])?.id;
}
