/**
 * `airReservation` → Booking (docs/wire/interface.md, Reservation).
 */
import type { Booking, Ticket } from '../../../domain/booking/booking.ts';
import type { Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import { readOrders } from './offer-orders.ts';
import { branches, pricingOf } from './price-info.ts';
import { withFares } from './priced-itinerary.ts';
import { defined, isRecord, readTime, record, replyError, text, type Wire } from './reader.ts';
import { locatorOf, readReferences } from './references.ts';
import { readOptions } from './segment.ts';
import { readEmds, readRemarks, readServices } from './services.ts';
import { readTickets } from './ticketing.ts';
import { readTravelers } from './traveler.ts';

/** The reservation object of a reply. */
export function reservationOf(body: Wire): Wire {
  const found = record(body.airReservation);
  if (Object.keys(found).length === 0) throw replyError('airReservation');
  return found;
}

/**
 * A booking from its reservation; every branch but the locator may be missing. `body` is the reply around it, where
 * the reference stands in some replies. Throws E_AIRLINE_REPLY without a locator.
 */
export function readReservation(reservation: Wire, body: Wire = {}): Booking {
  const own = readReferences(reservation.bookingReferenceID);
  const references = own.length > 0 ? own : readReferences(body.bookingReferenceID);
  const locator = locatorOf(references);
  if (locator === undefined) throw replyError('the booking reference');
  const info = record(reservation.travelerInfo);
  const people = isRecord(reservation.travelerInfo) ? info.airTraveler : reservation.travelerInfo;
  const cancelled = text(reservation.status)?.toUpperCase() === 'CANCELLED' ? true : undefined;
  const { info: price, rows } = branches(reservation);
  const pricing = pricingOf(reservation, price, rows);
  // Rail holds name the fare in the rows alone.
  const priced = withFares(readOptions(reservation.airItinerary), price, rows, pricing?.perType ?? []);
  const tickets = readTickets(reservation.ticketing, priced);
  const options = withStatus(priced, tickets, cancelled === true);
  const booking = {
    locator,
    references,
    createdAt: readTime(reservation.createDateTime),
    options,
    ...readTravelers(people),
    pricing,
    tickets,
    orders: readOrders(reservation.offer),
    services: readServices(info.specialReqDetails),
    remarks: readRemarks(info.specialReqDetails),
    emds: readEmds(reservation.emdinfo),
    cancelled,
  };
  return defined(booking);
}

/** OpenTravel's status of a cancelled segment. */
const CANCELLED = '16';

/** A segment without a status is active, unless the booking is cancelled or each coupon of the segment refunded. */
function withStatus(
  options: readonly SegmentOption[],
  tickets: readonly Ticket[],
  cancelled: boolean,
): readonly SegmentOption[] {
  const coupons = Map.groupBy(
    tickets.flatMap((ticket) => ticket.coupons),
    ({ segmentRef }) => segmentRef,
  );
  const isOver = ({ ref, statusCode }: Segment) =>
    statusCode === undefined && (cancelled || coupons.get(ref)?.every((one) => one.statusCode === 'R') === true);
  return options.map((option) => ({
    ...option,
    segments: option.segments.map((one) => (isOver(one) ? { ...one, statusCode: CANCELLED } : one)),
  }));
}
