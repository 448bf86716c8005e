/** What an act at the airline is about, as it is then: kept with its operation, so that figures of a closed period never change. */
import { cleanCode } from '../../core/clean-text.ts';
import type { Traveler } from '../people/traveler.ts';
import type { PassengerCounts } from '../pricing/offers.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from './booking.ts';
import { flightName } from './flight-name.ts';

/** Nobody's name, document or booking is in it. */
export interface SoldFacts {
  /** As in the ledger of bookings: `MED-JED-MED`. */
  readonly route?: string;
  /** Those that the act is about, as flights are named: `HHR101`. */
  readonly trains?: readonly string[];
  /** Their first departure, with offset, as sent. */
  readonly departs?: string;
  /** Booking classes and fare basis codes, each once. */
  readonly classes?: readonly string[];
  readonly fares?: readonly string[];
  readonly adults?: number;
  readonly children?: number;
  readonly infants?: number;
  /** How many of them have no name yet. */
  readonly unnamed?: number;
  /** As the argument of the tool names it: `cash`. */
  readonly paymentType?: string;
  /** Travellers of its booking entered details on the details page, in this act or an earlier one: no result shows them. */
  readonly details?: 'page';
}

/** The part of a booking that an act is about, by default all of it. */
interface SoldPart {
  /** By default those that travellers go with, or went with. */
  readonly segments?: readonly Segment[];
  /** By ref. */
  readonly passengers?: readonly string[];
}

export function soldFacts(booking: Booking, { segments = travelled(booking), passengers }: SoldPart = {}): SoldFacts {
  const travelers = booking.travelers.filter(({ ref }) => passengers === undefined || passengers.includes(ref));
  const count = (fits: (one: Traveler) => boolean) => travelers.filter(fits).length;
  const [children, infants] = [count(({ type }) => type === 'CHD'), count(({ type }) => type === 'INF')];
  // Whoever is neither travels as an adult.
  const party = { adults: travelers.length - children - infants, children, infants };
  return tripFacts(
    segments,
    party,
    count(({ name }) => name === undefined),
  );
}

/** Of a trip that nobody has booked yet. `unnamed`: how many of the party have no name yet. */
export function tripFacts(segments: readonly Segment[], party: PassengerCounts, unnamed: number): SoldFacts {
  return {
    route: segments.length === 0 ? undefined : routeText(segments),
    trains: once(segments.map((segment) => flightName(segment))),
    departs: segments[0]?.departs,
    classes: once(segments.map(({ bookingClass = '' }) => cleanCode(bookingClass))),
    fares: once(segments.map(({ fareBasis = '' }) => cleanCode(fareBasis))),
    ...party,
    unnamed: unnamed === 0 ? undefined : unnamed,
  };
}

function travelled(booking: Booking): readonly Segment[] {
  const active = activeSegments(booking);
  return active.length > 0 ? active : segmentsOf(booking);
}

function once(words: readonly string[]): readonly string[] | undefined {
  const each = [...new Set(words)].filter((word) => word !== '');
  return each.length === 0 ? undefined : each;
}

/** `MED-JED-MED`; a comma marks a gap: `MED-JED, RUH-DMM`. */
export function routeText(segments: readonly { readonly from: string; readonly to: string }[]): string {
  let route = '';
  let at: string | undefined;
  for (const { from, to } of segments) {
    if (from !== at) route += `${route === '' ? '' : ', '}${cleanCode(from, 8)}`;
    route += `-${cleanCode(to, 8)}`;
    at = to;
  }
  return route;
}
