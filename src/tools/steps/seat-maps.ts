/** Reads the seat maps of a booking, and says which travellers have a seat. */
import type { Booking, Segment } from '../../domain/booking/booking.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { readCall, type ToolContext } from '../definition/define.ts';

/** Lists the travellers with a seat: lap infants have none. */
export function seatedTravelers({ travelers }: Booking): readonly Traveler[] {
  return travelers.filter(({ type }) => type !== 'INF');
}

/** Selects the travellers who travel on the segment. A traveller without segments travels on all. */
export function travelersOn(travelers: readonly Traveler[], { ref }: Segment): readonly Traveler[] {
  return travelers.filter(({ segmentRefs }) => segmentRefs.length === 0 || segmentRefs.includes(ref));
}

export function readSeatMaps(
  { locator, source }: Booking,
  segments: readonly Segment[],
  travelers: readonly Traveler[],
  ctx: ToolContext,
) {
  const requests = segments
    .map((segment) => ({ segment, travelerRefs: travelersOn(travelers, segment).map(({ ref }) => ref) }))
    .filter(({ travelerRefs }) => travelerRefs.length > 0);
  return ctx.airline.seatMap({ locator, requests, travelers, source }, readCall(ctx));
}
