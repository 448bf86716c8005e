/**
 * Signs that a new booking is the one that was sent: its locator was not known before, and a socket can deliver somebody else's
 * reply. Airlines cut and change names, so that a document, or the contact on the flights, is a sign too.
 */
import { asUtc } from '../../core/times.ts';
import { digitsOnly } from '../facts/values.ts';
import { foldName, isMasked } from '../people/identity-text.ts';
import { namesSent, namesShown } from '../people/name-keys.ts';
import { type Contact, emailKey, type Traveler } from '../people/traveler.ts';
import { type Booking, segmentsOf } from './booking.ts';

/** What was sent of a booking. Without contact and flights, names and documents are its only signs. */
export interface SentBooking extends Partial<Pick<Booking, 'contact' | 'options'>> {
  readonly travelers: readonly Traveler[];
}

/** Empty if no name was sent that can be compared. */
export function signsSent({ travelers, contact, options = [] }: SentBooking): readonly string[] {
  const names = namesSent(travelers);
  const contacts = contact === undefined ? [] : [contact];
  return names.length === 0 ? [] : [...names, ...documentSigns(travelers), ...contactSigns(contacts, options)];
}

/** Empty if the booking shows no name: then it may be anybody's. */
export function signsShown({ reading: { travelers, contact, options } }: Booking): readonly string[] {
  const names = namesShown(travelers);
  const contacts = contact === undefined ? travelers : [contact];
  return names.length === 0 ? [] : [...names, ...documentSigns(travelers), ...contactSigns(contacts, options)];
}

function documentSigns(travelers: readonly Traveler[]): readonly string[] {
  const numbers = travelers.flatMap(({ document }) => document?.number ?? []).filter((number) => !isMasked(number));
  return numbers.map(foldName).flatMap((number) => (number === '' ? [] : `document ${number}`));
}

/** Each e-mail address and telephone number on all the flights: one contact books many trips, many people take one flight. */
function contactSigns(contacts: readonly Contact[], options: Booking['options']): readonly string[] {
  const segments = segmentsOf({ options });
  if (segments.length === 0) return [];
  const flights = segments.map(({ from, to, departs, flightNumber }) =>
    [from, to, asUtc(departs) ?? departs, digitsOnly(flightNumber)].join(' '),
  );
  return contacts.flatMap(addressesOf).map((address) => `${address} on ${flights.toSorted().join(', ')}`);
}

/** E-mail addresses, and telephone numbers without country and zeros before them. */
function addressesOf({ emails, phones }: Contact): readonly string[] {
  const numbers = phones.map(({ number = '' }) => number).filter((number) => !isMasked(number));
  const digits = numbers.map((number) => number.replace(/\D/g, '').replace(/^0+/, ''));
  return [...emails.filter((email) => !isMasked(email)).map(emailKey), ...digits.filter((text) => text !== '')];
}
