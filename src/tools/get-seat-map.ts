/** The tool that shows the seats of a paid booking, by coach and row, and whose they are. */
import * as z from 'zod';
import { cleanCode, cleanRef, plainText } from '../core/clean-text.ts';
import { counted, present } from '../core/words.ts';
import { activeSegments, type Booking } from '../domain/booking/booking.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import {
  type Seat,
  type SeatCabin,
  type SeatRow,
  type SegmentSeatMap,
  seatedTravelers,
} from '../domain/booking/seat-map.ts';
import { couponCounts } from '../domain/booking/status-codes.ts';
import { nameText } from '../domain/people/traveler.ts';
import { defineTool } from './definition/define.ts';
import { filled, listedWithoutShape, optionalStrings, optionalTexts, strings } from './definition/field-notes.ts';
import { detail, locator, partFields } from './definition/input-fields.ts';
import { whyNotReadYet } from './rules/done-here.ts';
import { manyByRef } from './rules/find-by-ref.ts';
import { refuse, whyNotSeatMap } from './rules/why-not.ts';
import { readNow } from './steps/record-booking.ts';
import { readSeatMaps } from './steps/seat-maps.ts';

const LEGEND = '31 free, (31) taken, 31* yours, | aisle; the front is not known; name a seat with its coach: 2-31';

export const getSeatMap = defineTool({
  name: 'get_seat_map',
  title: 'Get seat map',
  description: 'Seats of a paid booking by coach and row; detail full adds what each seat has.',
  toolset: 'core',
  view: 'seats',
  effect: 'read',

  input: () => ({
    locator: locator(),
    ...partFields(),
    detail: detail().optional(),
  }),

  output: () => ({
    ...strings('legend'),
    segments: z.array(segmentSeatsSchema()),
  }),

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    const now = ctx.now();
    refuse(booking, whyNotReadYet(booking, args.segment_refs, now) ?? whyNotSeatMap(booking, now));

    const segments = manyByRef(activeSegments(booking), args.segment_refs, 'segment_refs', 'the active segments are');
    const seated = seatedTravelers(booking);
    const travelers = manyByRef(seated, args.passenger_refs, 'passenger_refs', 'the passengers with a seat are');
    const maps = await readSeatMaps(booking, segments, travelers, ctx);
    const viewed = maps.map((map) => viewSeatMap(booking, map, args.detail === 'full'));
    return { summary: seatsSummary(viewed), legend: LEGEND, segments: viewed };
  },

  text: ({ legend, segments }) => [
    `${legend}.`,
    ...segments.flatMap(({ segment_ref: ref, flight, cabins }) => [
      `Segment ${cleanRef(ref)}, ${flight}`,
      ...cabins.flatMap((cabin) => [
        `  ${cabinText(cabin)}: ${cabin.free} free, ${cabin.occupied} taken`,
        ...cabin.rows.map((row) => `    ${row}`),
        ...featureLines(cabin),
        ...(cabin.yours ?? []).map((takenSeat) => `    ${takenSeatText(takenSeat, cabin)}`),
      ]),
    ]),
  ],
});

function segmentSeatsSchema() {
  const seat = z.object({
    ...strings('seat'),
    status: z.enum(['free', 'taken', 'yours']),
    window: z.literal(true).optional(),
    aisle: z.literal(true).optional(),
    ...optionalStrings('facing'),
    amenities: optionalTexts(),
  });

  const takenSeat = z.object({
    ...optionalStrings('passenger_ref', 'name'),
    ...strings('seat'),
    ...optionalStrings('coach'),
  });

  const cabin = z.object({
    ...strings('cabin'),
    ...optionalStrings('coach', 'name'),
    rows: z.array(z.string()),
    free: z.int(),
    occupied: z.int(),
    yours: z.array(takenSeat).optional(),
    seats: listedWithoutShape(z.array(seat).optional()),
  });

  return z.object({
    ...strings('segment_ref', 'flight'),
    cabins: z.array(cabin),
  });
}

export type SegmentSeatsView = z.input<ReturnType<typeof segmentSeatsSchema>>;
type CabinView = SegmentSeatsView['cabins'][number];
type SeatView = NonNullable<CabinView['seats']>[number];
type TakenSeatView = NonNullable<CabinView['yours']>[number];

/** `90 seats free, 76 taken on HHR101.` */
function seatsSummary(segments: readonly SegmentSeatsView[]): string {
  const sum = (counts: readonly number[]) => counts.reduce((all, each) => all + each, 0);
  const counts = segments.map(({ flight, cabins }) => {
    const free = sum(cabins.map((cabin) => cabin.free));
    return `${counted(free, 'seat')} free, ${sum(cabins.map((cabin) => cabin.occupied))} taken on ${flight}`;
  });
  return `${counts.join('; ')}.`;
}

function viewSeatMap(booking: Booking, map: SegmentSeatMap, full: boolean): SegmentSeatsView {
  return {
    segment_ref: map.segment.ref,
    flight: flightName(map.segment),
    cabins: map.cabins.map((cabin) => viewCabin(booking, map, cabin, full)),
  };
}

function viewCabin(booking: Booking, map: SegmentSeatMap, cabin: SeatCabin, full: boolean): CabinView {
  const seats = cabin.rows.flatMap((row) => row.seats);
  const coach = coachCode(cabin);
  const yours = seats
    .filter((seat) => seat.status === 'yours')
    .map((seat) => viewTakenSeat(booking, map, cabin, seat))
    .map((takenSeat) => ({ ...takenSeat, coach: takenSeat.coach === coach ? undefined : takenSeat.coach }));

  return {
    cabin: cabin.cabin,
    coach,
    name: cabinName(cabin, coach),
    rows: cabin.rows.map(drawRow),
    free: seats.filter((seat) => seat.status === 'free').length,
    occupied: seats.filter((seat) => seat.status === 'taken').length,
    yours: filled(yours),
    seats: full ? seats.map(viewSeat) : undefined,
  };
}

/** Gives the name of a cabin. Undefined if it only repeats the coach: `Coach 3`. */
function cabinName({ zones: [zone] }: SeatCabin, coach: string | undefined): string | undefined {
  const name = plainText(zone?.name ?? '', 40);
  return name === '' || name.toLowerCase() === `coach ${coach?.toLowerCase()}` ? undefined : name;
}

/** Gives the coach of a cabin: a cabin with a zone is one coach (docs/wire/notes.md, Replies, Seats). */
function coachCode({ zones: [zone] }: SeatCabin): string | undefined {
  return zone?.code === undefined ? undefined : cleanCode(zone.code);
}

function viewSeat(seat: Seat): SeatView {
  return {
    seat: cleanCode(seat.number),
    status: seat.status,
    window: seat.window ? (true as const) : undefined,
    aisle: seat.aisle ? (true as const) : undefined,
    facing: seat.facing,
    amenities: seat.amenities.length > 0 ? seat.amenities.map((text) => plainText(text, 40)) : undefined,
  };
}

/**
 * Shows a seat of this booking and who sits there:
 *
 *   one coupon names the seat              its passenger, in the coach of the coupon
 *   none does, or several                  the passenger for whom alone the map was requested, else nobody
 */
function viewTakenSeat(booking: Booking, map: SegmentSeatMap, cabin: SeatCabin, seat: Seat): TakenSeatView {
  const zoneCode = cabin.zones[0]?.code;
  const holders = seatHolders(booking, map.segment.ref, seat.number, zoneCode);
  const [holder] = holders.length === 1 ? holders : [];
  const [mappedRef] = map.travelerRefs.length === 1 ? map.travelerRefs : [];
  const ref = holder?.travelerRef ?? mappedRef;
  const coach = holder?.coach ?? zoneCode;
  const traveler = booking.travelers.find((each) => each.ref === ref);

  return {
    passenger_ref: ref,
    name: traveler?.name === undefined ? undefined : nameText(traveler),
    seat: cleanCode(seat.number),
    coach: coach === undefined ? undefined : cleanCode(coach),
  };
}

/** Finds the valid coupons with this seat. Where the coupon or the map names no coach, the number of the seat is enough. */
function seatHolders(booking: Booking, segmentRef: string, seatNumber: string, zoneCode: string | undefined) {
  return booking.tickets.flatMap(({ travelerRefs: [travelerRef], coupons }) =>
    coupons.flatMap(({ coach, ...coupon }) => {
      const isSeat = coupon.segmentRef === segmentRef && coupon.seat === seatNumber;
      const isCoach = coach === undefined || zoneCode === undefined || coach === zoneCode;
      return isSeat && isCoach && couponCounts(coupon.statusCode) ? [{ travelerRef, coach }] : [];
    }),
  );
}

/** `5: 31 (32) | 33* 34`: the row number, then each seat. */
function drawRow(row: SeatRow): string {
  const seats = row.seats.toSorted((a, b) => (a.column ?? 0) - (b.column ?? 0));
  const signs = seats.flatMap((seat, i) => [...aisleBetween(seats[i - 1], seat), drawSeat(seat)]).join(' ');
  const number = cleanCode(row.number, 6);
  return number === '' ? signs : `${number}: ${signs}`;
}

function drawSeat({ number, status }: Seat): string {
  const seatNumber = cleanCode(number, 8);
  if (status === 'free') return seatNumber;
  return status === 'yours' ? `${seatNumber}*` : `(${seatNumber})`;
}

/** Draws an aisle between two aisle seats and where a column is missing (docs/wire/notes.md, Seats). */
function aisleBetween(left: Seat | undefined, right: Seat): readonly string[] {
  if (left === undefined) return [];
  const isColumnMissing = left.column !== undefined && right.column !== undefined && right.column - left.column > 1;
  return isColumnMissing || (left.aisle && right.aisle) ? ['|'] : [];
}

/** `coach 3, economy (Quiet coach)`. */
function cabinText({ cabin, coach, name }: CabinView): string {
  return `${coach === undefined ? '' : `coach ${coach}, `}${cabin}${name === undefined ? '' : ` (${name})`}`;
}

/** `passenger 3 Sami Haddad: coach 3 seat 58, window, facing backward`. Only full detail says what the seat is like. */
function takenSeatText(takenSeat: TakenSeatView, cabin: CabinView): string {
  const { passenger_ref: ref, name, seat } = takenSeat;
  const coach = takenSeat.coach ?? cabin.coach ?? '';
  const seatView = cabin.seats?.find((each) => each.seat === seat && each.status === 'yours');
  const place = `${coach === '' ? '' : `coach ${coach} `}seat ${seat}`;
  const where = [place, ...(seatView === undefined ? [] : seatFeatures(seatView))].join(', ');
  if (ref === undefined) return `this booking, the airline does not say for whom: ${where}`;
  return `passenger ${cleanRef(ref)}${name === undefined ? '' : ` ${name}`}: ${where}`;
}

/** Lists the free seats that have each feature. Only full detail lists seats. */
function featureLines({ seats = [] }: CabinView): string[] {
  const freeSeats = seats.filter(({ status }) => status === 'free');
  const features = freeSeats.flatMap((seat) => seatFeatures(seat).map((feature) => ({ feature, number: seat.seat })));
  return [...Map.groupBy(features, ({ feature }) => feature)].map(([feature, having]) => {
    const isAll = having.length === freeSeats.length;
    return `    ${feature}: ${isAll ? 'all free seats' : having.map(({ number }) => number).join(' ')}`;
  });
}

function seatFeatures({ window, aisle, facing, amenities = [] }: SeatView): string[] {
  return present([window && 'window', aisle && 'aisle', facing && `facing ${facing}`, ...amenities]);
}
