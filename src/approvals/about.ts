/** What a person who decides knows no locator by: who travels, where and when, who sells, and who asks. */

import { cleanCode, plainText, quoted } from '../core/clean-text.ts';
import { showClock, showDay } from '../core/times.ts';
import { counted, listed } from '../core/words.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../domain/booking/booking.ts';
import type { PlaceName } from '../domain/booking/stations.ts';
import { fullName } from '../domain/people/traveler.ts';

/** Bound to nothing: the terms say it too, except who sells. */
export interface BookingGist {
  /** Names, as far as there are any. */
  readonly people: readonly string[];
  readonly count: number;
  /** `Makkah → Madinah → Makkah`. */
  readonly route?: string;
  /** The first departure, as sent. */
  readonly departs?: string;
  /** `HHR, api.airline.example`. */
  readonly airline?: string;
  /** As the airline knows it. */
  readonly agency?: string;
}

/** Who sells, from the settings. */
export interface Seller {
  /** Operating carrier where the booking names none. */
  readonly carrier?: string;
  /** Of the airline's address. */
  readonly airlineHost?: string;
  readonly agency?: string;
}

export function aboutBooking(
  booking: Booking,
  placeName: PlaceName | undefined,
  { carrier: configured, airlineHost, agency }: Seller = {},
): BookingGist {
  const active = activeSegments(booking);
  const segments = active.length > 0 ? active : segmentsOf(booking);
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

/** Places in their order; a gap between two trains is a place more. */
function routeText(segments: readonly Segment[], placeName: PlaceName | undefined): string {
  const stops: string[] = [];
  for (const { from, to } of segments) {
    if (stops.at(-1) !== from) stops.push(from);
    stops.push(to);
  }
  return stops.map((code) => placeName?.(code) ?? cleanCode(code, 8)).join(' → ');
}

/** Several bookings in one question: all their people, the route if they share it, and the first departure. */
export function aboutAll(all: readonly BookingGist[]): BookingGist | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const { route, airline, agency } = first;
  return {
    people: all.flatMap(({ people }) => people),
    count: all.reduce((sum, { count }) => sum + count, 0),
    route: all.every((one) => one.route === route) ? route : undefined,
    departs: all.flatMap(({ departs }) => departs ?? []).toSorted((a, b) => Date.parse(a) - Date.parse(b))[0],
    airline,
    agency,
  };
}

/** `Amal Haddad`, `Amal Haddad and 2 others`, `9 passengers`. */
export function whoText({ people, count }: BookingGist): string {
  const [first, second] = people;
  if (first === undefined) return counted(count, 'passenger');
  if (count === 1) return first;
  return count === 2 && second !== undefined ? listed(people) : `${first} and ${counted(count - 1, 'other')}`;
}

/** `Makkah → Madinah, Sun 13 Dec`; empty where neither is known. */
export function whereText({ route, departs }: BookingGist): string {
  return [route, departs && showDay(departs)].filter(Boolean).join(', ');
}

/** `“Claude Desktop” 1.4.2`; the application that it signed in with, `“desk”`, or `an assistant` if it did not say. */
export function programName({
  client,
  caller,
}: {
  readonly client?: Readonly<Record<'name' | 'version', string>>;
  readonly caller: string;
}): string {
  if (client === undefined || plainText(client.name, 60) === '') return applicationName(caller) ?? 'an assistant';
  const version = plainText(client.version, 20);
  return `${quoted(client.name, 60)}${version === '' ? '' : ` ${version}`}`;
}

/** `desk` of `oauth:ann:desk`. Requests of the 2025 handshakes do not repeat the name of the program; their token names it. */
function applicationName(caller: string): string | undefined {
  const [, , id = '-'] = caller.split(':');
  const name = plainText(decoded(id), 60);
  return name === '-' || name === '' ? undefined : quoted(name, 60);
}

/** `ann` of `os:ann` and of `oauth:ann:desk`. */
export function personName({ caller }: { readonly caller: string }): string {
  const [, name = caller] = caller.split(':');
  return plainText(decoded(name), 60);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // An operating system's user can have a percent sign.
    return name;
  }
}

/** `9 minutes left` */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute left';
  return minutes === 1 ? '1 minute left' : `${minutes} minutes left`;
}

/** `18:42 (UTC+3)` */
export function answerBy({ expiresAt, near }: { readonly expiresAt: number; readonly near?: string }): string {
  return showClock(new Date(expiresAt).toISOString(), near);
}
