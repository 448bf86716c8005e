/** Changes the segments or the coupons of a booking. */
import type { CarrierBooking, HeldCoupon, HeldSegment } from '../record.ts';

export function withSegments(booking: CarrierBooking, change: (segment: HeldSegment) => HeldSegment): CarrierBooking {
  const options = booking.options.map((option) => ({ ...option, segments: option.segments.map(change) }));
  return { ...booking, options };
}

export function withCoupons(booking: CarrierBooking, change: (coupon: HeldCoupon, traveler: string) => HeldCoupon) {
  const tickets = booking.tickets.map((ticket) => ({
    ...ticket,
    coupons: ticket.coupons.map((coupon) => change(coupon, ticket.travelerRef)),
  }));
  return { ...booking, tickets };
}

/** Coupons of these segments without coach and seat. */
export function withoutSeats(booking: CarrierBooking, refs: readonly string[]): CarrierBooking {
  return withCoupons(booking, (coupon) => {
    if (!refs.includes(coupon.segmentRef)) return coupon;
    const { coach: _, seat: __, ...rest } = coupon;
    return rest;
  });
}
