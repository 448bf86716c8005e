/**
 * Signs that a new booking is the one that was sent: its locator was not known before, and a socket can deliver somebody else's
 * reply. Airlines cut and change names, so that a document, or the contact on the flights, is a sign too.
 */
import { asUtc } from '../../core/times.ts';
import { type Booking, segmentsOf } from '../booking/booking.ts';
import { namesSent, namesShown } from '../booking/name-keys.ts';
import type { Contact, Traveler } from '../people/traveler.ts';
import { DOCUMENT, EMAILS, phoneKey } from './person-rows.ts';
import { digitsOnly } from './values.ts';

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

const documentSigns = (travelers: readonly Traveler[]): readonly string[] =>
  travelers.flatMap(DOCUMENT.sent).map((number) => `document ${number}`);

/** Each e-mail address and telephone number on all the flights: one contact books many trips, many people take one flight. */
function contactSigns(contacts: readonly Contact[], options: Booking['options']): readonly string[] {
  const segments = segmentsOf({ options });
  if (segments.length === 0) return [];

  const flights = segments.map(({ from, to, departs, flightNumber }) =>
    [from, to, asUtc(departs) ?? departs, digitsOnly(flightNumber)].join(' '),
  );

  const addresses = contacts.flatMap((contact) => [
    ...EMAILS.sent(contact),
    ...contact.phones.flatMap(({ number }) => phoneKey({ number })),
  ]);
  return addresses.map((address) => `${address} on ${flights.toSorted().join(', ')}`);
}
