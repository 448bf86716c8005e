/** What the receipt of a payment, and the booking that the airline shows after it, say otherwise: first tickets, then people, orders. */
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type Money, sameMoney, showMoney } from '../../core/money.ts';
import {
  activeSegments,
  type Booking,
  type ReceiptItem,
  type Segment,
  type Ticket,
  travelerAsRead,
} from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { paidOrders, paymentsOf } from '../../domain/booking/paid-and-refunded.ts';
import { couponCounts } from '../../domain/booking/status-codes.ts';
import { areComparable, isSameTicket, otherTickets, ticketNumbers } from '../../domain/facts/issued-tickets.ts';
import { NAME } from '../../domain/facts/person-rows.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { withoutGluedTitle } from '../../domain/people/name-keys.ts';
import { withoutTitles } from '../../domain/people/titles.ts';
import type { PersonName, Traveler } from '../../domain/people/traveler.ts';
import { quotedName } from '../views/terms-text.ts';

/**
 * @param items of the receipt
 * @param booking as it was read after the payment
 * @param total that was approved
 */
export function receiptDoubts(
  items: readonly ReceiptItem[],
  booking: Booking,
  total: Money | undefined,
): readonly string[] {
  const ticketItems = items.filter((item) => !isService(item));
  const ofNames = ticketItems.flatMap((item) => otherName(item, booking));
  const issued = ticketItems.map(({ ticketNumber }) => ticketNumber);
  const unknown = otherTickets(issued, ticketNumbers(booking)).map(
    (number) => `Ticket ${cleanCode(number)} of the receipt is not in the booking.`,
  );
  const ofTickets = areComparable(issued, booking) ? [...unknown, ...flightsWithoutTicket(booking)] : [];
  return [...new Set([...ofNames, ...ofTickets, ...pendingOrder(booking, total)])];
}

/** An EMD is the ticket of a special service, not of a traveller. */
export function isService({ ticketType = '' }: ReceiptItem): boolean {
  return /EMD/i.test(ticketType);
}

const numbered = ({ tickets }: Booking): readonly Ticket[] => tickets.filter(({ number }) => number !== '');

/** A ticket in another name than that of its passenger; of a ticket that is nobody's, in no name of the booking. */
function otherName({ ticketNumber, name }: ReceiptItem, booking: Booking): readonly string[] {
  const ticket = numbered(booking).find(({ number }) => isSameTicket(number, ticketNumber));
  const holders = booking.travelers.filter(({ ref }) => ticket?.travelerRefs.includes(ref));
  const people = holders.length > 0 ? holders : booking.travelers;
  const names = people.map((person) => travelerAsRead(booking, person).name).filter((each) => each !== undefined);
  if (name === undefined || names.length < people.length || names.some((each) => mayBeOne(name, each))) return [];
  const [holder] = holders;
  const instead = holder === undefined ? 'which is not in the booking' : `not of ${quotedName(holder.name)}`;
  return [`Ticket ${cleanCode(ticketNumber)} of the receipt is in the name of ${quotedName(name)}, ${instead}.`];
}

/** Whether one name may be another spelling of the other. A name that is masked, or has no Latin letters, proves nothing. */
function mayBeOne(name: PersonName, other: PersonName): boolean {
  const person = (one: PersonName) => ({ name: one, emails: [], phones: [], addresses: [], comments: [] });
  const [shown = [], ofBooking = []] = [name, other].map((one) => NAME.shown?.(person(one)));
  if (shown.length === 0 || ofBooking.length === 0) return true;
  const sent = NAME.sent(person(other));
  return shown.some((form) => sent.includes(form)) || isInitialOf(name, other);
}

/** Whether the surname is the same, and one of the given names begins with the other: `HADDAD/L` may be Layla Haddad. */
function isInitialOf(name: PersonName, other: PersonName): boolean {
  const givenNames = (one: PersonName) => withoutTitles(withoutGluedTitle(one).given.join(' ')).split(/[\s.]+/);
  const [a, b] = [name, other].map((one) =>
    givenNames(one)
      .map(foldName)
      .find((word) => word !== ''),
  );
  if (!a || !b || foldName(name.surname) !== foldName(other.surname)) return false;
  return a.startsWith(b) || b.startsWith(a);
}

/** Flights of passengers whose tickets are for others of their flights alone. A coupon that names no flight may be for any. */
function flightsWithoutTicket(booking: Booking): readonly string[] {
  const active = activeSegments(booking);
  return booking.travelers.flatMap((traveler) => {
    const tickets = numbered(booking).filter(({ travelerRefs }) => travelerRefs.includes(traveler.ref));
    const coupons = tickets.flatMap((ticket) => ticket.coupons);
    const flown = coupons.filter(({ statusCode }) => couponCounts(statusCode)).map(({ segmentRef }) => segmentRef);
    if (flown.length === 0 || coupons.some(({ segmentRef }) => !active.some(({ ref }) => ref === segmentRef)))
      return [];
    // One flight with a stop may be held as two, with one coupon.
    const hasTicket = (segment: Segment) =>
      active.some((one) => flown.includes(one.ref) && (one === segment || isSameRide(one, segment)));
    const without = active.filter((segment) => isOn(traveler, segment.ref) && !hasTicket(segment));
    return without.map(
      (segment) => `The booking shows no ticket of ${nameOrRef(traveler)} for ${flightName(segment)}.`,
    );
  });
}

/** Whether two segments are of one number, and one goes on where the other ends. */
function isSameRide(a: Segment, b: Segment): boolean {
  return a.flightNumber === b.flightNumber && (a.to === b.from || b.to === a.from);
}

const nameOrRef = ({ name, ref }: Traveler): string => (name ? quotedName(name) : `passenger ${cleanRef(ref)}`);

const isOn = ({ segmentRefs }: Traveler, ref: string): boolean => segmentRefs.length === 0 || segmentRefs.includes(ref);

/** An order of the sum that was paid, which the airline shows as not paid. */
function pendingOrder(booking: Booking, total: Money | undefined): readonly string[] {
  const isOfTotal = paymentsOf(booking).some(({ status, amount }) => {
    return status === 'PENDING' && amount !== undefined && total !== undefined && sameMoney(amount, total);
  });
  if (!isOfTotal || total === undefined || paidOrders(booking).length > 0) return [];
  return [`The booking shows the order of ${showMoney(total)} as pending, not as paid.`];
}
