/** Readings as airlines send them from one day to the next: other pointers, another order of rows, fields left out. */
import type { OtaAirline } from '../support/airline.ts';
import { draw } from '../support/chance.ts';

type Booking = Awaited<ReturnType<OtaAirline['read']>>['reading'];

const STRIPPED = 0.15;
const MUDDLED = 0.5;

/** The same booking with the same draw; whether fields were left out, and pointers changed. */
export function muddled(booking: Booking, seed: number, at: number, strips: boolean) {
  const drawn = (what: string) => draw(seed, what, booking.locator, at);
  const renumbered = drawn('muddle') < MUDDLED;
  const stripped = strips && drawn('strip') < STRIPPED;
  const other = renumbered ? reordered(renumber(booking, 1 + Math.floor(drawn('pointers') * 7))) : booking;
  const strip = stripped ? STRIPS[Math.floor(drawn('which') * STRIPS.length)] : undefined;
  return { booking: strip?.(other) ?? other, stripped, renumbered };
}

function renumber(booking: Booking, by: number): Booking {
  const of = (ref: string) => String(Number(ref) + by);
  const all = (refs: readonly string[]) => refs.map(of);
  return {
    ...eachSegment((segment) => ({ ...segment, ref: of(segment.ref) }))(booking),
    travelers: booking.travelers.map((one) => ({ ...one, ref: of(one.ref), segmentRefs: all(one.segmentRefs) })),
    tickets: booking.tickets.map((ticket) => ({
      ...ticket,
      ...{ travelerRefs: all(ticket.travelerRefs), segmentRefs: all(ticket.segmentRefs) },
      coupons: ticket.coupons.map(({ segmentRef, ...coupon }) => {
        return { ...coupon, ...(segmentRef !== undefined && { segmentRef: of(segmentRef) }) };
      }),
    })),
  };
}

function reordered(booking: Booking): Booking {
  return {
    ...{ ...booking, options: booking.options.toReversed(), travelers: booking.travelers.toReversed() },
    orders: booking.orders.toReversed(),
    tickets: booking.tickets.toReversed().map((one) => ({ ...one, coupons: one.coupons.toReversed() })),
  };
}

type Strip = (booking: Booking) => Booking;

function eachSegment(change: (segment: Booking['options'][number]['segments'][number]) => object): Strip {
  return (booking) => ({
    ...booking,
    options: booking.options.map((option) => ({ ...option, segments: option.segments.map(change) as never })),
  });
}

const withoutFacts: Strip = (booking) => ({
  ...booking,
  tickets: booking.tickets.map((ticket) => ({
    ...ticket,
    coupons: ticket.coupons.map(({ seat: _s, coach: _c, providerTicket: _p, statusCode: _t, ...coupon }) => coupon),
  })),
});

const STRIPS: readonly Strip[] = [
  (booking) => ({ ...booking, tickets: [] }),
  (booking) => ({ ...booking, orders: [] }),
  ({ pricing: _, ...booking }) => booking,
  (booking) => ({ ...booking, travelers: [] }),
  (booking) => ({ ...booking, options: [] }),
  (booking) => ({ ...booking, tickets: [], orders: [], services: [] }),
  eachSegment(({ statusCode: _, ...segment }) => segment),
  eachSegment(({ bookingClass: _, ...segment }) => segment),
  withoutFacts,
];
