/**
 * Which flight and which person of one side is which of the other: for a hold and what was asked for, and for two readings. In this order:
 * flights, flights of acts, segments of readings, people.
 */
import { pairRows } from '../../core/own.ts';
import { asUtc, DAY_MS, instantOf, MINUTE_MS } from '../../core/times.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../booking/booking.ts';
import { hasPlace, hasStopped, isLost } from '../booking/status-codes.ts';
import { diff, type FactRow } from './differ.ts';
import { type FlightFacts, flightRow, type KeptSegment, numbersOf, type StatedFlight } from './flight-rows.ts';
import { digitsOnly, isSameTime, sameCode, stationClock, timeBetween } from './values.ts';

/** A flight, and what became of it. */
export interface FlightPair<Was, Is> {
  readonly was: Was;
  /** The same flight; undefined: the other side does not list it. */
  readonly now: Is | undefined;
  /** The flight that replaces it: an airline may list a moved flight as a new one, beside the old one. */
  readonly instead: Is | undefined;
}

export interface PairedFlights<Was, Is> {
  readonly pairs: readonly FlightPair<Was, Is>[];
  /** Flights of the later side that are in no pair. */
  readonly added: readonly Is[];
}

type Likeness = (was: FlightFacts, is: FlightFacts) => boolean;

const sameStart: Likeness = (a, b) => sameCode(a.from ?? '', b.from ?? '');
const sameEnd: Likeness = (a, b) => sameCode(a.to ?? '', b.to ?? '');
const sameStations: Likeness = (a, b) => sameStart(a, b) && sameEnd(a, b);
const sameClass: Likeness = (a, b) => sameCode(a.bookingClass ?? '', b.bookingClass ?? '');
const sameNumber: Likeness = (a, b) => a.number === b.number || numbersOf(a).includes(digitsOnly(b.number ?? ''));
const apart = ({ departs: a = '' }: FlightFacts, { departs: b = '' }: FlightFacts): number => timeBetween(a, b);
const alikeRunning: Likeness = (a, b) => isLost(a) === isLost(b);
const atOnce: Likeness = (a, b) => apart(a, b) < MINUTE_MS;
const near: Likeness = (a, b) => apart(a, b) <= DAY_MS;

/** How a flight is found by its number, from certain to likely. */
const SAME_NUMBER: readonly Likeness[] = [
  (a, b) => sameStations(a, b) && sameNumber(a, b) && atOnce(a, b) && sameClass(a, b) && alikeRunning(a, b),
  (a, b) => sameStations(a, b) && sameNumber(a, b) && atOnce(a, b) && sameClass(a, b),
  (a, b) => sameStations(a, b) && sameNumber(a, b) && atOnce(a, b),
  (a, b) => sameStations(a, b) && sameNumber(a, b) && near(a, b),
];
/** How a flight is found on the other side. */
const SAME_FLIGHT: readonly Likeness[] = [
  ...SAME_NUMBER,
  (a, b) => sameStations(a, b) && near(a, b),
  (a, b) => sameNumber(a, b) && near(a, b),
];

/** Whether an airline may list one flight as another form of the other. Proves nothing where a departure is not known. */
export const mayBeMoved: Likeness = (was, is) =>
  sameStations(was, is) && near(was, is) && [was, is].every(({ departs }) => instantOf(departs) !== undefined);

/** What may be in the place of a flight that is gone, or does not run. */
const INSTEAD: readonly Likeness[] = [sameStations];
/** The same where each flight must be there: whatever else is there was made of one of them. */
const ANY_INSTEAD: readonly Likeness[] = [...INSTEAD, (a, b) => sameStart(a, b) || sameEnd(a, b), () => true];

/** Of several, one that runs as before, and the nearest. */
const distance = (a: FlightFacts, b: FlightFacts): number => apart(a, b) + (alikeRunning(a, b) ? 0 : DAY_MS);

function sameFlights<Was extends FlightFacts, Is extends FlightFacts>(
  before: readonly Was[],
  now: readonly Is[],
): ReadonlyMap<Was, Is> {
  return pairRows(before, now, { mayBeSame: () => true, likenesses: SAME_FLIGHT, distance });
}

const SAME_FLIGHT_OF_ACT: readonly Likeness[] = [...SAME_NUMBER, (a, b) => sameStations(a, b) && atOnce(a, b)];

/** Finds the flight of an act of ours among others. One at another time with another number is another flight. */
export function findFlight<One extends FlightFacts>(flight: FlightKey, flights: readonly One[]): One | undefined {
  const sought: FlightFacts = { ref: '', ...flight };
  const rules = { mayBeSame: () => true, likenesses: SAME_FLIGHT_OF_ACT, distance };
  return pairRows([sought], flights, rules).get(sought);
}

/** @param from what may be in the place of a flight: `any` where each flight must be there */
export function pairFlights<Was extends FlightFacts, Is extends FlightFacts>(
  before: readonly Was[],
  now: readonly Is[],
  from: 'any' | 'same stations',
  same = sameFlights(before, now),
): PairedFlights<Was, Is> {
  const paired = new Set(same.values());
  const left = now.filter((flight) => !paired.has(flight));
  const ended = before.filter((was) => hasEnded(was, same.get(was)));

  const instead = pairRows(ended, left.filter(hasPlace), {
    mayBeSame: () => true,
    likenesses: from === 'any' ? ANY_INSTEAD : INSTEAD,
    distance,
  });
  const replacing = new Set(instead.values());

  return {
    pairs: before.map((was) => ({ was, now: same.get(was), instead: instead.get(was) })),
    added: left.filter((flight) => !replacing.has(flight)),
  };
}

/** Whether a flight that ran is gone, or has no place any more. */
function hasEnded(was: FlightFacts, now: FlightFacts | undefined): boolean {
  return !hasStopped(was) && (now === undefined || !hasPlace(now));
}

/** Identifies a flight in every system, without pointers. */
export interface FlightKey {
  readonly from: string;
  readonly to: string;
  /** UTC, or as sent if it names no zone. */
  readonly departs: string;
  /** What the station's clock shows then, to the minute: an airline may name another zone in each reply. Absent in operations of 0.3.0. */
  readonly clock?: string;
  /** Digits without leading zeros. */
  readonly number: string;
  readonly bookingClass?: string;
}

export function flightKey({ from, to, departs, flightNumber, bookingClass }: Segment): FlightKey {
  const number = digitsOnly(flightNumber);
  return { from, to, departs: asUtc(departs) ?? departs, clock: stationClock(departs), number, bookingClass };
}

/** Whether a flight of a kept reading or of a finding is this one. */
export function isFlight(
  { from = '', to = '', departs = '', number = '', bookingClass }: StatedFlight,
  flight: FlightKey,
): boolean {
  const shown = { from, to, departs, clock: stationClock(departs), number: digitsOnly(number), bookingClass };
  return sameFlight(shown, flight);
}

/** The airline may name another zone in each reply. */
const DEPARTURE_OF_KEY: FactRow<'departs', string, FlightKey> = {
  field: 'departs',
  same: (was, is, before, now) => isSameTime(was, is) || (before.clock !== undefined && before.clock === now.clock),
};

const ROUTE_ROWS = [flightRow('from'), flightRow('to'), flightRow('number')];
const CLASS_ROWS = [flightRow('bookingClass')];

/** Number, stations and departure. */
function isSameRide(a: FlightKey, b: FlightKey): boolean {
  return diff(ROUTE_ROWS, a, b).length === 0 && diff([DEPARTURE_OF_KEY], a, b).length === 0;
}

/** The same flight in the same class. A class that is not named matches any. */
export function sameFlight(a: FlightKey, b: FlightKey): boolean {
  return diff(CLASS_ROWS, a, b).length === 0 && isSameRide(a, b);
}

/** The segment of an act in a reading: the same flight, else the one with its pointer, which the airline may have moved meanwhile. */
export function segmentOf(
  booking: Pick<Booking, 'options'>,
  { segmentRef, flight }: { readonly segmentRef: string; readonly flight?: FlightKey | undefined },
  others: readonly FlightKey[] = [],
): Segment | undefined {
  const isOne = (segment: Segment, of: FlightKey) => sameFlight(flightKey(segment), of);
  const segments = segmentsOf(booking);
  const same = segments.filter((segment) => flight !== undefined && isOne(segment, flight));
  const left = segments.filter((segment) => !others.some((other) => isOne(segment, other)));
  const named = (some: readonly Segment[]) => some.find(({ ref }) => ref === segmentRef);
  return named(same) ?? same[0] ?? named(left);
}

interface Replacement {
  readonly replaced: FlightKey;
  readonly wanted: FlightKey;
}

/** The wanted flight in another class, and not the old flight (docs/wire/notes.md, Changes). */
export function inAnotherClass(key: FlightKey, { wanted, replaced }: Replacement): boolean {
  return isSameRide(key, wanted) && !sameFlight(key, wanted) && !sameFlight(key, replaced);
}

/** The new flight of a rebooked booking: in the wanted class, else in the class that the airline booked. */
export function rebookedSegment(expected: Replacement, booking: Booking): Segment | undefined {
  const active = activeSegments(booking);
  return (
    active.find((segment) => sameFlight(flightKey(segment), expected.wanted)) ??
    active.find((segment) => inAnotherClass(flightKey(segment), expected))
  );
}

/** For each segment of the later reading, by its index, the same one in the earlier reading; undefined: it is new. */
export type EarlierSegments = readonly (KeptSegment | undefined)[];

export function findEarlierSegments(earlier: readonly KeptSegment[], later: readonly KeptSegment[]): EarlierSegments {
  const earlierOf = new Map([...sameFlights(earlier, later)].map(([was, is]) => [is, was]));
  return later.map((segment) => earlierOf.get(segment));
}

/** The signs that two people are the same person. A value that one side does not have is no sign. */
export interface Alike<Was, Is> {
  /** Name, type and birth date. */
  readonly identity: (was: Was, is: Is) => boolean;
  /** How much of the name. */
  readonly name: (was: Was, is: Is) => number;
  readonly document: (was: Was, is: Is) => boolean;
  readonly type: (was: Was, is: Is) => boolean;
  readonly ref: (was: Was, is: Is) => boolean;
}

/**
 * Gives each person the one that they were. A name proves more than a type, and a type more than the pointer alone: airlines number
 * passengers anew.
 * @param among `some`: the others are not among those that were
 */
export function pairPersons<Was, Is>(
  people: readonly Is[],
  before: readonly Was[],
  { identity, name, document, type, ref }: Alike<Was, Is>,
  among: 'all' | 'some',
): ReadonlyMap<Is, Was> {
  const likenesses: ((is: Is, was: Was) => boolean)[] = [
    (is, was) => identity(was, is) && ref(was, is),
    (is, was) => identity(was, is),
    (is, was) => name(was, is) > 0 && document(was, is),
    (is, was) => name(was, is) > 0 && type(was, is),
    (is, was) => name(was, is) > 0,
    (is, was) => document(was, is),
    (is, was) => ref(was, is) && type(was, is),
  ];

  if (among === 'all')
    likenesses.push(
      (is, was) => type(was, is),
      () => true,
    );

  // Of two people with a name in common, the one with more of it.
  return pairRows(people, before, { mayBeSame: () => true, likenesses, distance: (is, was) => -name(was, is) });
}
