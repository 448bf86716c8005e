/**
 * `passengerTypeQuantity[]`: how many travel, by type.
 */
import * as z from 'zod';
import type { PassengerCounts } from '../../../domain/pricing/fare-search.ts';

export const passengerTypeQuantity = z
  .array(z.strictObject({ code: z.enum(['ADT', 'CHD', 'INF']), quantity: z.int().min(0) }))
  .min(1)
  .refine((lines) => new Set(lines.map((line) => line.code)).size === lines.length, 'a passenger type is given twice');

export type Lines = z.output<typeof passengerTypeQuantity>;

/** Every type has its line: a quantity of 0 is accepted (docs/wire/interface.md, Fare search). */
export function writeCounts(counts: PassengerCounts): Lines {
  return [
    { code: 'ADT', quantity: counts.adults },
    { code: 'CHD', quantity: counts.children },
    { code: 'INF', quantity: counts.infants },
  ];
}
