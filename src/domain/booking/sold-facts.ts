/**
 * Sold facts: what an act at the airline is about, at that time. The journal keeps them with the operation, so that the
 * figures of a closed period never change.
 */
import { cleanCode } from '../../core/clean-text.ts';
import { type Money, sameMoney, sumMoney } from '../../core/money.ts';
import { dateOf } from '../../core/times.ts';
import type { Traveler } from '../people/traveler.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from './booking.ts';
import type { LedgerLeg } from './booking-ledger.ts';
import { flightName } from './flight-name.ts';
import type { PassengerCounts } from './offers.ts';

/** Names no person, document or booking. */
export interface SoldFacts {
  /** As in the ledger of bookings: `MED-JED-MED`. */
  readonly route?: string;
  /** The trains and flights that the act is about: `HHR101`. */
  readonly trains?: readonly string[];
  /** Their first departure, with offset, as sent. */
  readonly departs?: string;
  /** Booking classes and fare basis codes, each once. */
  readonly classes?: readonly string[];
  readonly fares?: readonly string[];
  /** Each train or flight by itself. Absent of a single one without a price of its own. */
  readonly legs?: readonly SoldLeg[];
  readonly adults?: number;
  readonly children?: number;
  readonly infants?: number;
  /** How many of them have no name yet. */
  readonly unnamed?: number;
  /** As the argument of the tool names it: `cash`. */
  readonly paymentType?: string;
  /** Travellers of the booking entered details on the details page, now or earlier. No result shows those details. */
  readonly details?: 'page';
  /** Ids of the findings about the booking that the question told in full: those that its person's yes deals with. */
  readonly told?: readonly string[];
}

/** One train or flight, as it was sold. */
export interface SoldLeg extends Omit<LedgerLeg, 'arrives' | 'status'> {
  /** Of all passengers, if the airline priced each one by itself. */
  readonly price?: Money;
}

/** The part of a booking that an act is about, by default all of it. */
interface SoldPart {
  /** Default: the active segments; all of them if none is active. */
  readonly segments?: readonly Segment[];
  /** Refs. Default: all passengers. */
  readonly passengers?: readonly string[];
}

/** The facts of a booking, or of a part of it. */
export function soldFacts(booking: Booking, { segments = activeOrAll(booking), passengers }: SoldPart = {}): SoldFacts {
  const travelers = booking.travelers.filter(({ ref }) => passengers === undefined || passengers.includes(ref));
  const count = (fits: (traveler: Traveler) => boolean) => travelers.filter(fits).length;
  const [children, infants] = [count(({ type }) => type === 'CHD'), count(({ type }) => type === 'INF')];
  // Passengers of any other type count as adults.
  const party = { adults: travelers.length - children - infants, children, infants };
  const unnamed = count(({ name }) => name === undefined);
  const prices = passengers === undefined ? legPrices(booking) : undefined;
  return tripFacts(segments, party, unnamed, prices);
}

/** The price of each segment, by its ref. Undefined unless the airline priced each one by itself. */
function legPrices({ pricing }: Booking): ReadonlyMap<string, Money> | undefined {
  const rows = pricing?.perType ?? [];
  if (rows.length === 0 || rows.some(({ segmentRefs, price }) => segmentRefs.length !== 1 || price === undefined))
    return undefined;

  const bySegment = Map.groupBy(rows, ({ segmentRefs }) => segmentRefs[0] ?? '');
  const prices = [...bySegment].flatMap(([ref, ofSegment]): (readonly [string, Money])[] => {
    const price = sumMoney(ofSegment.flatMap((row) => row.price?.total ?? []));
    return price === undefined ? [] : [[ref, price]];
  });
  const whole = sumMoney(prices.map(([, price]) => price));
  return sameMoney(whole, pricing?.total?.total) ? new Map(prices) : undefined;
}

/**
 * The facts of a trip, which may not be booked yet.
 * @param unnamed how many of the party have no name yet
 * @param prices of the segments, by their refs
 */
export function tripFacts(
  segments: readonly Segment[],
  party: PassengerCounts,
  unnamed: number,
  prices?: ReadonlyMap<string, Money>,
): SoldFacts {
  return {
    route: segments.length === 0 ? undefined : routeText(segments),
    trains: distinctWords(segments.map((segment) => flightName(segment))),
    departs: segments[0]?.departs,
    classes: distinctWords(segments.map(({ bookingClass = '' }) => cleanCode(bookingClass))),
    fares: distinctWords(segments.map(({ fareBasis = '' }) => cleanCode(fareBasis))),
    legs:
      segments.length > 1 || prices?.has(segments[0]?.ref ?? '')
        ? segments.map((segment) => ({ ...legOf(segment), price: prices?.get(segment.ref) }))
        : undefined,
    ...party,
    unnamed: unnamed === 0 ? undefined : unnamed,
  };
}

/** A segment as lists and figures keep it. */
export function legOf({ from, to, departs, journeyDate, bookingClass = '', fareBasis = '', ...segment }: Segment) {
  return {
    train: flightName(segment),
    from: cleanCode(from, 8),
    to: cleanCode(to, 8),
    departs,
    day: journeyDate === dateOf(departs) ? undefined : journeyDate,
    class: cleanCode(bookingClass) || undefined,
    fare: cleanCode(fareBasis) || undefined,
  };
}

function activeOrAll(booking: Booking): readonly Segment[] {
  const active = activeSegments(booking);
  return active.length > 0 ? active : segmentsOf(booking);
}

/** The words that are not empty, each once; undefined if there are none. */
function distinctWords(words: readonly string[]): readonly string[] | undefined {
  const distinct = [...new Set(words)].filter((word) => word !== '');
  return distinct.length === 0 ? undefined : distinct;
}

/** `MED-JED-MED`; a comma marks a gap: `MED-JED, RUH-DMM`. */
export function routeText(segments: readonly { readonly from: string; readonly to: string }[]): string {
  let route = '';
  let lastStop: string | undefined;

  for (const { from, to } of segments) {
    if (from !== lastStop) route += `${route === '' ? '' : ', '}${cleanCode(from, 8)}`;
    route += `-${cleanCode(to, 8)}`;
    lastStop = to;
  }

  return route;
}
