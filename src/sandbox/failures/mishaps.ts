/** Makes a mishap happen: in the runs of the timetable and in the records of the bookings. */
import { nothing, share, sum } from '../amounts.ts';
import { type Carrier, findDeparture, priceSegments } from '../carrier.ts';
import { type FareTable, type PassengerFare, soldCabin, totalPrice } from '../fares.ts';
import { loadNetwork } from '../network/network.ts';
import { withRefund } from '../operations/cancel.ts';
import { reissued } from '../operations/pay.ts';
import {
  activeSegments,
  type CarrierBooking,
  countTypes,
  findBooking,
  type HeldCoupon,
  type HeldSegment,
  isExpired,
  saveBooking,
  withCoupons,
  withSegments,
} from '../record.ts';
import { type CarrierState, Clock, inStateFile } from '../state.ts';
import { bookingClaims, claim, dropLapsed, freeSeats, moveExpiry, pickSeats, releaseSeats } from '../stock.ts';
import { bookedOn, changeRun, type Departure, loadTimetable, type RunChange } from '../timetable.ts';
import type { Dialect } from '../wire.ts';
import { MINUTE } from '../zone.ts';
import { type Happened, isRunMishap, type Mishap, mishapSchema } from './named.ts';

/** Minutes that a delay or retiming moves a departure, unless the mishap says it. */
const DELAY = 45;
const RETIMED = 90;
/** How long after the next departure a retimed one arrives. */
const MISSED_BY = 15;

/**
 * Lets it happen, and returns the bookings that look different since. Runs in a write transaction of its own. Throws an
 * Error that says why it cannot happen.
 */
export function disturb(airline: Disturbed, asked: Mishap): Happened {
  const mishap = mishapSchema.parse(asked);
  return airline.state.change(() => {
    const touched = isRunMishap(mishap.kind) ? disturbRun(airline, mishap) : disturbOne(airline, mishap);
    const { now, state } = airline;
    const sql = 'INSERT INTO mishaps (at, mishap, touched) VALUES (?, ?, ?)';
    state.run(sql, now, JSON.stringify(mishap), JSON.stringify(touched));
    return { at: new Date(now).toISOString(), mishap, touched };
  });
}

/** All that happened, in order. */
export function readMishaps(state: CarrierState): readonly Happened[] {
  return state.rows('SELECT * FROM mishaps ORDER BY seq').map(({ at, mishap, touched }) => ({
    at: new Date(Number(at)).toISOString(),
    mishap: JSON.parse(String(mishap)) as Mishap,
    touched: JSON.parse(String(touched)) as string[],
  }));
}

function needed({ state }: Disturbed, locator: string | undefined): CarrierBooking {
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

function disturbOne(airline: Disturbed, mishap: Mishap): string[] {
  const booking = needed(airline, mishap.locator);
  const isRefund = mishap.kind.startsWith('refund');
  const segment = isRefund ? undefined : findSegment(booking, mishap.segment);
  saveBooking(airline.state, disturbBooking(airline, booking, segment, mishap));
  return [booking.locator];
}

function disturbRun(airline: Disturbed, mishap: Mishap): string[] {
  const { state, timetable } = airline;
  const { number, serviceDate } = runKey(airline, mishap);
  const run = timetable.run(number, serviceDate);
  if (run === undefined) throw new Error(`no departure ${number} runs on ${serviceDate}`);
  const isRestored = mishap.kind === 'restore';
  if (run.cancelled !== isRestored)
    throw new Error(`departure ${number} on ${serviceDate} is ${isRestored ? 'not cancelled' : 'cancelled already'}`);
  changeRun(state, number, serviceDate, planRunChange(airline, mishap, run));
  const touched = bookedOn(state, number, serviceDate, airline.now);
  for (const locator of touched) {
    const booking = needed(airline, locator);
    saveBooking(state, onDisturbedRun(airline, booking, mishap, run));
  }
  return [...touched];
}

function runKey(airline: Disturbed, { locator, segment, train, date }: Mishap) {
  if (locator !== undefined) return findSegment(needed(airline, locator), segment).departure;
  if (train === undefined || date === undefined) throw new Error('expected a booking, or a train and its date');
  return { number: train, serviceDate: date };
}

function planRunChange(airline: Disturbed, mishap: Mishap, run: Departure): RunChange {
  const { kind, number } = mishap;
  const moved = mishap.minutes ?? (kind === 'retime' ? retimedBy(airline, mishap) : DELAY);
  switch (kind) {
    case 'cancel':
      return { cancelled: true };
    case 'restore':
      return { cancelled: false };
    case 'renumber':
      return { shown: number ?? airline.timetable.freeNumber(run.shown) };
    case 'equipment':
      return vehicleChange(airline, run);
    default:
      return { departs: moved, arrives: mishap.arrives ?? moved };
  }
}

/** Far enough that the booking misses its next departure. */
function retimedBy(airline: Disturbed, { locator, segment }: Mishap): number {
  if (locator === undefined) return RETIMED;
  const segments = activeSegments(needed(airline, locator));
  const at = segments.findIndex(({ ref }) => segment === undefined || ref === segment);
  const [missed, next] = [segments[at], segments[at + 1]].map((held) => held && airline.timetable.find(held.departure));
  if (missed === undefined || next === undefined) return RETIMED;
  const minutes = Math.ceil((next.departsAt - missed.arrivesAt) / 60_000) + MISSED_BY;
  return minutes > 24 * 60 ? RETIMED : minutes;
}

/** Another vehicle of its kind with the same classes, where the network has one. */
function vehicleChange({ network }: Disturbed, { service }: Departure): RunChange {
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
function statusFor({ dialect }: Disturbed, { kind, status }: Mishap): string | undefined {
  if (status !== undefined) return status;
  if (kind === 'retime' || kind === 'renumber') return '51';
  if (kind === 'restore') return '30';
  if (kind !== 'cancel') return undefined;
  return dialect === 'rail' ? '31' : 'UN';
}

function onDisturbedRun(airline: Disturbed, booking: CarrierBooking, mishap: Mishap, run: Departure): CarrierBooking {
  const status = statusFor(airline, mishap);
  const isOn = ({ departure, cancelled }: HeldSegment) =>
    !cancelled && departure.number === run.number && departure.serviceDate === run.serviceDate;
  const marked = withSegments(booking, (heldSegment) =>
    isOn(heldSegment) && status !== undefined ? { ...heldSegment, status } : heldSegment,
  );
  if (mishap.kind !== 'equipment') return marked;
  return activeSegments(marked)
    .filter(isOn)
    .reduce((so, segment) => reseated(airline, so, segment), marked);
}

/** The part of the airline that a mishap needs. */
type Disturbed = Pick<Carrier, 'state' | 'timetable' | 'network' | 'now' | 'dialect'>;

/** Minutes that time limits move, unless the mishap says it. */
const PAY_BY_MOVES = -10;
const NAMES_MOVE = -24 * 60;

/** `segment` is the one that the mishap names; absent for refunds. Throws an Error if it cannot happen. */
function disturbBooking(
  airline: Disturbed,
  booking: CarrierBooking,
  segment: HeldSegment | undefined,
  mishap: Mishap,
): CarrierBooking {
  if (segment === undefined) {
    if (mishap.kind === 'refund') return withUnaskedRefund(airline, booking, mishap.percent ?? 10);
    return withRefunds(booking, mishap.kind === 'refund-paid');
  }
  switch (mishap.kind) {
    case 'seats-moved':
      return reseated(airline, booking, segment);
    case 'reissue':
      return reissued(airline, reseated(airline, booking, segment), () => true);
    case 'class-lost':
      return withOtherClass(airline, booking, segment);
    case 'coupon-closed':
      return withClosedCoupon(booking, segment, mishap);
    case 'no-show':
      return withSegments(booking, (heldSegment) =>
        heldSegment.ref === segment.ref ? { ...heldSegment, status: mishap.status ?? '83' } : heldSegment,
      );
    case 'passenger-gone':
      return withoutPassenger(airline, booking, mishap);
    case 'price':
      return withPrice(airline, booking, mishap.percent ?? 110);
    default:
      return withDeadline(airline, booking, mishap);
  }
}

/** The cheapest fare of another class, at the price that was paid. The seat is lost too. */
function withOtherClass({ network }: Disturbed, booking: CarrierBooking, segment: HeldSegment): CarrierBooking {
  const fare = network.fares
    .filter((fare) => fare.bookingClass !== segment.bookingClass)
    .toSorted((a, b) => a.percent - b.percent)[0];
  if (fare === undefined) throw new Error('this airline has one class only');
  const { bookingClass, basis } = fare;
  const moved = withSegments(booking, (heldSegment) =>
    heldSegment.ref === segment.ref ? { ...heldSegment, bookingClass, basis, cabin: soldCabin(fare) } : heldSegment,
  );
  return withoutSeats(moved, [segment.ref]);
}

function withClosedCoupon(booking: CarrierBooking, segment: HeldSegment, mishap: Mishap): CarrierBooking {
  const isMeant = (coupon: HeldCoupon, traveler: string): boolean =>
    coupon.segmentRef === segment.ref &&
    coupon.status === 'O' &&
    (mishap.traveler === undefined || mishap.traveler === traveler);
  const traveler = booking.tickets.find(({ coupons, travelerRef }) =>
    coupons.some((coupon) => isMeant(coupon, travelerRef)),
  );
  if (traveler === undefined) throw new Error(`booking ${booking.locator} has no such open coupon`);
  return withCoupons(booking, (coupon, ref) =>
    ref === traveler.travelerRef && isMeant(coupon, ref) ? { ...coupon, status: mishap.status ?? 'Z' } : coupon,
  );
}

/** The passenger and an infant on the passenger's lap leave with their tickets; the price is that of the others. */
function withoutPassenger({ state }: Disturbed, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  const { travelers, locator } = booking;
  const gone = travelers.findLast((traveler) => mishap.traveler === undefined || traveler.ref === mishap.traveler);
  if (gone === undefined) throw new Error(`booking ${locator} has no traveller ${mishap.traveler}`);
  const refs = travelers
    .filter((traveler) => traveler === gone || traveler.attendantRef === gone.ref)
    .map((traveler) => traveler.ref);
  if (refs.length === travelers.length) throw new Error('the last passenger of a booking cannot go');
  for (const ref of refs) releaseSeats(state, locator, { traveler: ref });
  const staying = travelers.filter((traveler) => !refs.includes(traveler.ref));
  return {
    ...booking,
    travelers: staying,
    tickets: booking.tickets.filter((ticket) => !refs.includes(ticket.travelerRef)),
  };
}

function scaled(fare: PassengerFare, percent: number): PassengerFare {
  const base = share(fare.base, percent * 100);
  const lines = fare.lines.map((line) => ({ ...line, amount: share(line.amount, percent * 100) }));
  return { base, lines, total: sum(base.currency, [base, ...lines.map((line) => line.amount)]) };
}

function withPrice(airline: Disturbed, booking: CarrierBooking, percent: number): CarrierBooking {
  if (booking.state !== 'held') throw new Error(`booking ${booking.locator} is no unpaid hold`);
  const scaledPrices = (prices: FareTable): FareTable =>
    Object.fromEntries(Object.entries(prices).map(([type, fare]) => [type, scaled(fare, percent)]));
  const dearer = withSegments(booking, (segment) => ({ ...segment, prices: scaledPrices(segment.prices) }));
  const amount = totalPrice(airline.network, priceSegments(airline, dearer), countTypes(dearer.travelers)).total;
  const orders = dearer.orders.map((order) => (order.direction === 'PAYMENT' ? { ...order, amount } : order));
  return { ...dearer, orders };
}

function withDeadline({ state, now }: Disturbed, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  if (booking.state !== 'held') {
    return { ...booking, namesUntil: booking.namesUntil + (mishap.minutes ?? NAMES_MOVE) * MINUTE };
  }
  if (isExpired(booking, now)) throw new Error(`the hold ${booking.locator} has lapsed`);
  const payBy = booking.payBy + (mishap.minutes ?? PAY_BY_MOVES) * MINUTE;
  moveExpiry(state, booking.locator, payBy);
  return { ...booking, payBy };
}

/** Refunds that were made and later ones wait, or all are paid out. */
function withRefunds(booking: CarrierBooking, paid: boolean): CarrierBooking {
  const { refundsWait: _, ...rest } = booking;
  const status = paid ? 'PAID' : 'PENDING';
  const orders = rest.orders.map((order) => (order.direction === 'REFUND' ? { ...order, status } : order));
  return paid ? { ...rest, orders } : { ...rest, orders, refundsWait: true };
}

/** A part of what was paid, as an airline compensates. */
function withUnaskedRefund(airline: Disturbed, booking: CarrierBooking, percent: number): CarrierBooking {
  const paid = booking.orders.find(({ direction, status }) => direction === 'PAYMENT' && status === 'PAID');
  if (paid === undefined) throw new Error(`booking ${booking.locator} is not paid`);
  const none = nothing(paid.amount.currency);
  const total = { amount: share(paid.amount, percent * 100), penalty: none, tax: none };
  return withRefund(airline, booking, { whole: total, shares: [] });
}

/**
 * In another vehicle new seats where enough are free, else none. Nobody keeps the seat of before. A booking without new
 * seats keeps its claims, so that it can still be paid.
 */
function reseated(airline: Disturbed, booking: CarrierBooking, segment: HeldSegment): CarrierBooking {
  const { state, now } = airline;
  const { locator } = booking;
  const departure = findDeparture(airline, segment);
  dropLapsed(state, departure, now);
  const claims = bookingClaims(state, locator).filter((claimed) => claimed.segment === segment.ref);
  const seats = pickSeats(freeSeats(airline, departure, segment.cabin), claims.length);
  if (seats === undefined) return withoutSeats(booking, [segment.ref]);
  releaseSeats(state, locator, { segment: segment.ref });
  const placed = new Map(claims.map(({ traveler }, i) => [traveler, seats[i]] as const));
  for (const old of claims) {
    const seat = placed.get(old.traveler);
    const expires = booking.state === 'held' ? booking.payBy : undefined;
    if (seat !== undefined) claim(state, departure, { ...old, coach: seat.coach, seat: seat.number }, expires);
  }
  return withCoupons(booking, (coupon, traveler) => {
    const seat = placed.get(traveler);
    if (coupon.segmentRef !== segment.ref || seat === undefined) return coupon;
    return { ...coupon, coach: seat.coach, seat: seat.number };
  });
}

/** Coupons of these segments without coach and seat. */
function withoutSeats(booking: CarrierBooking, refs: readonly string[]): CarrierBooking {
  return withCoupons(booking, (coupon) => {
    if (!refs.includes(coupon.segmentRef)) return coupon;
    const { coach: _, seat: __, ...rest } = coupon;
    return rest;
  });
}

const DIALECTS: readonly Dialect[] = ['rail', 'airline'];

/** Lets a mishap happen. Throws an Error for an airline with a network of its own, or if it cannot happen. */
export async function disturbFile(stateFile: string, mishap: Mishap): Promise<Happened> {
  const name = inStateFile(stateFile, (state) => state.meta('network'));
  for (const dialect of DIALECTS) {
    const network = await loadNetwork(dialect);
    if (network.name !== name) continue;
    return inStateFile(stateFile, (state) => {
      const timetable = loadTimetable(state, network);
      return disturb({ state, timetable, network, dialect, now: new Clock(state, Date.now).now() }, mishap);
    });
  }
  throw new Error(`the sandbox has a network of its own (${name}): name its address with --url`);
}

export function mishapsInFile(stateFile: string): readonly Happened[] {
  return inStateFile(stateFile, readMishaps);
}
