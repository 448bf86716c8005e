import * as z from 'zod';
import type { Booking, ReceiptItem, Ticket } from '../domain/booking/booking.ts';
import type { PaymentOrder } from '../domain/booking/booking-requests.ts';
import { bookingDeadlines } from '../domain/booking/deadlines.ts';
import { activeSegments, paySubject } from '../domain/booking/expected-change.ts';
import { unnamedOf } from '../domain/booking/group-booking.ts';
import { paymentsOf } from '../domain/booking/payment-state.ts';
import { orderStatus, paymentTypeWord } from '../domain/booking/status-codes.ts';
import { formatMoney, type Money, parseMoney, sameMoney, showMoney } from '../domain/pricing/money.ts';
import { cleanCode, quoted } from '../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ClerkError, inputError } from '../errors.ts';
import { type Done, defineGuardedTool, once, type ToolContext } from './definition/define.ts';
import { approvalId, checked, holderName, locator } from './definition/input-fields.ts';
import { refuseCardNumbers } from './rules/card-numbers.ts';
import { refuse, whyNotChangeNames, whyNotPay } from './rules/permissions.ts';
import { nameText } from './views/passengers.ts';
import { firstDeparture, refundIfCancelled } from './views/refund-of-booking.ts';
import { table } from './views/table.ts';
import { flightLine, peopleLines, refundLine, ruleLines, textsOf } from './views/terms-lines.ts';
import { ownLink, withheldLinks } from './views/ticket-links.ts';

const input = once(() =>
  z.strictObject({
    locator: locator(),
    payment: z.strictObject({
      type: z.enum(['external', 'credit_card', 'cash', 'debit_credit_account', 'invoice']),
      holder_name: holderName().optional(),
    }),
    expected_total: amount().optional(),
    approval_id: approvalId(),
  }),
);

const output = once(() =>
  z.object({
    tickets: z.array(
      z.object({
        number: z.string(),
        type: z.string(),
        passenger_ref: z.string().optional(),
        passenger_name: z.string(),
        total: z.string().optional(),
        net: z.string().optional(),
        payment_type: z.string().optional(),
        conjunctive: z.array(z.string()).optional(),
        downloads: z.array(z.object({ url: z.string(), segment_ref: z.string().optional() })).optional(),
      }),
    ),
    warnings: z.array(z.string()).optional(),
  }),
);

type Args = z.output<ReturnType<typeof input>>;
type TicketView = z.input<ReturnType<typeof output>>['tickets'][number];
interface Send {
  readonly order: PaymentOrder;
}

/** Money as text; `format` keeps a JSON number from standing in for it. */
function amount() {
  return z
    .string()
    .check(
      checked((value) => (/^\d{1,12}(\.\d{1,4})?$/.test(value) ? undefined : 'expected an amount such as "172.50"')),
    )
    .meta({ format: 'money' });
}

export const payBooking = defineGuardedTool<ReturnType<typeof input>, ReturnType<typeof output>, Send>({
  name: 'pay_booking',
  title: 'Pay booking',
  description: 'Pay a held booking in full and issue its tickets, after a person approves. Never give a card number.',
  toolset: 'core',
  effect: 'commit',
  screen: refuseCardNumbers,
  input,
  output,

  async preview(args, ctx) {
    refuseCardNumbers(args);
    const booking = await ctx.airline.read(args.locator, ctx.signal ? { signal: ctx.signal } : {});
    refuse(booking, whyNotPay(booking, ctx.now()));
    const total = expected(booking, args.expected_total);
    const order = omitUndefined({
      locator: booking.locator,
      paymentType: args.payment.type,
      amount: total,
      holderName: args.payment.holder_name,
      company: companyOf(booking),
    });
    return {
      locator: booking.locator,
      booking,
      lines: lines(booking, total, args, ctx),
      act: `Pay ${showMoney(total)}`,
      ask: true,
      money: { direction: 'payment', amount: total },
      subject: paySubject(booking, total),
      send: { order },
    };
  },

  async commit(confirmed, ctx) {
    return { receipt: await ctx.airline.pay(confirmed) };
  },

  report(done, ctx) {
    const { restUrl } = ctx.settings;
    const tickets = ticketsOf(done, restUrl);
    const warnings = withheldLinks(linksOf(done), restUrl);
    return {
      added: { tickets, ...(warnings.length > 0 && { warnings }) },
      changed: [`paid, ${counted(tickets)} issued`],
    };
  },

  text({ tickets = [], warnings = [] }, { operation, booking }) {
    const paid = operation.amount === undefined ? '' : ` ${showMoney(operation.amount)}`;
    return [
      `Paid${paid} for booking ${booking?.locator ?? operation.locator}. ${counted(tickets)}:`,
      ...table(
        tickets.map((ticket) => [
          ticket.number,
          ticket.passenger_ref === undefined ? '' : `passenger ${ticket.passenger_ref}`,
          ticket.passenger_name,
          ticket.total ?? '',
        ]),
      ),
      ...tickets.flatMap((ticket) => (ticket.downloads ?? []).map(({ url }) => `  ${ticket.number}: ${url}`)),
      ...warnings,
    ].join('\n');
  },
});

const counted = (tickets: readonly TicketView[]) => (tickets.length === 1 ? '1 ticket' : `${tickets.length} tickets`);

/** The total to pay. Some messages name no amount, so it is compared here. */
function expected(booking: Booking, wanted: string | undefined): Money {
  const total = booking.pricing?.total?.total;
  if (total === undefined) throw new RangeError('a payable booking has a price');
  if (wanted === undefined) return total;
  const given = parseMoney(wanted, total.currency);
  if (given === undefined || Number(wanted) !== Number(formatMoney(given))) {
    throw inputError('expected_total', `expected an amount in ${total.currency}, such as "${formatMoney(total)}".`);
  }
  if (sameMoney(given, total)) return total;
  throw new ClerkError(
    'E_PRICE_CHANGED',
    `Booking ${booking.locator} costs ${showMoney(total)} now, not ${showMoney(given)}. Nothing was paid.`,
    {
      next: `Tell the person the new price; if they agree, call pay_booking with expected_total "${formatMoney(total)}".`,
    },
  );
}

/** The company whose reference the locator is. */
function companyOf({ locator: own, references }: Booking): string | undefined {
  return (references.find(({ id }) => id === own) ?? references[0])?.system;
}

/** Who pays: the desk's account where payments are charged to one, else the holder given. */
function payerText({ type, holder_name: holder }: Args['payment'], account: string | undefined): string {
  if (type === 'debit_credit_account' && account !== undefined) return `, account ${quoted(account, 60)}`;
  return holder === undefined ? '' : `, holder ${quoted(holder, 60)}`;
}

function lines(booking: Booking, total: Money, args: Args, ctx: ToolContext): readonly string[] {
  const { payBy } = bookingDeadlines(booking);
  return [
    `Pay ${showMoney(total)} for booking ${booking.locator} and issue its tickets.`,
    ...unclearLines(booking),
    ...activeSegments(booking).map((segment) => flightLine(segment)),
    ...peopleLines(booking),
    ...namelessLines(booking, ctx.now()),
    `Payment type: ${args.payment.type}${payerText(args.payment, ctx.settings.account)}`,
    ...(payBy === undefined ? [] : [`To be paid by ${payBy}.`]),
    ...refundLines(booking, ctx),
  ];
}

/** An order in a word that is not known may be one that is paid: the airline would refuse, or take it twice. */
function unclearLines(booking: Booking): readonly string[] {
  const words = paymentsOf(booking).flatMap(({ status }) =>
    status === undefined || status === 'PENDING' ? [] : status,
  );
  return [...new Set(words)].map(
    (word) => `WARNING: its order is ${orderStatus(word)}. It may be paid already: ask the airline first.`,
  );
}

/** Names come first: airlines may refuse tickets without them (docs/wire/notes.md, Money and rules). */
function namelessLines(booking: Booking, now: number): readonly string[] {
  const count = unnamedOf(booking).length;
  if (count === 0) return [];
  const who = count === 1 ? '1 passenger has' : `${count} passengers have`;
  const refusal = whyNotChangeNames(booking, now);
  if (refusal === undefined)
    return [`${who} no name yet. The airline may refuse payment without names: give them first with change_names.`];
  return [`${who} no name, and none can be given now: ${refusal.why}. Ask the airline before paying.`];
}

/** What cancelling everything right after the payment would bring, and what comes after. */
function refundLines(booking: Booking, { now, settings }: ToolContext): readonly string[] {
  const estimate = refundIfCancelled(booking, now());
  const [rule = '', ...ahead] = ruleLines('Refund rule after payment', estimate, firstDeparture(booking));
  const texts = estimate.airlineWords.length > 0 ? textsOf(estimate, settings.locale) : [];
  return [
    `${rule} ${refundLine(estimate)}`,
    ...ahead,
    ...texts.map((text) => `The airline's text: ${quoted(text, 160)}`),
  ];
}

function ticketsOf(done: Done<Args>, restUrl: string | undefined): TicketView[] {
  const { evidence, operation, booking } = done;
  const items = evidence?.receipt?.items ?? [];
  const currency = operation.amount?.currency;
  if (items.length > 0)
    return items.map((item) => ({ ...fromReceipt(item, booking, restUrl), ...moneyOf(item, currency) }));
  const issued = (booking?.tickets ?? []).filter((ticket) => ticket.number !== '');
  const kept = operation.outcome?.tickets ?? [];
  if (kept.length === 0) return issued.map((ticket) => fromTicket(ticket, booking, restUrl));
  return kept.map((told) => {
    const ticket = issued.find(({ number }) => number === told.number);
    const known = ticket
      ? fromTicket(ticket, booking, restUrl)
      : { number: told.number, type: 'unknown', passenger_name: '' };
    return { ...known, ...moneyOf(told, currency) };
  });
}

/** Every link that the airline gave with these tickets. */
function linksOf({ evidence, booking }: Done<Args>): Ticket['links'] {
  return [...(evidence?.receipt?.items ?? []), ...(booking?.tickets ?? [])].flatMap(({ links }) => links);
}

type Paid = Partial<Pick<ReceiptItem, 'total' | 'net' | 'paymentType' | 'conjunctive'>>;

/** The receipt names no currency: its digits are read in the booking's. */
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
  const holder = booking?.travelers.find(({ ref }) => ticket?.travelerRefs.includes(ref));
  return omitUndefined({
    number: cleanCode(item.ticketNumber),
    type: cleanCode(item.ticketType ?? ticket?.ticketType ?? 'unknown'),
    passenger_ref: holder?.ref,
    passenger_name: nameText(item.name ? item : holder),
    downloads: downloads([...item.links, ...(ticket?.links ?? [])], restUrl),
  });
}

function fromTicket(ticket: Ticket, booking: Booking | undefined, restUrl: string | undefined): TicketView {
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
