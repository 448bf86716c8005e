/** Pays a held booking in full: the tool, its act, and the evidence (the receipt, the orders and the tickets). */
import * as z from 'zod';
import type { Terms, TermsSection } from '../../approvals/terms.ts';
import { quoted } from '../../core/clean-text.ts';
import { ClerkError, inputError } from '../../core/errors.ts';
import { formatMoney, type Money, parseMoney, sameMoney, showMoney, sumMoney } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { showDeadline } from '../../core/times.ts';
import { counted, table } from '../../core/words.ts';
import type { AgencyAccount, PaymentOrder, PaymentType } from '../../domain/airline.ts';
import {
  activeSegments,
  type Booking,
  type ReceiptItem,
  segmentsOf,
  type Ticket,
  unnamedTravelers,
} from '../../domain/booking/booking.ts';
import { bookingDeadlines, bookingState, payBy } from '../../domain/booking/booking-state.ts';
import type { KeptCoupon } from '../../domain/booking/kept-reading.ts';
import { type OperationEffect, withLimits } from '../../domain/booking/operation-effects.ts';
import { isPaid, paidByOrders, paidOrders, paymentsOf } from '../../domain/booking/paid-and-refunded.ts';
import { findEarlierSegments } from '../../domain/booking/pair-readings.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { namedPlaces, showRoute } from '../../domain/booking/stations.ts';
import { couponCounts, orderStatus } from '../../domain/booking/status-codes.ts';
import type { Price } from '../../domain/pricing/fare.ts';
import type { ActEvidence, ActPart, Unsettled } from '../../journal/act.ts';
import type { Evidence, Verdict } from '../../journal/evidence.ts';
import type { Operation, Outcome } from '../../journal/operation.ts';
import { checkSentence } from '../../journal/outcome.ts';
import { type ArgsOf, defineAct, type ToolContext } from '../definition/define.ts';
import { noted, placesSchema, strings, usual } from '../definition/field-notes.ts';
import { amount, approvalId, EXAMPLE_BOOKING, locator, payment } from '../definition/input-fields.ts';
import { refuseCardNumbers } from '../rules/card-numbers.ts';
import {
  notPermitted,
  type Refusal,
  refusalIfLimitPassed,
  refuse,
  SEE_ALLOWED,
  whyNotChangeNames,
} from '../rules/why-not.ts';
import { readNow } from '../steps/record-booking.ts';
import { couponText } from '../views/booking-text.ts';
import { issuedTicketSchema, ticketedSegments, viewIssuedTickets } from '../views/passengers-and-tickets.ts';
import { allCancellable, firstDeparture, refundIfCancelled } from '../views/refund-estimate.ts';
import { peopleSection, refundBoxLines, ruleLines, section, tripTerms } from '../views/terms-text.ts';

/** What a payment changes, and what proves it (docs/wire/notes.md, Payment message; docs/wire/interface.md, States). */
type PayBooking = {
  readonly kind: 'pay';
  readonly amount: Money;
  /** How many valid coupons the booking has once its tickets are issued. */
  readonly coupons: number;
  /** How many tickets are issued: one for each traveller. */
  readonly tickets?: number;
};

/** The airline may take this long to issue all tickets of a payment. */
const TICKETING_MS = 10 * 60_000;

/** How many accounts the terms list. */
const MOST_ACCOUNTS = 3;

/** How many characters of the name of an account or a holder the terms show. */
const NAME_CHARS = 60;

const ASK_PRICE = 'Ask the airline what this booking costs before anything is paid.';

const REFUSED_AS_EXPIRED = { why: 'the airline refused it as expired' };

/** Who is charged, in words (docs/wire/interface.md, Code lists). */
const PAYMENT_WORDS: Readonly<Record<PaymentType, string>> = {
  external: 'collected by the agency; the airline is only informed (external)',
  credit_card: 'by a card arranged with the airline; no card number is sent (credit_card)',
  cash: 'in cash (cash)',
  debit_credit_account: "from the agency's account with the airline (debit_credit_account)",
  invoice: 'by invoice to the agency (invoice)',
};

/** Says what a payment of this booking is expected to change. */
export function expectPayment(booking: Booking, amount: Money): PayBooking {
  return { kind: 'pay', amount, coupons: couponsDue(booking), tickets: booking.travelers.length };
}

/** Counts the coupons that a ticketed booking has: one for each passenger on each of their active segments. */
export function couponsDue(booking: Booking): number {
  const active = activeSegments(booking).map((segment) => segment.ref);
  return booking.travelers.reduce((sum, { segmentRefs }) => {
    const travelsOn = segmentRefs.length === 0 ? active : active.filter((ref) => segmentRefs.includes(ref));
    return sum + travelsOn.length;
  }, 0);
}

const paymentEvidence: ActEvidence<PayBooking> = {
  kind: 'pay',

  reply: (expected, { receipt }, { isSameBooking }) =>
    isSameBooking ? judgeReceipt(expected, receipt?.items ?? []) : 'void',

  reading: (expected, booking, { outcome }) =>
    checkAgainstReceipt(expected, outcome, booking, judgePaid(expected, booking)),

  patienceMs: TICKETING_MS,

  unsettled: (operation, evidence, verdict) =>
    unsettledReceipt(operation, operation.subject as PayBooking, evidence, verdict),

  doubt: receiptText,

  learns: (_, { booking, receipt }) => ({ tickets: issuedTicketNumbers(receipt?.items, booking) }),

  toCheck: () => 'whether the booking is paid, with which amount, and whether every ticket is issued',
};

/**
 * Judges a payment by its receipt. The first row that holds counts; after `partial` a reading decides:
 *
 * | a sum is above what was approved, and none is equal     | contradicted; partial if each row repeats what was approved |
 * | no ticket is named, or a row names none                 | partial |
 * | every row has its total                                 | done if a sum is what was approved, else partial |
 * | some row has no total                                   | done if a ticket is named for every traveller, else partial |
 *
 * A sum below what was approved may be some of the tickets, or the fare without taxes.
 */
function judgeReceipt({ amount, tickets = 1 }: PayBooking, items: readonly ReceiptItem[]): Verdict {
  const rows = withoutRepeatedTickets(items);
  const fareRows = rows.filter((row) => !isService(row));
  const namesAllTickets = new Set(fareRows.map((row) => row.ticketNumber)).size >= tickets;
  const sumOfTickets = statedSum(rows, amount.currency);
  const sumOfItems = statedSum(items, amount.currency);
  const isApproved = (sum: Money | undefined) => sum !== undefined && sameMoney(sum, amount);
  const isAbove = (sum: Money | undefined) => sum !== undefined && sum.minor > amount.minor;
  // A row that looks repeated may be an amount of its own: the sum of all rows counts only if no ticket is missing.
  const statesApproved = isApproved(sumOfTickets) || (namesAllTickets && isApproved(sumOfItems));
  if (!statesApproved && (isAbove(sumOfTickets) || isAbove(sumOfItems)))
    return repeatsAmount(items, amount) ? 'partial' : 'contradicted';
  if (fareRows.length === 0 || items.some((item) => item.ticketNumber === '')) return 'partial';
  if (items.every((item) => hasTotal(item, amount.currency))) return statesApproved ? 'done' : 'partial';
  return namesAllTickets ? 'done' : 'partial';
}

/** Whether the row states an amount. */
function hasTotal({ total = '' }: ReceiptItem, currency: string): boolean {
  return parseMoney(total, currency) !== undefined;
}

/** Whether every total on the receipt is the approved amount: the airline repeats it on each ticket. */
function repeatsAmount(items: readonly ReceiptItem[], amount: Money): boolean {
  return items.every(({ total = '' }) => {
    const stated = parseMoney(total, amount.currency);
    return stated === undefined || sameMoney(stated, amount);
  });
}

/** Judges a payment by the orders and tickets of a reading. */
function judgePaid(expected: PayBooking, booking: Booking): Verdict {
  const orders = paidOrders(booking);
  const tickets = booking.tickets.filter((ticket) => ticket.number !== '');
  if (orders.length === 0 && tickets.length === 0 && segmentsOf(booking).length === 0) return 'void';
  const amounts = orders.flatMap((order) => order.amount ?? []);
  // Two orders of the approved amount are a double payment.
  if (amounts.length > 0 && !sameMoney(sumMoney(amounts), expected.amount)) return 'contradicted';
  const coupons = tickets.reduce((sum, ticket) => sum + countValidCoupons(ticket), 0);
  // If no coupon is due, coupons prove nothing.
  if (expected.coupons > 0 && coupons >= expected.coupons) return 'done';
  return orders.length === 0 && tickets.length === 0 ? 'not_done' : 'partial';
}

/** Counts the valid coupons; if the ticket lists none, one for each of its travellers on each of its segments. */
function countValidCoupons(ticket: Ticket): number {
  if (ticket.coupons.length === 0) return Math.max(1, ticket.travelerRefs.length) * ticket.segmentRefs.length;
  return ticket.coupons.filter(({ statusCode }) => couponCounts(statusCode)).length;
}

/**
 * Compares a reading with an inconclusive receipt. A booking without a payment contradicts the receipt. If the receipt
 * named another amount, only orders of the approved amount prove the payment.
 */
function checkAgainstReceipt(
  { amount }: PayBooking,
  outcome: Outcome | undefined,
  booking: Booking,
  verdict: Verdict,
): Verdict {
  if (outcome?.receipt === undefined) return verdict;
  if (verdict === 'not_done') return 'contradicted';
  const { stated } = outcome.receipt;
  if (verdict !== 'done' || stated === undefined || sameMoney(stated, amount)) return verdict;
  const paid = paidByOrders(booking);
  return paid !== undefined && sameMoney(paid, amount) ? 'done' : 'contradicted';
}

/** Gives what the operation keeps of a receipt that does not settle it. Undefined if the verdict settles it. */
function unsettledReceipt(
  operation: Operation,
  expected: PayBooking,
  { receipt }: Evidence,
  verdict: Verdict,
): Unsettled | undefined {
  if (verdict !== 'partial' && verdict !== 'contradicted') return undefined;
  const items = receipt?.items ?? [];
  const stated = statedSum(withoutRepeatedTickets(items), expected.amount.currency);
  const outcome: Outcome = { ...operation.outcome, receipt: { stated } };
  if (verdict === 'partial' || items.length === 0) return { outcome };
  // A receipt can state more than was sent and taken: the orders show it (docs/wire/notes.md, Payment message).
  const withTickets = { ...outcome, tickets: receiptTickets(items) };
  const check = checkSentence(paymentEvidence, operation, receiptText(expected, outcome));
  return { outcome: withTickets, overtaken: { ...withTickets, check } };
}

/** Says what was on a receipt that did not settle the payment. Empty if there was none. */
function receiptText({ amount }: PayBooking, outcome: Outcome | undefined): string {
  if (outcome?.receipt === undefined) return '';
  const { stated } = outcome.receipt;
  if (stated === undefined) return 'The airline sent a receipt that does not settle it.';
  return `The airline's receipt names ${showMoney(stated)}; ${showMoney(amount)} was approved.`;
}

/** Lists the issued tickets, from the receipt or else from the booking. */
function issuedTicketNumbers(
  items: readonly ReceiptItem[] | undefined,
  booking: Booking | undefined,
): Outcome['tickets'] {
  if (items !== undefined) return receiptTickets(items);
  return booking?.tickets.filter((ticket) => ticket.number !== '').map((ticket) => ({ number: ticket.number }));
}

function receiptTickets(items: readonly ReceiptItem[]): NonNullable<Outcome['tickets']> {
  return items.map(({ ticketNumber, total, net, paymentType, conjunctive }) => ({
    number: ticketNumber,
    total,
    net,
    paymentType,
    conjunctive: conjunctive.length > 0 ? conjunctive : undefined,
  }));
}

/** Sums the amounts that receipt rows state; the rows name no currency. */
function statedSum(items: readonly ReceiptItem[], currency: string): Money | undefined {
  return sumMoney(items.flatMap((item) => parseMoney(item.total ?? '', currency) ?? []));
}

/**
 * Drops repeated rows: a receipt may repeat a ticket per segment, and list a conjunctive ticket beside the first of its set.
 */
function withoutRepeatedTickets(items: readonly ReceiptItem[]): readonly ReceiptItem[] {
  const distinct: ReceiptItem[] = [];
  for (const item of items) {
    const { ticketNumber, total } = item;
    const isRepeat = distinct.some(
      (row) =>
        (row.conjunctive.includes(ticketNumber) && (total === undefined || total === row.total)) ||
        (row.ticketNumber === ticketNumber && row.total === total),
    );
    if (ticketNumber === '' || !isRepeat) distinct.push(item);
  }
  return distinct;
}

function isService({ ticketType = '' }: ReceiptItem): boolean {
  return /EMD/i.test(ticketType);
}

/** Says what a payment changes between two readings: the booking is ticketed, and every coupon is issued open. */
const ticketingEffect: OperationEffect = ({ before, reading }) => {
  if (before.coupons.length > 0) return before;
  if (reading.coupons.length === 0 || reading.segments.length === 0) return undefined;
  const earlierSegments = findEarlierSegments(before.segments, reading.segments);
  const coupons = reading.coupons.map((coupon): KeptCoupon => {
    const earlier = earlierSegments[coupon.segment ?? -1];
    return { ...coupon, status: 'O', segment: earlier && before.segments.indexOf(earlier) };
  });
  return withLimits({ ...before, coupons, state: 'ticketed' }, reading);
};

const act: ActPart<PayBooking> = {
  ...paymentEvidence,
  countedAs: 'payment',
  ofWholeBooking: true,
  scope: 'air:pay',
  word: 'payment',
  title: (expected) => `Paid ${showMoney(expected.amount)}`,
  effects: () => [ticketingEffect],
  closes: (_, { kind }) => kind === 'price_changed' || kind === 'deadline_moved',
  whyNot: (booking, { now, refusedAt }) =>
    whyNotPay(booking, now) ?? (refusedAt === undefined ? undefined : REFUSED_AS_EXPIRED),
  whileOpen: 'whether it is paid is not known yet',
};

const input = () => ({
  locator: locator(),
  payment: payment(),
  expected_total: noted(
    'The total that the person agreed to. If the price is now another, nothing is paid.',
    amount().optional(),
    'not compared',
  ),
  approval_id: approvalId(),
});

type PayArgs = ArgsOf<typeof input>;

interface PaymentSend {
  readonly order: PaymentOrder;
}

export const payBooking = defineAct({
  act,
  name: 'pay_booking',
  title: 'Pay booking',
  description: 'Pay a held booking in full and issue its tickets, after a person approves. Never give a card number.',
  toolset: 'core',
  example: `${EXAMPLE_BOOKING} payment.type=invoice`,
  effect: 'commit',
  screen: refuseCardNumbers,
  input,
  output: () => ({
    places: placesSchema(),
    segments: noted(
      'one entry for each flight or train of the tickets',
      z.array(z.object(strings(usual('ref', 'flight', 'from', 'to')))),
    ),
    tickets: noted('one entry for each ticket', z.array(issuedTicketSchema())),
  }),

  async preview(args, ctx): Promise<Terms<PaymentSend>> {
    const pendingAccounts = accountsFor(args.payment, ctx);
    const booking = await readNow(args.locator, ctx);
    refuse(booking, whyNotPay(booking, ctx.now()));
    const total = agreedTotal(booking, args.expected_total);
    const order = {
      locator: booking.locator,
      paymentType: args.payment.type,
      amount: total,
      holderName: args.payment.holder_name,
      company: systemCode(booking),
    };
    return {
      locator: booking.locator,
      booking,
      sold: { ...soldFacts(booking), paymentType: args.payment.type },
      sections: paymentSections(booking, { payment: args.payment, total, accounts: await pendingAccounts }, ctx),
      act: `Pay ${showMoney(total)}`,
      nature: 'payment',
      ask: true,
      money: { direction: 'payment', amount: total },
      subject: expectPayment(booking, total),
      send: { order },
    };
  },

  async commit(confirmed, ctx) {
    return { receipt: await ctx.airline.pay(confirmed) };
  },

  report(done, { airline }) {
    const { operation, booking, args } = done;
    const tickets = viewIssuedTickets(done, args.payment.type);
    const issued = `${counted(tickets.length, 'ticket')} issued`;
    const sum = operation.amount === undefined ? '' : ` ${showMoney(operation.amount)}`;
    const segments = ticketedSegments(tickets, booking);
    return {
      summary: `Paid${sum} for booking ${booking?.locator ?? operation.locator}; ${issued}.`,
      next: tickets.length > 0 ? 'get_tickets gives the PDFs.' : undefined,
      added: {
        places: namedPlaces(
          segments.flatMap(({ from, to }) => [from, to]),
          airline.placeName,
        ),
        segments,
        tickets,
      },
      changed: [`paid, ${issued}`],
    };
  },

  text({ tickets = [], segments = [], places = {} }) {
    return [
      ...table(
        segments.map((segment) => [segment.ref, segment.flight, showRoute(segment, (code) => own(places, code))]),
      ),
      ...table(
        tickets.map(({ number, conjunctive = [], passenger_name: name, total, coupons = [] }) => [
          [number, ...conjunctive].join(' with '),
          name,
          total,
          coupons.map(couponText).join('; '),
        ]),
      ),
    ];
  },
});

/**
 * Gives the total of the booking, which must be the expected one: some payment messages name no amount. Throws
 * E_PRICE_CHANGED, E_INPUT.
 */
function agreedTotal(booking: Booking, expectedTotal: string | undefined): Money {
  const total = booking.pricing?.total?.total;
  if (total === undefined) throw new RangeError('a payable booking has a price');
  if (expectedTotal === undefined) return total;
  const expected = parseMoney(expectedTotal, total.currency);
  if (expected === undefined || Number(expectedTotal) !== Number(formatMoney(expected))) {
    throw inputError('expected_total', `expected an amount in ${total.currency}, such as "${formatMoney(total)}".`);
  }
  if (sameMoney(expected, total)) return total;
  const what = `Booking ${booking.locator} costs ${showMoney(total)} now, not ${showMoney(expected)}. Nothing was paid.`;
  throw new ClerkError('E_PRICE_CHANGED', what, {
    next: `Tell the person the new price; if they agree, call pay_booking with expected_total "${formatMoney(total)}".`,
  });
}

/** Gives the code of the reservation system that made the locator. */
function systemCode({ locator, references }: Booking): string | undefined {
  return (references.find(({ id }) => id === locator) ?? references[0])?.system;
}

type Payment = PayArgs['payment'];

/** Says how it is paid and who pays: the configured account for debit_credit_account, or the holder of the arguments. */
function paymentText({ type, holder_name: holder }: Payment, account: string | undefined): string {
  return `Payment: ${PAYMENT_WORDS[type]}${payerText(type, holder, account)}.`;
}

function payerText(type: PaymentType, holder: string | undefined, account: string | undefined): string {
  if (type === 'debit_credit_account' && account !== undefined) return `, account ${quoted(account, NAME_CHARS)}`;
  return holder === undefined ? '' : `, holder ${quoted(holder, NAME_CHARS)}`;
}

/** Accounts as the airline listed them; undefined if they are not known. */
type ListedAccounts = readonly AgencyAccount[] | undefined;

/** Reads the accounts if the payment concerns one. Never rejects: nothing depends on the answer. */
export async function accountsFor({ type }: Payment, ctx: Pick<ToolContext, 'accounts'>): Promise<ListedAccounts> {
  return type === 'debit_credit_account' || type === 'invoice' ? ctx.accounts() : undefined;
}

/** What the terms of a payment say about it. */
interface PaymentTerms {
  readonly payment: Payment;
  readonly total: Money;
  readonly accounts: ListedAccounts;
  /** When the accounts were read, in words. Default: as of this question. */
  readonly asOf?: string;
}

/**
 * Writes the note of a payment: how it is paid, then what the airline says of the account, then `others`. The account lines are shown but
 * not bound: every payment changes the balance, so that a yes would lapse although neither what is paid nor who pays has changed.
 */
export function paymentNote(
  paymentTerms: PaymentTerms,
  ctx: ToolContext,
  ...others: (string | undefined)[]
): TermsSection {
  const bound = section('note', paymentText(paymentTerms.payment, ctx.settings.account), ...others);
  const [methodLine = '', ...otherLines] = bound.lines;
  const shownLines = accountLines(paymentTerms, ctx);
  return shownLines.length === 0 ? bound : { ...bound, named: [methodLine, ...shownLines, ...otherLines] };
}

/** Adds warnings about the charged account to the caution. They are shown but not bound, as in {@link paymentNote}. */
export function withAccountCaution(caution: TermsSection, paymentTerms: PaymentTerms, ctx: ToolContext): TermsSection {
  const warnings = accountWarnings(paymentTerms, ctx);
  return warnings.length === 0 ? caution : { ...caution, named: [...warnings, ...caution.lines] };
}

/** Gives the name of the account that the payment charges. Undefined for an invoice if the settings name no account. */
function accountName({ type, holder_name: holder }: Payment, { settings }: ToolContext): string | undefined {
  return settings.account ?? (type === 'debit_credit_account' ? holder : undefined);
}

function accountsNamed(accounts: readonly AgencyAccount[], name: string | undefined): readonly AgencyAccount[] {
  return accounts.filter((account) => account.name.trim() === name?.trim());
}

function accountLines(
  { payment, accounts, asOf = 'as of this question' }: PaymentTerms,
  ctx: ToolContext,
): readonly string[] {
  const { type } = payment;
  if (type !== 'debit_credit_account' && type !== 'invoice') return [];
  const name = accountName(payment, ctx);
  const what = name === undefined ? "the agency's accounts" : `account ${quoted(name, NAME_CHARS)}`;
  if (accounts === undefined) return [`What the airline says of ${what} is not known now.`];
  const charged = accountsNamed(accounts, name);
  if (charged.length === 0 && name !== undefined && type === 'debit_credit_account') return [];
  const shownAccounts = charged.length > 0 ? charged : accounts;
  if (shownAccounts.length === 0) return ['The airline lists no account of the agency.'];
  const unlisted = shownAccounts.length - MOST_ACCOUNTS;
  return [
    ...shownAccounts.slice(0, MOST_ACCOUNTS).map((account) => accountLine(account, asOf)),
    ...(unlisted > 0 ? [`${counted(unlisted, 'more account')}.`] : []),
  ];
}

function accountLine({ name, available, isActive }: AgencyAccount, asOf: string): string {
  const credit = available === undefined ? 'what is available is not said' : `${showMoney(available)} available`;
  const state = isActive === false ? ', not active' : '';
  return `Account ${quoted(name, NAME_CHARS)} at the airline, ${asOf}: ${credit}${state}.`;
}

function accountWarnings({ payment, total, accounts }: PaymentTerms, ctx: ToolContext): readonly string[] {
  const name = accountName(payment, ctx);
  if (payment.type !== 'debit_credit_account' || name === undefined || accounts === undefined) return [];
  const [account] = accountsNamed(accounts, name);
  const shownName = quoted(name, NAME_CHARS);
  if (account === undefined) return [`WARNING: The airline lists no account ${shownName}.`];
  const { available, isActive } = account;
  const isShort = available?.currency === total.currency && available.minor < total.minor;
  return [
    ...(isActive === false ? [`WARNING: The airline says that account ${shownName} is not active.`] : []),
    ...(isShort
      ? [`WARNING: Account ${shownName} has ${showMoney(available)} left, less than ${showMoney(total)}.`]
      : []),
  ];
}

function paymentSections(booking: Booking, paymentTerms: PaymentTerms, ctx: ToolContext): readonly TermsSection[] {
  const { payBy } = bookingDeadlines(booking);
  const limit = payBy && `Pay by ${showDeadline(payBy, firstDeparture(booking))}.`;
  const caution = section('caution', ...unclearOrderLines(booking), ...namelessLines(booking, ctx.now()));
  return [
    section('act', `Pay ${showMoney(paymentTerms.total)} for booking ${booking.locator} and issue its tickets.`),
    withAccountCaution(caution, paymentTerms, ctx),
    tripTerms(booking, ctx),
    peopleSection(booking.travelers),
    paymentNote(paymentTerms, ctx, limit),
    ...refundLines(booking, ctx),
  ];
}

/** Warns about orders with an unknown status: they may be paid, and the airline could charge a second time. */
function unclearOrderLines(booking: Booking): readonly string[] {
  const statuses = new Set(paymentsOf(booking).map(({ status = 'PENDING' }) => status));
  statuses.delete('PENDING');
  return [...statuses].map(
    (status) => `WARNING: its order is ${orderStatus(status)}. It may be paid already: ask the airline first.`,
  );
}

/** Warns about travellers without a name: airlines may refuse their tickets (docs/wire/notes.md, Money and rules). */
function namelessLines(booking: Booking, now: number): readonly string[] {
  const count = unnamedTravelers(booking).length;
  if (count === 0) return [];
  const who = count === 1 ? '1 passenger has' : `${count} passengers have`;
  const refusal = whyNotChangeNames(booking, now);
  if (refusal === undefined) {
    return [`${who} no name yet. The airline may refuse payment without names: give the names first.`];
  }
  return [`${who} no name, and none can be given now: ${refusal.why}. Ask the airline before paying.`];
}

/** Says what cancelling everything right after payment refunds, and the rules after that. */
function refundLines(held: Booking, ctx: ToolContext): readonly TermsSection[] {
  const now = ctx.now();
  const estimate = refundIfCancelled(held, now);
  const near = firstDeparture(held);
  const { booking, cancelled, price: paid } = allCancellable(held);
  const terms = { booking, cancelled, estimate, now, near, paid };
  return [
    section('refund', ...refundBoxLines(estimate, near, 'If it is cancelled after payment: ')),
    section('computed', ...ruleLines('Refund rule after payment', terms)),
  ];
}

/** Why the booking cannot be paid now; undefined if it can. */
function whyNotPay(booking: Booking, now: number): Refusal | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return notPermitted('it is cancelled');
  if (isPaid(booking)) return { code: 'E_ALREADY_DONE', why: 'it is paid already', next: SEE_ALLOWED };
  if (state === 'expired') return refusalIfLimitPassed(booking, payBy(booking), now, 'payment');
  if (booking.pricing?.total !== undefined) return whyNotPrice(booking.pricing.total);
  if (booking.pricing?.hasUnreadableTotal === true)
    return { code: 'E_AIRLINE_REPLY', why: 'the airline sent a total that is not an amount', next: ASK_PRICE };
  return { code: 'E_AIRLINE_REPLY', why: 'the airline gave no price for it', next: 'Call read_booking in a while.' };
}

/** Refuses a total that contradicts its parts: the airline may charge more than was approved. */
function whyNotPrice({ base, taxes, fees, total }: Price): Refusal | undefined {
  const added = sumMoney([base, taxes, fees]);
  const partsText = added?.currency === total.currency ? `come to ${showMoney(added)}` : 'are in another currency';
  const refusal: Refusal = {
    code: 'E_AIRLINE_REPLY',
    why: `its total is ${showMoney(total)}, and base fare, taxes and fees ${partsText}`,
    next: ASK_PRICE,
  };
  if (total.minor <= 0 || added?.currency !== total.currency) return refusal;
  // The total may include taxes and fees that are not listed.
  const listsTaxes = taxes.minor !== 0 || fees.minor !== 0;
  const isContradicted = listsTaxes ? added.minor !== total.minor : added.minor > total.minor;
  return isContradicted ? refusal : undefined;
}
