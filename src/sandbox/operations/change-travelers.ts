/**
 * Changing the travellers of a booking: names, documents and contact details (types 3, 9 and 40), or a split (type 7;
 * docs/wire/interface.md, Changes; docs/wire/notes.md, Changes). Type 3 also names the passengers of a group.
 */
import { nothing } from '../amounts.ts';
import { bookingTotal, type Carrier, findDeparture, needOpen, needTraveler } from '../carrier.ts';
import { checkContact, checkDocumentsDiffer, checkName, checkPassenger } from '../checks/travelers.ts';
import { enter } from '../ledger.ts';
import {
  activeSegments,
  allSegments,
  type CarrierBooking,
  type Order,
  type Person,
  type Phone,
  saveBooking,
  type Traveler,
  withoutTravelers,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { Leaving } from '../requests/modify.ts';
import { moveClaims } from '../stock.ts';
import { checkStaying, divideTravelers } from './cancel.ts';
import { newLocators, newOrderId, withOrder } from './locators.ts';
import { reissueTickets } from './pay.ts';

/** Type 3. Runs within a write transaction. */
export function rename(
  carrier: Carrier,
  booking: CarrierBooking,
  contacts: readonly Person[],
  asked: readonly Traveler[],
): CarrierBooking {
  if (asked.length > 0 && booking.state === 'ticketed' && carrier.now >= booking.namesUntil) {
    throw new Refusal('417', `names were fixed at ${new Date(booking.namesUntil).toISOString()}`);
  }
  const { dialect } = carrier;
  if (dialect === 'airline' && contacts.length > 0) throw new Refusal('320', 'no contact traveler is known');
  if (contacts.length > 1) throw new Refusal('320', 'one contact traveler at most');
  const [contact] = contacts;
  const withContact = contact === undefined ? booking : { ...booking, contact: newContact(booking.contact, contact) };
  const renamed = withTravelers(carrier, withContact, asked);
  const changed = dialect === 'airline' ? exchanged(carrier, booking, renamed) : renamed;
  const about = asked.map((asked) => asked.ref);
  const event = renamedIn(booking, changed).length > 0 ? 'renamed' : 'passenger_updated';
  if (about.length > 0) enter(carrier, event, booking.locator, { about });
  if (contact !== undefined) enter(carrier, 'contact_updated', booking.locator);
  return saveBooking(carrier.state, changed);
}

/** Type 40: everything but the name, also after the time limit for names. Runs within a write transaction. */
export function updatePassengers(
  carrier: Carrier,
  booking: CarrierBooking,
  asked: readonly Traveler[],
): CarrierBooking {
  for (const { ref, name } of asked) {
    const before = needTraveler(booking, ref);
    const isSame = before.name?.surname === name?.surname && before.name?.given.join(' ') === name?.given.join(' ');
    if (!isSame || (name?.middle.length ?? 0) > 0)
      throw new Refusal('417', `traveler ${ref}: names are changed by type 3`);
  }
  const changed = withTravelers(carrier, booking, asked);
  enter(carrier, 'passenger_updated', booking.locator, { about: asked.map((asked) => asked.ref) });
  return saveBooking(carrier.state, changed);
}

/** Type 9. Runs within a write transaction. */
export function updateContact(carrier: Carrier, booking: CarrierBooking, asked: Person): CarrierBooking {
  if (carrier.dialect === 'airline') throw new Refusal('172', 'no contact traveler is known');
  needOpen(carrier, booking);
  const changed = { ...booking, contact: checkContact(asked) };
  enter(carrier, 'contact_updated', booking.locator);
  return saveBooking(carrier.state, changed);
}

/** Takes name, telephone and address from the request, even if they are missing. */
function newContact(before: Person, asked: Person): Person {
  const { phones, addresses } = asked;
  const contact = { ...before, name: checkName(asked.name, 'contact traveler'), phones, addresses };
  return asked.emails.length === 0 ? contact : checkContact({ ...contact, emails: asked.emails });
}

function withTravelers(carrier: Carrier, booking: CarrierBooking, asked: readonly Traveler[]): CarrierBooking {
  needOpen(carrier, booking);
  const departures = activeSegments(booking).map((segment) => findDeparture(carrier, segment));
  const replaced = new Map<string, Traveler>();
  for (const change of asked) {
    if (replaced.has(change.ref)) throw new Refusal('83', `traveler ${change.ref} stands twice`);
    const merged = merge(carrier, sameTraveler(booking, change), change);
    replaced.set(change.ref, checkPassenger(merged, `traveler ${change.ref}`, departures));
  }
  const travelers = booking.travelers.map((traveler) => replaced.get(traveler.ref) ?? traveler);
  checkDocumentsDiffer(travelers);
  return { ...booking, travelers };
}

function sameTraveler(booking: CarrierBooking, change: Traveler): Traveler {
  const before = needTraveler(booking, change.ref);
  if (change.type !== before.type) throw new Refusal('320', `traveler ${change.ref} is no ${change.type}`);
  const known = allSegments(booking).map((segment) => segment.ref);
  const lost = change.segmentRefs.find((ref) => !known.includes(ref));
  if (lost !== undefined) throw new Refusal('83', `traveler ${change.ref}: no segment ${lost}`);
  return before;
}

/** Overwrites the details. The infant keeps its adult, and everybody their segments. */
function merge(carrier: Carrier, before: Traveler, change: Traveler): Traveler {
  const { attendantRef, segmentRefs } = before;
  if (change.attendantRef !== undefined && change.attendantRef !== attendantRef) {
    throw new Refusal('3005', `infant ${before.ref} stays with adult ${attendantRef}`);
  }
  return {
    ...before,
    ...change,
    segmentRefs,
    attendantRef,
    document: { ...before.document, ...change.document },
    emails: change.emails.length > 0 ? change.emails : before.emails,
    phones: mergePhones(carrier, before.phones, change.phones),
    addresses: change.addresses.length > 0 ? change.addresses : before.addresses,
    comments: change.comments.length > 0 ? change.comments : before.comments,
  };
}

/** An airline adds a new number and marks it; rail replaces the old ones. */
function mergePhones(carrier: Carrier, before: readonly Phone[], asked: readonly Phone[]): readonly Phone[] {
  if (carrier.dialect === 'rail') return asked.length > 0 ? asked : before;
  const isNew = (phone: Phone): boolean =>
    !before.some(({ number, country }) => number === phone.number && country === phone.country);
  return [...before, ...asked.filter(isNew).map((phone) => ({ ...phone, technology: '5' }))];
}

const nameText = ({ name }: Traveler): string => [...(name?.given ?? []), name?.surname ?? ''].join(' ').toUpperCase();

function renamedIn(before: CarrierBooking, after: CarrierBooking): readonly Traveler[] {
  return after.travelers.filter((traveler) => {
    const old = before.travelers.find(({ ref }) => ref === traveler.ref);
    return old === undefined || nameText(old) !== nameText(traveler);
  });
}

/**
 * After a name change an airline issues a new ticket and shows the old one as exchanged (docs/wire/notes.md, Statuses).
 */
function exchanged(carrier: Carrier, before: CarrierBooking, after: CarrierBooking): CarrierBooking {
  const renamed = renamedIn(before, after);
  if (before.state !== 'ticketed' || renamed.length === 0) return after;
  const refs = renamed.map((traveler) => traveler.ref);
  const reissued = reissueTickets(carrier, after, (ticket) => refs.includes(ticket.travelerRef));
  const amount = nothing(carrier.network.currency);
  return withOrder(carrier, reissued, { action: 'CHANGE_NAME', direction: 'PAYMENT', status: 'PAID', amount });
}

/**
 * Moves travellers to a new booking with their tickets and seats; the reply is the new booking. No money moves. Runs within a
 * write transaction.
 */
export function splitBooking(carrier: Carrier, booking: CarrierBooking, asked: readonly Leaving[]): CarrierBooking {
  needOpen(carrier, booking);
  const { refs, leaving, staying } = divideTravelers(booking, asked);
  const stayingRefs = staying.map((traveler) => traveler.ref);
  checkStaying(leaving, stayingRefs);
  const [payment, ...others] = booking.orders;
  if (payment === undefined) throw new Refusal('118', 'the booking has no order');
  const moving = { ...booking, ...newLocators(carrier), refunds: [], orders: [] };
  const old = withShare(carrier, withoutTravelers({ ...booking, orders: others }, refs), payment);
  const fresh = withShare(carrier, withoutTravelers(moving, stayingRefs), { ...payment, id: newOrderId(carrier) });
  for (const ref of refs) moveClaims(carrier.state, booking.locator, ref, fresh.locator);
  enter(carrier, 'split', booking.locator, { about: [fresh.locator, ...refs] });
  saveBooking(carrier.state, old);
  return saveBooking(carrier.state, fresh);
}

/** The booking with its travellers' share of a payment. */
function withShare(carrier: Carrier, booking: CarrierBooking, payment: Order): CarrierBooking {
  return { ...booking, orders: [{ ...payment, amount: bookingTotal(carrier, booking) }, ...booking.orders] };
}
