import * as z from 'zod';
import type { Booking } from '../domain/booking/booking.ts';
import { activeSegments } from '../domain/booking/expected-change.ts';
import type { Segment } from '../domain/booking/itinerary.ts';
import type { Traveler } from '../domain/people/traveler.ts';
import { inputError } from '../errors.ts';
import { readNow } from './definition/cancel.ts';
import { defineTool, once } from './definition/define.ts';
import { detail, locator, refs } from './definition/input-fields.ts';
import { noteBooking } from './definition/record-booking.ts';
import { refuse, whyNotSeatMap } from './rules/permissions.ts';
import { LEGEND, segmentSeatsSchema, viewSeatMap } from './views/seat-map.ts';

const input = once(() =>
  z.strictObject({
    locator: locator(),
    segment_refs: refs().optional(),
    passenger_refs: refs().optional(),
    detail: detail().optional(),
  }),
);

const output = once(() => z.object({ legend: z.string(), segments: z.array(segmentSeatsSchema()) }));

export const getSeatMap = defineTool({
  name: 'get_seat_map',
  title: 'Get seat map',
  description: "Seats of a paid booking's segments by coach and row; detail full lists every seat.",
  toolset: 'core',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotSeatMap(booking, ctx.now()));
    const segments = segmentsNamed(booking, args.segment_refs);
    const travelers = travelersNamed(booking, args.passenger_refs);
    const requests = segments.map((segment) => ({ segment, travelerRefs: aboard(travelers, segment) }));
    const maps = await ctx.airline.seatMap(
      {
        locator: booking.locator,
        requests: requests.filter(({ travelerRefs }) => travelerRefs.length > 0),
        travelers,
        source: booking.source,
      },
      ctx.signal ? { signal: ctx.signal } : {},
    );
    await noteBooking(ctx, booking, false);
    return { legend: LEGEND, segments: maps.map((map) => viewSeatMap(booking, map, args.detail === 'full')) };
  },

  text({ legend, segments }) {
    return [
      `Seats: ${legend}.`,
      ...segments.flatMap((segment) => [
        `Segment ${segment.segment_ref}, ${segment.flight}`,
        ...segment.cabins.flatMap((cabin) => [
          `  ${cabinText(cabin)}: ${cabin.free} free, ${cabin.occupied} taken`,
          ...cabin.rows.map((row) => `    ${row}`),
          ...cabin.yours.map(
            (own) =>
              `    passenger ${own.passenger_ref ?? '?'} has ${own.coach ? `coach ${own.coach} ` : ''}seat ${own.seat}`,
          ),
        ]),
      ]),
    ].join('\n');
  },
});

/** `coach 3, economy (Quiet coach)`. */
function cabinText({ cabin, coach, zone }: z.output<ReturnType<typeof segmentSeatsSchema>>['cabins'][number]): string {
  const name = zone?.name === undefined ? '' : ` (${zone.name})`;
  return `${coach === undefined ? '' : `coach ${coach}, `}${cabin}${name}`;
}

function segmentsNamed(booking: Booking, given: readonly string[] | undefined): readonly Segment[] {
  const active = activeSegments(booking);
  if (given === undefined) return active;
  const wrong = given.find((ref) => !active.some((segment) => segment.ref === ref));
  if (wrong === undefined) return active.filter((segment) => given.includes(segment.ref));
  throw inputError('segment_refs', `expected refs of active segments: ${active.map(({ ref }) => ref).join(', ')}.`);
}

/** Lap infants have no seat of their own. */
function travelersNamed(booking: Booking, given: readonly string[] | undefined): readonly Traveler[] {
  const seated = booking.travelers.filter(({ type }) => type !== 'INF');
  if (given === undefined) return seated;
  const wrong = given.find((ref) => !seated.some((traveler) => traveler.ref === ref));
  if (wrong === undefined) return seated.filter((traveler) => given.includes(traveler.ref));
  const known = seated.map(({ ref }) => ref).join(', ');
  throw inputError('passenger_refs', `expected refs of passengers with a seat: ${known}.`);
}

function aboard(travelers: readonly Traveler[], segment: Segment): readonly string[] {
  return travelers
    .filter(({ segmentRefs }) => segmentRefs.length === 0 || segmentRefs.includes(segment.ref))
    .map(({ ref }) => ref);
}
