/** Shows flights and trains: their names (`HHR101`, `LH1234`), days and routes, and how many seats are left. */
import { cleanCode } from '../../core/clean-text.ts';
import { dateOf, showDay } from '../../core/times.ts';
import type { Segment, SegmentOption } from './booking.ts';

/** The longest carrier code and flight number that are shown; longer ones are cut. */
const CARRIER_CHARS = 4;
const NUMBER_CHARS = 12;

/**
 * The carrier's code and the number: `HHR` and `101` become `HHR101`. A number that has the code already stays: `HHR101`.
 * Leaves out all but letters and digits of the code, and each `_` of the number, so that one flight has one name.
 */
function designator(carrier: string | undefined, number: string): string {
  const code = (carrier ?? '')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, CARRIER_CHARS)
    .toUpperCase();
  const digits = cleanCode(number.replaceAll('_', ''), NUMBER_CHARS);
  return digits.toUpperCase().startsWith(code) ? digits : `${code}${digits}`;
}

/** The parts of a segment that name it. */
type NamedFlight = Pick<Segment, 'marketing' | 'operating' | 'flightNumber'>;

/** The flight as sold: by marketing carrier, else operating carrier, else `carrier`. */
export function flightName(segment: NamedFlight, carrier?: string): string {
  const { marketing, operating } = segment;
  return designator(marketing?.carrier ?? operating?.carrier ?? carrier, segment.flightNumber);
}

/** Whether the airline names no carrier of a segment, which a booking needs. */
export function lacksCarrier(options: readonly SegmentOption[]): boolean {
  return options.some(({ segments }) => segments.some(namesNoCarrier));
}

export function namesNoCarrier({ operating, marketing }: Segment): boolean {
  return operating === undefined && marketing?.carrier === undefined;
}

/** A segment in the words in which a person would ask the airline about it: `HHR101 MED → JED, Wed 9 Dec 2026`. */
export function segmentText(segment: NamedFlight & Pick<Segment, 'from' | 'to' | 'departs'>): string {
  const { from, to, departs } = segment;
  return `${flightName(segment)} ${cleanCode(from)} → ${cleanCode(to)}, ${dayText(departs)}`;
}

/** The day of a time as sent, with its year, because people look up operations long afterwards. */
export function dayText(time: string): string {
  return `${showDay(time)} ${cleanCode(dateOf(time).slice(0, 4))}`;
}

/** `stops once`, `stops 2 times`. */
export function stopsText(stops: number): string {
  return `stops ${stops === 1 ? 'once' : `${stops} times`}`;
}

/** The operating flight, if it differs from the one sold. */
export function operatedBy(segment: Segment): string | undefined {
  const { operating } = segment;
  if (operating === undefined) return undefined;
  const name = designator(operating.carrier, operating.number);
  return name === flightName(segment) ? undefined : name;
}

/** Seats left in the segment's class; undefined without a number (`9+` counts as 9). */
export function seatsLeft(segment: Segment): number | undefined {
  const classes = segment.availability ?? [];
  const ofClass = classes.find((each) => each.bookingClass === segment.bookingClass);
  const quantity = (ofClass ?? (classes.length === 1 ? classes[0] : undefined))?.quantity;
  const digits = /^\d{1,4}/.exec(quantity ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Stations cleaned; times as the airline sent them. */
export function viewRoute({ from, to, departs, arrives }: Segment) {
  return { from: cleanCode(from), to: cleanCode(to), departs, arrives };
}
