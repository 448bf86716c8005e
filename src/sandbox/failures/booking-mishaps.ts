/** Plays mishaps: changes the runs of the timetable and the records of the bookings. */
import { nothing, share, sum } from '../amounts.ts';
import { type AirlineNow, bookingTotal, findDeparture } from '../carrier.ts';
import { type FareTable, type PassengerFare, soldCabin } from '../fares.ts';
import { loadNetwork } from '../network/network.ts';
import { withRefund } from '../operations/cancel.ts';
import { reissueTickets } from '../operations/pay.ts';
import {
  activeSegments,
  type CarrierBooking,
  findBooking,
  type HeldCoupon,
  type HeldSegment,
  isExpired,
  saveBooking,
  withCoupons,
  withoutTravelers,
  withSegments,
} from '../record.ts';
import { type CarrierState, Clock, inStateFile } from '../state.ts';
import { bookingClaims, claim, dropLapsed, freeSeats, moveExpiry, pickSeats, releaseSeats } from '../stock.ts';
import { bookedOn, changeRun, type Departure, loadTimetable, type RunChange } from '../timetable.ts';
import { MINUTE } from '../zone.ts';
import { type BookingMishap, type Happened, isRunMishap, type Mishap, mishapSchema, type RunMishap } from './named.ts';

/** How many minutes a delay or retiming moves a departure, unless the mishap gives the minutes. */
const DELAY = 45;
const RETIMED = 90;
/** How many minutes after the departure of the next segment a retimed segment arrives. */
const MISSED_BY = 15;
/** How many minutes the limits for payment and for names move, unless the mishap gives the minutes. */
const PAY_BY_MOVES = -10;
const NAMES_MOVE = -24 * 60;
/** The status of a segment whose passengers did not come. */
const MISSED = '83';

/**
 * Plays a mishap in its own write transaction, and returns the bookings that it changed. Throws an Error that says why
 * it cannot happen.
 */
export function disturb(airline: AirlineNow, asked: Mishap): Happened {
  const mishap = mishapSchema.parse(asked);
  const { now, state } = airline;
  return state.change(() => {
    const { kind } = mishap;
    const touched = isRunMishap(kind) ? disturbRun(airline, kind, mishap) : disturbBooking(airline, kind, mishap);
    const sql = 'INSERT INTO mishaps (at, mishap, touched) VALUES (?, ?, ?)';
    state.run(sql, now, JSON.stringify(mishap), JSON.stringify(touched));
    return { at: new Date(now).toISOString(), mishap, touched };
  });
}

/** Reads all mishaps that were played, in their order. */
export function readMishaps(state: CarrierState): readonly Happened[] {
  return state.rows('SELECT * FROM mishaps ORDER BY seq').map(({ at, mishap, touched }) => ({
    at: new Date(Number(at)).toISOString(),
    mishap: JSON.parse(String(mishap)) as Mishap,
    touched: JSON.parse(String(touched)) as string[],
  }));
}

function neededBooking({ state }: AirlineNow, locator: string | undefined): CarrierBooking {
  if (locator === undefined) throw new Error('expected a booking: its locator');
  const booking = findBooking(state, locator.trim().toUpperCase());
  if (booking === undefined) throw new Error(`no booking ${locator}`);
  return booking;
}

function findSegment(booking: CarrierBooking, ref: string | undefined): HeldSegment {
  const found = activeSegments(booking).find((segment) => ref === undefined || segment.ref === ref);
  if (found === undefined) throw new Error(`booking ${booking.locator} has no active segment ${ref ?? ''}`.trim());
  return found;
}

function disturbBooking(airline: AirlineNow, kind: BookingMishap, mishap: Mishap): string[] {
  const booking = neededBooking(airline, mishap.locator);
  // All but refunds need a segment that is not cancelled.
  if (!kind.startsWith('refund')) findSegment(booking, mishap.segment);
  saveBooking(airline.state, BOOKING_MISHAPS[kind](airline, booking, mishap));
  return [booking.locator];
}

function disturbRun(airline: AirlineNow, kind: RunMishap, mishap: Mishap): string[] {
  const { state, timetable } = airline;
  const { number, serviceDate } = runKey(airline, mishap);
  const run = timetable.run(number, serviceDate);
  if (run === undefined) throw new Error(`no departure ${number} runs on ${serviceDate}`);
  const isRestored = kind === 'restore';
  if (isRestored && !run.cancelled) throw new Error(`departure ${number} on ${serviceDate} is not cancelled`);
  if (!isRestored && run.cancelled) throw new Error(`departure ${number} on ${serviceDate} is cancelled already`);
  changeRun(state, number, serviceDate, RUN_MISHAPS[kind](airline, run, mishap));
  const touched = bookedOn(state, number, serviceDate, airline.now);
  for (const locator of touched) {
    const booking = neededBooking(airline, locator);
    saveBooking(state, onDisturbedRun(airline, booking, mishap, run));
  }
  return [...touched];
}

function runKey(airline: AirlineNow, { locator, segment, train, date }: Mishap) {
  if (locator !== undefined) return findSegment(neededBooking(airline, locator), segment).departure;
  if (train === undefined || date === undefined) throw new Error('expected a booking, or a train and its date');
  return { number: train, serviceDate: date };
}

/** What happens to the run of a train or flight. */
const RUN_MISHAPS: Readonly<Record<RunMishap, (airline: AirlineNow, run: Departure, mishap: Mishap) => RunChange>> = {
  delay: (_, __, mishap) => movedTimes(mishap, DELAY),
  retime: (airline, _, mishap) => movedTimes(mishap, missingMinutes(airline, mishap)),
  renumber: ({ timetable }, { shown }, { number }) => ({ shown: number ?? timetable.freeNumber(shown) }),
  cancel: () => ({ cancelled: true }),
  restore: () => ({ cancelled: false }),
  equipment: vehicleChange,
};

function movedTimes({ minutes, arrives }: Mishap, usualMinutes: number): RunChange {
  const departs = minutes ?? usualMinutes;
  return { departs, arrives: arrives ?? departs };
}

/** How many minutes later the departure has to run so that the booking misses its next one. */
function missingMinutes(airline: AirlineNow, { locator, segment }: Mishap): number {
  if (locator === undefined) return RETIMED;
  const segments = activeSegments(neededBooking(airline, locator));
  const at = segments.findIndex(({ ref }) => segment === undefined || ref === segment);
  const findRun = (held: HeldSegment | undefined) => held && airline.timetable.find(held.departure);
  const retimed = findRun(segments[at]);
  const next = findRun(segments[at + 1]);
  if (retimed === undefined || next === undefined) return RETIMED;
  const minutes = Math.ceil((next.departsAt - retimed.arrivesAt) / 60_000) + MISSED_BY;
  // Nobody misses a departure that is more than a day later: uses the usual time.
  return minutes > 24 * 60 ? RETIMED : minutes;
}

/** Another vehicle of its kind with the same classes; no change if the network has none. */
function vehicleChange({ network }: AirlineNow, { service }: Departure): RunChange {
  const classes = (name: string) =>
    [...new Set(network.vehicles[name]?.coaches.map((coach) => coach.bookingClass))].sort().join();
  const other = Object.keys(network.vehicles).find(
    (name) =>
      name !== service.vehicleName &&
      network.vehicles[name]?.kind === service.vehicle.kind &&
      classes(name) === classes(service.vehicleName),
  );
  return other === undefined ? {} : { vehicle: other };
}

/** OpenTravel: 51 schedule change, 31 have cancelled, 30 confirmed. IATA: UN, unable. */
function statusFor({ dialect }: AirlineNow, { kind, status }: Mishap): string | undefined {
  if (status !== undefined) return status;
  if (kind === 'retime' || kind === 'renumber') return '51';
  if (kind === 'restore') return '30';
  if (kind !== 'cancel') return undefined;
  return dialect === 'rail' ? '31' : 'UN';
}

function onDisturbedRun(airline: AirlineNow, booking: CarrierBooking, mishap: Mishap, run: Departure): CarrierBooking {
  const status = statusFor(airline, mishap);
  const isOn = ({ departure, cancelled }: HeldSegment) =>
    !cancelled && departure.number === run.number && departure.serviceDate === run.serviceDate;
  const marked = withSegments(booking, (heldSegment) =>
    isOn(heldSegment) && status !== undefined ? { ...heldSegment, status } : heldSegment,
  );
  if (mishap.kind !== 'equipment') return marked;
  const disturbed = activeSegments(marked).filter(isOn);
  return disturbed.reduce((changed, segment) => reseated(airline, changed, segment), marked);
}

/** What happens to a booking. Throws an Error if it cannot. */
const BOOKING_MISHAPS: Readonly<
  Record<BookingMishap, (airline: AirlineNow, booking: CarrierBooking, mishap: Mishap) => CarrierBooking>
> = {
  'class-lost': withOtherClass,
  'coupon-closed': (_, booking, mishap) => withClosedCoupon(booking, mishap),
  'seats-moved': (airline, booking, { segment }) => reseated(airline, booking, findSegment(booking, segment)),
  reissue: (airline, booking, { segment }) =>
    reissueTickets(airline, reseated(airline, booking, findSegment(booking, segment)), () => true),
  'no-show': (_, booking, { segment, status = MISSED }) => {
    const { ref } = findSegment(booking, segment);
    return withSegments(booking, (held) => (held.ref === ref ? { ...held, status } : held));
  },
  'passenger-gone': withoutPassenger,
  price: withPrice,
  deadline: withDeadline,
  refund: withUnaskedRefund,
  // Refunds that are made later wait too.
  'refund-pending': (_, booking) => ({ ...withRefundStatus(booking, 'PENDING'), refundsWait: true }),
  'refund-paid': (_, booking) => ({ ...withRefundStatus(booking, 'PAID'), refundsWait: undefined }),
};

/** The cheapest fare of another class, at the price that was paid. The seat is lost too. */
function withOtherClass({ network }: AirlineNow, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  const segment = findSegment(booking, mishap.segment);
  const otherFares = network.fares.filter((fare) => fare.bookingClass !== segment.bookingClass);
  const [fare] = otherFares.toSorted((a, b) => a.percent - b.percent);
  if (fare === undefined) throw new Error('this airline has one class only');
  const { bookingClass, basis } = fare;
  const moved = withSegments(booking, (heldSegment) =>
    heldSegment.ref === segment.ref ? { ...heldSegment, bookingClass, basis, cabin: soldCabin(fare) } : heldSegment,
  );
  return withoutSeats(moved, segment.ref);
}

function withClosedCoupon(booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  const segment = findSegment(booking, mishap.segment);
  const isMeant = (coupon: HeldCoupon, traveler: string): boolean =>
    coupon.segmentRef === segment.ref &&
    coupon.status === 'O' &&
    (mishap.traveler === undefined || mishap.traveler === traveler);
  const ticket = booking.tickets.find(({ coupons, travelerRef }) =>
    coupons.some((coupon) => isMeant(coupon, travelerRef)),
  );
  if (ticket === undefined) throw new Error(`booking ${booking.locator} has no such open coupon`);
  return withCoupons(booking, (coupon, traveler) =>
    traveler === ticket.travelerRef && isMeant(coupon, traveler) ? { ...coupon, status: mishap.status ?? 'Z' } : coupon,
  );
}

/** The passenger and an infant on the passenger's lap leave with their tickets; the price is that of the others. */
function withoutPassenger({ state }: AirlineNow, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  const { travelers, locator } = booking;
  const gone = travelers.findLast((traveler) => mishap.traveler === undefined || traveler.ref === mishap.traveler);
  if (gone === undefined) throw new Error(`booking ${locator} has no traveller ${mishap.traveler}`);
  const refs = travelers
    .filter((traveler) => traveler === gone || traveler.attendantRef === gone.ref)
    .map((traveler) => traveler.ref);
  if (refs.length === travelers.length) throw new Error('the last passenger of a booking cannot go');
  for (const ref of refs) releaseSeats(state, locator, { traveler: ref });
  return withoutTravelers(booking, refs);
}

function scaled(fare: PassengerFare, percent: number): PassengerFare {
  const base = share(fare.base, percent * 100);
  const lines = fare.lines.map((line) => ({ ...line, amount: share(line.amount, percent * 100) }));
  return { base, lines, total: sum(base.currency, [base, ...lines.map((line) => line.amount)]) };
}

function withPrice(airline: AirlineNow, booking: CarrierBooking, { percent = 110 }: Mishap): CarrierBooking {
  if (booking.state !== 'held') throw new Error(`booking ${booking.locator} is no unpaid hold`);
  const scaledPrices = (prices: FareTable): FareTable =>
    Object.fromEntries(Object.entries(prices).map(([type, fare]) => [type, scaled(fare, percent)]));
  const dearer = withSegments(booking, (segment) => ({ ...segment, prices: scaledPrices(segment.prices) }));
  const amount = bookingTotal(airline, dearer);
  const orders = dearer.orders.map((order) => (order.direction === 'PAYMENT' ? { ...order, amount } : order));
  return { ...dearer, orders };
}

function withDeadline({ state, now }: AirlineNow, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  if (booking.state !== 'held') {
    return { ...booking, namesUntil: booking.namesUntil + (mishap.minutes ?? NAMES_MOVE) * MINUTE };
  }
  if (isExpired(booking, now)) throw new Error(`the hold ${booking.locator} has lapsed`);
  const payBy = booking.payBy + (mishap.minutes ?? PAY_BY_MOVES) * MINUTE;
  moveExpiry(state, booking.locator, payBy);
  return { ...booking, payBy };
}

function withRefundStatus(booking: CarrierBooking, status: 'PAID' | 'PENDING'): CarrierBooking {
  const orders = booking.orders.map((order) => (order.direction === 'REFUND' ? { ...order, status } : order));
  return { ...booking, orders };
}

/** Refunds a part of what was paid, as an airline does to compensate. */
function withUnaskedRefund(airline: AirlineNow, booking: CarrierBooking, { percent = 10 }: Mishap): CarrierBooking {
  const paid = booking.orders.find(({ direction, status }) => direction === 'PAYMENT' && status === 'PAID');
  if (paid === undefined) throw new Error(`booking ${booking.locator} is not paid`);
  const zero = nothing(paid.amount.currency);
  const refund = { amount: share(paid.amount, percent * 100), penalty: zero, tax: zero };
  return withRefund(airline, booking, { whole: refund, shares: [] });
}

/**
 * Gives the passengers of a segment new seats in its vehicle. If too few are free, they lose theirs; the booking then
 * keeps its claims, so that it can still be paid.
 */
function reseated(airline: AirlineNow, booking: CarrierBooking, segment: HeldSegment): CarrierBooking {
  const { state, now } = airline;
  const { locator } = booking;
  const departure = findDeparture(airline, segment);
  dropLapsed(state, departure, now);
  const oldClaims = bookingClaims(state, locator).filter((oldClaim) => oldClaim.segment === segment.ref);
  const seats = pickSeats(freeSeats(airline, departure, segment.cabin), oldClaims.length);
  if (seats === undefined) return withoutSeats(booking, segment.ref);
  releaseSeats(state, locator, { segment: segment.ref });
  const newClaims = oldClaims.map((oldClaim, i) => ({
    ...oldClaim,
    coach: seats[i]?.coach ?? '',
    seat: seats[i]?.number ?? '',
  }));
  const expires = booking.state === 'held' ? booking.payBy : undefined;
  for (const newClaim of newClaims) claim(state, departure, newClaim, expires);
  return withCoupons(booking, (coupon, traveler) => {
    const newClaim = newClaims.find((each) => each.traveler === traveler);
    if (coupon.segmentRef !== segment.ref || newClaim === undefined) return coupon;
    return { ...coupon, coach: newClaim.coach, seat: newClaim.seat };
  });
}

/** Coupons of the segment without coach and seat. */
function withoutSeats(booking: CarrierBooking, segmentRef: string): CarrierBooking {
  return withCoupons(booking, (coupon) =>
    coupon.segmentRef === segmentRef ? { ...coupon, coach: undefined, seat: undefined } : coupon,
  );
}

/** Plays a mishap from another process. Throws an Error for a custom network, or if the mishap cannot happen. */
export async function disturbFile(stateFile: string, mishap: Mishap): Promise<Happened> {
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
