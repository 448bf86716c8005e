/** Outcomes of operations, without personal data, and the sentences for those that are not known. */

import { cleanCode } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { showMoney, sumMoney } from '../core/money.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import type { Booking, ReceiptItem } from '../domain/booking/booking.ts';
import type { ExpectedChange } from '../domain/booking/expected-change.ts';
import { paymentsOf } from '../domain/booking/payment-state.ts';
import { newOrders, ownRefund } from '../domain/pricing/stated-refund.ts';
import type { Operation, OperationError, Outcome } from './operation.ts';
import type { Evidence } from './ports.ts';

/** The error as stored: without its cause, new terms and the airline's words, which may name people. */
export function storedError(error: ClerkError): OperationError {
  const { code, message, next, effect, retry, airline } = error;
  const { title: _, ...fault } = airline ?? {};
  return { code, message, next, effect, retry, ...(airline && { airline: fault }) };
}

/** An unknown failure is a fault of this program and proves nothing. */
export function asClerkError(thrown: unknown, effect: 'none' | 'unknown'): ClerkError {
  if (thrown instanceof ClerkError) return thrown;
  return new ClerkError('E_INTERNAL', 'The server failed while carrying this out.', {
    next: 'Tell the operator; the log has the reason.',
    effect,
    cause: thrown,
  });
}

/** A failure before the first byte, whatever its own message says. */
export function unsent(cause: ClerkError): ClerkError {
  return new ClerkError(cause.code, 'It failed before anything was sent. Nothing was done.', {
    next: 'Call the tool again without approval_id to ask for a new yes; if it fails again, tell the operator.',
    cause,
  });
}

/** A failure of the store before anything was sent: keeps the first sentence. */
export function storeUnsent({ code, message, next, retry, cause }: ClerkError): ClerkError {
  const [what = ''] = message.split(/(?<=\.) /, 1);
  return new ClerkError(code, `${what} Nothing was sent.`, { next, retry, cause });
}

/** The server stopped before the first byte left. */
export function neverSent(): OperationError {
  const message = 'The server was interrupted before anything was sent. Nothing was done.';
  const next = 'The yes is spent. Call the tool again without approval_id to ask for a new yes.';
  return storedError(new ClerkError('E_INTERRUPTED', message, { next }));
}

export function readBackUnchanged(reads: number): OperationError {
  const message = `The airline gave no usable answer. The booking was read back ${reads} times after the settle time and is unchanged: it was not carried out.`;
  const next = 'Call the tool again without approval_id to ask for a new yes.';
  return storedError(new ClerkError('E_AIRLINE_TIMEOUT', message, { next }));
}

const TO_CHECK: Record<ExpectedChange['kind'], string> = {
  pay: 'whether the booking is paid, with which amount, and whether every ticket is issued',
  cancel_segments: 'which segments are cancelled, and what was refunded',
  cancel_passengers: 'which passengers are still on the booking, and what was refunded',
  change_names: 'which names the booking has now',
  update_passengers: "which of the passengers' details the booking has now",
  update_contact: 'which contact the booking has now',
  assign_seats: 'which seats the passengers have now',
  rebook_segment: 'which flights are booked, and what was charged or refunded',
  split_booking: 'which passengers are still on the booking, and the locator of the one that the others moved to',
  cancel_booking: 'whether the booking is cancelled',
  create: 'whether a hold was made for these flights and travellers',
};

export function checkSentence({ subject, locator, id, outcome }: Operation, why: string): string {
  const where = locator === undefined ? '' : ` of booking ${locator}`;
  const names =
    outcome?.reference === undefined ? id : `${id}, the airline's reference ${cleanCode(outcome.reference, 100)}`;
  const trip = subject.kind === 'create' && subject.trip ? `, ${subject.trip.join(' and ')}` : '';
  return `${why} A person must check in the airline's own desk${where}: ${TO_CHECK[subject.kind]}${trip} (operation ${names}).`;
}

/** The outcome of an operation that was settled as not carried out, when something shows that it was. */
export function contradictedSince(operation: Operation, why: string): Outcome {
  const { error: _, ...known } = operation.outcome ?? {};
  return { ...known, check: checkSentence(operation, why) };
}

/** A payment whose receipt names another amount than the approved one. */
export function otherAmount(operation: Operation, items: readonly ReceiptItem[]): Outcome {
  const check = checkSentence(operation, receiptWords(operation));
  return { ...operation.outcome, tickets: receiptTickets(items), check };
}

/** What a receipt said that did not settle the payment; empty if there was none. */
export function receiptWords({ subject, outcome }: Pick<Operation, 'subject' | 'outcome'>): string {
  if (subject.kind !== 'pay' || outcome?.receipt === undefined) return '';
  const { stated } = outcome.receipt;
  if (stated === undefined) return 'The airline sent a receipt that does not settle it.';
  return `The airline's receipt names ${showMoney(stated)}; ${showMoney(subject.amount)} was approved.`;
}

/** What a conclusive reply or reading shows, added to what was known when the operation was entered. */
export function learned(operation: Operation, basis: 'reply' | 'read', evidence: Evidence): Outcome {
  const { subject, outcome } = operation;
  const { booking, receipt } = evidence;
  return omitUndefined({
    estimate: outcome?.estimate,
    basis,
    locator: subject.kind === 'create' ? booking?.locator : undefined,
    tickets: subject.kind === 'pay' ? ticketsOf(receipt?.items, booking) : undefined,
    refund: booking && 'refundsBefore' in subject ? ownRefund(booking, subject) : undefined,
    charge: booking && statedCharge(subject, booking),
    newLocator: subject.kind === 'split_booking' ? booking?.locator : undefined,
  });
}

function ticketsOf(items: readonly ReceiptItem[] | undefined, booking: Booking | undefined): Outcome['tickets'] {
  if (items !== undefined) return receiptTickets(items);
  return booking?.tickets.filter((ticket) => ticket.number !== '').map((ticket) => ({ number: ticket.number }));
}

function receiptTickets(items: readonly ReceiptItem[]): NonNullable<Outcome['tickets']> {
  return items.map(({ ticketNumber: number, total, net, paymentType, conjunctive: all }) =>
    omitUndefined({ number, total, net, paymentType, conjunctive: all.length > 0 ? all : undefined }),
  );
}

/** The payments that are new since the reading before the act. */
function statedCharge(subject: ExpectedChange, booking: Booking): Outcome['charge'] {
  if (subject.kind !== 'rebook_segment') return undefined;
  const own = newOrders(subject.earlierPayments, paymentsOf(booking)) ?? [];
  const amount = sumMoney(own.flatMap((order) => order.amount ?? []));
  return amount && omitUndefined({ amount, orderStatus: own.at(-1)?.status });
}
