/** What the receipt of a payment, and the booking that the airline shows after it, say otherwise: way to pay, tickets, people, orders. */

import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type Money, sameMoney, showMoney } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { present } from '../../core/words.ts';
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
import { couponCounts, type PaymentType, paymentTypeOf } from '../../domain/booking/status-codes.ts';
import { areComparable, isSameTicket, ticketNumbers } from '../../domain/facts/issued-tickets.ts';
import { formsOf, NAME } from '../../domain/facts/person-rows.ts';
import type { Contact, Traveler } from '../../domain/people/traveler.ts';
import type { Operation } from '../../journal/operation.ts';
import { chargedTypes } from '../../journal/outcome.ts';
import { quotedName } from '../views/terms-text.ts';

/** The ways to pay, as people call them. */
const WAYS: Readonly<Record<PaymentType, string>> = {
  external: 'external',
  credit_card: 'card',
  cash: 'cash',
  debit_credit_account: 'account',
  invoice: 'invoice',
};

/**
 * Says that the airline charged another way than the approved one. A code that is not listed has no meaning here, and may be the airline's
 * own for the same way (docs/wire/notes.md, Tolerated in replies).
 */
export function chargedOtherwise({ facts, outcome }: Pick<Operation, 'facts' | 'outcome'>): string | undefined {
  const approved = facts?.paymentType;
  const stated = chargedTypes(outcome).flatMap((code) => paymentTypeOf(code) ?? []);
  const others = stated.filter((type) => type !== approved);
  if (approved === undefined || others.length === 0) return undefined;

  const ways = others.map((type) => WAYS[type]).join(' and ');
  return `The airline charged another way: approved ${own(WAYS, approved) ?? approved}, the receipt says ${ways}. Ask the airline who pays.`;
}

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
  const issued = ticketItems.map(({ ticketNumber }) => ticketNumber);
  const showsAll = areComparable(issued, booking);
  const numbers = showsAll ? ticketNumbers(booking) : [];
  const ofTickets = ticketItems.flatMap((item) => ticketDoubts(item, booking, numbers));
  const ofFlights = showsAll ? flightsWithoutTicket(booking) : [];
  return [...new Set([...ofTickets, ...ofFlights, ...pendingOrder(booking, total)])];
}

/** An EMD is the ticket of a special service, not of a traveller. */
export function isService({ ticketType = '' }: ReceiptItem): boolean {
  return /EMD/i.test(ticketType);
}

const numbered = ({ tickets }: Booking): readonly Ticket[] => tickets.filter(({ number }) => number !== '');

/** A ticket in another name than that of its passenger, or of another number. One that is nobody's may be of anybody in the booking. */
function ticketDoubts(item: ReceiptItem, booking: Booking, numbers: readonly string[]): readonly string[] {
  const { name, ticketNumber } = item;
  const ticket = numbered(booking).find(({ number }) => isSameTicket(number, ticketNumber));
  const holders = booking.travelers.filter(({ ref }) => ticket?.travelerRefs.includes(ref));
  const people = (holders.length > 0 ? holders : booking.travelers).map((one) => travelerAsRead(booking, one));
  const shownNames = (person: Contact) => formsOf(NAME, person, undefined, NAME.shown);

  // A name that is masked, or has no Latin letters, proves nothing.
  const areKnown = people.every((person) => shownNames(person).length > 0);
  const names = areKnown ? people.flatMap(NAME.sent) : [];
  const shown = shownNames({ name, emails: [], phones: [], addresses: [], comments: [] });

  const isForeign = names.length > 0 && shown.length > 0 && !NAME.same(names, shown, {}, {});
  const isUnknown =
    numbers.length > 0 && ticketNumber !== '' && !numbers.some((number) => isSameTicket(number, ticketNumber));

  const [holder] = holders;
  const instead = holder === undefined ? 'which is not in the booking' : `not of ${quotedName(holder.name)}`;
  const doubts = present([
    isForeign && `is in the name of ${quotedName(name)}, ${instead}`,
    isUnknown && 'is not in the booking',
  ]);

  return doubts.map((doubt) => `Ticket ${cleanCode(ticketNumber)} of the receipt ${doubt}.`);
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
