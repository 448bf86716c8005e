/** Seat maps of segments: what they show, and the query for those of a booking. */
import type { Traveler } from '../people/traveler.ts';
import type { Booking, Reading, Segment } from './booking.ts';

export type SeatStatus = 'free' | 'taken' | 'yours';

export interface Seat {
  /** Complete, as sent: `12A`, or `52` in a train that numbers seats from end to end. */
  readonly number: string;
  readonly column?: number;
  readonly status: SeatStatus;
  readonly window: boolean;
  readonly aisle: boolean;
  readonly facing?: 'forward' | 'backward';
  readonly amenities: readonly string[];
}

export interface SeatRow {
  readonly number: string;
  readonly seats: readonly Seat[];
}

interface SeatZone {
  /** On rail, the coach. */
  readonly code?: string;
  readonly name?: string;
}

export interface SeatCabin {
  readonly cabin: 'economy' | 'business' | 'other';
  readonly zones: readonly SeatZone[];
  readonly rows: readonly SeatRow[];
}

export interface SegmentSeatMap {
  readonly segment: Segment;
  readonly travelerRefs: readonly string[];
  readonly cabins: readonly SeatCabin[];
}

export interface SeatMapQuery {
  readonly locator: string;
  readonly requests: readonly { readonly segment: Segment; readonly travelerRefs: readonly string[] }[];
  readonly travelers: readonly Traveler[];
  /** The reservation as the airline sent it; only `ota/` reads it. */
  readonly source?: unknown;
}

type CabinName = 'first' | 'business' | 'premium economy' | 'economy';

/**
 * Names of cabins that a map can have in place of a booking class: the letters of cabins (PADIS 9873, OpenTravel CabinType), and the
 * inventory codes `P` and `T` (docs/wire/interface.md, Availability record).
 */
const CABINS: readonly (readonly [CabinName, readonly string[]])[] = [
  ['first', ['F', 'FIRST']],
  ['business', ['C', 'J', 'P', 'BUSINESS']],
  ['premium economy', ['W', 'PREMIUMECONOMY']],
  ['economy', ['Y', 'M', 'T', 'ECONOMY']],
];

/** Booking classes of one cabin at every airline (IATA Resolution 728). Airlines put the other letters into different cabins. */
const CLASSES: readonly (readonly [CabinName, string])[] = [
  ['first', 'F'],
  ['business', 'CDIJZ'],
  ['economy', 'BHKLMNQSTVXY'],
];

/** The cabin of a booking class; undefined for a letter that airlines put into different cabins. */
function cabinOfClass(bookingClass: string | undefined): CabinName | undefined {
  return CLASSES.find(([, letters]) => bookingClass?.length === 1 && letters.includes(bookingClass))?.[0];
}

/** The lowest cabin of some flights. Undefined unless that of each is known. */
export function lowestCabin(bookingClasses: readonly (string | undefined)[]): CabinName | undefined {
  const cabins = bookingClasses.map(cabinOfClass);
  if (cabins.includes(undefined)) return undefined;
  return CABINS.findLast(([name]) => cabins.includes(name))?.[0];
}

/** Whether a cabin is below another one. */
export function isBelow(cabin: CabinName, other: CabinName): boolean {
  const place = (wanted: CabinName) => CABINS.findIndex(([name]) => name === wanted);
  return place(cabin) > place(other);
}

/** Whether a map may be of a booking class: it names that class, or the cabin in which the class may be. */
export function isMapOfClass(shown: string, bookingClass: string): boolean {
  if (shown === bookingClass) return true;
  const name = shown.toUpperCase().replace(/[\s_-]/g, '');
  const cabin = CABINS.find(([, names]) => names.includes(name))?.[0];
  const ofClass = cabinOfClass(bookingClass);
  return cabin !== undefined && (ofClass === undefined || ofClass === cabin);
}

/** Lists the travellers with a seat: lap infants have none. */
export function seatedTravelers({ travelers }: Booking): readonly Traveler[] {
  return travelers.filter(({ type }) => type !== 'INF');
}

/** Selects the travellers who travel on the segment. A traveller without segments travels on all. */
export function travelersOn(travelers: readonly Traveler[], { ref }: Segment): readonly Traveler[] {
  return travelers.filter(({ segmentRefs }) => segmentRefs.length === 0 || segmentRefs.includes(ref));
}

/** Asks for the maps of the segments on which some of the travellers travel. */
export function seatMapQuery(
  { locator, source }: Reading,
  segments: readonly Segment[],
  travelers: readonly Traveler[],
): SeatMapQuery {
  const requests = segments
    .map((segment) => ({ segment, travelerRefs: travelersOn(travelers, segment).map(({ ref }) => ref) }))
    .filter(({ travelerRefs }) => travelerRefs.length > 0);
  return { locator, requests, travelers, source };
}
