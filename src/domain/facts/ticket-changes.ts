/**
 * Finds what changed, from one reading of a booking to the next, of the coupons of its flights, of their seats, and of who is on them.
 *
 * In this order: coupons and tickets, passengers on flights, what is said of coupons.
 */
import { HOUR_MS, instantOf } from '../../core/times.ts';
import type { FindingFacts } from '../booking/finding.ts';
import { couponStatus, isUnknownCoupon } from '../booking/status-codes.ts';
import type { Difference, PairedReadings, RunningPair } from './difference.ts';
import { findingSegment } from './flight-changes.ts';
import type { KeptSegment } from './flight-rows.ts';
import type { KeptCoupon, KeptReading } from './kept-reading.ts';
import type { PersonPair } from './person-rows.ts';
import { couponHeirs, segmentAt } from './tickets-and-orders.ts';
import { sameSeat, seatPlace } from './values.ts';

/** A coupon in both readings, or the one in its place. */
interface CouponPair {
  readonly earlier: KeptCoupon;
  readonly later: KeptCoupon;
}

/** Codes of a coupon that cannot be flown any more. Checked in, boarded and flown are no change to report. */
const CLOSED_COUPON: ReadonlySet<string | undefined> = new Set(['E', 'V', 'R', 'S', 'U', 'X', 'Z']);
const OPEN = 'O';
const FLOWN = 'F';
/** A coupon that counts as flown so long before the departure was not flown, milliseconds. */
const EARLIEST_FLOWN_MS = HOUR_MS;

/** What is said of a segment, before that is said of which one. */
type SaidOfSegment = Pick<Difference, 'kind' | 'before' | 'after'>;

function ofSegment({ was, now }: RunningPair, said: readonly (SaidOfSegment | undefined)[]): readonly Difference[] {
  const about = { segment: findingSegment(was), was, now, departsAt: instantOf(now.departs) };
  return said.filter((change) => change !== undefined).map((change) => ({ ...change, ...about }));
}

/** Finds, for each segment that still runs, what changed of its coupons, and of their seats. */
export function couponChanges(readings: PairedReadings): readonly Difference[] {
  const { expected, known, running } = readings;
  const heirs = couponHeirs(expected, known);
  const hasLeft = ({ who }: KeptCoupon) => hasLeftBooking(who, known);

  return running.flatMap((pair) => {
    const { now, before } = pair;
    const pairs = expected.coupons.flatMap((earlier): CouponPair[] => {
      const later = earlier.segment === before ? heirs.get(earlier) : undefined;
      return later === undefined || hasLeft(later) || isClosed(earlier) ? [] : [{ earlier, later }];
    });

    return ofSegment(pair, [
      couponsClosed(pairs),
      flownEarly(pairs, now, known.at),
      seatsChanged(pairs),
      ...ticketsOfOthers(pairs, readings),
      ...ticketsGone(pair, heirs, readings),
      ...ticketsTwice(pair, readings),
    ]);
  });
}

/** Finds coupons that count as flown long before the departure. */
function flownEarly(pairs: readonly CouponPair[], { departs }: KeptSegment, at: number): SaidOfSegment | undefined {
  const departure = instantOf(departs);
  const flown = pairs.filter(({ earlier, later }) => later.status === FLOWN && earlier.status !== FLOWN);
  const [first] = flown;
  if (first === undefined || departure === undefined || departure <= at + EARLIEST_FLOWN_MS) return undefined;
  return { kind: 'flown_early', ...statusesOf(first, { tickets: flown.length }) };
}

/** Whether a passenger is no longer in the booking. */
const hasLeftBooking = (who: string | undefined, { persons = [] }: KeptReading): boolean =>
  who !== undefined && persons.every((person) => person.who !== who);

/** The pointer of the person in the reading. Undefined if it shows none, or several who could be them. */
function refOf(who: string | undefined, { persons = [] }: KeptReading): string | undefined {
  const [person, ...others] = persons.filter((each) => each.who === who);
  return others.length > 0 ? undefined : person?.ref;
}

/** The pair of a person in one of its readings. Undefined if it is not sure who they are in the other one, or several could be them. */
function pairOf(side: 'was' | 'now', who: string | undefined, people: readonly PersonPair[]): PersonPair | undefined {
  const [pair, ...others] = people.filter((each) => each.isSure && each[side].who === who);
  return others.length > 0 ? undefined : pair;
}

/** Finds tickets that now belong to another passenger. Both must be in both readings: else somebody was renamed. */
function ticketsOfOthers(pairs: readonly CouponPair[], { people }: PairedReadings): readonly SaidOfSegment[] {
  return pairs.flatMap(({ earlier, later }): SaidOfSegment[] => {
    const from = pairOf('was', earlier.who, people);
    const to = pairOf('now', later.who, people);
    if (earlier.id !== later.id || from === undefined || to === undefined || from === to) return [];
    return [{ kind: 'ticket_of_other', before: { person: from.now.ref }, after: { person: to.now.ref } }];
  });
}

/**
 * Finds passengers who had a valid ticket for the segment and have none, in a reading that shows other tickets. A ticket whose segment
 * it does not show may be theirs.
 */
function ticketsGone(
  { before, after }: RunningPair,
  heirs: ReadonlyMap<KeptCoupon, KeptCoupon>,
  { people, expected, known }: PairedReadings,
): readonly SaidOfSegment[] {
  const countIn = ({ coupons }: KeptReading, index: number) =>
    coupons.filter(({ segment, status }) => segment === index && status === OPEN).length;

  const gone = expected.coupons.filter((coupon) => {
    const heir = heirs.get(coupon);
    const isStillThere = heir !== undefined && (heir.segment === undefined || heir.segment === after);
    if (coupon.segment !== before || coupon.status !== OPEN || isStillThere) return false;

    // A new name gives a passenger a new identity.
    const theirs = pairOf('was', coupon.who, people)?.now.who ?? coupon.who;
    const mayBeTheirs = known.coupons.some(
      ({ who, segment }) => (who === undefined || who === theirs) && (segment === undefined || segment === after),
    );
    return !mayBeTheirs && refOf(theirs, known) !== undefined;
  });
  if (gone.length === 0) return [];

  const tickets = countIn(known, after);
  return [{ kind: 'ticket_gone', before: { tickets: countIn(expected, before) }, after: { tickets } }];
}

/** Finds passengers with two open tickets for the segment who had one. One number can be in several rows. */
function ticketsTwice(
  { before, after }: RunningPair,
  { people, expected, known }: PairedReadings,
): readonly SaidOfSegment[] {
  const ticketsOf = (who: string, { coupons }: KeptReading, index: number) => {
    const open = coupons.filter((each) => each.who === who && each.segment === index && each.status === OPEN);
    return new Set(open.map(({ ticket, id }) => ticket ?? id)).size;
  };

  return (known.persons ?? []).flatMap(({ who, ref }): SaidOfSegment[] => {
    const has = ticketsOf(who, known, after);
    if (has < 2 || refOf(who, known) === undefined) return [];

    const had = ticketsOf(pairOf('now', who, people)?.was.who ?? who, expected, before);
    if (had > 1) return [];
    return [{ kind: 'ticket_twice', before: { tickets: had }, after: { tickets: has, person: ref } }];
  });
}

/** Finds, for each segment that still runs, passengers who are no longer on it, or are new on it. */
export function rideChanges({ people, running }: PairedReadings): readonly Difference[] {
  return running.flatMap((pair) => {
    const riders = people.flatMap(({ was, now, isSure }) => {
      if (!isSure || was.on === undefined || now.on === undefined) return [];
      return [{ ref: now.ref, wasOn: was.on.includes(pair.before), isOn: now.on.includes(pair.after) }];
    });

    const person = (some: typeof riders) => some.map(({ ref }) => ref).join(', ');
    const off = riders.filter(({ wasOn, isOn }) => wasOn && !isOn);
    const on = riders.filter(({ wasOn, isOn }) => isOn && !wasOn);

    return ofSegment(pair, [
      off.length === 0 ? undefined : { kind: 'passenger_off_flight', before: { person: person(off) }, after: {} },
      on.length === 0 ? undefined : { kind: 'passenger_on_flight', before: {}, after: { person: person(on) } },
    ]);
  });
}

/**
 * Finds tickets that went astray since the reading before. That a ticket which was there says nothing of its passenger is no difference, and
 * the finding of a passenger or flight that has left tells its ticket too.
 */
export function strayTicketChanges({ expected, known }: PairedReadings): readonly Difference[] {
  const hasLeft = ({ who, ...coupon }: KeptCoupon) => {
    const flight = segmentAt(expected.segments, coupon);
    return hasLeftBooking(who, known) || !known.segments.some(({ ref }) => ref === flight?.ref);
  };

  const isNews = ({ id, ticket, astray }: KeptCoupon) => {
    const was = expected.coupons.find((coupon) => coupon.id === id);
    if (was === undefined) return expected.coupons.every((coupon) => coupon.ticket !== ticket);
    return was.astray === undefined && astray !== 'unsaid' && !hasLeft(was);
  };

  const isLost = ({ astray, segment }: KeptCoupon) =>
    astray !== undefined && (astray !== 'flight' || segment === undefined);
  const lost = known.coupons.filter((coupon) => isLost(coupon) && isNews(coupon));
  const byLack = Map.groupBy(lost, ({ astray }) => (astray === 'flight' ? 'flight' : 'passenger'));

  return [...byLack].map(([detail, coupons]) => {
    const tickets = new Set(coupons.map(({ ticket }) => ticket)).size;
    return { kind: 'ticket_astray', before: {}, after: { tickets, detail } };
  });
}

/** The status of a coupon on both sides, and how many are like it. */
const statusesOf = ({ earlier, later }: CouponPair, count: FindingFacts) => ({
  before: { status: couponStatus(earlier.status) },
  after: { status: couponStatus(later.status), ...count },
});

const isClosed = ({ status }: KeptCoupon): boolean => CLOSED_COUPON.has(status);

function couponsClosed(pairs: readonly CouponPair[]): SaidOfSegment | undefined {
  const closed = pairs.filter(({ later }) => isClosed(later) || isUnknownCoupon(later.status));
  const [first] = closed;
  if (first === undefined) return undefined;
  return { kind: 'coupon_closed', ...statusesOf(first, { passengers: closed.length }) };
}

/** Leaves out coupons without a seat before, and those of which the later reading does not say where the seat is. */
function seatsChanged(pairs: readonly CouponPair[]): SaidOfSegment | undefined {
  const moved = pairs.filter(({ earlier, later }) => {
    const showsSeats = Boolean(earlier.seat) && later.seat !== undefined;
    return showsSeats && !isClosed(later) && !sameSeat(seatPlace(earlier.seat ?? ''), seatPlace(later.seat ?? ''));
  });
  if (moved.length === 0) return undefined;

  return {
    kind: 'seat_changed',
    before: { seat: seatList(moved.map(({ earlier }) => earlier.seat)) },
    after: { seat: seatList(moved.map(({ later }) => later.seat)) },
  };
}

const seatList = (seats: readonly (string | undefined)[]): string => seats.filter(Boolean).toSorted().join(', ');
