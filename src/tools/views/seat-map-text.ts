/** Seat maps as text: the rows as drawn, who has which seat, and what the airline says of the seats. */
import type { CabinView, SegmentSeatsView, TakenSeatView } from './seat-map.ts';

type SeatView = NonNullable<CabinView['seats']>[number];

export function seatMapText(legend: string, segments: readonly SegmentSeatsView[]): string[] {
  return [
    `${legend}.`,
    ...segments.flatMap((segment) => [
      `Segment ${segment.segment_ref}, ${segment.flight}`,
      ...segment.cabins.flatMap((cabin) => [
        `  ${cabinText(cabin)}: ${cabin.free} free, ${cabin.occupied} taken`,
        ...cabin.rows.map((row) => `    ${row}`),
        ...featureLines(cabin),
        ...(cabin.yours ?? []).map((takenSeat) => `    ${takenSeatText(takenSeat, cabin)}`),
      ]),
    ]),
  ];
}

/** `coach 3, economy (Quiet coach)`. */
function cabinText({ cabin, coach, name }: CabinView): string {
  return `${coach === undefined ? '' : `coach ${coach}, `}${cabin}${name === undefined ? '' : ` (${name})`}`;
}

/** `passenger 3 Sami Haddad: coach 3 seat 58, window, facing backward`. Only full detail says what the seat is like. */
function takenSeatText(
  { passenger_ref: ref, name, seat, ...seatFacts }: TakenSeatView,
  { coach = '', seats = [] }: CabinView,
): string {
  const at = seatFacts.coach ?? coach;
  const mine = seats.find((one) => one.seat === seat && one.status === 'yours');
  const where = [`${at === '' ? '' : `coach ${at} `}seat ${seat}`, ...(mine ? featuresOf(mine) : [])].join(', ');
  if (ref === undefined) return `this booking, the airline does not say for whom: ${where}`;
  return `passenger ${ref}${name === undefined ? '' : ` ${name}`}: ${where}`;
}

/** The free seats by what the airline says of them. Only full detail lists seats. */
function featureLines({ seats = [] }: CabinView): string[] {
  const free = seats.filter(({ status }) => status === 'free');
  const groups = new Map<string, SeatView[]>();
  for (const seat of free) {
    for (const feature of featuresOf(seat)) groups.set(feature, [...(groups.get(feature) ?? []), seat]);
  }
  return [...groups].map(([feature, ofFeature]) => {
    const which = ofFeature.length === free.length ? 'all free seats' : ofFeature.map(({ seat }) => seat).join(' ');
    return `    ${feature}: ${which}`;
  });
}

function featuresOf({ window, aisle, facing, amenities = [] }: SeatView): string[] {
  return [
    ...(window ? ['window'] : []),
    ...(aisle ? ['aisle'] : []),
    ...(facing ? [`facing ${facing}`] : []),
    ...amenities,
  ];
}
