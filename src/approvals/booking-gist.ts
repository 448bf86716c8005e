/** The gist of a booking for a person who decides and knows no locator: who travels, where and when, and who sells. */
import { cleanCode, plainText, quoted } from '../core/clean-text.ts';
import { instantOf, showDay } from '../core/times.ts';
import { counted, joined, listed } from '../core/words.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../domain/booking/booking.ts';
import type { PlaceName } from '../domain/booking/stations.ts';
import { type SaidLine, saidDeparture, saidPerson, saidWords } from '../domain/facts/said.ts';
import { fullName } from '../domain/people/traveler.ts';

/** The gist of a booking. Apart from the seller, it says what {@link gistLine} binds. */
export interface BookingGist {
  /** Names of the passengers who have one. */
  readonly people: readonly string[];
  readonly count: number;
  /** `Makkah → Madinah → Makkah`. */
  readonly route?: string;
  /** The first departure, as sent. */
  readonly departs?: string;
  /** `HHR, api.airline.example`. */
  readonly airline?: string;
  /** The agency that sells, as the airline knows it. */
  readonly agency?: string;
}

/** Who sells, from the settings. */
interface Seller {
  /** Operating carrier where the booking names none. */
  readonly carrier?: string;
  /** Host of the airline's address. */
  readonly airlineHost?: string;
  readonly agency?: string;
}

export function bookingGist(
  booking: Booking,
  placeName: PlaceName | undefined,
  { carrier: configured, airlineHost, agency }: Seller = {},
): BookingGist {
  const active = activeSegments(booking);
  const segments = inOrderOfTravel(active.length > 0 ? active : segmentsOf(booking));
  const [first] = segments;
  const carrier = first?.operating?.carrier ?? first?.marketing?.carrier ?? configured;
  const airline = [carrier && cleanCode(carrier), airlineHost].filter(Boolean).join(', ');

  return {
    people: booking.travelers.flatMap(({ name }) => (name === undefined ? [] : [plainText(fullName(name), 70)])),
    count: booking.travelers.length,
    route: first && routeText(segments, placeName),
    departs: first?.departs,
    airline: airline || undefined,
    agency,
  };
}

/** What a question says with the gist, as a line that a yes binds: an act on one passenger names the others nowhere else. */
export function gistLine(booking: Booking): SaidLine {
  const { people, count, route, departs } = bookingGist(booking, undefined);
  const said = booking.travelers.map((traveler) => saidPerson(traveler, 'of the booking'));
  if (route !== undefined) said.push(saidWords('route', route));
  // A reading may have an empty time.
  if (departs) said.push(saidDeparture('of the trip', departs));

  const line = joined([whoText({ people, count }), whereText({ route, departs })], ' \u00b7 ');
  return { line, said };
}

/** An airline may list flights in any order. They stay in it where the time of one is not known. */
function inOrderOfTravel(segments: readonly Segment[]): readonly Segment[] {
  const times = new Map(segments.map((segment) => [segment, instantOf(segment.departs) ?? Number.NaN]));
  if ([...times.values()].some(Number.isNaN)) return segments;
  return segments.toSorted((a, b) => Number(times.get(a)) - Number(times.get(b)));
}

/** Places in their order. If a train starts elsewhere than the one before ended, both places are named. */
function routeText(segments: readonly Segment[], placeName: PlaceName | undefined): string {
  const stops: string[] = [];
  for (const { from, to } of segments) {
    if (stops.at(-1) !== from) stops.push(from);
    stops.push(to);
  }
  return stops.map((code) => placeName?.(code) ?? cleanCode(code, 8)).join(' → ');
}

/**
 * The gist of several bookings: all their people, the route if they share it, and the first departure. One server sells
 * them all, so airline and agency are those of the first.
 */
export function gistOfAll(gists: readonly BookingGist[]): BookingGist | undefined {
  const [first] = gists;
  if (first === undefined) return undefined;

  const { route, airline, agency } = first;
  return {
    people: gists.flatMap(({ people }) => people),
    count: gists.reduce((sum, { count }) => sum + count, 0),
    route: gists.every((gist) => gist.route === route) ? route : undefined,
    departs: gists.flatMap(({ departs }) => departs ?? []).toSorted((a, b) => Date.parse(a) - Date.parse(b))[0],
    airline,
    agency,
  };
}

/** Words that begin with a capital, or with a letter that has none. What else an airline sends as a name is quoted: a sentence is none. */
const NAME_LIKE =
  /^[\p{Lu}\p{Lt}\p{Lo}\p{N}][\p{L}\p{M}\p{N}'\u2019-]*(?: [\p{Lu}\p{Lt}\p{Lo}\p{N}][\p{L}\p{M}\p{N}'\u2019-]*)*$/u;

/** `Amal Haddad`, `Amal Haddad and 2 others`, `9 passengers`. */
export function whoText({ people, count }: BookingGist): string {
  const names = people.map((name) => (NAME_LIKE.test(name) ? name : quoted(name, 70)));
  const [first, second] = names;
  if (first === undefined) return counted(count, 'passenger');
  if (count === 1) return first;
  return count === 2 && second !== undefined ? listed(names) : `${first} and ${counted(count - 1, 'other')}`;
}

/** `Makkah → Madinah, Sun 13 Dec`; empty where neither is known. */
export function whereText({ route, departs }: Pick<BookingGist, 'route' | 'departs'>): string {
  return [route, departs && showDay(departs)].filter(Boolean).join(', ');
}
