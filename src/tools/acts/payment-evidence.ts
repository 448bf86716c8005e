/**
 * Says what a payment is expected to change, and judges whether it did (docs/wire/notes.md, Payment message): a receipt in the reply,
 * orders and tickets in a reading, and both together if the receipt left a doubt. At the end, how the items of a receipt are read.
 */

import { type Money, parseMoney, sameMoney, showMoney, sumMoney } from '../../core/money.ts';
import {
  activeSegments,
  type Booking,
  type JudgedDeed,
  type ReceiptItem,
  segmentsOf,
  type Ticket,
  unclearSegments,
} from '../../domain/booking/booking.ts';
import { paidByOrders, paidOrders, wasPaid } from '../../domain/booking/paid-and-refunded.ts';
import { couponCounts } from '../../domain/booking/status-codes.ts';
import type { ActEvidence, Unsettled } from '../../journal/act.ts';
import type { Evidence, Verdict } from '../../journal/evidence.ts';
import type { Operation, Outcome } from '../../journal/operation.ts';
import { checkSentence } from '../../journal/outcome.ts';
import { filled } from '../definition/field-notes.ts';
import { isService } from './receipt-doubts.ts';

/** What a payment is expected to change (docs/wire/notes.md, Payment message; docs/wire/interface.md, States). */
export type PayBooking = {
  readonly kind: 'pay';
  readonly amount: Money;
  /** How many valid coupons the booking has once its tickets are issued. */
  readonly coupons: number;
  /** How many tickets are issued: one for each traveller. If absent, 1 is expected. */
  readonly tickets?: number;
};

/** The airline may take this long to issue all tickets of a payment. */
const TICKETING_MS = 10 * 60_000;

/** Says what a payment of this booking is expected to change. */
export function expectPayment(booking: Booking, amount: Money): PayBooking {
  return { kind: 'pay', amount, coupons: couponsDue(booking), tickets: booking.travelers.length };
}

/**
 * Counts the coupons that a ticketed booking has: one for each passenger on each of their active segments, or on those with an
 * unknown status if no other is active.
 */
export function couponsDue(booking: Booking): number {
  const segments = activeSegments(booking).length > 0 ? activeSegments(booking) : unclearSegments(booking);
  const active = segments.map((segment) => segment.ref);
  return booking.travelers.reduce((sum, { segmentRefs }) => {
    const travelsOn = segmentRefs.length === 0 ? active : active.filter((ref) => segmentRefs.includes(ref));
    return sum + travelsOn.length;
  }, 0);
}

/** What proves a payment. journal/act.ts says when each of these is asked. */
export const paymentEvidence: ActEvidence<PayBooking> = {
  kind: 'pay',

  reply: (expected, { receipt }, { isSameBooking }) =>
    isSameBooking ? judgeReceipt(expected, receipt?.items ?? []) : 'void',

  reading(expected, booking, { outcome }) {
    const verdict = judgePaid(expected, booking);
    return outcome?.receipt === undefined ? verdict : checkAgainstReceipt(verdict, outcome.receipt, booking, expected);
  },

  patienceMs: TICKETING_MS,

  partly: ({ amount }, booking) =>
    sameMoney(paidByOrders(booking), amount) ? 'It is paid, and not all its tickets are issued yet.' : undefined,

  // The outcome keeps a receipt that leaves a doubt: `reading` compares it with the booking, and `doubt` tells people what it says.
  unsettled: (operation, evidence, verdict) =>
    unsettledReceipt(operation, operation.subject as PayBooking, evidence, verdict),

  doubt: receiptText,

  learns: (_, { booking, receipt }) => ({ tickets: issuedTicketNumbers(receipt?.items, booking) }),

  toCheck: () => 'whether the booking is paid, with which amount, and whether every ticket is issued',
};

/**
 * The payment, and whether a reading shows it: by a ticket or a coupon, by a paid order, by a refund. One of them is enough, because an
 * airline can show the others later. A booking without a segment is over, and cannot be paid again.
 */
export function paymentDeeds(booking: Booking): readonly JudgedDeed[] {
  const isShown = wasPaid(booking) || booking.tickets.some(({ coupons }) => coupons.length > 0);
  if (!isShown && segmentsOf(booking).length === 0) return [];
  return [{ kind: 'payment', segmentRefs: [], travelerRefs: [], isShown }];
}

// The receipt in the reply.

/**
 * Judges a payment by its receipt. The first case that fits counts; after `partial` a reading decides.
 *
 *   total above the approved amount: each item repeats that amount    partial
 *   total above the approved amount: any other                        contradicted
 *   no item names a ticket, or one item names none                    partial
 *   every item states an amount: they come to the approved one        done
 *   every item states an amount: they come to less                    partial: some tickets only, or the fare without taxes
 *   an item states no amount: each traveller's ticket is named        done
 *   an item states no amount: a ticket is missing                     partial
 */
function judgeReceipt({ amount, tickets: ticketsDue = 1 }: PayBooking, items: readonly ReceiptItem[]): Verdict {
  const ticketItems = withoutRepeats(items).filter((item) => !isService(item));
  const namesAllTickets = new Set(ticketItems.map((item) => item.ticketNumber)).size >= ticketsDue;
  const total = compareTotal(items, namesAllTickets, amount);
  if (total === 'above') return repeatsAmount(items, amount) ? 'partial' : 'contradicted';
  if (ticketItems.length === 0 || items.some((item) => item.ticketNumber === '')) return 'partial';

  // Amounts of nothing say nothing of what was paid.
  const stateAmounts =
    statedSum(items, amount.currency)?.minor !== 0 &&
    items.every((item) => statedAmount(item, amount.currency) !== undefined);
  if (stateAmounts) return total === 'approved' ? 'done' : 'partial';

  return namesAllTickets ? 'done' : 'partial';
}

/**
 * Compares the total of a receipt with the approved amount. An item that looks repeated may be an amount of its own, so two totals are
 * possible: two items of 100 for ticket 1 come to 100 if the second repeats the first, and else to 200. The first case that fits counts:
 *
 *   the total without repeated items is the approved amount    approved
 *   the total of all items is, and no ticket is missing        approved
 *   one of the two totals exceeds it                           above
 *   any other, also if no item states an amount                below
 */
function compareTotal(
  items: readonly ReceiptItem[],
  namesAllTickets: boolean,
  approved: Money,
): 'approved' | 'above' | 'below' {
  const totalWithoutRepeats = statedSum(withoutRepeats(items), approved.currency);
  const totalOfAll = statedSum(items, approved.currency);
  const isApproved = (total: Money | undefined) => total !== undefined && sameMoney(total, approved);
  const isAbove = (total: Money | undefined) => total !== undefined && total.minor > approved.minor;
  if (isApproved(totalWithoutRepeats) || (namesAllTickets && isApproved(totalOfAll))) return 'approved';
  return isAbove(totalWithoutRepeats) || isAbove(totalOfAll) ? 'above' : 'below';
}

/** Whether every item that states an amount states the approved one: the airline repeats it on each ticket. */
function repeatsAmount(items: readonly ReceiptItem[], approved: Money): boolean {
  const stated = items.flatMap((item) => statedAmount(item, approved.currency) ?? []);
  return stated.every((amount) => sameMoney(amount, approved));
}

// The orders and tickets of a reading.

/**
 * Judges a payment by the orders and tickets of a reading. The first case that fits counts:
 *
 *   neither paid orders nor tickets nor segments         void
 *   paid orders come to another amount than approved     contradicted: twice that amount is a double payment
 *   as many valid coupons as are due                     done
 *   paid orders or tickets                               partial
 *   neither                                              not_done
 */
function judgePaid(expected: PayBooking, booking: Booking): Verdict {
  const orders = paidOrders(booking);
  const tickets = booking.tickets.filter((ticket) => ticket.number !== '');
  const isUntouched = orders.length === 0 && tickets.length === 0;
  if (isUntouched && segmentsOf(booking).length === 0) return 'void';

  const amounts = orders.flatMap((order) => order.amount ?? []);
  if (amounts.length > 0 && !sameMoney(sumMoney(amounts), expected.amount)) return 'contradicted';

  const coupons = tickets.reduce((sum, ticket) => sum + countValidCoupons(ticket), 0);
  // If no coupon is due, coupons prove nothing.
  if (expected.coupons > 0 && coupons >= expected.coupons) return 'done';

  return isUntouched ? 'not_done' : 'partial';
}

/** Counts the valid coupons; if the ticket lists none, one for each of its travellers on each of its segments. */
function countValidCoupons(ticket: Ticket): number {
  if (ticket.coupons.length === 0) return Math.max(1, ticket.travelerRefs.length) * ticket.segmentRefs.length;
  return ticket.coupons.filter(({ statusCode }) => couponCounts(statusCode)).length;
}

// A receipt that leaves a doubt.

/**
 * Corrects what a reading proves by a receipt that did not settle the payment:
 *
 *   reading shows no payment                             contradicted
 *   reading shows the payment, receipt another amount    done if the orders come to the approved amount, else contradicted
 *   any other                                            what the reading proves
 */
function checkAgainstReceipt(
  provedByReading: Verdict,
  { stated }: NonNullable<Outcome['receipt']>,
  booking: Booking,
  { amount }: PayBooking,
): Verdict {
  if (provedByReading === 'not_done') return 'contradicted';
  if (provedByReading !== 'done' || stated === undefined || sameMoney(stated, amount)) return provedByReading;
  const paid = paidByOrders(booking);
  return paid !== undefined && sameMoney(paid, amount) ? 'done' : 'contradicted';
}

/**
 * Gives what the operation keeps of a receipt. Undefined if the verdict on the receipt settles the payment.
 *
 *   partial         the total
 *   contradicted    the total and its tickets; if a reading has proved the payment already (`overtaken`), also what a person must check
 */
function unsettledReceipt(
  operation: Operation,
  expected: PayBooking,
  { receipt }: Evidence,
  verdict: Verdict,
): Unsettled | undefined {
  if (verdict !== 'partial' && verdict !== 'contradicted') return undefined;

  const items = receipt?.items ?? [];
  const stated = statedSum(withoutRepeats(items), expected.amount.currency);
  const charged = filled([...new Set(items.flatMap(({ paymentType }) => paymentType ?? []))]);
  const outcome: Outcome = { ...operation.outcome, receipt: { stated }, charged };
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
  return `The airline's receipt names ${showMoney(stated)}, and ${showMoney(amount)} was approved.`;
}

// The items of a receipt.

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
    conjunctive: filled(conjunctive),
  }));
}

/** Sums the amounts that items state. Undefined if none states one. */
function statedSum(items: readonly ReceiptItem[], currency: string): Money | undefined {
  return sumMoney(items.flatMap((item) => statedAmount(item, currency) ?? []));
}

/** Reads the amount of an item. A receipt names no currency. */
function statedAmount({ total = '' }: ReceiptItem, currency: string): Money | undefined {
  return parseMoney(total, currency);
}

/** Keeps the first of items that repeat each other. */
function withoutRepeats(items: readonly ReceiptItem[]): readonly ReceiptItem[] {
  const distinct: ReceiptItem[] = [];
  for (const item of items) {
    if (!distinct.some((earlier) => repeats(item, earlier))) distinct.push(item);
  }
  return distinct;
}

/** A receipt may repeat a ticket for each segment, and list a conjunctive ticket beside the first of its set. */
function repeats({ ticketNumber, total }: ReceiptItem, earlier: ReceiptItem): boolean {
  if (ticketNumber === '') return false;
  const isSameTotal = total === earlier.total;
  if (earlier.conjunctive.includes(ticketNumber)) return total === undefined || isSameTotal;
  return isSameTotal && ticketNumber === earlier.ticketNumber;
}
