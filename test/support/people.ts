/**
 * People and contacts, as the domain has them and as arguments of tools.
 */
import type { Booking } from '../../src/domain/booking/booking.ts';

export type Traveler = Booking['travelers'][number];
export type PersonName = NonNullable<Traveler['name']>;
type Contact = NonNullable<Booking['contact']>;

export function personName(given: string, surname: string, over: Partial<PersonName> = {}): PersonName {
  return { prefix: [], given: [given], middle: [], surname, suffix: [], title: [], ...over };
}

/** An adult without a name or other personal data. */
export function bareTraveler(ref: string, over: Partial<Traveler> = {}): Traveler {
  return { ref, type: 'ADT', emails: [], phones: [], addresses: [], segmentRefs: [], comments: [], ...over };
}

/** An adult with a Saudi passport on segments 1 and 2. */
export function traveler(ref: string, given: string, surname: string, over: Partial<Traveler> = {}): Traveler {
  return bareTraveler(ref, {
    name: personName(given, surname),
    gender: 'Female',
    birthDate: '1990-04-12',
    document: { number: 'P1234567', docType: '2', nationality: 'SA', expires: '2031-01-01' },
    segmentRefs: ['1', '2'],
    ...over,
  });
}

/** A contact with one e-mail address, `<given>@example.com`. */
export function contactNamed(given: string, surname: string, over: Partial<Contact> = {}): Contact {
  const emails = [`${given.toLowerCase()}@example.com`];
  return { name: personName(given, surname), emails, phones: [], addresses: [], comments: [], ...over };
}

export const CONTACT = { given_name: 'Amal', surname: 'Haddad', email: 'amal@example.com' };

interface Document {
  readonly type: string;
  readonly number: string;
  readonly nationality: string;
  readonly expires: string;
}

export interface PassengerArguments {
  readonly [name: string]: unknown;
  readonly document?: Document;
}

/** YYYY-MM-DD, `days` after `now` (ms epoch). */
export const dateIn = (now: number, days: number): string =>
  new Date(now + days * 86_400_000).toISOString().slice(0, 10);

/** A number in letters, for names that differ: 104 → BAE. */
export const inLetters = (number: number): string =>
  [...String(number)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('');

/** An adult with a passport that is valid for ten years from `now` (ms epoch; default the system clock). */
export function passenger(number: string, over: PassengerArguments = {}, now = Date.now()): PassengerArguments {
  return {
    type: 'ADT',
    given_name: 'Amal',
    surname: 'Haddad',
    gender: 'Female',
    birth_date: '1990-04-12',
    document: { type: 'passport', number, nationality: 'SA', expires: dateIn(now, 3650) },
    ...over,
  };
}

export function passengerNamed(given: string, surname: string, number: string, over: PassengerArguments = {}) {
  return passenger(number, { given_name: given, surname, ...over });
}

let people = 0;

/** A passenger unlike every earlier one of this process: the same people on the same trains are one booking. */
export function newPassenger(over: PassengerArguments = {}, now?: number): PassengerArguments {
  people += 1;
  return passenger(`P${100_000 + people}`, { given_name: `Amal ${inLetters(people)}`, ...over }, now);
}
