/** Mishaps: what the airline changes of a departure, and of every booking on it, without a message. */
import type { AirlineNow } from './carrier.ts';
import { loadNetwork } from './network.ts';
import {
  activeSegments,
  type CarrierBooking,
  findBooking,
  type HeldSegment,
  saveBooking,
  withSegments,
} from './record.ts';
import { Clock, inStateFile } from './state.ts';
import { locatorsOn } from './stock.ts';
import { addRunChange, type Departure, isSameRun, loadTimetable, type RunChange } from './timetable.ts';
import { MINUTE_MS, MINUTES_PER_DAY } from './zone.ts';

export const MISHAPS = {
  cancel: 'cancels a departure',
  retime: 'moves it by a schedule change: a connection may break',
  delay: 'moves a departure; bookings stay confirmed',
} as const;

export type MishapKind = keyof typeof MISHAPS;

/** The departure of a booking's segment. */
export interface RunOf {
  readonly locator: string;
  /** Its pointer; default the first that is not cancelled. */
  readonly segment?: string | undefined;
}

export interface Mishap extends RunOf {
  readonly kind: MishapKind;
  /**
   * How many minutes the departure moves; negative: earlier. Default: 45 for a delay; for a retiming as many as break the
   * connection, or else 90.
   */
  readonly minutes?: number | undefined;
}

/** The most minutes that a mishap may move a departure: three days. */
export const MOST_MINUTES = 3 * MINUTES_PER_DAY;
/** How many minutes a delay or retiming moves a departure, unless the mishap gives the minutes. */
const DELAY_MINUTES = 45;
const RETIMING_MINUTES = 90;
/** How many minutes after the departure of the next segment a retimed segment arrives. */
const MISSED_BY_MINUTES = 15;

/** Plays a mishap. Returns the locators of the bookings on the departure. Throws an Error that says why it cannot happen. */
export function disturb(airline: AirlineNow, mishap: Mishap): readonly string[] {
  const { kind, minutes } = mishap;
  return airline.state.change(() => {
    const run = findRun(airline, mishap);
    switch (kind) {
      case 'cancel':
        // OpenTravel: 31, have cancelled. IATA: UN, unable.
        return changeRun(airline, run, { cancelled: true }, airline.dialect === 'rail' ? '31' : 'UN');
      case 'retime':
        // OpenTravel: 51, schedule change.
        return changeRun(airline, run, movedBy(minutes ?? minutesToMissNext(airline, mishap)), '51');
      case 'delay':
        return changeRun(airline, run, movedBy(minutes ?? DELAY_MINUTES));
    }
  });
}

const movedBy = (minutes: number): RunChange => ({ departs: minutes, arrives: minutes });

/** Plays a mishap from another process. Throws an Error for a custom network, or if the mishap cannot happen. */
export async function disturbFile(stateFile: string, mishap: Mishap): Promise<readonly string[]> {
  const name = inStateFile(stateFile, (state) => state.meta('network'));
  for (const dialect of ['rail', 'airline'] as const) {
    const network = await loadNetwork(dialect);
    if (network.name !== name) continue;
    return inStateFile(stateFile, (state) => {
      const timetable = loadTimetable(state, network);
      return disturb({ state, timetable, network, dialect, now: new Clock(state, Date.now).now() }, mishap);
    });
  }

  throw new Error(`the sandbox has a network of its own (${name})`);
}

export function lookUpBooking({ state }: AirlineNow, locator: string): CarrierBooking {
  const booking = findBooking(state, locator.trim().toUpperCase());
  if (booking === undefined) throw new Error(`no booking ${locator}`);
  return booking;
}

export function lookUpSegment(booking: CarrierBooking, ref: string | undefined): HeldSegment {
  const segment = activeSegments(booking).find((segment) => ref === undefined || segment.ref === ref);
  if (segment === undefined) throw new Error(`booking ${booking.locator} has no active segment ${ref ?? ''}`.trim());
  return segment;
}

/** Finds a departure that is not cancelled. */
function findRun(airline: AirlineNow, of: RunOf): Departure {
  const { number, serviceDate } = lookUpSegment(lookUpBooking(airline, of.locator), of.segment).departure;
  const run = airline.timetable.findRun(number, serviceDate);
  if (run === undefined) throw new Error(`no departure ${number} runs on ${serviceDate}`);
  if (run.cancelled) throw new Error(`departure ${number} on ${serviceDate} is cancelled already`);
  return run;
}

/**
 * Changes a departure. Its segments show `status` from then on, or keep theirs. Returns the locators of the bookings on
 * it. Only within a transaction.
 */
export function changeRun(airline: AirlineNow, run: Departure, change: RunChange, status?: string): readonly string[] {
  const { state, now } = airline;
  const { number, serviceDate } = run;
  addRunChange(state, number, serviceDate, change);

  const locators = locatorsOn(state, number, serviceDate, now);
  if (status === undefined) return locators;

  for (const locator of locators) {
    const booking = lookUpBooking(airline, locator);
    const isOnRun = ({ departure, cancelled }: HeldSegment) => !cancelled && isSameRun(departure, run);
    saveBooking(
      state,
      withSegments(booking, (segment) => (isOnRun(segment) ? { ...segment, status } : segment)),
    );
  }

  return locators;
}

/** Computes how many minutes later a departure must run so that the booking misses its next one. */
function minutesToMissNext(airline: AirlineNow, { locator, segment }: RunOf): number {
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
