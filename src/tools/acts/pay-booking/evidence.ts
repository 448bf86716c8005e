/** What a payment is expected to change, and what proves it (docs/wire/notes.md, Payment message; docs/wire/interface.md, States). */
import { type Money, parseMoney, sameMoney, showMoney, sumMoney } from '../../../core/money.ts';
import {
  activeSegments,
  type Booking,
  type ReceiptItem,
  segmentsOf,
  type Ticket,
} from '../../../domain/booking/booking.ts';
import { paidByOrders, paidOrders } from '../../../domain/booking/paid-and-refunded.ts';
import { couponCounts } from '../../../domain/booking/status-codes.ts';
import type { ActEvidence, Unsettled } from '../../../journal/act.ts';
import type { Evidence, Verdict } from '../../../journal/evidence.ts';
import type { Operation, Outcome } from '../../../journal/operation.ts';
import { checkSentence } from '../../../journal/outcome.ts';

export type PayBooking = {
  readonly kind: 'pay';
  readonly amount: Money;
  readonly coupons: number;
  /** One for each traveller. */
  readonly tickets?: number;
};

/** The airline may take this long to issue all tickets of a payment. */
const TICKETING_MS = 10 * 60_000;

export function expectPayment(booking: Booking, amount: Money): PayBooking {
  return { kind: 'pay', amount, coupons: couponsDue(booking), tickets: booking.travelers.length };
}

/** The coupons that a ticketed booking has: one for each passenger on each of their active segments. */
export function couponsDue(booking: Booking): number {
  const active = activeSegments(booking).map((segment) => segment.ref);
  return booking.travelers.reduce((sum, { segmentRefs }) => {
    const travelled = segmentRefs.length === 0 ? active : active.filter((ref) => segmentRefs.includes(ref));
    return sum + travelled.length;
  }, 0);
}

export const paymentEvidence: ActEvidence<PayBooking> = {
  kind: 'pay',

  reply: (expected, { receipt }, { isSameBooking }) =>
    isSameBooking ? judgeReceipt(expected, receipt?.items ?? []) : 'void',

  reading: (expected, booking, { outcome }) => besideReceipt(expected, outcome, booking, judgePaid(expected, booking)),

  patienceMs: TICKETING_MS,

  unsettled: (operation, evidence, verdict) =>
    receiptThatLeavesDoubt(operation, operation.subject as PayBooking, evidence, verdict),

  doubt: receiptWords,

  learns: (_, { booking, receipt }) => ({ tickets: ticketsOf(receipt?.items, booking) }),

  toCheck: () => 'whether the booking is paid, with which amount, and whether every ticket is issued',
};

/**
 * `contradicted`: the receipt is above what was approved. Less may be some of the tickets or the fare without taxes, and
 * each ticket may carry the total of the booking: a reading decides.
 */
function judgeReceipt({ amount, tickets = 1 }: PayBooking, items: readonly ReceiptItem[]): Verdict {
  const rows = ticketsOnce(items);
  const fareRows = rows.filter((item) => !isService(item));
  const forAll = new Set(fareRows.map((item) => item.ticketNumber)).size >= tickets;
  const is = (sum: Money | undefined) => sum !== undefined && sameMoney(sum, amount);
  const [once, all] = [takenBy(rows, amount.currency), takenBy(items, amount.currency)];
  const exact = is(once) || (forAll && is(all));
  if (!exact && [once, all].some((sum) => sum !== undefined && sum.minor > amount.minor))
    return isRepeated(items, amount) ? 'partial' : 'contradicted';
  if (fareRows.length === 0 || items.some((item) => item.ticketNumber === '')) return 'partial';
  if (items.every((item) => isAmount(item, amount.currency))) return exact ? 'done' : 'partial';
  // Without totals, it must name a ticket for every traveller.
  return forAll ? 'done' : 'partial';
}

function isAmount({ total = '' }: ReceiptItem, currency: string): boolean {
  return parseMoney(total, currency) !== undefined;
}

function isRepeated(items: readonly ReceiptItem[], amount: Money): boolean {
  return items.every(({ total = '' }) => {
    const each = parseMoney(total, amount.currency);
    return each === undefined || sameMoney(each, amount);
  });
}

function judgePaid(expected: PayBooking, booking: Booking): Verdict {
  const orders = paidOrders(booking);
  const tickets = booking.tickets.filter((ticket) => ticket.number !== '');
  if (orders.length === 0 && tickets.length === 0 && segmentsOf(booking).length === 0) return 'void';
  const amounts = orders.flatMap((order) => order.amount ?? []);
  // Two orders of the approved amount are a double payment.
  if (amounts.length > 0 && !sameMoney(sumMoney(amounts), expected.amount)) return 'contradicted';
  const coupons = tickets.reduce((sum, ticket) => sum + goodCoupons(ticket), 0);
  // If no coupon is due, coupons prove nothing.
  if (expected.coupons > 0 && coupons >= expected.coupons) return 'done';
  return orders.length === 0 && tickets.length === 0 ? 'not_done' : 'partial';
}

/** Valid coupons; one for each pair of pointers if the ticket lists none. */
function goodCoupons(ticket: Ticket): number {
  if (ticket.coupons.length === 0) return Math.max(1, ticket.travelerRefs.length) * ticket.segmentRefs.length;
  return ticket.coupons.filter(({ statusCode }) => couponCounts(statusCode)).length;
}

/**
 * Compares a reading with an inconclusive receipt. A booking without a payment contradicts the receipt. If the receipt
 * named another amount, only orders of the approved amount prove the payment.
 */
function besideReceipt(
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

function receiptThatLeavesDoubt(
  operation: Operation,
  expected: PayBooking,
  { receipt }: Evidence,
  verdict: Verdict,
): Unsettled | undefined {
  if (verdict !== 'partial' && verdict !== 'contradicted') return undefined;
  const items = receipt?.items ?? [];
  const stated = takenBy(ticketsOnce(items), expected.amount.currency);
  const outcome: Outcome = { ...operation.outcome, receipt: { ...(stated && { stated }) } };
  if (verdict === 'partial' || items.length === 0) return { outcome };
  // A receipt can be above what was sent and taken: the orders tell (docs/wire/notes.md, Payment message).
  const known = { ...outcome, tickets: receiptTickets(items) };
  const check = checkSentence(paymentEvidence, operation, receiptWords(expected, outcome));
  return { outcome: known, overtaken: { ...known, check } };
}

/** What a receipt said that did not settle the payment; empty if there was none. */
function receiptWords({ amount }: PayBooking, outcome: Outcome | undefined): string {
  if (outcome?.receipt === undefined) return '';
  const { stated } = outcome.receipt;
  if (stated === undefined) return 'The airline sent a receipt that does not settle it.';
  return `The airline's receipt names ${showMoney(stated)}; ${showMoney(amount)} was approved.`;
}

function ticketsOf(items: readonly ReceiptItem[] | undefined, booking: Booking | undefined): Outcome['tickets'] {
  if (items !== undefined) return receiptTickets(items);
  return booking?.tickets.filter((ticket) => ticket.number !== '').map((ticket) => ({ number: ticket.number }));
}

function receiptTickets(items: readonly ReceiptItem[]): NonNullable<Outcome['tickets']> {
  return items.map(({ ticketNumber: number, total, net, paymentType, conjunctive: all }) => ({
    number,
    total,
    net,
    paymentType,
    conjunctive: all.length > 0 ? all : undefined,
  }));
}

/** The sum of the amounts that receipt rows state; the rows name no currency. */
function takenBy(items: readonly ReceiptItem[], currency: string): Money | undefined {
  return sumMoney(items.flatMap((item) => parseMoney(item.total ?? '', currency) ?? []));
}

/** Each ticket once: rows may repeat it per segment, and list a conjunctive ticket beside the first of its set. */
function ticketsOnce(items: readonly ReceiptItem[]): readonly ReceiptItem[] {
  const kept: ReceiptItem[] = [];
  for (const item of items) {
    const { ticketNumber, total } = item;
    const known = kept.some(
      (one) =>
        (one.conjunctive.includes(ticketNumber) && (total === undefined || total === one.total)) ||
        (one.ticketNumber === ticketNumber && one.total === total),
    );
    if (ticketNumber === '' || !known) kept.push(item);
  }
  return kept;
}

function isService({ ticketType = '' }: ReceiptItem): boolean {
  return /EMD/i.test(ticketType);
}
