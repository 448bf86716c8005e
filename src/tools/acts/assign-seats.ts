/** Gives passengers other seats: the tool, its act and evidence, and how a seat is found on the map. */
import * as z from 'zod';
import { passengerName, seatWords } from '../../approvals/outcome-words.ts';
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type ClerkError, type InputFault, inputError, inputFaults } from '../../core/errors.ts';
import { table } from '../../core/words.ts';
import type { SeatChoice } from '../../domain/airline.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { fareDeadlines } from '../../domain/booking/booking-state.ts';
import {
  assignedSeat,
  findCoupon,
  flightKey,
  type SeatAim,
  type SeatPlace,
  sameSeat,
} from '../../domain/booking/expected-change.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { type KeptCoupon, shortDigest } from '../../domain/booking/kept-reading.ts';
import { nearest, type OperationEffect } from '../../domain/booking/operation-effects.ts';
import { isProvablyUnpaid } from '../../domain/booking/paid-and-refunded.ts';
import { couponHeirs } from '../../domain/booking/pair-readings.ts';
import type { Seat, SegmentSeatMap } from '../../domain/booking/seat-map.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { segmentStatus } from '../../domain/booking/status-codes.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import { type ActEvidence, expectedBy } from '../../journal/act.ts';
import { expectTraveler, findTraveler, together, type Verdict } from '../../journal/evidence.ts';
import { type ArgsOf, type Done, type ResultOf, type ToolContext, vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings, strings, usual } from '../definition/field-notes.ts';
import { listOf, OF, passengerRef, seat, segmentRef } from '../definition/input-fields.ts';
import { unknownRefs } from '../rules/find-by-ref.ts';
import {
  closedCoupon,
  departed,
  notPermitted,
  notSent,
  type Refusal,
  refuse,
  refusedSegments,
  sharedPointer,
  whyNotSeatMap,
  whyNotUpdate,
} from '../rules/why-not.ts';
import { aboard, readSeatMaps, seatedTravelers } from '../steps/seat-maps.ts';
import { limitLine, personLine, section, tripSection } from '../views/terms-text.ts';
import { defineBookingChange, type RefusingAct } from './booking-change.ts';

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
  reading({ seats }, booking, { digest }) {
    if (booking.travelers.length === 0) return 'void';
    return together(seats.map((aim) => judgeSeat(aim, booking, digest)));
  },
  toCheck: () => 'which seats the passengers have now',
};

function judgeSeat(aim: SeatAim, booking: Booking, digest: Digest): Verdict {
  const { segmentRef, was, wanted } = aim;
  const traveler = findTraveler(booking, aim, digest);
  if (traveler === undefined) return 'contradicted';
  const now = assignedSeat(booking, traveler.ref, segmentRef);
  if (sameSeat(now, wanted)) return 'done';
  // The airline may not show seats at all.
  if (now === undefined) return was === undefined ? 'void' : 'contradicted';
  return was !== undefined && sameSeat(now, was) ? 'not_done' : 'contradicted';
}

/** Which differences between two readings our own change made: watching reports no finding of them. */
const seated =
  ({ flight, who, was: earlier, wanted }: SeatAim): OperationEffect =>
  ({ before, reading, isDone, isLate }) => {
    const on = flight && nearest(before.segments, flight);
    const ofSegment = before.coupons.filter(({ segment = -1 }) => on !== undefined && before.segments[segment] === on);
    // A ticket that names no passenger is known by its seat.
    const isTravelers = (coupon: KeptCoupon) =>
      coupon.who === undefined ? earlier && isSeat(coupon.seat ?? '', earlier) : coupon.who === shortDigest(who);
    const at = before.coupons.findIndex((candidate) => ofSegment.includes(candidate) && isTravelers(candidate));
    const was = before.coupons[at];
    if (was === undefined) return before;
    const now = couponHeirs(before, reading).get(was);
    if (now?.seat === undefined) return undefined;
    const isThere = isSeat(now.seat, wanted);
    if (!isThere && !(isDone && (isLate || now.seat !== was.seat))) return undefined;
    const { coach, seat } = wanted;
    const text = isThere ? now.seat : [coach, seat].filter(Boolean).join('/');
    return { ...before, coupons: before.coupons.with(at, { ...was, seat: text }) };
  };

/** `text` as a reading keeps it, `4/12A`. A coach that is not named matches any. */
function isSeat(text: string, wanted: SeatAim['wanted']): boolean {
  const [seat = '', coach] = text.split('/').toReversed();
  return sameSeat({ seat, coach }, wanted);
}

const act: RefusingAct<AssignSeats> = {
  ...seatsEvidence,
  countedAs: 'change',
  scope: 'air:book',
  word: 'change of seats',
  title: ({ seats }) => (seats.length === 1 ? 'Seat changed' : 'Seats changed'),
  changes: ({ seats }, booking) =>
    seats.map(({ travelerRef, segmentRef, wanted }) => {
      const place = assignedSeat(booking, travelerRef, segmentRef) ?? wanted;
      const segment = segmentsOf(booking).find(({ ref }) => ref === segmentRef);
      const flight = segment === undefined ? '' : ` on ${flightName(segment)}`;
      return `${passengerName(booking, travelerRef)}: ${seatWords(place)}${flight}`;
    }),
  effects: ({ seats }) => seats.map(seated),
  closes: (_, { kind }) => kind === 'seat_changed',
  whyNot: (booking, when) => whyNotUpdate(booking, when) ?? whyNotSeatMap(booking, when.now),
  whyNotSegments: (booking, { now }) => refusedSegments(booking, (segment) => whyNotSeatsOn(booking, segment, now)),
};

/** Why nobody's seat on the segment can be changed; undefined if anybody's can. */
function whyNotSeatsOn(booking: Booking, segment: Segment, now: number): Refusal | undefined {
  const reasons = booking.travelers.map(({ ref }) => whyNotSeat(booking, segment, ref, now));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function whyNotSeat(booking: Booking, segment: Segment, travelerRef: string, now: number): Refusal | undefined {
  if (segmentStatus(segment.statusCode) === 'cancelled') return notPermitted(`segment ${segment.ref} is cancelled`);
  const early = departed(segment, now) ?? sharedPointer(booking, segment);
  return early ?? closedCoupon(booking, { segmentRefs: [segment.ref], travelerRefs: [travelerRef] });
}

const input = () => ({
  seats: noted(
    'One entry for each passenger and flight or train.',
    listOf(z.strictObject({ segment_ref: segmentRef(), passenger_ref: passengerRef(), seat: seat() }), 1, 40),
  ),
});

type SeatInput = ArgsOf<typeof input>['seats'][number];

const assigned = () =>
  z.object({
    ...strings(usual('segment_ref', 'passenger_ref')),
    ...optionalStrings({ was: 'the seat before' }),
    ...strings({ now: 'the seat now' }),
    ...optionalStrings(usual('provider_ticket')),
  });

const output = () => ({ seats: noted('one entry for each seat', z.array(assigned())) });

export const assignSeats = defineBookingChange({
  act,
  name: 'assign_seats',
  title: 'Assign seats',
  description: 'Give passengers of a paid booking other seats, from get_seat_map. Once ticketed a person approves.',
  toolset: 'desk',
  example: `${OF} seats.0.segment_ref=1 seats.0.passenger_ref=1 seats.0.seat=4-52`,
  input,
  output,

  async terms(booking, args, ctx) {
    const faults = args.seats.flatMap((wish, i) => unknownSeatRefs(booking, wish, `seats[${i}]`));
    if (faults.length > 0) throw inputFaults(faults);
    for (const { segment_ref: ref, passenger_ref: who } of args.seats) {
      const segment = activeSegments(booking).find((active) => active.ref === ref);
      if (segment !== undefined) refuse(booking, whyNotSeat(booking, segment, who, ctx.now()));
    }
    const segments = activeSegments(booking).filter(({ ref }) => args.seats.some((wish) => wish.segment_ref === ref));
    const maps = await readSeatMaps(booking, segments, seatedTravelers(booking), ctx);
    const found = findSeats(booking, args.seats, maps);
    const choices = found.map(({ choice }) => choice);
    const until = fareDeadlines(booking.pricing).namesUntil;
    return {
      sections: [
        section(
          'act',
          `Change ${found.length === 1 ? 'a seat' : `${found.length} seats`} of booking ${booking.locator}.`,
        ),
        section('people', ...found.map((change) => seatLine(booking, change, ctx))),
        tripSection(segments, ctx),
        section('note', 'The airline states no price for a change of seats.', limitLine('Seats', until, booking)),
      ],
      act: `Change ${found.length === 1 ? 'the seat' : 'seats'} on ${booking.locator}`,
      ask: !isProvablyUnpaid(booking),
      sold: soldFacts(booking, { segments, passengers: args.seats.map((wish) => wish.passenger_ref) }),
      subject: expectAssignedSeats(booking, choices, ctx.identity),
      modification: { kind: 'assign_seats', booking, seats: choices },
    };
  },

  report(done) {
    const seats = seatsNow(done);
    const what = seats.length === 1 ? 'Seat' : 'Seats';
    return {
      summary: `${what} changed in booking ${done.operation.locator}. The airline sends the changed tickets itself.`,
      added: { seats },
      changed: seats.map(
        ({ passenger_ref, segment_ref, now }) => `passenger ${passenger_ref}, segment ${segment_ref}: seat ${now}`,
      ),
    };
  },

  text: ({ seats = [] }) =>
    table(
      seats.map(({ segment_ref, passenger_ref, was, now, provider_ticket: provider }) => [
        `segment ${segment_ref}`,
        `passenger ${passenger_ref}`,
        was === undefined ? `seat ${now}` : `seat ${was} → ${now}`,
        provider === undefined ? '' : `operator's ticket ${provider}`,
      ]),
    ),
});

function unknownSeatRefs(booking: Booking, wish: SeatInput, field: string): readonly InputFault[] {
  const segments = activeSegments(booking);
  const segment = segments.find(({ ref }) => ref === wish.segment_ref);
  if (segment === undefined)
    return unknownRefs(segments, [wish.segment_ref], `${field}.segment_ref`, 'the active segments are');
  const seated = aboard(seatedTravelers(booking), segment);
  return unknownRefs(seated, [wish.passenger_ref], `${field}.passenger_ref`, 'the passengers with a seat on it are');
}

function seatLine(booking: Booking, { choice, was, place }: FoundSeat, ctx: ToolContext): string {
  const traveler = booking.travelers.find(({ ref }) => ref === choice.travelerRef);
  const who = traveler === undefined ? `Passenger ${cleanRef(choice.travelerRef)}` : personLine(traveler);
  const before = was === undefined ? 'no seat' : seatWords(was);
  const segment = activeSegments(booking).find(({ ref }) => ref === choice.segmentRef);
  const where = `${vehicleOf(ctx.settings)} ${segment === undefined ? choice.segmentRef : flightName(segment)}`;
  return `${who}, ${where}: was ${before}, now ${seatWords(place)}${place.kind && ` (${place.kind})`}`;
}

/** Takes each new seat from the booking if it was read again, or from the request. */
function seatsNow({ booking, operation }: Done<unknown>): ResultOf<typeof output>['seats'] {
  const aims = expectedBy(act, operation)?.seats ?? [];
  return aims.map(({ segmentRef, travelerRef, was, wanted }) => {
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

/** A seat on the map. `kind`: `window`, `aisle` or empty. */
interface MapSeat extends SeatPlace {
  readonly status: Seat['status'];
  readonly kind: string;
}

interface Located {
  readonly wish: SeatInput;
  readonly was: SeatPlace | undefined;
  readonly place: MapSeat;
}

interface FoundSeat extends Located {
  readonly choice: SeatChoice;
}

/** `4-52`, or `52` where no coach is known. */
function placeText({ seat, coach }: SeatPlace): string {
  return coach === undefined ? cleanCode(seat, 8) : `${cleanCode(coach, 8)}-${cleanCode(seat, 8)}`;
}

/**
 * The wanted seats that passengers do not have yet. Each must be free, or given up in the same call. Throws E_INPUT,
 * E_SOLD_OUT, E_ALREADY_DONE.
 */
function findSeats(
  booking: Booking,
  wished: readonly SeatInput[],
  maps: readonly SegmentSeatMap[],
): readonly FoundSeat[] {
  const found = wished.map((wish, i): Located => {
    const seats = maps.filter((map) => map.segment.ref === wish.segment_ref).flatMap(seatsOnMap);
    const was = assignedSeat(booking, wish.passenger_ref, wish.segment_ref);
    return { wish, was, place: findSeat(wish.seat, was, seats, `seats[${i}].seat`) };
  });
  assertDifferentSeats(found);
  const moving = found.filter(({ was, place }) => !sameSeat(was, place));
  for (const change of moving) assertFree(booking, change, moving);
  if (moving.length === 0) {
    const what = `Booking ${booking.locator} has these seats already.`;
    throw notSent('E_ALREADY_DONE', what, 'Call read_booking to see the seats.');
  }
  return moving.map((located) => {
    const { wish, was, place } = located;
    const isOtherCoach =
      was?.coach !== undefined && place.coach !== undefined && !sameSeat({ ...was, seat: '' }, { ...place, seat: '' });
    const { segment_ref: segmentRef, passenger_ref: travelerRef } = wish;
    const choice = { segmentRef, travelerRef, seat: place.seat, coach: isOtherCoach ? (place.coach ?? '') : undefined };
    return { ...located, choice };
  });
}

function seatsOnMap(map: SegmentSeatMap): MapSeat[] {
  return map.cabins.flatMap((cabin) => {
    const coach = cabin.zones[0]?.code;
    return cabin.rows.flatMap((row) =>
      row.seats.map(({ number, status, window, aisle }) => ({
        seat: number,
        status,
        kind: seatKind({ window, aisle }),
        coach,
      })),
    );
  });
}

function seatKind({ window, aisle }: { readonly window?: boolean; readonly aisle?: boolean }): string {
  if (window) return 'window';
  return aisle ? 'aisle' : '';
}

/**
 * `4-52` is seat 52 of coach 4 (zone code of the map); `52` is the only seat with that number, or the one in the traveller's
 * own coach.
 */
function findSeat(written: string, was: SeatPlace | undefined, seats: readonly MapSeat[], field: string): MapSeat {
  const [coach, seat = ''] = written.includes('-') ? written.split('-', 2) : [undefined, written];
  const numbered = seats.filter((candidate) => sameSeat(candidate, { seat }));
  const named = numbered.filter((candidate) => sameSeat(candidate, { seat, coach }));
  const inSameCoach = named.filter(
    (candidate) => was?.coach !== undefined && sameSeat(candidate, { seat, coach: was.coach }),
  );
  const [place] = inSameCoach.length === 1 ? inSameCoach : named;
  if (place !== undefined && inSameCoach.length !== 1 && numbered.length > 1) throw ambiguousNumber(numbered);
  if (place !== undefined) return place;
  const wantedCoach = coach ?? was?.coach;
  const free = seats.filter(
    (candidate) => candidate.status === 'free' && (wantedCoach === undefined || candidate.coach === wantedCoach),
  );
  const freeSeats = free.slice(0, 6).map(placeText).join(', ');
  const problem =
    freeSeats === '' ? 'expected a seat on the map.' : `expected a seat on the map; free are ${freeSeats}.`;
  throw inputError(field, problem, 'Call get_seat_map for the seats of this flight.');
}

/** The airline's request names a seat number alone: if several coaches have it, at best it means the traveller's own coach. */
function ambiguousNumber(places: readonly MapSeat[]): ClerkError {
  const where = places.map(placeText).slice(0, 6).join(', ');
  const why = `the airline's message names no coach, and several have this number: ${where}`;
  return notSent(
    'E_NOT_PERMITTED',
    `The airline cannot be asked for this seat: ${why}.`,
    'Call get_seat_map and choose a seat whose number is in one coach only, or one in the passenger’s own coach.',
  );
}

function assertDifferentSeats(found: readonly Located[]): void {
  for (const [i, { wish, place }] of found.entries()) {
    const before = found.slice(0, i).filter((earlier) => earlier.wish.segment_ref === wish.segment_ref);
    if (before.some((earlier) => earlier.wish.passenger_ref === wish.passenger_ref)) {
      throw inputError(`seats[${i}].passenger_ref`, 'expected each passenger once on a segment.');
    }
    if (before.some((earlier) => sameSeat(earlier.place, place))) {
      throw inputError(`seats[${i}].seat`, 'expected each seat once on a segment.');
    }
  }
}

function assertFree(booking: Booking, { wish, place }: Located, moving: readonly Located[]): void {
  if (place.status === 'free') return;
  const givenUp = moving.some(
    (other) => other.wish.segment_ref === wish.segment_ref && other.was !== undefined && sameSeat(other.was, place),
  );
  if (place.status === 'yours' && givenUp) return;
  const holder = booking.travelers.find(({ ref }) => sameSeat(assignedSeat(booking, ref, wish.segment_ref), place));
  const by = place.status === 'yours' && holder ? `the seat of passenger ${holder.ref} of this booking` : 'taken';
  const what = `Segment ${wish.segment_ref}, ${seatWords(place)}: it is ${by}.`;
  throw notSent('E_SOLD_OUT', what, 'Call get_seat_map for the seats that are free.');
}
