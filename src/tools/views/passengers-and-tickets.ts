/** Shows tickets as data: first the passengers of a booking with theirs, then the tickets that a payment issued. */
import * as z from 'zod';
import { cleanCode, cleanText, plainText } from '../../core/clean-text.ts';
import { formatMoney, parseMoney } from '../../core/money.ts';
import type { Booking, Coupon, ReceiptItem, Ticket } from '../../domain/booking/booking.ts';
import { couponCounts, couponStatus } from '../../domain/booking/status-codes.ts';
import { isSameTicket } from '../../domain/facts/issued-tickets.ts';
import { fullName, nameText, type PersonName, type Traveler } from '../../domain/people/traveler.ts';
import type { Done } from '../definition/define.ts';
import { filled, listedWithoutShape, optionalStrings, optionalTexts, strings } from '../definition/field-notes.ts';
import { type BookingViewOptions, type CouponView, couponList, type PassengerView } from './booking-schema.ts';
import { viewPersonalDetails } from './masked-fields.ts';

/** `Haddad L.`: the surname and an initial; empty without a visible letter. */
export function shortName(name: PersonName): string {
  const surname = plainText(name.surname, 60);
  if (surname === '') return plainText(fullName(name), 60);
  const [initial] = /\p{L}\p{M}*/u.exec(plainText([...name.given, ...name.middle].join(' '), 60)) ?? [];
  return initial === undefined ? surname : `${surname} ${initial.toUpperCase()}.`;
}

export function viewPassenger(booking: Booking, traveler: Traveler, options: BookingViewOptions): PassengerView {
  const tickets = booking.tickets.filter(
    ({ number, travelerRefs }) => number !== '' && travelerRefs.includes(traveler.ref),
  );
  const full = options.detail === 'full';

  return {
    ref: traveler.ref,
    type: cleanCode(traveler.type),
    name: nameText(traveler),
    with_adult_ref: traveler.attendantRef,
    unnamed: traveler.name === undefined ? true : undefined,
    ...(full || options.reveal === 'all' ? viewPersonalDetails(booking, traveler, options) : {}),
    tickets: tickets.length > 0 ? tickets.map((ticket) => viewTicket(ticket, full)) : undefined,
  };
}

function viewTicket(
  { number, ticketType, coupons }: Ticket,
  full: boolean,
): NonNullable<PassengerView['tickets']>[number] {
  return {
    number: cleanCode(number),
    type: full ? cleanCode(ticketType ?? 'unknown') : undefined,
    coupons: coupons.length > 0 ? coupons.map((coupon) => viewCoupon(coupon, full)) : undefined,
  };
}

/** The status of an open coupon is left out, except with full detail. */
function viewCoupon(coupon: Coupon, full = false): CouponView {
  const status = cleanText(couponStatus(coupon.statusCode), 40);
  const code = (text: string | undefined, max?: number) => (text === undefined ? undefined : cleanCode(text, max));

  return {
    segment_ref: coupon.segmentRef,
    number: full ? code(coupon.number) : undefined,
    coach: code(coupon.coach),
    seat: code(coupon.seat),
    status: full || coupon.statusCode !== 'O' ? status : undefined,
    status_code: full ? code(coupon.statusCode) : undefined,
    provider_ticket: full ? code(coupon.providerTicket, 40) : undefined,
  };
}

/** The schema of a ticket that a payment issued: `net` only if it is not the total. */
export function issuedTicketSchema() {
  return z.object({
    ...strings('number'),
    ...optionalStrings('passenger_ref'),
    ...strings('passenger_name'),
    ...optionalStrings('total', 'net'),
    conjunctive: optionalTexts(),
    coupons: listedWithoutShape(couponList()),
  });
}

export type IssuedTicketView = z.input<ReturnType<typeof issuedTicketSchema>>;

/** A ticket as the receipt or the journal names it. */
type IssuedTicket = Pick<Ticket, 'number'> & Partial<Pick<ReceiptItem, 'name' | 'total' | 'net' | 'conjunctive'>>;

/** Shows the tickets that a payment issued: from the receipt; else from the journal's outcome; else from the booking. */
export function viewIssuedTickets({ evidence, operation, booking }: Done<unknown>): IssuedTicketView[] {
  const inReceipt = evidence?.receipt?.items.map((item) => ({ ...item, number: item.ticketNumber }));
  const inBooking = booking?.tickets.filter(({ number }) => number !== '');
  const sources: readonly (readonly IssuedTicket[] | undefined)[] = [inReceipt, operation.outcome?.tickets, inBooking];
  const issued = sources.find((tickets = []) => tickets.length > 0) ?? [];
  return issued.map((ticket) => viewIssuedTicket(ticket, booking, operation.amount?.currency));
}

/** Reads amounts in the booking's currency, because the receipt names none. */
function viewIssuedTicket(
  { number, name, total, net, conjunctive = [] }: IssuedTicket,
  booking: Booking | undefined,
  currency: string | undefined,
): IssuedTicketView {
  const ticket = booking?.tickets.find((other) => isSameTicket(other.number, number));
  const holder = booking?.travelers.find(({ ref }) => ticket?.travelerRefs.includes(ref));
  const person = name === undefined ? holder : { name };

  return {
    number: cleanCode(number),
    passenger_ref: holder?.ref,
    passenger_name: person === undefined ? '' : nameText(person),
    coupons: ticket && filled(issuedCoupons(ticket)),
    total: amountText(total, currency),
    net: net === total ? undefined : amountText(net, currency),
    conjunctive: filled(conjunctive.map((other) => cleanCode(other))),
  };
}

/** Writes an amount with all decimals of the currency: `690` becomes `690.00`. */
function amountText(text: string | undefined, currency: string | undefined): string | undefined {
  const money = text === undefined || currency === undefined ? undefined : parseMoney(text, currency);
  return money ? formatMoney(money) : text;
}

/** One coupon for each segment. A ticket without coupons names its segments, which can be wrong (docs/wire/notes.md, Replies). */
function issuedCoupons({ coupons, segmentRefs }: Ticket): CouponView[] {
  if (coupons.length === 0) return [...new Set(segmentRefs)].map((ref) => ({ segment_ref: ref }));
  const valid = coupons.filter(({ statusCode, segmentRef }) => couponCounts(statusCode) && segmentRef !== undefined);
  const bySegment = new Map(valid.map((coupon) => [coupon.segmentRef, coupon]));
  return [...bySegment.values()].map((coupon) => viewCoupon(coupon));
}
