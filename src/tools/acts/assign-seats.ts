/** Gives passengers other seats: the tool, its act and its evidence, and the search for a seat on the map. */

import * as z from 'zod';
import { passengerName, seatWords } from '../../approvals/outcome-words.ts';
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type ClerkError, type InputFault, inputError, inputFaults, notSent } from '../../core/errors.ts';
import { joined, table } from '../../core/words.ts';
import type { SeatChoice } from '../../domain/airline.ts';
import {
  activeSegments,
  type Booking,
  type JudgedDeed,
  type Segment,
  segmentsOf,
  unshownOf,
} from '../../domain/booking/booking.ts';
import { fareDeadlines } from '../../domain/booking/deadlines.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { isProvablyUnpaid } from '../../domain/booking/paid-and-refunded.ts';
import { type Seat, type SegmentSeatMap, seatedTravelers, travelersOn } from '../../domain/booking/seat-map.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { segmentStatus } from '../../domain/booking/status-codes.ts';
import { assignedSeat, findCoupon, type SeatAim } from '../../domain/facts/expected-change.ts';
import { type KeptCoupon, type KeptReading, shortDigest } from '../../domain/facts/kept-reading.ts';
import { findFlight, flightKey, sameFlight, segmentOf } from '../../domain/facts/pair.ts';
import type { KeptPerson } from '../../domain/facts/person-rows.ts';
import { type SaidLine, saidWords } from '../../domain/facts/said.ts';
import { couponHeirs } from '../../domain/facts/tickets-and-orders.ts';
import { type Explanation, findPeople, type Touch, type TouchedReadings } from '../../domain/facts/touches.ts';
import { type SeatPlace, sameSeat, seatPlace } from '../../domain/facts/values.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import { type ActEvidence, expectedBy } from '../../journal/act.ts';
import { compared, expectTraveler, findTraveler, together, type Verdict } from '../../journal/evidence.ts';
import { type ArgsOf, type Done, type ResultOf, type ToolContext, vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings, strings } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, listOf, passengerRef, seat, segmentRef } from '../definition/input-fields.ts';
import { unknownRefs } from '../rules/find-by-ref.ts';
import {
  notPermitted,
  type Refusal,
  refusalIfCouponClosed,
  refusalIfDeparted,
  refusalIfPointerShared,
  refuse,
  whyNotSeatMap,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { readSeatMaps } from '../steps/seat-maps.ts';
import { limitLine, personOf, saidOf, section, tripSection } from '../views/terms-text.ts';
import { defineBookingChange, type RefusingAct } from './booking-change.ts';

/** How many seats an error names. */
const MOST_SEATS = 6;

/** What a change of seats is expected to change, and what proves it (docs/wire/notes.md, Changes). */
type AssignSeats = { readonly kind: 'assign_seats'; readonly seats: readonly SeatAim[] };

export function expectAssignedSeats(booking: Booking, seats: readonly SeatChoice[], digest: Digest): AssignSeats {
  const aims = seats.map(({ segmentRef, travelerRef, seat, coach }): SeatAim => {
    const was = assignedSeat(booking, travelerRef, segmentRef);
    const wanted = { seat, coach: coach ?? was?.coach };
    const segment = segmentsOf(booking).find(({ ref }) => ref === segmentRef);
    const flight = segment && { flight: flightKey(segment) };
    return { segmentRef, ...flight, ...expectTraveler(booking, travelerRef, digest), was, wanted };
  });
  return { kind: 'assign_seats', seats: aims };
}

const seatsEvidence: ActEvidence<AssignSeats> = {
  kind: 'assign_seats',
  reading: ({ seats }, booking, { digest }) => together(seats.map((aim) => judgeSeat(aim, booking, digest))),
  toCheck: () => 'which seats the passengers have now',
};

function judgeSeat(aim: SeatAim, booking: Booking, digest: Digest): Verdict {
  if (booking.travelers.length === 0) return 'void';
  const traveler = findTraveler(booking, aim, digest);
  if (traveler === undefined) return 'contradicted';
  return compared(assignedSeat(booking, traveler.ref, flightOf(aim, booking)), aim, sameSeat);
}

/**
 * The seat that was chosen, and whether the reading shows it. One without a flight, of an earlier version, says nothing: its pointer can be
 * of another flight now.
 */
function seatDeeds(aim: SeatAim, booking: Booking, digest: Digest): readonly JudgedDeed[] {
  const { flight } = aim;
  const segment = flight && activeSegments(booking).find((one) => sameFlight(flightKey(one), flight));
  const traveler = findTraveler(booking, aim, digest);
  if (segment === undefined || traveler === undefined) return [];

  const place = assignedSeat(booking, traveler.ref, segment.ref);
  const verdict = compared(place, aim, sameSeat);
  const showsSeats = booking.tickets.some(({ coupons }) => coupons.some(({ seat }) => seat !== undefined));

  return [
    {
      kind: 'seat',
      segmentRefs: [segment.ref],
      travelerRefs: [traveler.ref],
      isShown: verdict === 'done',
      isOther: verdict === 'contradicted' && showsSeats,
      isSilent: place === undefined && !showsSeats,
    },
  ];
}

/** The pointer in this reading. */
const flightOf = (aim: SeatAim, booking: Booking): string => segmentOf(booking, aim)?.ref ?? aim.segmentRef;

/** The change of these seats. It looks for all passengers together: a pointer can be another passenger's now. */
const seatsChosen = (seats: readonly SeatAim[]): Touch => ({
  leaves: 'all',
  deeds: (booking, digest) => seats.flatMap((aim) => seatDeeds(aim, booking, digest)),
  explains: seats.map(
    (aim): Explanation =>
      (readings) => {
        return withSeat(aim, findPeople(seats, readings.before.persons).get(aim), readings);
      },
  ),
  closes: ({ kind }) => kind === 'seat_changed',
});

/**
 * Changes the seat of the coupon in the reading before:
 *
 * | the coupon is not known                                    | nothing changes       |
 * | the reading shows no seat                                  | the change is not seen |
 * | the wanted seat                                            | as the reading writes it |
 * | another seat, after the change was done; late, or a new one | as it was wanted      |
 * | another seat otherwise                                     | the change is not seen |
 */
function withSeat(
  aim: SeatAim,
  person: KeptPerson | undefined,
  { before, reading, isDone, isLate }: TouchedReadings,
): KeptReading | undefined {
  const { wanted } = aim;
  const index = findCouponIndex(aim, person, before);
  const couponBefore = before.coupons[index];
  if (couponBefore === undefined) return before;

  const couponNow = couponHeirs(before, reading).get(couponBefore);
  if (couponNow?.seat === undefined) return undefined;

  const isWanted = sameSeat(seatPlace(couponNow.seat), wanted);
  if (!isWanted && !(isDone && (isLate || couponNow.seat !== couponBefore.seat))) return undefined;

  const { coach, seat } = wanted;
  const seatText = isWanted ? couponNow.seat : joined([coach, seat], '/');
  return { ...before, coupons: before.coupons.with(index, { ...couponBefore, seat: seatText }) };
}

/** Finds the coupon of the passenger on the flight; -1 if there is none. */
function findCouponIndex(
  { flight, who, was }: SeatAim,
  person: KeptPerson | undefined,
  { segments, coupons }: KeptReading,
): number {
  const segment = flight && findFlight(flight, segments);
  if (segment === undefined) return -1;

  // A ticket that names no passenger is known by its seat.
  const isTravelers = (coupon: KeptCoupon) =>
    coupon.who === undefined
      ? was && sameSeat(seatPlace(coupon.seat ?? ''), was)
      : coupon.who === shortDigest(who) || coupon.who === person?.who;

  return coupons.findIndex((coupon) => segments[coupon.segment ?? -1] === segment && isTravelers(coupon));
}

const act: RefusingAct<AssignSeats> = {
  ...seatsEvidence,
  countedAs: 'change',
  deed: 'seat',
  scope: 'air:book',
  word: 'change of seats',
  title: ({ seats }) => (seats.length === 1 ? 'Seat changed' : 'Seats changed'),
  changes: ({ seats }, booking, { digest }) =>
    seats.map((aim) => {
      const ref = findTraveler(booking, aim, digest)?.ref ?? aim.travelerRef;
      const segment = segmentOf(booking, aim);
      const place = (segment && assignedSeat(booking, ref, segment.ref)) ?? aim.wanted;
      const flight = segment === undefined ? '' : ` on ${flightName(segment)}`;
      return `${passengerName(booking, ref)}: ${seatWords(place)}${flight}`;
    }),
  touches: ({ seats }) => [seatsChosen(seats)],
  whyNot: (booking, when) => whyNotUpdate(booking, when) ?? whyNotSeatMap(booking, when.now),
};

/** Why this passenger's seat on the segment cannot be changed. */
function whyNotSeat(booking: Booking, segment: Segment, travelerRef: string, now: number): Refusal | undefined {
  if (segmentStatus(segment.statusCode) === 'cancelled')
    return notPermitted(`segment ${cleanRef(segment.ref)} is cancelled`);
  const early = refusalIfDeparted(segment, now) ?? refusalIfPointerShared(booking, segment);
  return early ?? refusalIfCouponClosed(booking, { segmentRefs: [segment.ref], travelerRefs: [travelerRef] });
}

const input = () => ({
  seats: noted(
    'One entry for each passenger and flight or train.',
    listOf(z.strictObject({ segment_ref: segmentRef(), passenger_ref: passengerRef(), seat: seat() }), 1, 40),
  ),
});

type SeatInput = ArgsOf<typeof input>['seats'][number];

const assignedSeatSchema = () =>
  z.object({
    ...strings('segment_ref', 'passenger_ref'),
    ...optionalStrings('was'),
    ...strings('now'),
    ...optionalStrings('provider_ticket'),
  });

const output = () => ({ seats: z.array(assignedSeatSchema()) });

export const assignSeats = defineBookingChange({
  act,
  looksUp: ['seatMap'],
  name: 'assign_seats',
  title: 'Assign seats',
  description: 'Give passengers of a paid booking other seats, from get_seat_map. Once ticketed a person approves.',
  toolset: 'desk',
  example: { ...EXAMPLE_BOOKING, seats: [{ segment_ref: '1', passenger_ref: '1', seat: '4-52' }] },
  input,
  output,

  doing: ({ seats }) =>
    seats.map(({ segment_ref: segmentRef, passenger_ref: ref }) => ({
      kind: 'seat',
      segmentRefs: [segmentRef],
      travelerRefs: [ref],
    })),

  async terms(booking, args, ctx) {
    const faults = args.seats.flatMap((wish, i) => unknownSeatRefs(booking, wish, `seats[${i}]`));
    if (faults.length > 0) throw inputFaults(faults);

    for (const wish of args.seats) {
      const segment = activeSegments(booking).find(({ ref }) => ref === wish.segment_ref);
      if (segment !== undefined) refuse(booking, whyNotSeat(booking, segment, wish.passenger_ref, ctx.now()));
    }

    const segments = activeSegments(booking).filter(({ ref }) => args.seats.some((wish) => wish.segment_ref === ref));
    const maps = await readSeatMaps(booking, segments, seatedTravelers(booking), ctx);
    const changes = findSeats(booking, args.seats, maps);
    const choices = changes.map(choiceFor);
    const isSingle = changes.length === 1;
    const until = fareDeadlines(booking.pricing).namesUntil;

    return {
      sections: [
        section('act', `Change ${isSingle ? 'a seat' : `${changes.length} seats`} of booking ${booking.locator}.`),
        section('people', ...changes.map((change) => seatLine(booking, change, ctx))),
        tripSection(segments, ctx),
        section('note', 'The airline states no price for a change of seats.', limitLine('Seats', until, booking)),
      ],
      act: { verb: 'Change', object: isSingle ? 'the seat' : 'seats', preposition: 'on', booking: booking.locator },
      ask: !isProvablyUnpaid(booking),
      sold: soldFacts(booking, { segments, passengers: args.seats.map((wish) => wish.passenger_ref) }),
      subject: expectAssignedSeats(booking, choices, ctx.identity),
      modification: { kind: 'assign_seats', booking: booking.reading, seats: choices },
    };
  },

  report(done, { identity }) {
    const seats = seatsNow(done, identity);
    const noun = seats.length === 1 ? 'Seat' : 'Seats';
    return {
      summary: `${noun} changed in booking ${done.operation.locator}. The airline sends the changed tickets itself.`,
      added: { seats },
    };
  },

  text: ({ seats = [] }) =>
    table(
      seats.map(({ segment_ref, passenger_ref, was, now, provider_ticket: provider }) => [
        `segment ${cleanRef(segment_ref)}`,
        `passenger ${cleanRef(passenger_ref)}`,
        was === undefined ? `seat ${now}` : `seat ${was} → ${now}`,
        provider === undefined ? '' : `operator's ticket ${provider}`,
      ]),
    ),
});

/** Says what is wrong with the refs of one wish: the segment, or else the passenger. */
function unknownSeatRefs(booking: Booking, wish: SeatInput, field: string): readonly InputFault[] {
  const segments = activeSegments(booking);
  const segment = segments.find(({ ref }) => ref === wish.segment_ref);
  if (segment === undefined) {
    return unknownRefs(segments, [wish.segment_ref], `${field}.segment_ref`, 'the active segments are');
  }
  const travelers = travelersOn(seatedTravelers(booking), segment);
  return unknownRefs(travelers, [wish.passenger_ref], `${field}.passenger_ref`, 'the passengers with a seat on it are');
}

function seatLine(booking: Booking, { wish, was, place }: LocatedWish, ctx: ToolContext): SaidLine {
  const traveler = booking.travelers.find(({ ref }) => ref === wish.passenger_ref);
  const who = traveler === undefined ? `Passenger ${cleanRef(wish.passenger_ref)}` : personOf(booking, traveler);
  const oldSeat = was === undefined ? 'no seat' : seatWords(was);
  const segment = activeSegments(booking).find(({ ref }) => ref === wish.segment_ref);
  const where = `${vehicleOf(ctx.settings)} ${segment === undefined ? wish.segment_ref : flightName(segment)}`;
  const seats = `was ${oldSeat}, now ${seatWords(place)}${place.kind && ` (${place.kind})`}`;
  const people = traveler === undefined ? [] : [saidOf(booking, traveler)];
  return { line: `${who}, ${where}: ${seats}`, said: [...people, saidWords('seat', `${where}: ${seats}`)] };
}

/** Lists the changes with each new seat from the booking if it was read again, or else from the request. */
function seatsNow({ booking, operation }: Done<unknown>, digest: Digest): ResultOf<typeof output>['seats'] {
  const aims = expectedBy(act, operation)?.seats ?? [];
  return aims.map((aim) => {
    const { was, wanted } = aim;
    const segmentRef = booking === undefined ? aim.segmentRef : flightOf(aim, booking);
    const travelerRef = (booking && findTraveler(booking, aim, digest)?.ref) ?? aim.travelerRef;
    const provider = booking && findCoupon(booking, travelerRef, segmentRef)?.providerTicket;

    return {
      segment_ref: segmentRef,
      passenger_ref: travelerRef,
      was: was && placeText(was),
      now: placeText((booking && assignedSeat(booking, travelerRef, segmentRef)) ?? wanted),
      provider_ticket: provider === undefined ? undefined : cleanCode(provider, 40),
    };
  });
}

/** `4-52`, or `52` where no coach is known. */
function placeText({ seat, coach }: SeatPlace): string {
  return coach === undefined ? cleanCode(seat, 8) : `${cleanCode(coach, 8)}-${cleanCode(seat, 8)}`;
}

/** A seat on the map. `kind`: `window`, `aisle` or empty. */
interface MapSeat extends SeatPlace {
  readonly status: Seat['status'];
  readonly kind: string;
}

/** A wish whose seat was found on the map. */
interface LocatedWish {
  readonly wish: SeatInput;
  /** The passenger's seat now. */
  readonly was: SeatPlace | undefined;
  /** The wanted seat. */
  readonly place: MapSeat;
}

/**
 * Finds the wanted seats that passengers do not have yet. Each must be free, or given up in the same call. Throws E_INPUT,
 * E_SOLD_OUT, E_ALREADY_DONE.
 */
function findSeats(
  booking: Booking,
  wishes: readonly SeatInput[],
  maps: readonly SegmentSeatMap[],
): readonly LocatedWish[] {
  const located = wishes.map((wish, i): LocatedWish => {
    const seats = maps.filter((map) => map.segment.ref === wish.segment_ref).flatMap(seatsOnMap);
    const was = assignedSeat(booking, wish.passenger_ref, wish.segment_ref);
    return { wish, was, place: findSeat(wish.seat, was, seats, `seats[${i}].seat`) };
  });
  assertDifferentSeats(located);

  const moving = located.filter(({ was, place }) => !sameSeat(was, place));
  for (const change of moving) assertFree(change, moving, booking);

  if (moving.length === 0) {
    const what = `Booking ${booking.locator} has these seats already.`;
    throw notSent('E_ALREADY_DONE', what, 'Call read_booking to see the seats.');
  }

  return moving;
}

/** A seat as it is sent: its coach is named only if it is another than the passenger's own. */
function choiceFor({ wish, was, place }: LocatedWish): SeatChoice {
  const isOtherCoach =
    was?.coach !== undefined && place.coach !== undefined && !sameSeat({ ...was, seat: '' }, { ...place, seat: '' });
  return {
    segmentRef: wish.segment_ref,
    travelerRef: wish.passenger_ref,
    seat: place.seat,
    coach: isOtherCoach ? (place.coach ?? '') : undefined,
  };
}

function seatsOnMap(map: SegmentSeatMap): MapSeat[] {
  return map.cabins.flatMap((cabin) => {
    const coach = cabin.zones[0]?.code;
    return cabin.rows.flatMap((row) =>
      row.seats.map(({ number: seat, status, window, aisle }) => {
        const kind = [window && 'window', aisle && 'aisle'].find(Boolean) || '';
        return { seat, status, kind, coach };
      }),
    );
  });
}

/**
 * Finds a seat on the map. `4-52` is seat 52 of coach 4 (zone code of the map); `52` is the only seat with that number, or the one
 * in the traveller's own coach. Throws E_INPUT, E_NOT_PERMITTED.
 */
function findSeat(text: string, was: SeatPlace | undefined, seats: readonly MapSeat[], field: string): MapSeat {
  const [coach, seat = ''] = text.includes('-') ? text.split('-', 2) : [undefined, text];
  const withNumber = seats.filter((candidate) => sameSeat(candidate, { seat }));
  const matching = withNumber.filter((candidate) => sameSeat(candidate, { seat, coach }));
  const inSameCoach = matching.filter(
    (candidate) => was?.coach !== undefined && sameSeat(candidate, { seat, coach: was.coach }),
  );
  const [onlyInSameCoach, ...othersInSameCoach] = inSameCoach;
  if (onlyInSameCoach !== undefined && othersInSameCoach.length === 0) return onlyInSameCoach;

  const [place] = matching;
  if (place === undefined)
    throw inputError(field, 'expected a seat on the map.', 'Call get_seat_map for the seats of this flight.');
  if (withNumber.length > 1) throw ambiguousNumber(withNumber);

  return place;
}

/** Makes the error for a seat number that several coaches have: the airline's request names a number alone. */
function ambiguousNumber(places: readonly MapSeat[]): ClerkError {
  const where = places.map(placeText).slice(0, MOST_SEATS).join(', ');
  const why = `the airline's message names no coach, and several have this number: ${where}`;
  return notSent(
    'E_NOT_PERMITTED',
    `The airline cannot be asked for this seat: ${why}.`,
    'Call get_seat_map and choose a seat whose number is in one coach only, or one in the passenger’s own coach.',
  );
}

/** Checks that the call names each passenger once on a segment, and each seat once. Throws E_INPUT. */
function assertDifferentSeats(wishes: readonly LocatedWish[]): void {
  for (const [i, { wish, place }] of wishes.entries()) {
    const before = wishes.slice(0, i).filter((earlier) => earlier.wish.segment_ref === wish.segment_ref);
    if (before.some((earlier) => earlier.wish.passenger_ref === wish.passenger_ref)) {
      throw inputError(`seats[${i}].passenger_ref`, 'expected each passenger once on a segment.');
    }
    if (before.some((earlier) => sameSeat(earlier.place, place))) {
      throw inputError(`seats[${i}].seat`, 'expected each seat once on a segment.');
    }
  }
}

/** Checks that the seat is free, or is given up in the same call. Throws E_SOLD_OUT. */
function assertFree({ wish, place }: LocatedWish, moving: readonly LocatedWish[], booking: Booking): void {
  if (place.status === 'free') return;

  const isGivenUp = moving.some(
    (other) => other.wish.segment_ref === wish.segment_ref && other.was !== undefined && sameSeat(other.was, place),
  );
  // The seat map can show what the booking does not show yet.
  const mayBeTheirs = unshownOf(booking, 'seat').some(
    ({ segmentRefs, travelerRefs }) =>
      segmentRefs.includes(wish.segment_ref) && travelerRefs.includes(wish.passenger_ref),
  );
  if (place.status === 'yours' && (isGivenUp || mayBeTheirs)) return;

  const by = place.status === 'yours' ? ' by a passenger of this booking' : '';
  const what = `Segment ${cleanRef(wish.segment_ref)}, ${seatWords(place)}: it is taken${by}.`;
  throw notSent('E_SOLD_OUT', what, 'Call get_seat_map for the seats that are free.');
}
