/** Every mishap: those of departures, three of which the sandbox plays itself, and then those of one booking. */
import { share, sum, zeroAmount } from '../../../src/sandbox/amounts.ts';
import { type AirlineNow, bookingTotal, findDeparture } from '../../../src/sandbox/carrier.ts';
import { type FareTable, type PassengerFare, soldCabin } from '../../../src/sandbox/fares.ts';
import {
  changeRun,
  disturb as disturbUsually,
  lookUpBooking,
  lookUpSegment,
  type RunOf,
} from '../../../src/sandbox/mishaps.ts';
import type { Vehicle } from '../../../src/sandbox/network.ts';
import { withRefund } from '../../../src/sandbox/operations/cancel.ts';
import { reissueTickets } from '../../../src/sandbox/operations/pay.ts';
import {
  activeSegments,
  type CarrierBooking,
  type HeldCoupon,
  type HeldSegment,
  isExpired,
  isOpenCoupon,
  saveBooking,
  withCoupons,
  withoutTravelers,
  withSegments,
} from '../../../src/sandbox/record.ts';
import {
  bookingClaims,
  claimSeat,
  dropExpired,
  freeSeats,
  moveExpiry,
  releaseSeats,
} from '../../../src/sandbox/stock.ts';
import { type Departure, isSameRun, type RunChange } from '../../../src/sandbox/timetable.ts';
import { MINUTE_MS, MINUTES_PER_DAY } from '../../../src/sandbox/zone.ts';

/** Mishaps of one run of a train or flight, and so of every booking on it. */
type RunMishap = 'delay' | 'retime' | 'renumber' | 'cancel' | 'restore' | 'equipment';

/** Mishaps of one booking. */
type BookingMishap =
  | 'class-lost' // Moves a segment to another class.
  | 'coupon-closed'
  | 'seats-moved'
  | 'reissue' // New tickets, with other seats.
  | 'no-show'
  | 'passenger-gone'
  | 'price' // Of an unpaid hold.
  | 'deadline' // The limit to pay, or for names once paid.
  | 'refund' // A part that nobody asked for.
  | 'refund-pending'
  | 'refund-paid';

export type MishapKind = RunMishap | BookingMishap;

export interface Mishap extends RunOf {
  readonly kind: MishapKind;
  /** How many minutes a departure or a time limit moves; negative: earlier. Default: -10 for the limit of a hold; -24 hours for names. */
  readonly minutes?: number;
  /** Status code that segments or a coupon show; each kind has a default. */
  readonly status?: string;
  /** Per cent of the former price, default 110; of the payment that a refund returns, default 10. */
  readonly percent?: number;
}

/** Plays a mishap in a write transaction, and returns the bookings that it changed. Throws an Error that says why it cannot happen. */
export function disturb(airline: AirlineNow, mishap: Mishap): readonly string[] {
  const { kind, status } = mishap;
  switch (kind) {
    case 'cancel':
      if (status === undefined) return disturbUsually(airline, { ...mishap, kind });
      return ofRun(airline, mishap, () => ({ cancelled: true }), status);
    case 'delay':
    case 'retime':
      return disturbUsually(airline, { ...mishap, kind });
    case 'renumber':
      // OpenTravel: 51, schedule change.
      return ofRun(airline, mishap, ({ shownNumber }) => ({ shownNumber: freeNumber(airline, shownNumber) }), '51');
    case 'restore':
      // OpenTravel: 30, confirmed.
      return ofRun(airline, mishap, () => ({ cancelled: false }), '30');
    case 'equipment':
      return withOtherVehicle(airline, mishap);
    default:
      return ofBooking(airline, kind, mishap);
  }
}

function ofRun(
  airline: AirlineNow,
  mishap: Mishap,
  change: (run: Departure) => RunChange,
  status?: string,
): readonly string[] {
  return airline.state.change(() => {
    const run = findRun(airline, mishap);
    return changeRun(airline, run, change(run), status);
  });
}

/** The next number that no train or flight of the network has, with as many digits. */
function freeNumber({ network }: AirlineNow, number: string): string {
  const taken = network.lines.flatMap(({ number: first, departures }) =>
    departures.split(' ').map((_, n) => first + 2 * n),
  );
  let next = Number(number) + 1;
  while (taken.includes(next)) next += 1;
  return String(next).padStart(number.length, '0');
}

/** Only what is cancelled is restored, and nothing else happens to it. */
function findRun(airline: AirlineNow, mishap: Mishap): Departure {
  const booking = lookUpBooking(airline, mishap.locator);
  const { number, serviceDate } = lookUpSegment(booking, mishap.segment).departure;
  const run = airline.timetable.findRun(number, serviceDate);
  if (run === undefined) throw new Error(`no departure ${number} runs on ${serviceDate}`);
  const isRestore = mishap.kind === 'restore';
  if (isRestore && !run.cancelled) throw new Error(`departure ${number} on ${serviceDate} is not cancelled`);
  if (!isRestore && run.cancelled) throw new Error(`departure ${number} on ${serviceDate} is cancelled already`);
  return run;
}

/** Sends another vehicle: other seats, or none. */
function withOtherVehicle(airline: AirlineNow, mishap: Mishap): readonly string[] {
  return airline.state.change(() => {
    const run = findRun(airline, mishap);
    const locators = changeRun(airline, run, changeVehicle(airline, run), mishap.status);
    for (const locator of locators) {
      let booking = lookUpBooking(airline, locator);
      const segments = activeSegments(booking).filter(({ departure }) => isSameRun(departure, run));
      for (const segment of segments) booking = withNewSeats(airline, booking, segment);
      saveBooking(airline.state, booking);
    }
    return locators;
  });
}

/** Sends another vehicle of the same kind with the same classes. Changes nothing if the network has none. */
function changeVehicle({ network }: AirlineNow, { service }: Departure): RunChange {
  const listClasses = (vehicle: Vehicle) =>
    [...new Set(vehicle.coaches.map((coach) => coach.bookingClass))].sort().join();
  const isAlike = (vehicle: Vehicle) =>
    vehicle.kind === service.vehicle.kind && listClasses(vehicle) === listClasses(service.vehicle);
  const others = Object.values(network.vehicles).filter(({ name }) => name !== service.vehicle.name);
  const vehicle = others.find(isAlike);
  return vehicle === undefined ? {} : { service: { ...service, vehicle } };
}

/** How many minutes the limits for payment and for names move, unless the mishap gives the minutes. */
const PAY_BY_MOVE_MINUTES = -10;
const NAMES_MOVE_MINUTES = -MINUTES_PER_DAY;
/** The status of a segment whose passengers did not come. */
const NO_SHOW_STATUS = '83';

type PlayOnBooking = (airline: AirlineNow, booking: CarrierBooking, mishap: Mishap) => CarrierBooking;

/** How each mishap changes a booking. Throws an Error if it cannot happen. */
const BOOKING_PLAYS: Readonly<Record<BookingMishap, PlayOnBooking>> = {
  'class-lost': withOtherClass,
  'coupon-closed': (_airline, booking, mishap) => withClosedCoupon(booking, mishap),
  'seats-moved': (airline, booking, { segment }) => withNewSeats(airline, booking, lookUpSegment(booking, segment)),
  reissue: (airline, booking, { segment }) =>
    reissueTickets(airline, withNewSeats(airline, booking, lookUpSegment(booking, segment)), () => true),
  'no-show': (_airline, booking, { segment, status = NO_SHOW_STATUS }) => {
    const { ref } = lookUpSegment(booking, segment);
    return withSegments(booking, (segment) => (segment.ref === ref ? { ...segment, status } : segment));
  },
  'passenger-gone': withoutPassenger,
  price: withScaledPrices,
  deadline: withMovedDeadline,
  refund: withUnaskedRefund,
  // Refunds that are made later wait too.
  'refund-pending': (_airline, booking) => ({ ...withRefundStatus(booking, 'PENDING'), refundsWait: true }),
  'refund-paid': (_airline, booking) => ({ ...withRefundStatus(booking, 'PAID'), refundsWait: undefined }),
};

function ofBooking(airline: AirlineNow, kind: BookingMishap, mishap: Mishap): readonly string[] {
  return airline.state.change(() => {
    const booking = lookUpBooking(airline, mishap.locator);
    // All but refunds need a segment that is not cancelled; this throws if there is none.
    if (!kind.startsWith('refund')) lookUpSegment(booking, mishap.segment);
    saveBooking(airline.state, BOOKING_PLAYS[kind](airline, booking, mishap));
    return [booking.locator];
  });
}

/** Moves a segment to the cheapest fare of another class. The price stays, and the seats are lost. */
function withOtherClass({ network }: AirlineNow, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  const segment = lookUpSegment(booking, mishap.segment);
  const otherFares = network.fares.filter((fare) => fare.bookingClass !== segment.bookingClass);
  const [fare] = otherFares.toSorted((a, b) => a.percent - b.percent);
  if (fare === undefined) throw new Error('this airline has one class only');
  const { bookingClass, basis } = fare;
  const changed = withSegments(booking, (held) =>
    held.ref === segment.ref ? { ...held, bookingClass, basis, cabin: soldCabin(fare) } : held,
  );
  return withoutSeats(changed, segment.ref);
}

/** Closes the first open coupon of the segment. */
function withClosedCoupon(booking: CarrierBooking, { segment, status = 'Z' }: Mishap): CarrierBooking {
  const { ref } = lookUpSegment(booking, segment);
  const isOpen = (coupon: HeldCoupon): boolean => coupon.segmentRef === ref && isOpenCoupon(coupon);
  const ticket = booking.tickets.find(({ coupons }) => coupons.some(isOpen));
  if (ticket === undefined) throw new Error(`booking ${booking.locator} has no such open coupon`);
  return withCoupons(booking, (coupon, travelerRef) =>
    travelerRef === ticket.travelerRef && isOpen(coupon) ? { ...coupon, status } : coupon,
  );
}

/** Removes the last passenger, and an infant on the passenger's lap, with their tickets and their share of the price. */
function withoutPassenger({ state }: AirlineNow, booking: CarrierBooking): CarrierBooking {
  const { travelers, locator } = booking;
  const last = travelers.at(-1);
  const refs = travelers
    .filter((traveler) => traveler === last || traveler.attendantRef === last?.ref)
    .map((traveler) => traveler.ref);
  if (refs.length === travelers.length) throw new Error('the last passenger of a booking cannot go');
  for (const ref of refs) releaseSeats(state, locator, { traveler: ref });
  return withoutTravelers(booking, refs);
}

function scaleFare(fare: PassengerFare, percent: number): PassengerFare {
  const base = share(fare.base, percent * 100);
  const lines = fare.lines.map((line) => ({ ...line, amount: share(line.amount, percent * 100) }));
  return { base, lines, total: sum(base.currency, [base, ...lines.map((line) => line.amount)]) };
}

function withScaledPrices(airline: AirlineNow, booking: CarrierBooking, { percent = 110 }: Mishap): CarrierBooking {
  if (booking.state !== 'held') throw new Error(`booking ${booking.locator} is no unpaid hold`);
  const scalePrices = (prices: FareTable): FareTable =>
    Object.fromEntries(Object.entries(prices).map(([type, fare]) => [type, scaleFare(fare, percent)]));
  const repriced = withSegments(booking, (segment) => ({ ...segment, prices: scalePrices(segment.prices) }));
  const amount = bookingTotal(airline, repriced);
  const orders = repriced.orders.map((order) => (order.direction === 'PAYMENT' ? { ...order, amount } : order));
  return { ...repriced, orders };
}

function withMovedDeadline({ state, now }: AirlineNow, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  if (booking.state !== 'held')
    return { ...booking, namesUntil: booking.namesUntil + (mishap.minutes ?? NAMES_MOVE_MINUTES) * MINUTE_MS };
  if (isExpired(booking, now)) throw new Error(`the hold ${booking.locator} has lapsed`);
  const payBy = booking.payBy + (mishap.minutes ?? PAY_BY_MOVE_MINUTES) * MINUTE_MS;
  moveExpiry(state, booking.locator, payBy);
  return { ...booking, payBy };
}

function withRefundStatus(booking: CarrierBooking, status: 'PAID' | 'PENDING'): CarrierBooking {
  const orders = booking.orders.map((order) => (order.direction === 'REFUND' ? { ...order, status } : order));
  return { ...booking, orders };
}

/** Refunds a part of what was paid, as an airline does to compensate. */
function withUnaskedRefund(airline: AirlineNow, booking: CarrierBooking, { percent = 10 }: Mishap): CarrierBooking {
  const payment = booking.orders.find(({ direction, status }) => direction === 'PAYMENT' && status === 'PAID');
  if (payment === undefined) throw new Error(`booking ${booking.locator} is not paid`);
  const zero = zeroAmount(payment.amount.currency);
  const refund = { amount: share(payment.amount, percent * 100), penalty: zero, tax: zero };
  return withRefund(airline, booking, { whole: refund, shares: [] });
}

/**
 * Gives the passengers of a segment new seats in its vehicle. If too few are free, they lose theirs; the booking then
 * keeps its claims, so that it can still be paid.
 */
function withNewSeats(airline: AirlineNow, booking: CarrierBooking, segment: HeldSegment): CarrierBooking {
  const { state, now } = airline;
  const { locator } = booking;
  const departure = findDeparture(airline, segment);
  dropExpired(state, departure, now);
  const oldClaims = bookingClaims(state, locator).filter((oldClaim) => oldClaim.segment === segment.ref);
  const seats = freeSeats(airline, departure, segment.cabin).slice(0, oldClaims.length);
  if (seats.length < oldClaims.length) return withoutSeats(booking, segment.ref);
  releaseSeats(state, locator, { segment: segment.ref });
  const newClaims = seats.flatMap(({ coach, number }, i) => {
    const oldClaim = oldClaims[i];
    return oldClaim === undefined ? [] : [{ ...oldClaim, coach, seat: number }];
  });
  const expires = booking.state === 'held' ? booking.payBy : undefined;
  for (const newClaim of newClaims) claimSeat(state, departure, newClaim, expires);
  return withCoupons(booking, (coupon, travelerRef) => {
    const newClaim = newClaims.find(({ traveler }) => traveler === travelerRef);
    if (coupon.segmentRef !== segment.ref || newClaim === undefined) return coupon;
    return { ...coupon, coach: newClaim.coach, seat: newClaim.seat };
  });
}

/** Removes coach and seat from the coupons of a segment. */
function withoutSeats(booking: CarrierBooking, segmentRef: string): CarrierBooking {
  return withCoupons(booking, (coupon) =>
    coupon.segmentRef === segmentRef ? { ...coupon, coach: undefined, seat: undefined } : coupon,
  );
}
