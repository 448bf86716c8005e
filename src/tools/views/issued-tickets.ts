/** Tickets that a payment issued: from the receipt, or from the journal and the booking. */
import * as z from 'zod';
import { cleanCode } from '../../core/clean-text.ts';
import { formatMoney, parseMoney } from '../../core/money.ts';
import { type Booking, type ReceiptItem, segmentsOf, type Ticket } from '../../domain/booking/booking.ts';
import { flightName, viewRoute } from '../../domain/booking/flight-name.ts';
import { couponCounts, paymentTypeWord } from '../../domain/booking/status-codes.ts';
import type { Done } from '../definition/define.ts';
import { optionalStrings, optionalTexts, strings, usual } from '../definition/field-notes.ts';
import { type CouponView, couponList, TICKET } from './booking-schema.ts';
import { nameText, viewCoupon } from './passengers.ts';

/** `type`, `net` and `payment_type` only where they are not what goes without saying. */
export function issuedTicket() {
  return z.object({
    ...strings({ number: TICKET.number }),
    ...optionalStrings({ type: TICKET.type, ...usual('passenger_ref') }),
    ...strings({ passenger_name: 'the name on the ticket' }),
    ...optionalStrings({
      total: 'price of the ticket',
      net: 'price without tax',
      payment_type: 'how it was paid, as the airline says',
    }),
    conjunctive: optionalTexts('further numbers of the same ticket'),
    coupons: couponList(),
  });
}

type IssuedTicketView = z.input<ReturnType<typeof issuedTicket>>;

/** What is as usual goes without saying. `asked`: how it was to be paid. */
export function issuedTickets(done: Done<unknown>, asked: string): IssuedTicketView[] {
  return allTickets(done).map(({ type, net, payment_type: paid, ...ticket }) => ({
    ...ticket,
    type: type === 'E_TICKET' ? undefined : type,
    net: net === ticket.total ? undefined : net,
    payment_type: paid === asked ? undefined : paid,
  }));
}

function allTickets({ evidence, operation, booking }: Done<unknown>): IssuedTicketView[] {
  const items = evidence?.receipt?.items ?? [];
  const currency = operation.amount?.currency;
  if (items.length > 0) return items.map((item) => ({ ...fromReceipt(item, booking), ...moneyOf(item, currency) }));
  const issued = (booking?.tickets ?? []).filter((ticket) => ticket.number !== '');
  const kept = operation.outcome?.tickets ?? [];
  if (kept.length === 0) return issued.map((ticket) => issuedTicketOf(ticket, booking));
  return kept.map((recorded) => {
    const ticket = issued.find(({ number }) => number === recorded.number);
    const known = ticket ? issuedTicketOf(ticket, booking) : { number: recorded.number, passenger_name: '' };
    return { ...known, ...moneyOf(recorded, currency) };
  });
}

type Paid = Partial<Pick<ReceiptItem, 'total' | 'net' | 'paymentType' | 'conjunctive'>>;

/** Reads amounts in the booking's currency, because the receipt names none. */
function moneyOf({ total, net, paymentType, conjunctive = [] }: Paid, currency: string | undefined) {
  const digits = (text: string | undefined) => {
    const money = text === undefined || currency === undefined ? undefined : parseMoney(text, currency);
    return money ? formatMoney(money) : text;
  };
  return {
    total: digits(total),
    net: digits(net),
    payment_type: paymentType === undefined ? undefined : cleanCode(paymentTypeWord(paymentType)),
    conjunctive: conjunctive.length > 0 ? conjunctive.map((number) => cleanCode(number)) : undefined,
  };
}

function fromReceipt(item: ReceiptItem, booking: Booking | undefined): IssuedTicketView {
  const ticket = booking?.tickets.find(({ number }) => number === item.ticketNumber);
  const type = item.ticketType ?? ticket?.ticketType;
  const bare = { travelerRefs: [], segmentRefs: [], coupons: [], ...ticket, number: item.ticketNumber };
  const view = issuedTicketOf({ ...bare, ...(type !== undefined && { ticketType: type }) }, booking);
  return item.name ? { ...view, passenger_name: nameText(item) } : view;
}

type IssuedTicket = Pick<Ticket, 'number' | 'ticketType' | 'travelerRefs' | 'segmentRefs' | 'coupons'>;

function issuedTicketOf(ticket: IssuedTicket, booking: Booking | undefined): IssuedTicketView {
  const holder = booking?.travelers.find(({ ref }) => ticket.travelerRefs.includes(ref));
  const coupons = couponsOf(ticket);
  return {
    number: cleanCode(ticket.number),
    type: ticket.ticketType === undefined ? undefined : cleanCode(ticket.ticketType),
    passenger_ref: holder?.ref,
    passenger_name: nameText(holder),
    coupons: coupons.length > 0 ? coupons : undefined,
  };
}

/** One for each segment. Without coupons the ticket names its segments, which can be wrong (docs/wire/notes.md, Replies). */
function couponsOf({ coupons, segmentRefs }: IssuedTicket): CouponView[] {
  if (coupons.length === 0) return [...new Set(segmentRefs)].map((ref) => ({ segment_ref: ref }));
  const valid = coupons.filter(({ statusCode, segmentRef }) => couponCounts(statusCode) && segmentRef !== undefined);
  const bySegment = new Map(valid.map((coupon) => [coupon.segmentRef, coupon]));
  return [...bySegment.values()].map((coupon) => viewCoupon(coupon));
}

/** The segments that the tickets are for. */
export function ticketedSegments(tickets: readonly IssuedTicketView[], booking: Booking | undefined) {
  const refs = new Set(tickets.flatMap(({ coupons = [] }) => coupons.map(({ segment_ref: ref }) => ref)));
  const ticketed = booking === undefined ? [] : segmentsOf(booking).filter(({ ref }) => refs.has(ref));
  return ticketed.map((segment) => {
    const { from, to } = viewRoute(segment);
    return { ref: segment.ref, flight: flightName(segment), from, to };
  });
}
