/**
 * Which flight and which person of one side is which of the other: for a hold and what was asked for, and for two readings. In this order:
 * flights, segments of readings, people.
 */
import { pairRows } from '../../core/own.ts';
import { DAY_MS, MINUTE_MS } from '../../core/times.ts';
import { digitsOnly, type FlightKey } from '../booking/expected-change.ts';
import { hasPlace, hasStopped, isLost } from '../booking/status-codes.ts';
import { type FlightFacts, type FlightOfReading, type KeptSegment, keptFlight, numbersOf } from './flight-rows.ts';
import { sameCode, timeBetween } from './values.ts';

/** A flight, and what became of it. */
interface FlightPair<Was, Is> {
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

/** Finds the flight of an act of ours among segments. One at another time with another number is another flight. */
export function findFlight(flight: FlightKey, segments: readonly KeptSegment[]): KeptSegment | undefined {
  const sought: FlightFacts = { ref: '', ...flight };
  const rules = { mayBeSame: () => true, likenesses: SAME_FLIGHT_OF_ACT, distance };
  return pairRows([sought], segments.map(keptFlight), rules).get(sought)?.segment;
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

/** For each segment of the later reading, by its index, the same one in the earlier reading; undefined: it is new. */
export type EarlierSegments = readonly (KeptSegment | undefined)[];

export function findEarlierSegments(earlier: readonly KeptSegment[], later: readonly KeptSegment[]): EarlierSegments {
  const [before, now] = [earlier.map(keptFlight), later.map(keptFlight)];
  const earlierOf = new Map([...sameFlights(before, now)].map(([was, is]) => [is, was.segment]));
  return now.map((flight) => earlierOf.get(flight));
}

/** What became of the segments of an earlier reading. */
export function pairSegments(
  earlier: readonly KeptSegment[],
  later: readonly KeptSegment[],
  earlierSegments: EarlierSegments,
): PairedFlights<FlightOfReading, FlightOfReading> {
  const [before, now] = [earlier.map(keptFlight), later.map(keptFlight)];
  const same = before.flatMap((was) => {
    const is = now[earlierSegments.indexOf(was.segment)];
    return is === undefined ? [] : [[was, is] as const];
  });
  return pairFlights(before, now, 'same stations', new Map(same));
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
