/** Tickets that a payment issued: from the receipt, or from the journal and the booking. */
import * as z from 'zod';
import type { Booking, ReceiptItem, Ticket } from '../../domain/booking/booking.ts';
import { paymentTypeWord } from '../../domain/booking/status-codes.ts';
import { formatMoney, parseMoney } from '../../domain/pricing/money.ts';
import { cleanCode } from '../../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { type Done, optionalStrings, strings } from '../definition/define.ts';
import { nameText } from './passengers.ts';
import { ownLink } from './ticket-links.ts';

export function issuedTicket() {
  return z.object({
    ...strings('number', 'type'),
    ...optionalStrings('passenger_ref'),
    passenger_name: z.string(),
    ...optionalStrings('total', 'net', 'payment_type'),
    conjunctive: z.array(z.string()).optional(),
    downloads: z.array(z.object({ url: z.string(), ...optionalStrings('segment_ref') })).optional(),
  });
}

type TicketView = z.input<ReturnType<typeof issuedTicket>>;

export function ticketCount(tickets: readonly TicketView[]): string {
  return tickets.length === 1 ? '1 ticket' : `${tickets.length} tickets`;
}

export function issuedTickets(
  { evidence, operation, booking }: Done<unknown>,
  restUrl: string | undefined,
): TicketView[] {
  const items = evidence?.receipt?.items ?? [];
  const currency = operation.amount?.currency;
  if (items.length > 0)
    return items.map((item) => ({ ...fromReceipt(item, booking, restUrl), ...moneyOf(item, currency) }));
  const issued = (booking?.tickets ?? []).filter((ticket) => ticket.number !== '');
  const kept = operation.outcome?.tickets ?? [];
  if (kept.length === 0) return issued.map((ticket) => viewTicket(ticket, booking, restUrl));
  return kept.map((told) => {
    const ticket = issued.find(({ number }) => number === told.number);
    const known = ticket
      ? viewTicket(ticket, booking, restUrl)
      : { number: told.number, type: 'unknown', passenger_name: '' };
    return { ...known, ...moneyOf(told, currency) };
  });
}

export function linksOf({ evidence, booking }: Done<unknown>): Ticket['links'] {
  return [...(evidence?.receipt?.items ?? []), ...(booking?.tickets ?? [])].flatMap(({ links }) => links);
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

function fromReceipt(item: ReceiptItem, booking: Booking | undefined, restUrl: string | undefined): TicketView {
  const ticket = booking?.tickets.find(({ number }) => number === item.ticketNumber);
  const type = item.ticketType ?? ticket?.ticketType;
  const links = [...item.links, ...(ticket?.links ?? [])];
  const shown = { travelerRefs: ticket?.travelerRefs ?? [], number: item.ticketNumber, links };
  const view = viewTicket({ ...shown, ...(type !== undefined && { ticketType: type }) }, booking, restUrl);
  return item.name ? { ...view, passenger_name: nameText(item) } : view;
}

function viewTicket(
  ticket: Pick<Ticket, 'number' | 'ticketType' | 'travelerRefs' | 'links'>,
  booking: Booking | undefined,
  restUrl: string | undefined,
): TicketView {
  const holder = booking?.travelers.find(({ ref }) => ticket.travelerRefs.includes(ref));
  return omitUndefined({
    number: cleanCode(ticket.number),
    type: cleanCode(ticket.ticketType ?? 'unknown'),
    passenger_ref: holder?.ref,
    passenger_name: nameText(holder),
    downloads: downloads(ticket.links, restUrl),
  });
}

function downloads(links: Ticket['links'], restUrl: string | undefined): TicketView['downloads'] {
  const own = new Map<string, string | undefined>();
  for (const link of links) {
    const url = ownLink(link.href, restUrl);
    if (url !== undefined) own.set(url, own.get(url) ?? link.segmentRef);
  }
  return own.size === 0 ? undefined : [...own].map(([url, ref]) => omitUndefined({ url, segment_ref: ref }));
}
