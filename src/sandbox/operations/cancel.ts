/**
 * Cancelling with the refund: segments (OTA_AirBookModifyRQ, type 10) or passengers (type 2) of a paid booking, or a whole
 * hold (OTA_CancelRQ). A refund is the fare paid, less the penalty in force and the tax on it, per passenger and fare
 * component, and never more than was paid (docs/wire/notes.md, Money and rules).
 * Which penalty is in force says fare-rules.ts; how high it is, `refund` in network/*.json.
 */
import type { Money } from '../../core/money.ts';
import { less, nothing, smaller, sum, times } from '../amounts.ts';
import {
  type AirlineNow,
  type Carrier,
  findDeparture,
  needBooking,
  needInTime,
  needTicketed,
  needTraveler,
  ruleNow,
} from '../carrier.ts';
import { enter } from '../ledger.ts';
import {
  activeSegments,
  type CarrierBooking,
  countTypes,
  type HeldSegment,
  isExpired,
  type MadeRefund,
  type RefundShare,
  saveBooking,
  type Traveler,
  withCoupons,
  withoutTravelers,
  withSegments,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { AskedOption } from '../requests/fields.ts';
import type { Leaving } from '../requests/modify.ts';
import { releaseSeats } from '../stock.ts';
import { withOrder } from './locators.ts';

/** Cancels whole options of a paid booking. Runs within a write transaction. */
export function cancelSegments(
  carrier: Carrier,
  booking: CarrierBooking,
  options: readonly AskedOption[],
): CarrierBooking {
  needTicketed(booking);
  const leaving = options.flatMap((option) => wholeOption(carrier, booking, option));
  const refs = leaving.map((segment) => segment.ref);
  if (new Set(refs).size !== refs.length) throw new Refusal('320', 'an option stands twice');
  for (const segment of leaving) {
    if (segment.cancelled) throw new Refusal('95', `segment ${segment.ref} is cancelled already`);
    needInTime(carrier, segment);
  }
  const refund = refundFor(carrier, booking.travelers, leaving);
  for (const ref of refs) releaseSeats(carrier.state, booking.locator, { segment: ref });
  enter(carrier, 'segments_cancelled', booking.locator, { about: refs });
  return saveBooking(carrier.state, withRefund(carrier, withSegmentsCancelled(booking, refs), refund));
}

/** The option's segments, if the request names exactly those. */
function wholeOption(carrier: Carrier, booking: CarrierBooking, asked: AskedOption): readonly HeldSegment[] {
  const option = booking.options.find((option) => option.ref === asked.ref || option.segments[0]?.ref === asked.ref);
  if (option === undefined) throw new Refusal('83', `the booking has no option ${asked.ref}`);
  if (asked.segments.length !== option.segments.length) {
    throw new Refusal('172', `option ${asked.ref} is cancelled as a whole: name all of its segments`);
  }
  for (const segment of option.segments) {
    const departure = findDeparture(carrier, segment);
    const isSame = asked.segments.some(
      ({ number, from, to, departs }) =>
        number === departure.shown &&
        from === departure.from.code &&
        to === departure.to.code &&
        Date.parse(departs) === departure.departsAt,
    );
    if (!isSame) throw new Refusal('83', `option ${asked.ref} does not hold these segments`);
  }
  return option.segments;
}

function withSegmentsCancelled(booking: CarrierBooking, refs: readonly string[]): CarrierBooking {
  const cancelled = withSegments(booking, (segment) =>
    refs.includes(segment.ref) ? { ...segment, cancelled: true } : segment,
  );
  const changed = withCoupons(cancelled, (coupon) =>
    refs.includes(coupon.segmentRef) && coupon.status === 'O' ? { ...coupon, status: 'R' } : coupon,
  );
  return activeSegments(changed).length === 0 ? { ...changed, state: 'cancelled' } : changed;
}

/** Releases an unpaid hold; a paid booking is cancelled segment by segment. Runs within a write transaction. */
export function cancelBooking(carrier: Carrier, locator: string): CarrierBooking {
  const booking = needBooking(carrier, locator);
  if (booking.state === 'cancelled') throw new Refusal('95', 'the booking is cancelled already');
  if (booking.state === 'ticketed') throw new Refusal('3505', 'the booking is ticketed: cancel its segments');
  if (isExpired(booking, carrier.now)) throw new Refusal('73', 'the hold lapsed');
  releaseSeats(carrier.state, booking.locator);
  const cancelled: CarrierBooking = {
    ...withSegments(booking, (segment) => ({ ...segment, cancelled: true })),
    state: 'cancelled',
    orders: [],
  };
  enter(carrier, 'cancelled', booking.locator);
  return saveBooking(carrier.state, cancelled);
}

/** They and their tickets disappear; the others keep their pointers. Runs within a write transaction. */
export function cancelPassengers(carrier: Carrier, booking: CarrierBooking, asked: readonly Leaving[]): CarrierBooking {
  needTicketed(booking);
  const { refs, leaving } = divideTravelers(booking, asked);
  if (refs.length === 0) throw new Refusal('321', 'no traveler to cancel');
  const segments = activeSegments(booking);
  for (const segment of segments) needInTime(carrier, segment);
  const refund = refundFor(carrier, leaving, segments);
  for (const ref of refs) releaseSeats(carrier.state, booking.locator, { traveler: ref });
  enter(carrier, 'passengers_cancelled', booking.locator, { about: refs });
  return saveBooking(carrier.state, withRefund(carrier, withoutTravelers(booking, refs), refund));
}

/** Divides a booking into those who are named, with their pointers, and those who stay. */
export function divideTravelers(booking: CarrierBooking, asked: readonly Leaving[]) {
  const refs = asked.map((named) => needNamed(booking, named).ref);
  if (new Set(refs).size !== refs.length) throw new Refusal('320', 'a traveler stands twice');
  const leaving = booking.travelers.filter((traveler) => refs.includes(traveler.ref));
  const staying = booking.travelers.filter((traveler) => !refs.includes(traveler.ref));
  checkStaying(staying, refs);
  return { refs, leaving, staying };
}

/** The traveller of a pointer. A type or name sent with it must match. */
function needNamed(booking: CarrierBooking, asked: Leaving): Traveler {
  const traveler = needTraveler(booking, asked.ref);
  if (asked.type !== traveler.type) throw new Refusal('320', `traveler ${asked.ref} is no ${asked.type}`);
  if (asked.surname !== undefined && asked.surname !== traveler.name?.surname) {
    throw new Refusal('320', `traveler ${asked.ref} has another name`);
  }
  return traveler;
}

/** Checks that the remaining passengers may travel together. */
export function checkStaying(staying: readonly Traveler[], leaving: readonly string[]): void {
  if (staying.length === 0) throw new Refusal('172', 'the last passenger: cancel the segments instead');
  const orphan = staying.find(
    (traveler) => traveler.attendantRef !== undefined && leaving.includes(traveler.attendantRef),
  );
  if (orphan !== undefined) throw new Refusal('3004', `infant ${orphan.ref} would stay without its adult`);
  if (!staying.some((traveler) => traveler.type === 'ADT'))
    throw new Refusal('26', 'a child would stay without an adult');
}

/** Returns the booking with the refund, which may be 0.00. A rail refund is already PAID; an airline's is PENDING. */
export function withRefund(airline: AirlineNow, booking: CarrierBooking, refund: MadeRefund): CarrierBooking {
  const { amount } = refund.whole;
  const status = airline.dialect === 'rail' && booking.refundsWait !== true ? 'PAID' : 'PENDING';
  enter(airline, 'refunded', booking.locator, { amount });
  const refunded = { ...booking, refunds: [...booking.refunds, refund] };
  return withOrder(airline, refunded, { action: 'OTHER', direction: 'REFUND', status, amount });
}

function refundShare(carrier: Carrier, segment: HeldSegment, type: string): RefundShare {
  const none = nothing(carrier.network.currency);
  const paid = segment.prices[type]?.total ?? none;
  if (findDeparture(carrier, segment).cancelled) return { amount: paid, penalty: none, tax: none };
  const rule = ruleNow(carrier, 'refund', segment, type);
  if (rule === undefined) throw new Refusal('150', `segment ${segment.ref} has departed`);
  if (!rule.allowed) return { amount: none, penalty: paid, tax: none };
  const penalty = smaller(rule.base, paid);
  const tax = smaller(rule.tax, less(paid, penalty));
  return { amount: less(less(paid, penalty), tax), penalty, tax };
}

/** The refund for `travelers` who cancel `segments` now. What the airline cancelled is refunded without penalty. */
function refundFor(carrier: Carrier, travelers: readonly Traveler[], segments: readonly HeldSegment[]): MadeRefund {
  const { currency } = carrier.network;
  const shares = segments.flatMap((segment) =>
    Object.entries(countTypes(travelers)).map(([type, count]) => {
      const { amount, penalty, tax } = refundShare(carrier, segment, type);
      const share = { amount: times(amount, count), penalty: times(penalty, count), tax: times(tax, count) };
      return { type, segmentRef: segment.ref, share };
    }),
  );
  const sumOf = (field: keyof RefundShare): Money => {
    const amounts = shares.map(({ share }) => share[field]);
    return sum(currency, amounts);
  };
  return { whole: { amount: sumOf('amount'), penalty: sumOf('penalty'), tax: sumOf('tax') }, shares };
}
