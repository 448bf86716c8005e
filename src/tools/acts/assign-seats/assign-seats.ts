import * as z from 'zod';
import { passengerName, placeText as seatText } from '../../../approvals/outcome-words.ts';
import { cleanCode, cleanRef } from '../../../core/clean-text.ts';
import { type InputFault, inputFaults } from '../../../core/errors.ts';
import { table } from '../../../core/words.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../../../domain/booking/booking.ts';
import { fareDeadlines } from '../../../domain/booking/booking-state.ts';
import { assignedSeat, findCoupon, type SeatAim } from '../../../domain/booking/expected-change.ts';
import { flightName } from '../../../domain/booking/flight-name.ts';
import { type KeptCoupon, short } from '../../../domain/booking/kept-reading.ts';
import { nearest, type OperationEffect } from '../../../domain/booking/operation-effects.ts';
import { isProvablyUnpaid } from '../../../domain/booking/paid-and-refunded.ts';
import { couponHeirs } from '../../../domain/booking/pair-readings.ts';
import { segmentStatus } from '../../../domain/booking/status-codes.ts';
import { type ActPart, expectedBy } from '../../../journal/act.ts';
import { defineBookingChange } from '../../definition/booking-change.ts';
import { type Done, type ResultOf, type ToolContext, vehicleOf } from '../../definition/define.ts';
import { OF } from '../../definition/example-inputs.ts';
import { noted, optionalStrings, strings, usual } from '../../definition/field-notes.ts';
import { listOf, passengerRef, seat, segmentRef } from '../../definition/input-fields.ts';
import { type FoundSeat, findSeats, placeText, placeWords, type SeatInput } from '../../rules/choose-seats.ts';
import { unknownRefs } from '../../rules/find-by-ref.ts';
import {
  closedCoupon,
  departed,
  refusedSegments,
  sharedPointer,
  whyNotSeatMap,
  whyNotUpdate,
} from '../../rules/permissions.ts';
import { notPermitted, type Refusal, refuse } from '../../rules/refusal.ts';
import { aboard, readSeatMaps, seatedTravelers } from '../../steps/seat-maps.ts';
import { limitLine, personLine, section, tripSection } from '../../views/terms-lines.ts';
import { type AssignSeats, expectAssignedSeats, seatsEvidence } from './evidence.ts';

/** Which differences between two readings our own change made: watching reports no finding of them. */
const seated =
  ({ flight, who, was: earlier, wanted }: SeatAim): OperationEffect =>
  ({ before, reading, isDone, isLate }) => {
    const on = flight && nearest(before.segments, flight);
    const ofSegment = before.coupons.filter(({ segment = -1 }) => on !== undefined && before.segments[segment] === on);
    // A ticket that names no passenger is known by its seat.
    const isOf = (coupon: KeptCoupon) =>
      coupon.who === undefined ? earlier && isSeat(coupon.seat ?? '', earlier) : coupon.who === short(who);
    const at = before.coupons.findIndex((one) => ofSegment.includes(one) && isOf(one));
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

const fold = (text: string): string => text.trim().toUpperCase().replace(/^0+/, '');

/** `text` as a reading keeps it, `4/12A`. A coach that is not named matches any. */
function isSeat(text: string, { coach, seat }: SeatAim['wanted']): boolean {
  const [number = '', of] = text.split('/').toReversed();
  return fold(number) === fold(seat) && (coach === undefined || of === undefined || fold(of) === fold(coach));
}

const act: ActPart<AssignSeats> = {
  ...seatsEvidence,
  countedAs: 'change',
  scope: 'air:book',
  word: 'change of seats',
  title: ({ seats }) => (seats.length === 1 ? 'Seat changed' : 'Seats changed'),
  changes: ({ seats }, booking) =>
    seats.map(({ travelerRef, segmentRef, wanted }) => {
      const place = assignedSeat(booking, travelerRef, segmentRef) ?? wanted;
      const segment = segmentsOf(booking).find((one) => one.ref === segmentRef);
      const flight = segment === undefined ? '' : ` on ${flightName(segment)}`;
      return `${passengerName(booking, travelerRef)}: ${seatText(place)}${flight}`;
    }),
  effects: ({ seats }) => seats.map(seated),
  closes: (_, { kind }) => kind === 'seat_changed',
  whyNot: (booking, { now }) => whyNotSeats(booking, now),
  whyNotSegments: (booking, { now }) => refusedSegments(booking, (segment) => whyNotSeatsOn(booking, segment, now)),
};

function whyNotSeats(booking: Booking, now: number): Refusal | undefined {
  return whyNotUpdate(booking, now) ?? whyNotSeatMap(booking, now);
}

/** For everybody on it. */
function whyNotSeatsOn(booking: Booking, segment: Segment, now: number): Refusal | undefined {
  const reasons = booking.travelers.map(({ ref }) => whyNotSeat(booking, segment, ref, now));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function whyNotSeat(booking: Booking, segment: Segment, travelerRef: string, now: number): Refusal | undefined {
  if (segmentStatus(segment.statusCode) === 'cancelled') return notPermitted(`segment ${segment.ref} is cancelled`);
  const early = departed(segment, now) ?? sharedPointer(booking, segment);
  return early ?? closedCoupon(booking, { segmentRefs: [segment.ref], travelerRefs: [travelerRef] });
}

const given = () =>
  z.object({
    ...strings(usual('segment_ref', 'passenger_ref')),
    ...optionalStrings({ was: 'the seat before' }),
    ...strings({ now: 'the seat now' }),
    ...optionalStrings(usual('provider_ticket')),
  });

const output = () => ({ seats: noted('one entry for each seat', z.array(given())) });

export const assignSeats = defineBookingChange({
  act,
  name: 'assign_seats',
  title: 'Assign seats',
  description: 'Give passengers of a paid booking other seats, from get_seat_map. Once ticketed a person approves.',
  toolset: 'desk',
  example: `${OF} seats.0.segment_ref=1 seats.0.passenger_ref=1 seats.0.seat=4-52`,
  input: () => ({
    seats: noted(
      'One entry for each passenger and flight or train.',
      listOf(z.strictObject({ segment_ref: segmentRef(), passenger_ref: passengerRef(), seat: seat() }), 1, 40),
    ),
  }),
  output,

  whyNot: (booking, ctx) => whyNotSeats(booking, ctx.now()),

  async terms(booking, args, ctx) {
    const faults = args.seats.flatMap((wish, i) => unknownSeated(booking, wish, `seats[${i}]`));
    if (faults.length > 0) throw inputFaults(faults);
    for (const { segment_ref: ref, passenger_ref: who } of args.seats) {
      const segment = activeSegments(booking).find((one) => one.ref === ref);
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
        section('people', ...found.map((one) => seatLine(booking, one, ctx))),
        tripSection(segments, ctx),
        section('note', 'The airline states no price for a change of seats.', limitLine('Seats', until, booking)),
      ],
      act: `Change ${found.length === 1 ? 'the seat' : 'seats'} on ${booking.locator}`,
      ask: !isProvablyUnpaid(booking),
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

function unknownSeated(booking: Booking, wish: SeatInput, field: string): readonly InputFault[] {
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
  const before = was === undefined ? 'no seat' : placeWords(was);
  const segment = activeSegments(booking).find(({ ref }) => ref === choice.segmentRef);
  const where = `${vehicleOf(ctx.settings)} ${segment === undefined ? choice.segmentRef : flightName(segment)}`;
  return `${who}, ${where}: was ${before}, now ${placeWords(place)}${place.kind && ` (${place.kind})`}`;
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
