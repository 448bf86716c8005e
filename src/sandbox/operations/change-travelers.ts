/**
 * Changes the travellers of a booking: names and the contact (type 3), details (type 40), or splits it (type 7;
 * docs/wire/interface.md, Changes; docs/wire/notes.md, Changes). All run within the write transaction of their message.
 */
import { zeroAmount } from '../amounts.ts';
import { bookingTotal, type Carrier, findDeparture, requireOpen, requireTraveler } from '../carrier.ts';
import { recordEvent } from '../ledger.ts';
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
import type { LeavingPassenger } from '../requests/modify.ts';
import { checkContact, checkDocumentsDiffer, checkName, checkPassenger } from '../requests/travelers.ts';
import { moveClaims } from '../stock.ts';
import { newLocators, newOrderId, withOrder } from './locators.ts';
import { reissueTickets } from './pay.ts';

/** People as a change names them. */
interface ChangedPeople {
  readonly contacts: readonly Person[];
  readonly travelers: readonly Traveler[];
}

/** Type 3: changes names and the contact, and names the passengers of a group. */
export function rename(
  carrier: Carrier,
  booking: CarrierBooking,
  { contacts, travelers: changes }: ChangedPeople,
): CarrierBooking {
  if (changes.length > 0 && booking.state === 'ticketed' && carrier.now >= booking.namesUntil)
    throw new Refusal('417', `names were fixed at ${new Date(booking.namesUntil).toISOString()}`);

  const { dialect } = carrier;
  if (dialect === 'airline' && contacts.length > 0) throw new Refusal('320', 'no contact traveler is known');
  if (contacts.length > 1) throw new Refusal('320', 'one contact traveler at most');

  const [contact] = contacts;
  const newContact = contact === undefined ? booking.contact : mergeContact(booking.contact, contact);
  const changed = withChangedTravelers(carrier, { ...booking, contact: newContact }, changes);
  const renamedRefs = findRenamedTravelers(booking, changed);
  const event = renamedRefs.length > 0 ? 'renamed' : 'passenger_updated';
  const about = changes.map((change) => change.ref);
  if (about.length > 0) recordEvent(carrier, event, booking.locator, { about });

  if (contact !== undefined) recordEvent(carrier, 'contact_updated', booking.locator);
  const needsNewTickets = dialect === 'airline' && booking.state === 'ticketed' && renamedRefs.length > 0;
  return saveBooking(carrier.state, needsNewTickets ? withExchangedTickets(carrier, changed, renamedRefs) : changed);
}

/** Type 40: changes everything but names, also after the time limit for names. */
export function updatePassengers(
  carrier: Carrier,
  booking: CarrierBooking,
  { contacts, travelers: changes }: ChangedPeople,
): CarrierBooking {
  if (contacts.length > 0) throw new Refusal('320', 'the contact is changed by type 3');

  for (const { ref, name } of changes) {
    const old = requireTraveler(booking, ref).name;
    const isSame = old?.surname === name?.surname && old?.given.join(' ') === name?.given.join(' ');
    if (!isSame || (name?.middle.length ?? 0) > 0)
      throw new Refusal('417', `traveler ${ref}: names are changed by type 3`);
  }

  const changed = withChangedTravelers(carrier, booking, changes);
  recordEvent(carrier, 'passenger_updated', booking.locator, { about: changes.map((change) => change.ref) });

  return saveBooking(carrier.state, changed);
}

/** Takes name, telephone and address from the request, even if they are missing. */
function mergeContact(contact: Person, change: Person): Person {
  const { phones, addresses, emails } = change;
  const changed = { ...contact, name: checkName(change.name, 'contact traveler'), phones, addresses };
  return emails.length === 0 ? changed : checkContact({ ...changed, emails });
}

function withChangedTravelers(carrier: Carrier, booking: CarrierBooking, changes: readonly Traveler[]): CarrierBooking {
  requireOpen(carrier, booking);
  const departures = activeSegments(booking).map((segment) => findDeparture(carrier, segment));
  const changedTravelers = new Map<string, Traveler>();
  for (const change of changes) {
    if (changedTravelers.has(change.ref)) throw new Refusal('83', `traveler ${change.ref} stands twice`);
    const merged = mergeTraveler(carrier, findChangedTraveler(booking, change), change);
    changedTravelers.set(change.ref, checkPassenger(merged, `traveler ${change.ref}`, departures));
  }

  const travelers = booking.travelers.map((traveler) => changedTravelers.get(traveler.ref) ?? traveler);
  checkDocumentsDiffer(travelers);

  return { ...booking, travelers };
}

/** Finds the traveller whom a change names. Throws if type or segments do not fit. */
function findChangedTraveler(booking: CarrierBooking, change: Traveler): Traveler {
  const traveler = requireTraveler(booking, change.ref);
  if (change.type !== traveler.type) throw new Refusal('320', `traveler ${change.ref} is no ${change.type}`);
  const segmentRefs = allSegments(booking).map((segment) => segment.ref);
  const unknownRef = change.segmentRefs.find((ref) => !segmentRefs.includes(ref));
  if (unknownRef !== undefined) throw new Refusal('83', `traveler ${change.ref}: no segment ${unknownRef}`);
  return traveler;
}

/** Overwrites the details. An infant keeps its adult, and everybody keeps their segments. */
function mergeTraveler(carrier: Carrier, traveler: Traveler, change: Traveler): Traveler {
  const { attendantRef, segmentRefs } = traveler;
  if (change.attendantRef !== undefined && change.attendantRef !== attendantRef)
    throw new Refusal('3005', `infant ${traveler.ref} stays with adult ${attendantRef}`);

  return {
    ...traveler,
    ...change,
    segmentRefs,
    attendantRef,
    document: { ...traveler.document, ...change.document },
    emails: change.emails.length > 0 ? change.emails : traveler.emails,
    phones: mergePhones(carrier, traveler.phones, change.phones),
    addresses: change.addresses.length > 0 ? change.addresses : traveler.addresses,
    comments: change.comments.length > 0 ? change.comments : traveler.comments,
  };
}

/** Rail replaces the old numbers; an airline adds each new one with technology type 5. */
function mergePhones(carrier: Carrier, oldPhones: readonly Phone[], newPhones: readonly Phone[]): readonly Phone[] {
  if (carrier.dialect === 'rail') return newPhones.length > 0 ? newPhones : oldPhones;
  const isNew = (phone: Phone): boolean =>
    !oldPhones.some(({ number, country }) => number === phone.number && country === phone.country);
  return [...oldPhones, ...newPhones.filter(isNew).map((phone) => ({ ...phone, technology: '5' }))];
}

const nameText = ({ name }: Traveler): string => [...(name?.given ?? []), name?.surname ?? ''].join(' ').toUpperCase();

/** Lists the pointers of travellers whose names differ between two versions of a booking. */
function findRenamedTravelers(oldBooking: CarrierBooking, newBooking: CarrierBooking): readonly string[] {
  const renamed = newBooking.travelers.filter((traveler) => {
    const old = oldBooking.travelers.find(({ ref }) => ref === traveler.ref);
    return old === undefined || nameText(old) !== nameText(traveler);
  });
  return renamed.map((traveler) => traveler.ref);
}

/** Issues new tickets for travellers, and marks their old ones as exchanged (docs/wire/notes.md, Statuses). */
function withExchangedTickets(carrier: Carrier, booking: CarrierBooking, refs: readonly string[]): CarrierBooking {
  const reissued = reissueTickets(carrier, booking, (ticket) => refs.includes(ticket.travelerRef));
  const amount = zeroAmount(carrier.network.currency);
  return withOrder(carrier, reissued, { action: 'CHANGE_NAME', direction: 'PAYMENT', status: 'PAID', amount });
}

/** Type 7: moves travellers with their tickets and seats to a new booking, and returns it. No money moves. */
export function splitBooking(
  carrier: Carrier,
  booking: CarrierBooking,
  passengers: readonly LeavingPassenger[],
): CarrierBooking {
  requireOpen(carrier, booking);
  const { refs, leavingTravelers, stayingTravelers } = divideTravelers(booking, passengers);
  const stayingRefs = stayingTravelers.map((traveler) => traveler.ref);
  checkTravelTogether(leavingTravelers, stayingRefs);

  const [payment, ...otherOrders] = booking.orders;
  if (payment === undefined) throw new Refusal('118', 'the booking has no order');

  const newRecord = { ...booking, ...newLocators(carrier), refunds: [], orders: [] };
  const oldBooking = withPaymentShare(carrier, withoutTravelers({ ...booking, orders: otherOrders }, refs), payment);

  const newPayment = { ...payment, id: newOrderId(carrier) };
  const newBooking = withPaymentShare(carrier, withoutTravelers(newRecord, stayingRefs), newPayment);
  for (const ref of refs) moveClaims(carrier.state, booking.locator, ref, newBooking.locator);
  recordEvent(carrier, 'split', booking.locator, { about: [newBooking.locator, ...refs] });
  saveBooking(carrier.state, oldBooking);

  return saveBooking(carrier.state, newBooking);
}

/** Divides the travellers of a booking into the passengers of a request, also as pointers, and those who stay. */
export function divideTravelers(booking: CarrierBooking, passengers: readonly LeavingPassenger[]) {
  const refs = passengers.map((passenger) => requireMatchingTraveler(booking, passenger).ref);
  if (new Set(refs).size !== refs.length) throw new Refusal('320', 'a traveler stands twice');
  const leavingTravelers = booking.travelers.filter((traveler) => refs.includes(traveler.ref));
  const stayingTravelers = booking.travelers.filter((traveler) => !refs.includes(traveler.ref));
  checkTravelTogether(stayingTravelers, refs);
  return { refs, leavingTravelers, stayingTravelers };
}

/** Finds the traveller of a pointer. Throws if the type or surname sent with it differs. */
function requireMatchingTraveler(booking: CarrierBooking, passenger: LeavingPassenger): Traveler {
  const traveler = requireTraveler(booking, passenger.ref);
  if (passenger.type !== traveler.type) throw new Refusal('320', `traveler ${passenger.ref} is no ${passenger.type}`);
  if (passenger.surname !== undefined && passenger.surname !== traveler.name?.surname)
    throw new Refusal('320', `traveler ${passenger.ref} has another name`);
  return traveler;
}

/** Checks that travellers may travel together, without the others of their booking (`otherRefs`). */
function checkTravelTogether(travelers: readonly Traveler[], otherRefs: readonly string[]): void {
  if (travelers.length === 0) throw new Refusal('172', 'the last passenger: cancel the segments instead');
  const orphan = travelers.find(({ attendantRef }) => attendantRef !== undefined && otherRefs.includes(attendantRef));
  if (orphan !== undefined) throw new Refusal('3004', `infant ${orphan.ref} would stay without its adult`);
  if (!travelers.some(({ type }) => type === 'ADT')) throw new Refusal('26', 'a child would stay without an adult');
}

/** Puts a payment before the other orders of a booking, reduced to the price of its travellers. */
function withPaymentShare(carrier: Carrier, booking: CarrierBooking, payment: Order): CarrierBooking {
  return { ...booking, orders: [{ ...payment, amount: bookingTotal(carrier, booking) }, ...booking.orders] };
}
