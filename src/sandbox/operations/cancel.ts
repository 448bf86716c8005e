/**
 * Cancels segments (OTA_AirBookModifyRQ, type 10) or passengers (type 2) of a paid booking with a refund, or a whole
 * hold (OTA_CancelRQ), within the write transaction of the message. For each passenger and segment, a refund is the
 * fare paid less the penalty in force (fare-rules.ts) and the tax on it (docs/wire/notes.md, Money and rules).
 */
import type { Money } from '../../core/money.ts';
import { minAmount, multiply, subtract, sum, zeroAmount } from '../amounts.ts';
import {
  type AirlineNow,
  type Carrier,
  findDeparture,
  requireBooking,
  requireInTime,
  requireTicketed,
  ruleNow,
} from '../carrier.ts';
import { recordEvent } from '../ledger.ts';
import {
  activeSegments,
  type CarrierBooking,
  type CarrierRefund,
  countTypes,
  type HeldSegment,
  isExpired,
  isOpenCoupon,
  type RefundShare,
  saveBooking,
  type Traveler,
  withCoupons,
  withoutTravelers,
  withSegments,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { RequestedOption } from '../requests/fields.ts';
import type { LeavingPassenger } from '../requests/modify.ts';
import { releaseSeats } from '../stock.ts';
import { divideTravelers } from './change-travelers.ts';
import { withOrder } from './locators.ts';

/** Cancels whole options of a paid booking. */
export function cancelSegments(
  carrier: Carrier,
  booking: CarrierBooking,
  options: readonly RequestedOption[],
): CarrierBooking {
  requireTicketed(booking);
  const segments = options.flatMap((option) => requireWholeOption(carrier, booking, option));
  const refs = segments.map((segment) => segment.ref);
  if (new Set(refs).size !== refs.length) throw new Refusal('320', 'an option stands twice');

  for (const segment of segments) {
    if (segment.cancelled) throw new Refusal('95', `segment ${segment.ref} is cancelled already`);
    requireInTime(carrier, segment);
  }

  const refund = refundFor(carrier, booking.travelers, segments);
  for (const ref of refs) releaseSeats(carrier.state, booking.locator, { segment: ref });
  recordEvent(carrier, 'segments_cancelled', booking.locator, { about: refs });

  return saveBooking(carrier.state, withRefund(carrier, withCancelledSegments(booking, refs), refund));
}

/** Returns the segments of an option. Throws unless the request names exactly those. */
function requireWholeOption(
  carrier: Carrier,
  booking: CarrierBooking,
  { ref, segments }: RequestedOption,
): readonly HeldSegment[] {
  // Replies of an airline leave out the ref of an option, so that clients send that of its first segment.
  const option = booking.options.find((option) => option.ref === ref || option.segments[0]?.ref === ref);
  if (option === undefined) throw new Refusal('83', `the booking has no option ${ref}`);
  if (segments.length !== option.segments.length)
    throw new Refusal('172', `option ${ref} is cancelled as a whole: name all of its segments`);

  for (const segment of option.segments) {
    const departure = findDeparture(carrier, segment);
    const isNamed = segments.some(
      ({ number, from, to, departs }) =>
        number === departure.shownNumber &&
        from === departure.from.code &&
        to === departure.to.code &&
        Date.parse(departs) === departure.departsAt,
    );
    if (!isNamed) throw new Refusal('83', `option ${ref} does not hold these segments`);
  }

  return option.segments;
}

function withCancelledSegments(booking: CarrierBooking, refs: readonly string[]): CarrierBooking {
  const cancelled = withSegments(booking, (segment) =>
    refs.includes(segment.ref) ? { ...segment, cancelled: true } : segment,
  );
  const changed = withCoupons(cancelled, (coupon) =>
    refs.includes(coupon.segmentRef) && isOpenCoupon(coupon) ? { ...coupon, status: 'R' } : coupon,
  );
  return activeSegments(changed).length === 0 ? { ...changed, state: 'cancelled' } : changed;
}

/** Releases an unpaid hold. Throws for a paid booking, whose segments are cancelled instead. */
export function cancelBooking(carrier: Carrier, locator: string): CarrierBooking {
  const booking = requireBooking(carrier, locator);
  if (booking.state === 'cancelled') throw new Refusal('95', 'the booking is cancelled already');
  if (booking.state === 'ticketed') throw new Refusal('3505', 'the booking is ticketed: cancel its segments');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');

  releaseSeats(carrier.state, booking.locator);
  const released = withSegments(booking, (segment) => ({ ...segment, cancelled: true }));

  recordEvent(carrier, 'cancelled', booking.locator);
  return saveBooking(carrier.state, { ...released, state: 'cancelled', orders: [] });
}

/** Removes passengers and their tickets from a paid booking. The others keep their pointers. */
export function cancelPassengers(
  carrier: Carrier,
  booking: CarrierBooking,
  passengers: readonly LeavingPassenger[],
): CarrierBooking {
  requireTicketed(booking);
  const { refs, leavingTravelers } = divideTravelers(booking, passengers);
  if (refs.length === 0) throw new Refusal('321', 'no traveler to cancel');

  const segments = activeSegments(booking);
  for (const segment of segments) requireInTime(carrier, segment);
  const refund = refundFor(carrier, leavingTravelers, segments);
  for (const ref of refs) releaseSeats(carrier.state, booking.locator, { traveler: ref });
  recordEvent(carrier, 'passengers_cancelled', booking.locator, { about: refs });

  return saveBooking(carrier.state, withRefund(carrier, withoutTravelers(booking, refs), refund));
}

/** Adds a refund, which may be 0.00, to a booking. Rail pays it at once (PAID), an airline later (PENDING). */
export function withRefund(airline: AirlineNow, booking: CarrierBooking, refund: CarrierRefund): CarrierBooking {
  const { amount } = refund.whole;
  const status = airline.dialect === 'rail' && booking.refundsWait !== true ? 'PAID' : 'PENDING';
  recordEvent(airline, 'refunded', booking.locator, { amount });
  const refunded = { ...booking, refunds: [...booking.refunds, refund] };
  return withOrder(airline, refunded, { action: 'OTHER', direction: 'REFUND', status, amount });
}

/** Computes the refund of one passenger for one segment. */
function refundShare(carrier: Carrier, segment: HeldSegment, type: string): RefundShare {
  const zero = zeroAmount(carrier.network.currency);
  const farePaid = segment.prices[type]?.total ?? zero;
  if (findDeparture(carrier, segment).cancelled) return { amount: farePaid, penalty: zero, tax: zero };

  const rule = ruleNow(carrier, 'refund', segment, type);
  if (rule === undefined) throw new Refusal('150', `segment ${segment.ref} has departed`);
  if (!rule.allowed) return { amount: zero, penalty: farePaid, tax: zero };

  const penalty = minAmount(rule.base, farePaid);
  const tax = minAmount(rule.tax, subtract(farePaid, penalty));
  return { amount: subtract(subtract(farePaid, penalty), tax), penalty, tax };
}

/** Computes the refund for travellers who cancel segments now. Segments that the airline cancelled have no penalty. */
function refundFor(carrier: Carrier, travelers: readonly Traveler[], segments: readonly HeldSegment[]): CarrierRefund {
  const shares = segments.flatMap((segment) =>
    Object.entries(countTypes(travelers)).map(([type, count]) => {
      const { amount, penalty, tax } = refundShare(carrier, segment, type);
      const share = { amount: multiply(amount, count), penalty: multiply(penalty, count), tax: multiply(tax, count) };
      return { type, segmentRef: segment.ref, share };
    }),
  );

  const sumOf = (field: keyof RefundShare): Money => {
    const amounts = shares.map(({ share }) => share[field]);
    return sum(carrier.network.currency, amounts);
  };

  return { whole: { amount: sumOf('amount'), penalty: sumOf('penalty'), tax: sumOf('tax') }, shares };
}
