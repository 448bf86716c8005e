/** Supplies the carrier of segments that name none, from FARECLERK_CARRIER. */

import { ClerkError } from '../../core/errors.ts';
import type { Segment, SegmentOption } from '../../domain/booking/booking.ts';

export const NEEDS_CARRIER =
  'Cannot be booked until the operator sets FARECLERK_CARRIER: the airline names no carrier.';

export function lacksCarrier(options: readonly SegmentOption[]): boolean {
  return options.some((option) => option.segments.some(isNameless));
}

function isNameless({ operating, marketing }: Segment): boolean {
  return operating === undefined && marketing?.carrier === undefined;
}

/** Throws E_CONFIG if a carrier is needed and not set. */
export function withCarrier(options: readonly SegmentOption[], carrier: string | undefined): readonly SegmentOption[] {
  if (!lacksCarrier(options)) return options;
  if (carrier === undefined) {
    throw new ClerkError('E_CONFIG', `${NEEDS_CARRIER} Nothing was booked.`, {
      next: 'Ask the operator to set FARECLERK_CARRIER, or search without include_sold_out.',
    });
  }
  return options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) => ({
      ...segment,
      ...(isNameless(segment) && { operating: { carrier, number: segment.flightNumber } }),
    })),
  }));
}
