/** Cancelling whole options of a paid booking with the refund (OTA_AirBookModifyRQ, type 10). */
import { type Carrier, changeLimit, departureOf, needTicketed } from '../carrier.ts';
import { enter } from '../ledger.ts';
import type { AskedOption } from '../model.ts';
import { activeSegments, type CarrierBooking, type HeldSegment, saveBooking } from '../record.ts';
import { refundFor } from '../refunds.ts';
import { Refusal } from '../refusal.ts';
import { releaseSegment } from '../stock.ts';
import { withRefund } from './refund-order.ts';

/** Runs within a write transaction. */
export function cancelSegments(
  carrier: Carrier,
  booking: CarrierBooking,
  options: readonly AskedOption[],
): CarrierBooking {
  needTicketed(booking);
  const leaving = options.flatMap((option) => chosen(carrier, booking, option));
  const refs = leaving.map((segment) => segment.ref);
  if (new Set(refs).size !== refs.length) throw new Refusal('320', 'an option stands twice');
  for (const segment of leaving) {
    if (segment.cancelled) throw new Refusal('95', `segment ${segment.ref} is cancelled already`);
    if (carrier.now >= changeLimit(carrier, segment))
      throw new Refusal('150', `the time limit of segment ${segment.ref} has passed`);
  }
  const refund = refundFor(carrier, booking.travelers, leaving);
  for (const ref of refs) releaseSegment(carrier.state, booking.locator, ref);
  enter(carrier.state, carrier.now, 'segments_cancelled', booking.locator, { about: refs });
  const changed = withRefund(carrier, withSegmentsCancelled(booking, refs), refund);
  saveBooking(carrier.state, changed);
  return changed;
}

/** The option's segments, if the request names exactly those. */
function chosen(carrier: Carrier, booking: CarrierBooking, asked: AskedOption): readonly HeldSegment[] {
  const option = booking.options.find((it) => it.ref === asked.ref || it.segments[0]?.ref === asked.ref);
  if (option === undefined) throw new Refusal('83', `the booking has no option ${asked.ref}`);
  if (asked.segments.length !== option.segments.length) {
    throw new Refusal('172', `option ${asked.ref} is cancelled as a whole: name all of its segments`);
  }
  for (const segment of option.segments) {
    const departure = departureOf(carrier, segment);
    const isSame = asked.segments.some(
      (it) =>
        it.number === departure.shown &&
        it.from === departure.from.code &&
        it.to === departure.to.code &&
        Date.parse(it.departs) === departure.departsAt,
    );
    if (!isSame) throw new Refusal('83', `option ${asked.ref} does not hold these segments`);
  }
  return option.segments;
}

function withSegmentsCancelled(booking: CarrierBooking, refs: readonly string[]): CarrierBooking {
  const changed: CarrierBooking = {
    ...booking,
    options: booking.options.map((option) => ({
      ...option,
      segments: option.segments.map((segment) =>
        refs.includes(segment.ref) ? { ...segment, cancelled: true } : segment,
      ),
    })),
    tickets: booking.tickets.map((ticket) => ({
      ...ticket,
      coupons: ticket.coupons.map((coupon) =>
        refs.includes(coupon.segmentRef) && coupon.status === 'O' ? { ...coupon, status: 'R' } : coupon,
      ),
    })),
  };
  return activeSegments(changed).length === 0 ? { ...changed, state: 'cancelled' } : changed;
}
