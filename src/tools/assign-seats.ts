import * as z from 'zod';
import type { Booking } from '../domain/booking/booking.ts';
import { fareDeadlines } from '../domain/booking/deadlines.ts';
import { activeSegments } from '../domain/booking/expected-change.ts';
import { assignSeatsSubject, couponOf, seatOf } from '../domain/booking/expected-details.ts';
import { isProvablyUnpaid } from '../domain/booking/payment-state.ts';
import { cleanCode } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { inputError } from '../errors.ts';
import { type ModifySend, readNow } from './definition/cancel.ts';
import { type Done, defineGuardedTool, once, type ToolContext } from './definition/define.ts';
import { approvalId, checked, listOf, locator, text } from './definition/input-fields.ts';
import { type FoundSeat, findSeats, placeText, placeWords, type SeatInput } from './rules/choose-seats.ts';
import { refuse, whyNotSeat, whyNotSeats } from './rules/permissions.ts';
import { table } from './views/table.ts';
import { flightLine, personLine } from './views/terms-lines.ts';

const seat = () =>
  z
    .string()
    .overwrite((value) => value.trim().toUpperCase())
    .check(
      checked((value) =>
        /^(?:[A-Z0-9]{1,6}-)?[A-Z0-9]{1,6}$/.test(value)
          ? undefined
          : 'expected a seat such as 52, or 4-52 with its coach',
      ),
    )
    .describe('coach-seat of get_seat_map: 4-52');

const input = once(() =>
  z.strictObject({
    locator: locator(),
    seats: listOf(z.strictObject({ segment_ref: text(12), passenger_ref: text(12), seat: seat() }), 1, 40),
    approval_id: approvalId(),
  }),
);

const output = once(() =>
  z.object({
    seats: z.array(
      z.object({
        segment_ref: z.string(),
        passenger_ref: z.string(),
        was: z.string().optional(),
        now: z.string(),
        provider_ticket: z.string().optional(),
      }),
    ),
  }),
);

type Args = z.output<ReturnType<typeof input>>;
type Output = z.input<ReturnType<typeof output>>;

export const assignSeats = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, ModifySend>({
  name: 'assign_seats',
  title: 'Assign seats',
  description: 'Give passengers of a paid booking other seats of get_seat_map. Once ticketed a person approves.',
  toolset: 'desk',
  effect: 'commit',
  input,
  output,

  async preview(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotSeats(booking, ctx.now()));
    for (const [i, wish] of args.seats.entries()) assertSeated(booking, wish, `seats[${i}]`, ctx.now());
    const found = findSeats(booking, args.seats, await mapsOf(booking, args.seats, ctx));
    const choices = found.map(({ choice }) => choice);
    const until = fareDeadlines(booking.pricing).namesUntil;
    return {
      locator: booking.locator,
      booking,
      lines: [
        `Change ${found.length === 1 ? 'a seat' : `${found.length} seats`} of booking ${booking.locator}:`,
        ...found.map((one) => seatLine(booking, one)),
        ...activeSegments(booking)
          .filter(({ ref }) => choices.some(({ segmentRef }) => segmentRef === ref))
          .map((segment) => flightLine(segment)),
        'The airline names no price for a change of seats.',
        ...(until === undefined ? [] : [`Seats can be changed until ${until}.`]),
      ],
      act: `Change ${found.length === 1 ? 'the seat' : 'seats'} on ${booking.locator}`,
      ask: !isProvablyUnpaid(booking),
      subject: assignSeatsSubject(booking, choices, ctx.identity),
      send: { modification: { kind: 'assign_seats', booking, seats: choices } },
    };
  },

  async commit(confirmed, ctx) {
    return { booking: await ctx.airline.modify(confirmed) };
  },

  report(done) {
    const seats = seatsNow(done);
    return {
      added: { seats },
      changed: seats.map(
        ({ passenger_ref, segment_ref, now }) => `passenger ${passenger_ref}, segment ${segment_ref}: seat ${now}`,
      ),
    };
  },

  text({ seats = [] }, { operation }) {
    return [
      `Seats changed in booking ${operation.locator}; the airline sends word of the new tickets itself.`,
      ...table(
        seats.map(({ segment_ref, passenger_ref, was, now, provider_ticket: provider }) => [
          `segment ${segment_ref}`,
          `passenger ${passenger_ref}`,
          was === undefined ? now : `${was} -> ${now}`,
          provider === undefined ? '' : `ticket of the operator ${provider}`,
        ]),
      ),
    ].join('\n');
  },
});

function assertSeated(booking: Booking, wish: SeatInput, field: string, now: number): void {
  const segments = activeSegments(booking);
  const segment = segments.find(({ ref }) => ref === wish.segment_ref);
  if (segment === undefined) {
    const known = segments.map(({ ref }) => ref).join(', ');
    throw inputError(`${field}.segment_ref`, `expected a ref of an active segment: ${known}.`);
  }
  const aboard = booking.travelers.filter(
    ({ type, segmentRefs }) => type !== 'INF' && (segmentRefs.length === 0 || segmentRefs.includes(segment.ref)),
  );
  if (!aboard.some(({ ref }) => ref === wish.passenger_ref)) {
    const known = aboard.map(({ ref }) => ref).join(', ');
    throw inputError(`${field}.passenger_ref`, `expected a ref of a passenger with a seat on it: ${known}.`);
  }
  refuse(booking, whyNotSeat(booking, segment, wish.passenger_ref, now));
}

/** The maps of the segments named, drawn for all passengers of the booking who have a seat on them. */
function mapsOf(booking: Booking, wished: readonly SeatInput[], ctx: ToolContext) {
  const travelers = booking.travelers.filter(({ type }) => type !== 'INF');
  const segments = activeSegments(booking).filter(({ ref }) => wished.some((wish) => wish.segment_ref === ref));
  const requests = segments.map((segment) => ({
    segment,
    travelerRefs: travelers
      .filter(({ segmentRefs }) => segmentRefs.length === 0 || segmentRefs.includes(segment.ref))
      .map(({ ref }) => ref),
  }));
  return ctx.airline.seatMap(
    { locator: booking.locator, requests, travelers, source: booking.source },
    ctx.signal ? { signal: ctx.signal } : {},
  );
}

function seatLine(booking: Booking, { choice, was, place, kind }: FoundSeat): string {
  const traveler = booking.travelers.find(({ ref }) => ref === choice.travelerRef);
  const who = traveler === undefined ? `Passenger ${choice.travelerRef}` : personLine(traveler);
  const before = was === undefined ? 'no seat' : placeWords(was);
  return `${who}, flight ${choice.segmentRef}: was ${before}, now ${placeWords(place)}${kind && ` (${kind})`}`;
}

/** The seat now is the airline's own where it was read back. */
function seatsNow({ booking, operation: { subject } }: Done<Args>): Output['seats'] {
  const aims = subject.kind === 'assign_seats' ? subject.seats : [];
  return aims.map(({ segmentRef, travelerRef, was, wanted }) => {
    const provider = booking && couponOf(booking, travelerRef, segmentRef)?.providerTicket;
    return omitUndefined({
      segment_ref: segmentRef,
      passenger_ref: travelerRef,
      was: was && placeText(was),
      now: placeText((booking && seatOf(booking, travelerRef, segmentRef)) ?? wanted),
      provider_ticket: provider === undefined ? undefined : cleanCode(provider, 40),
    });
  });
}
