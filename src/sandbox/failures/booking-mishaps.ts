/** Plays mishaps: first how each is played and stored, then those of runs, then those of bookings. */
import { share, sum, zeroAmount } from '../amounts.ts';
import { type AirlineNow, bookingTotal } from '../carrier.ts';
import { type FareTable, type PassengerFare, soldCabin } from '../fares.ts';
import { loadNetwork, type Vehicle } from '../network/network.ts';
import { withRefund } from '../operations/cancel.ts';
import { withNewSeats, withoutSeats } from '../operations/change-seats.ts';
import { reissueTickets } from '../operations/pay.ts';
import {
  activeSegments,
  type CarrierBooking,
  findBooking,
  type HeldCoupon,
  type HeldSegment,
  isExpired,
  isOpenCoupon,
  saveBooking,
  withCoupons,
  withoutTravelers,
  withSegments,
} from '../record.ts';
import { type CarrierState, Clock, inStateFile } from '../state.ts';
import { locatorsOn, moveExpiry, releaseSeats } from '../stock.ts';
import { addRunChange, type Departure, isSameRun, loadTimetable, type RunChange } from '../timetable.ts';
import { MINUTE_MS, MINUTES_PER_DAY } from '../zone.ts';
import {
  type BookingMishap,
  isRunMishap,
  type Mishap,
  mishapSchema,
  type PlayedMishap,
  type RunMishap,
} from './named.ts';

/**
 * Plays a mishap in its own write transaction, and returns the bookings that it changed. Throws an Error that says why
 * it cannot happen.
 */
export function disturb(airline: AirlineNow, requested: Mishap): PlayedMishap {
  const mishap = mishapSchema.parse(requested);
  const { now, state } = airline;
  return state.change(() => {
    const { kind } = mishap;
    const touched = isRunMishap(kind) ? disturbRun(airline, kind, mishap) : disturbBooking(airline, kind, mishap);
    const sql = 'INSERT INTO mishaps (at, mishap, touched) VALUES (?, ?, ?)';
    state.run(sql, now, JSON.stringify(mishap), JSON.stringify(touched));
    return { at: new Date(now).toISOString(), mishap, touched };
  });
}

/** Plays a mishap from another process. Throws an Error for a custom network, or if the mishap cannot happen. */
export async function disturbFile(stateFile: string, mishap: Mishap): Promise<PlayedMishap> {
  const name = inStateFile(stateFile, (state) => state.meta('network'));
  for (const dialect of ['rail', 'airline'] as const) {
    const network = await loadNetwork(dialect);
    if (network.name !== name) continue;
    return inStateFile(stateFile, (state) => {
      const timetable = loadTimetable(state, network);
      return disturb({ state, timetable, network, dialect, now: new Clock(state, Date.now).now() }, mishap);
    });
  }
  throw new Error(`the sandbox has a network of its own (${name}): name its address with --url`);
}

/** Reads all mishaps that were played, in their order. */
export function readMishaps(state: CarrierState): readonly PlayedMishap[] {
  return state.rows('SELECT * FROM mishaps ORDER BY seq').map(({ at, mishap, touched }) => ({
    at: new Date(Number(at)).toISOString(),
    mishap: JSON.parse(String(mishap)) as Mishap,
    touched: JSON.parse(String(touched)) as string[],
  }));
}

function lookUpBooking({ state }: AirlineNow, locator: string | undefined): CarrierBooking {
  if (locator === undefined) throw new Error('expected a booking: its locator');
  const booking = findBooking(state, locator.trim().toUpperCase());
  if (booking === undefined) throw new Error(`no booking ${locator}`);
  return booking;
}

function lookUpSegment(booking: CarrierBooking, ref: string | undefined): HeldSegment {
  const segment = activeSegments(booking).find((segment) => ref === undefined || segment.ref === ref);
  if (segment === undefined) throw new Error(`booking ${booking.locator} has no active segment ${ref ?? ''}`.trim());
  return segment;
}

/** How many minutes a delay or retiming moves a departure, unless the mishap gives the minutes. */
const DELAY_MINUTES = 45;
const RETIMING_MINUTES = 90;
/** How many minutes after the departure of the next segment a retimed segment arrives. */
const MISSED_BY_MINUTES = 15;

type PlayOnRun = (airline: AirlineNow, run: Departure, mishap: Mishap) => RunChange;

/** How each mishap changes the run of a train or flight. */
const RUN_PLAYS: Readonly<Record<RunMishap, PlayOnRun>> = {
  delay: (_airline, _run, mishap) => moveTimes(mishap, DELAY_MINUTES),
  retime: (airline, _run, mishap) => moveTimes(mishap, minutesToMissNext(airline, mishap)),
  renumber: ({ timetable }, run, { number }) => ({ shown: number ?? timetable.freeNumber(run.shownNumber) }),
  cancel: () => ({ cancelled: true }),
  restore: () => ({ cancelled: false }),
  equipment: changeVehicle,
};

function disturbRun(airline: AirlineNow, kind: RunMishap, mishap: Mishap): string[] {
  const { state, timetable } = airline;
  const { number, serviceDate } = runKey(airline, mishap);
  const run = timetable.findRun(number, serviceDate);
  if (run === undefined) throw new Error(`no departure ${number} runs on ${serviceDate}`);
  const isRestore = kind === 'restore';
  if (isRestore && !run.cancelled) throw new Error(`departure ${number} on ${serviceDate} is not cancelled`);
  if (!isRestore && run.cancelled) throw new Error(`departure ${number} on ${serviceDate} is cancelled already`);
  addRunChange(state, number, serviceDate, RUN_PLAYS[kind](airline, run, mishap));
  const locators = locatorsOn(state, number, serviceDate, airline.now);
  for (const locator of locators) {
    const booking = lookUpBooking(airline, locator);
    saveBooking(state, withDisturbedRun(airline, booking, mishap, run));
  }
  return [...locators];
}

/** Finds the run of a mishap: that of a booking's segment, or the one named by number and date. */
function runKey(airline: AirlineNow, { locator, segment, train, date }: Mishap) {
  if (locator !== undefined) return lookUpSegment(lookUpBooking(airline, locator), segment).departure;
  if (train === undefined || date === undefined) throw new Error('expected a booking, or a train and its date');
  return { number: train, serviceDate: date };
}

function moveTimes({ minutes, arrives }: Mishap, usualMinutes: number): RunChange {
  const departs = minutes ?? usualMinutes;
  return { departs, arrives: arrives ?? departs };
}

/** Computes how many minutes later a departure must run so that the booking misses its next one. */
function minutesToMissNext(airline: AirlineNow, { locator, segment }: Mishap): number {
  if (locator === undefined) return RETIMING_MINUTES;
  const segments = activeSegments(lookUpBooking(airline, locator));
  const index = segments.findIndex(({ ref }) => segment === undefined || ref === segment);
  const [retimed, next] = segments
    .slice(index, index + 2)
    .map(({ departure }) => airline.timetable.findByKey(departure));
  if (retimed === undefined || next === undefined) return RETIMING_MINUTES;
  const minutes = Math.ceil((next.departsAt - retimed.arrivesAt) / MINUTE_MS) + MISSED_BY_MINUTES;
  // No retiming makes passengers miss a departure that is more than a day later.
  return minutes > MINUTES_PER_DAY ? RETIMING_MINUTES : minutes;
}

/** Sends another vehicle of the same kind with the same classes. Changes nothing if the network has none. */
function changeVehicle({ network }: AirlineNow, { service }: Departure): RunChange {
  const listClasses = (vehicle: Vehicle) =>
    [...new Set(vehicle.coaches.map((coach) => coach.bookingClass))].sort().join();
  const isAlike = (vehicle: Vehicle) =>
    vehicle.kind === service.vehicle.kind && listClasses(vehicle) === listClasses(service.vehicle);
  const others = Object.entries(network.vehicles).filter(([name]) => name !== service.vehicleName);
  const alternative = others.find(([, vehicle]) => isAlike(vehicle));
  return alternative === undefined ? {} : { vehicle: alternative[0] };
}

/** The status that segments get. OpenTravel: 51 schedule change, 31 have cancelled, 30 confirmed. IATA: UN, unable. */
function statusFor({ dialect }: AirlineNow, { kind, status }: Mishap): string | undefined {
  if (status !== undefined) return status;
  if (kind === 'retime' || kind === 'renumber') return '51';
  if (kind === 'restore') return '30';
  if (kind !== 'cancel') return undefined;
  return dialect === 'rail' ? '31' : 'UN';
}

/** Applies a mishap of a run to a booking with segments on that run. */
function withDisturbedRun(airline: AirlineNow, booking: CarrierBooking, mishap: Mishap, run: Departure) {
  const status = statusFor(airline, mishap);
  const isOnRun = ({ departure, cancelled }: HeldSegment) => !cancelled && isSameRun(departure, run);
  let changed = withSegments(booking, (segment) =>
    isOnRun(segment) && status !== undefined ? { ...segment, status } : segment,
  );
  if (mishap.kind !== 'equipment') return changed;
  for (const segment of activeSegments(changed).filter(isOnRun)) changed = withNewSeats(airline, changed, segment);
  return changed;
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

function disturbBooking(airline: AirlineNow, kind: BookingMishap, mishap: Mishap): string[] {
  const booking = lookUpBooking(airline, mishap.locator);
  // All but refunds need a segment that is not cancelled; this throws if there is none.
  if (!kind.startsWith('refund')) lookUpSegment(booking, mishap.segment);
  saveBooking(airline.state, BOOKING_PLAYS[kind](airline, booking, mishap));
  return [booking.locator];
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

/** Closes the first open coupon of the segment and, if the mishap names one, the traveller. */
function withClosedCoupon(booking: CarrierBooking, { segment, traveler, status = 'Z' }: Mishap): CarrierBooking {
  const { ref } = lookUpSegment(booking, segment);
  const isOpen = (coupon: HeldCoupon): boolean => coupon.segmentRef === ref && isOpenCoupon(coupon);
  const ticket = booking.tickets.find(
    ({ coupons, travelerRef }) => (traveler === undefined || traveler === travelerRef) && coupons.some(isOpen),
  );
  if (ticket === undefined) throw new Error(`booking ${booking.locator} has no such open coupon`);
  return withCoupons(booking, (coupon, travelerRef) =>
    travelerRef === ticket.travelerRef && isOpen(coupon) ? { ...coupon, status } : coupon,
  );
}

/** Removes a passenger, and an infant on the passenger's lap, with their tickets and their share of the price. */
function withoutPassenger({ state }: AirlineNow, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  const { travelers, locator } = booking;
  const passenger = travelers.findLast((traveler) => mishap.traveler === undefined || traveler.ref === mishap.traveler);
  if (passenger === undefined) throw new Error(`booking ${locator} has no traveller ${mishap.traveler}`);
  const refs = travelers
    .filter((traveler) => traveler === passenger || traveler.attendantRef === passenger.ref)
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
