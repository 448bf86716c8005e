/** Reads the seat maps of a booking. */
import type { Booking, Segment } from '../../domain/booking/booking.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { readCall, type ToolContext } from '../definition/define.ts';

/** Lap infants have no seat. */
export function seatedTravelers({ travelers }: Booking): readonly Traveler[] {
  return travelers.filter(({ type }) => type !== 'INF');
}

export function aboard(travelers: readonly Traveler[], { ref }: Segment): readonly Traveler[] {
  return travelers.filter(({ segmentRefs }) => segmentRefs.length === 0 || segmentRefs.includes(ref));
}

export function readSeatMaps(
  { locator, source }: Booking,
  segments: readonly Segment[],
  travelers: readonly Traveler[],
  ctx: ToolContext,
) {
  const requests = segments
    .map((segment) => ({ segment, travelerRefs: aboard(travelers, segment).map(({ ref }) => ref) }))
    .filter(({ travelerRefs }) => travelerRefs.length > 0);
  return ctx.airline.seatMap({ locator, requests, travelers, source }, readCall(ctx));
}
