/**
 * What a yes binds of a booking: the facts that its question was written from, compared with those of the reading before the send.
 * Only what the airline changed counts. Another order, other pointers, a remark or a time that moved by seconds is no change.
 */
import { isObject } from '../../core/own.ts';
import { instantOf, MINUTE_MS, utcText } from '../../core/times.ts';
import { type Booking, segmentsOf } from '../booking/booking.ts';
import type { BookingState } from '../booking/booking-state.ts';
import { type FindingKind, isOnlyLater } from '../booking/finding.ts';
import { serviceStatus } from '../booking/special-services.ts';
import type { Digest } from '../people/identity-text.ts';
import { BOOKING_ROWS, type BookingRow, PAY_LIMIT } from './booking-rows.ts';
import { compareReadings } from './compare-readings.ts';
import type { Difference } from './difference.ts';
import { isUnpaid, type KeptReading, keptReading } from './kept-reading.ts';
import { findEarlierSegments } from './pair.ts';
import { ADDRESSES, addedBeside, isCertain, pairPeople, wholeNames } from './person-rows.ts';

/** The facts of a booking as a question keeps them. People and what they need are digests. */
export interface BoundBooking {
  readonly reading: KeptReading;
  /** Of each passenger with a name: digests of the whole name, as it may be written. */
  readonly names: readonly (readonly string[])[];
  readonly services: readonly BoundService[];
}

/** A special service of a passenger on a flight, by their places in the reading. */
interface BoundService {
  readonly person: number;
  readonly flight: number;
  /** Digest of its code, status and quantity. */
  readonly what: string;
}

/** What a question says of the booking as a whole. */
const SAID = /* @__PURE__ */ BOOKING_ROWS.filter(({ kept, kind }) => kept !== undefined && kind !== 'fare_changed');

/** In what a booking is no longer as its question said, as far as that matters to the act. */
export interface ChangedBooking {
  readonly differences: readonly Difference[];
  /** What the question named and the reading before the send leaves out. */
  readonly leftOut: readonly string[];
  /** The state of the booking, where that alone changed. */
  readonly state?: { readonly was: BookingState; readonly now: BookingState } | undefined;
  /** Somebody's name, of which only a part changed. */
  readonly isNameOther: boolean;
  readonly areServicesOther: boolean;
}

/** Whether an act depends on what a finding of this kind is about. */
export type IsBound = (kind: FindingKind) => boolean;

/** @param at when it was read, milliseconds since 1970 @param digest keyed */
export function boundBooking(booking: Booking, at: number, digest: Digest): BoundBooking {
  const names = booking.reading.travelers.flatMap(({ name }) => (name === undefined ? [] : [wholeNames(name)]));
  return {
    reading: keptReading(booking, at, digest),
    names: names.filter((keys) => keys.length > 0).map((keys) => keys.map((key) => digest(`name|${key}`))),
    services: keptServices(booking, digest),
  };
}

function keptServices({ services, reading, options }: Booking, digest: Digest): readonly BoundService[] {
  const flights = segmentsOf({ options }).map(({ ref }) => ref);
  const people = reading.travelers.map(({ ref }) => ref);

  return services.flatMap(({ code = '', status, quantity = 1, travelerRefs, segmentRefs }) => {
    const what = digest(`service|${JSON.stringify([code, serviceStatus(status), quantity])}`);
    return travelerRefs.flatMap((person) =>
      segmentRefs.map((flight) => ({ person: people.indexOf(person), flight: flights.indexOf(flight), what })),
    );
  });
}

/**
 * Compares the facts of a question with those of the booking now.
 * @param sendsBack the act sends back what is read of people, so that what is left out would be lost
 */
export function changedSinceAsked(
  asked: BoundBooking,
  now: BoundBooking,
  isBound: IsBound,
  sendsBack = false,
): ChangedBooking {
  const { differences, known } = compareReadings(asked.reading, now.reading, []);
  const bound = differences.filter((difference) => isBound(difference.kind) && !isOnlyLater(difference));
  const [was, is] = [asked.reading.state, known.state];

  return {
    differences: bound,
    leftOut: [
      ...leftOut(asked.reading, now.reading, isBound),
      ...(sendsBack ? addressesLeftOut(asked.reading, now.reading, isBound) : []),
    ],
    // A reported difference already explains a new state.
    state: was === is || bound.length > 0 ? undefined : { was, now: is },
    isNameOther: bound.length === 0 && isBound('name_changed') && isNameOther(asked.names, now.names),
    areServicesOther: isBound('passenger_gone') && areServicesOther(asked, now),
  };
}

/** Whether somebody has a name that nobody has now. Not where names are masked now. */
function isNameOther(asked: BoundBooking['names'], now: BoundBooking['names']): boolean {
  const known = new Set(now.flat());
  return now.length >= asked.length && asked.some((keys) => !keys.some((key) => known.has(key)));
}

/** A reading may leave all of them out. */
function areServicesOther(asked: BoundBooking, now: BoundBooking): boolean {
  if (asked.services.length === 0 || now.services.length === 0) return false;

  const { persons = [], segments } = asked.reading;
  const flights = findEarlierSegments(segments, now.reading.segments);

  const people = pairPeople(persons, now.reading.persons);
  const text = (...service: readonly unknown[]) => JSON.stringify(service);
  const before = asked.services.map(({ person, flight, what }) => text(persons[person]?.who, segments[flight], what));
  const after = now.services.map(({ person, flight, what }) => {
    const who = people.find((pair) => pair.now === now.reading.persons?.[person])?.was.who;
    return text(who, flights[flight], what);
  });
  return before.toSorted().join() !== after.toSorted().join();
}

/** A reading from which the pointers in arguments were taken. */
export type Pointed = Pick<KeptReading, 'segments' | 'persons'>;

/** Stands for a flight or passenger that cannot be found for certain: no reading has such a pointer, so that the act is refused. */
const NOWHERE = '?';

const FLIGHTS = /^segment_refs?$/;
const PEOPLE = /^passenger_refs?$/;

/** Whether arguments point to a flight or to a passenger. */
export function hasPointers(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false;
  return Object.entries(args).some(([name, value]) => FLIGHTS.test(name) || PEOPLE.test(name) || hasPointers(value));
}

/** The arguments with the pointers by which a later reading names the same flights and people: airlines number them anew. */
export function pointedAnew<T>(args: T, asked: Pointed, now: Pointed): T {
  const earlier = findEarlierSegments(asked.segments, now.segments);
  const flights = new Map(now.segments.map(({ ref }, i) => [earlier[i]?.ref, ref]));
  const people = pairPeople(asked.persons, now.persons).filter((pair) => isCertain(pair, now.persons));
  const passengers = new Map(people.map((pair) => [pair.was.ref, pair.now.ref]));

  const anew = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => anew(one, name));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, anew(one, field)]));
    if (typeof value !== 'string') return value;
    if (FLIGHTS.test(name)) return flights.get(value) ?? NOWHERE;
    return PEOPLE.test(name) ? (passengers.get(value) ?? NOWHERE) : value;
  };

  return anew(args) as T;
}

/** What a question said must still be there before the send: what is left out is not known to be unchanged. */
function leftOut(asked: KeptReading, now: KeptReading, isBound: IsBound): readonly string[] {
  const isGone = ({ kept = () => [], isOver = () => false }: BookingRow) =>
    kept(now).length === 0 && kept(asked).some(({ value }) => !isOver(value, now.at));
  const said = SAID.filter((row) => row !== PAY_LIMIT || isUnpaid(asked));

  const rows: readonly (readonly [what: string, kind: FindingKind, isGone: boolean])[] = [
    ['flights', 'retimed', asked.segments.length > 0 && now.segments.length === 0],
    ['passengers', 'passenger_gone', asked.persons !== undefined && now.persons === undefined],
    ...said.map((row) => [row.what, row.kind, isGone(row)] as const),
  ];
  return rows.flatMap(([what, kind, isLeftOut]) => (isLeftOut && isBound(kind) ? [what] : []));
}

/** Of passengers; of the contact too, if the act depends on it. */
function addressesLeftOut(asked: KeptReading, now: KeptReading, isBound: IsBound): readonly string[] {
  const people = pairPeople(asked.persons, now.persons).map((pair) => [pair.was, pair.now] as const);
  const contact = isBound('contact_changed') ? [[asked.contact ?? {}, now.contact ?? {}] as const] : [];

  const isLost = (row: (typeof ADDRESSES)[number]) =>
    [...people, ...contact].some(([was, is]) => {
      const isGone = was[row.field] !== undefined && is[row.field] === undefined;
      return isGone || addedBeside(is, was, [is]).includes(row);
    });

  return ADDRESSES.filter(isLost).map(({ what }) => what);
}

/**
 * A value without what an airline may write otherwise each time: lists in one order, times to the nearest minute in UTC, no ids of
 * orders. Equal values then mean the same thing.
 */
export function unordered(value: unknown): unknown {
  if (typeof value === 'string') {
    const at = instantOf(value);
    return at === undefined ? value.trim() : utcText(Math.round(at / MINUTE_MS) * MINUTE_MS);
  }

  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const rows = value.map((row) => JSON.stringify(unordered(row)) ?? 'null').toSorted();
    return rows.map((row) => JSON.parse(row) as unknown);
  }

  const fields = Object.entries(value).filter(([key, field]) => key !== 'id' && field !== undefined);
  const inOrder = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([key, field]) => [key, unordered(field)]));
}
