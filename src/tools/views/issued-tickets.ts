/** Tickets that a payment issued: from the receipt, or from the journal and the booking. */
import * as z from 'zod';
import { cleanCode } from '../../core/clean-text.ts';
import { formatMoney, parseMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { type Booking, type Coupon, type ReceiptItem, segmentsOf, type Ticket } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { type PlaceName, showRoute } from '../../domain/booking/place-names.ts';
import { couponCounts, paymentTypeWord } from '../../domain/booking/status-codes.ts';
import { type Done, optionalStrings, strings } from '../definition/define.ts';
import { nameText } from './passengers.ts';

export function issuedTicket() {
  return z.object({
    ...strings('number', 'type'),
    ...optionalStrings('passenger_ref'),
    passenger_name: z.string(),
    segment_refs: z.array(z.string()).optional(),
    ...optionalStrings('total', 'net', 'payment_type'),
    conjunctive: z.array(z.string()).optional(),
  });
}

type IssuedTicketView = z.input<ReturnType<typeof issuedTicket>>;

export function ticketCount(tickets: readonly IssuedTicketView[]): string {
  return tickets.length === 1 ? '1 ticket' : `${tickets.length} tickets`;
}

export function issuedTickets({ evidence, operation, booking }: Done<unknown>): IssuedTicketView[] {
  const items = evidence?.receipt?.items ?? [];
  const currency = operation.amount?.currency;
  if (items.length > 0) return items.map((item) => ({ ...fromReceipt(item, booking), ...moneyOf(item, currency) }));
  const issued = (booking?.tickets ?? []).filter((ticket) => ticket.number !== '');
  const kept = operation.outcome?.tickets ?? [];
  if (kept.length === 0) return issued.map((ticket) => viewTicket(ticket, booking));
  return kept.map((recorded) => {
    const ticket = issued.find(({ number }) => number === recorded.number);
    const known = ticket
      ? viewTicket(ticket, booking)
      : { number: recorded.number, type: 'unknown', passenger_name: '' };
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
  return omitUndefined({
    total: digits(total),
    net: digits(net),
    payment_type: paymentType === undefined ? undefined : cleanCode(paymentTypeWord(paymentType)),
    conjunctive: conjunctive.length > 0 ? conjunctive.map((number) => cleanCode(number)) : undefined,
  });
}

function fromReceipt(item: ReceiptItem, booking: Booking | undefined): IssuedTicketView {
  const ticket = booking?.tickets.find(({ number }) => number === item.ticketNumber);
  const type = item.ticketType ?? ticket?.ticketType;
  const bare = { travelerRefs: [], segmentRefs: [], coupons: [], ...ticket, number: item.ticketNumber };
  const view = viewTicket({ ...bare, ...(type !== undefined && { ticketType: type }) }, booking);
  return item.name ? { ...view, passenger_name: nameText(item) } : view;
}

type IssuedTicket = Pick<Ticket, 'number' | 'ticketType' | 'travelerRefs' | 'segmentRefs' | 'coupons'>;

function viewTicket(ticket: IssuedTicket, booking: Booking | undefined): IssuedTicketView {
  const holder = booking?.travelers.find(({ ref }) => ticket.travelerRefs.includes(ref));
  const refs = segmentRefsOf(ticket);
  return omitUndefined({
    number: cleanCode(ticket.number),
    type: cleanCode(ticket.ticketType ?? 'unknown'),
    passenger_ref: holder?.ref,
    passenger_name: nameText(holder),
    segment_refs: refs.length > 0 ? refs : undefined,
  });
}

/** By its coupons: `flightSegmentRefNumber` can be wrong (docs/wire/notes.md, Replies). */
function segmentRefsOf({ coupons, segmentRefs }: Pick<Ticket, 'coupons' | 'segmentRefs'>): string[] {
  const couponRefs = coupons
    .filter(({ statusCode }) => couponCounts(statusCode))
    .flatMap(({ segmentRef }) => segmentRef ?? []);
  return [...new Set(coupons.length > 0 ? couponRefs : segmentRefs)];
}

/** Of each segment of a ticket: `HHR101 Makkah (QCA) → Madinah (XMD), coach 4 seat 52`. */
export function ticketPlaces(ticket: IssuedTicketView, booking: Booking | undefined, placeName?: PlaceName): string[] {
  if (booking === undefined) return [];
  const coupons = booking.tickets.find(({ number }) => cleanCode(number) === ticket.number)?.coupons ?? [];
  return segmentsOf(booking)
    .filter(({ ref }) => ticket.segment_refs?.includes(ref))
    .map((segment) => {
      const place = placeText(coupons.find(({ segmentRef }) => segmentRef === segment.ref));
      return `${flightName(segment)} ${showRoute(segment, placeName)}${place === '' ? '' : `, ${place}`}`;
    });
}

function placeText({ coach, seat }: Pick<Coupon, 'coach' | 'seat'> = {}): string {
  const shown = [coach && `coach ${cleanCode(coach)}`, seat && `seat ${cleanCode(seat)}`];
  return shown.filter(Boolean).join(' ');
}
