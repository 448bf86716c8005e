/** Makes a mishap happen: in the runs of the timetable and in the records of the bookings. */
import { activeSegments, type CarrierBooking, findBooking, type HeldSegment, saveBooking } from '../record.ts';
import type { CarrierState } from '../state.ts';
import type { Departure, RunChange } from '../timetable.ts';
import { type Disturbed, disturbBooking, reseated } from './bookings.ts';
import { type Happened, isRunMishap, type Mishap, mishapSchema } from './kinds.ts';
import { withSegments } from './parts.ts';
import { bookedOn, changeRun } from './run-changes.ts';

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

function segmentOf(booking: CarrierBooking, ref: string | undefined): HeldSegment {
  const found = activeSegments(booking).find((segment) => ref === undefined || segment.ref === ref);
  if (found === undefined) throw new Error(`booking ${booking.locator} has no active segment ${ref ?? ''}`.trim());
  return found;
}

function disturbOne(airline: Disturbed, mishap: Mishap): string[] {
  const booking = needed(airline, mishap.locator);
  const isRefund = mishap.kind.startsWith('refund');
  const segment = isRefund ? undefined : segmentOf(booking, mishap.segment);
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
  changeRun(state, number, serviceDate, changeOf(airline, mishap, run));
  const touched = bookedOn(state, number, serviceDate, airline.now);
  for (const locator of touched) {
    const booking = needed(airline, locator);
    saveBooking(state, onDisturbedRun(airline, booking, mishap, run));
  }
  return [...touched];
}

function runKey(airline: Disturbed, { locator, segment, train, date }: Mishap) {
  if (locator !== undefined) return segmentOf(needed(airline, locator), segment).departure;
  if (train === undefined || date === undefined) throw new Error('expected a booking, or a train and its date');
  return { number: train, serviceDate: date };
}

function changeOf(airline: Disturbed, mishap: Mishap, run: Departure): RunChange {
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
  const at = segments.findIndex((it) => segment === undefined || it.ref === segment);
  const [missed, next] = [segments[at], segments[at + 1]].map((it) => it && airline.timetable.find(it.departure));
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
