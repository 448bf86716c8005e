/**
 * What a reply or a reading proves about an operation (docs/wire/interface.md, States; docs/wire/notes.md, Statuses).
 */

import { type Money, parseMoney, sameMoney, sumMoney } from '../../core/money.ts';
import { type Booking, type Coupon, type ReceiptItem, segmentsOf, type Ticket } from '../../domain/booking/booking.ts';
import { type ExpectedChange, refundsSeen } from '../../domain/booking/expected-change.ts';
import type { Segment } from '../../domain/booking/itinerary.ts';
import { isService, paidByOrders, paidOrders, takenBy, ticketsOnce } from '../../domain/booking/payment-state.ts';
import { couponCounts, segmentStatus, standing } from '../../domain/booking/status-codes.ts';
import { type Digest, identityText } from '../../domain/people/identity-text.ts';
import { namesShown } from '../../domain/people/name-keys.ts';
import type { Operation } from '../operation.ts';
import type { Evidence } from '../ports.ts';
import { isSplitOff, judgeContact, judgeRebooked, judgeSeats, judgeSplit, judgeTravelers } from './changes.ts';
import { type Of, type Verdict, without } from './verdict.ts';

export interface EvidenceRules {
  /** Judges the airline's reply. Anything but `done` leaves the operation in doubt. */
  reply(operation: Operation, evidence: Evidence, digest: Digest): Verdict;
  reading(operation: Operation, booking: Booking, digest: Digest): Verdict;
}

export const evidenceRules: EvidenceRules = {
  reply(operation, evidence, digest) {
    if (operation.subject.kind === 'create') return judgeMade(operation.subject, evidence.booking, digest);
    const { booking, receipt, cancelled } = evidence;
    const named = booking ?? receipt ?? cancelled;
    if (operation.subject.kind === 'split_booking' && booking !== undefined && !isOf(operation, booking))
      return isSplitOff(operation.subject, booking, digest) ? 'done' : 'void';
    if (named === undefined || !isOf(operation, named)) return 'void';
    if (operation.subject.kind === 'pay') return judgeReceipt(operation.subject, receipt?.items ?? []);
    if (cancelled !== undefined) return cancelled.status?.toUpperCase() === 'CANCELLED' ? 'done' : 'void';
    if (booking === undefined) return 'void';
    return cancelsAll(operation.subject, booking) ? 'done' : judge(operation.subject, booking, digest);
  },
  reading(operation, booking, digest) {
    if (!isOf(operation, booking)) return 'void';
    return besideReceipt(operation, booking, judge(operation.subject, booking, digest));
  },
};

/** By names: the locator is new, and a socket can deliver somebody else's booking. */
function judgeMade({ names }: Of<'create'>, made: Booking | undefined, digest: Digest): Verdict {
  if (made === undefined || made.locator === '') return 'void';
  const shown = namesShown(made.travelers);
  const others = names !== undefined && shown.length > 0 && !shown.some((name) => names.includes(digest(name)));
  return others ? 'void' : 'done';
}

/**
 * Compares a reading with an inconclusive receipt. A booking without a payment contradicts the receipt. If the receipt
 * named another amount, only orders of the approved amount prove the payment.
 */
function besideReceipt({ subject, outcome }: Operation, booking: Booking, verdict: Verdict): Verdict {
  if (subject.kind !== 'pay' || outcome?.receipt === undefined) return verdict;
  if (verdict === 'not_done') return 'contradicted';
  const { stated } = outcome.receipt;
  if (verdict !== 'done' || stated === undefined || sameMoney(stated, subject.amount)) return verdict;
  const paid = paidByOrders(booking);
  return paid !== undefined && sameMoney(paid, subject.amount) ? 'done' : 'contradicted';
}

/** A reply to a full cancellation may be a booking without its content. A reading like that proves nothing. */
function cancelsAll(subject: ExpectedChange, booking: Booking): boolean {
  if (booking.tickets.some(({ coupons }) => coupons.some(isOpen))) return false;
  if (subject.kind === 'cancel_passengers') return subject.kept.length === 0 && booking.travelers.length === 0;
  const all = subject.kind === 'cancel_segments' && subject.keptRefs.length === 0;
  return (all || subject.kind === 'cancel_booking') && segmentsOf(booking).length === 0;
}

interface Named {
  readonly locator: string;
  readonly references?: readonly { readonly id: string }[];
}

/** Whether it names this operation's booking: a kept-alive connection can deliver somebody else's. */
function isOf(operation: Operation, named: Named): boolean {
  const own = operation.locator?.toUpperCase();
  const names = [named.locator, ...(named.references ?? []).map((reference) => reference.id)];
  return own !== undefined && names.some((name) => name.toUpperCase() === own);
}

function judge(subject: ExpectedChange, booking: Booking, digest: Digest): Verdict {
  switch (subject.kind) {
    case 'pay':
      return judgePaid(subject, booking);
    case 'cancel_segments':
      return judgeSegments(subject, booking);
    case 'cancel_passengers':
      return judgePassengers(subject, booking, digest);
    case 'change_names':
    case 'update_passengers':
      return judgeTravelers(subject, booking, digest);
    case 'update_contact':
      return judgeContact(subject, booking, digest);
    case 'assign_seats':
      return judgeSeats(subject, booking, digest);
    case 'rebook_segment':
      return judgeRebooked(subject, booking);
    case 'split_booking':
      return judgeSplit(subject, booking, digest);
    case 'cancel_booking':
      return judgeCancelled(booking);
    case 'create':
      return 'void';
  }
}

/**
 * `contradicted`: the receipt is above what was approved. Less may be some of the tickets or the fare without taxes, and
 * each ticket may carry the total of the booking: a reading decides.
 */
function judgeReceipt({ amount, tickets = 1 }: Of<'pay'>, items: readonly ReceiptItem[]): Verdict {
  const rows = ticketsOnce(items);
  const own = rows.filter((item) => !isService(item));
  const forAll = new Set(own.map((item) => item.ticketNumber)).size >= tickets;
  const is = (sum: Money | undefined) => sum !== undefined && sameMoney(sum, amount);
  const [once, all] = [takenBy(rows, amount.currency), takenBy(items, amount.currency)];
  const exact = is(once) || (forAll && is(all));
  if (!exact && [once, all].some((sum) => sum !== undefined && sum.minor > amount.minor))
    return isRepeated(items, amount) ? 'partial' : 'contradicted';
  if (own.length === 0 || items.some((item) => item.ticketNumber === '')) return 'partial';
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

function judgePaid(subject: Of<'pay'>, booking: Booking): Verdict {
  const orders = paidOrders(booking);
  const tickets = booking.tickets.filter((ticket) => ticket.number !== '');
  if (orders.length === 0 && tickets.length === 0 && segmentsOf(booking).length === 0) return 'void';
  const amounts = orders.flatMap((order) => order.amount ?? []);
  // Two orders of the approved amount are a double payment.
  if (amounts.length > 0 && !sameMoney(sumMoney(amounts), subject.amount)) return 'contradicted';
  const coupons = tickets.reduce((sum, ticket) => sum + goodCoupons(ticket), 0);
  // If no coupon is due, coupons prove nothing.
  if (subject.coupons > 0 && coupons >= subject.coupons) return 'done';
  return orders.length === 0 && tickets.length === 0 ? 'not_done' : 'partial';
}

/** Valid coupons; one for each pair of pointers if the ticket lists none. */
function goodCoupons(ticket: Ticket): number {
  if (ticket.coupons.length === 0) return Math.max(1, ticket.travelerRefs.length) * ticket.segmentRefs.length;
  return ticket.coupons.filter(({ statusCode }) => couponCounts(statusCode)).length;
}

function judgeSegments(subject: Of<'cancel_segments'>, booking: Booking): Verdict {
  const segments = segmentsOf(booking);
  const find = (ref: string) => segments.find((segment) => segment.ref === ref);
  if (segments.length === 0) return subject.keptRefs.length === 0 && isEmptied(subject, booking) ? 'done' : 'void';
  const isKept = (segment: Segment | undefined) =>
    segment !== undefined && (standing(segment) === 'active' || segment.owed === 'unclear');
  if (subject.keptRefs.some((ref) => !isKept(find(ref)))) return 'contradicted';
  const named = subject.segmentRefs.map(find);
  if (named.every((segment) => isUntouched(subject, segment, booking))) return 'not_done';
  const open = couponsOn(booking, subject.segmentRefs).some(isOpen);
  return named.every(isGone) && !open ? 'done' : 'partial';
}

/** As before the operation: active, or cancelled by the airline before it, with its coupons open and no new refund. */
function isUntouched(subject: Of<'cancel_segments'>, segment: Segment | undefined, booking: Booking): boolean {
  if (segment?.owed !== true) return isActive(segment);
  return subject.owedRefs?.includes(segment.ref) === true && refundsSeen(booking) <= subject.refundsBefore;
}

/** A segment that is missing beside others is gone. A waitlisted one is neither gone nor active. */
function isGone(segment: Segment | undefined): boolean {
  return segment === undefined || segmentStatus(segment.statusCode) === 'cancelled';
}

function isActive(segment: Segment | undefined): boolean {
  return segment !== undefined && segmentStatus(segment.statusCode) === 'active';
}

function isBare({ travelers, tickets, pricing, orders }: Booking): boolean {
  const unpaid = orders.every(({ status }) => status === undefined || status === 'PENDING');
  return travelers.length === 0 && tickets.length === 0 && pricing === undefined && unpaid;
}

/** An emptied booking may keep only its refund order (docs/wire/notes.md, Replies): one more than before. */
function isEmptied({ refundsBefore }: Of<'cancel_segments'>, booking: Booking): boolean {
  if (booking.tickets.some(({ number }) => number !== '')) return isRefundedWhole(booking);
  return booking.travelers.length === 0 && refundsSeen(booking) > refundsBefore;
}

/** Airlines omit what was fully cancelled, but keep its tickets (docs/wire/notes.md, Tolerated in replies). */
function isRefundedWhole({ tickets }: Booking): boolean {
  const isBack = ({ statusCode }: Coupon) => statusCode === 'R' || statusCode === 'V';
  const issued = tickets.filter(({ number, coupons }) => number !== '' && !isExchanged(coupons));
  return issued.length > 0 && issued.every(({ coupons }) => coupons.length > 0 && coupons.every(isBack));
}

/** Another ticket replaced it. */
function isExchanged(coupons: readonly Coupon[]): boolean {
  return coupons.length > 0 && coupons.every(({ statusCode }) => statusCode === 'E' || statusCode === 'X');
}

function isOpen({ statusCode }: Coupon): boolean {
  return statusCode === 'O';
}

function couponsOn(booking: Booking, segmentRefs: readonly string[]): readonly Coupon[] {
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons);
  return coupons.filter(({ segmentRef }) => segmentRef !== undefined && segmentRefs.includes(segmentRef));
}

/**
 * By identity: an airline may renumber pointers once a passenger is gone. Nobody else may be on the booking: somebody may
 * have renamed a passenger who was to go.
 */
function judgePassengers(subject: Of<'cancel_passengers'>, booking: Booking, digest: Digest): Verdict {
  const present = booking.travelers.map((traveler) => digest(identityText(traveler)));
  if (present.length === 0) return subject.kept.length === 0 && isRefundedWhole(booking) ? 'done' : 'void';
  const afterKept = without(present, subject.kept, Object.is);
  if (afterKept === undefined) return 'contradicted';
  if (without(afterKept, subject.gone, Object.is) !== undefined) return 'not_done';
  return afterKept.length === 0 ? 'done' : 'partial';
}

function judgeCancelled(booking: Booking): Verdict {
  if (booking.cancelled === true) return 'done';
  const segments = segmentsOf(booking);
  if (segments.length === 0) return isBare(booking) ? 'bare' : 'void';
  if (segments.every(isGone)) return 'done';
  return segments.every(isActive) ? 'not_done' : 'partial';
}
