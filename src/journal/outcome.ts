/**
 * Outcomes of operations, without personal data: how a send is classified, what moved, and words for what is unknown.
 */
import { cleanCode } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { type Money, sumMoney } from '../core/money.ts';
import { joined } from '../core/words.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { paymentsOf } from '../domain/booking/paid-and-refunded.ts';
import { expectedPaymentsBefore, expectedRefundsBefore, type PaymentsBefore } from '../domain/facts/expected-change.ts';
import { operationRefund, ordersSince } from '../domain/refund/airline-stated-refund.ts';
import type { ActEvidence, Acts } from './act.ts';
import type { Evidence, Verdict } from './evidence.ts';
import type { Operation, OperationError, Outcome } from './operation.ts';
import type { WaitingEnd } from './ports.ts';

/** The error as stored: without its cause, new terms and the airline's words, which may name people. */
function storedError(error: ClerkError): OperationError {
  const { code, message, next, effect, retry, airline } = error;
  const { title: _, ...fault } = airline ?? {};
  return { code, message, next, effect, retry, airline: airline && fault };
}

/** Any thrown value as a ClerkError. One of another class is a fault of this program and proves nothing. */
export function asClerkError(thrown: unknown, effect: 'none' | 'unknown'): ClerkError {
  if (thrown instanceof ClerkError) return thrown;
  return new ClerkError('E_INTERNAL', 'The server failed while carrying this out.', {
    next: 'Tell the operator; the log has the reason.',
    effect,
    cause: thrown,
  });
}

/** The error of a failure before the first byte. Replaces a message that leaves open what was sent. */
function failedBeforeSend(cause: ClerkError): ClerkError {
  return new ClerkError(cause.code, 'It failed before anything was sent. Nothing was done.', {
    next: 'Call the tool again without approval_id to ask for a new approval. If it fails again, tell the operator.',
    cause,
  });
}

/** The same error, of a store that failed before the send: it says that nothing was sent. */
export function rewordAsUnsent({ code, what, next, retry, cause }: ClerkError): ClerkError {
  return new ClerkError(code, `${what} Nothing was sent.`, { next, retry, cause });
}

/** The error of an operation whose server stopped before the first byte left. */
function neverSent(): OperationError {
  const message = 'The server was interrupted before anything was sent. Nothing was done.';
  const next = 'The approval is used up. Call the tool again without approval_id to ask for a new one.';
  return storedError(new ClerkError('E_INTERRUPTED', message, { next }));
}

export function readBackUnchanged(reads: number): OperationError {
  const message = `The airline gave no usable answer. The booking was read back ${reads} times after the settle time and is unchanged, so it was not carried out.`;
  const next = 'Call the tool again without approval_id to ask for a new approval.';
  return storedError(new ClerkError('E_AIRLINE_TIMEOUT', message, { next }));
}

/** The error of a refusal after one reading that shows no change. */
export function refusedUnchanged({ amount, direction }: Operation, refusal: OperationError): OperationError {
  const counts =
    amount === undefined || direction === undefined
      ? ''
      : ' Until another reading shows the same, limits count its amount.';
  return { ...refusal, message: `${refusal.message} The booking shows no change.${counts}`, effect: 'none' };
}

export function checkSentence(
  act: Pick<ActEvidence, 'toCheck'>,
  { subject, locator, outcome }: Operation,
  why: string,
): string {
  const where = locator === undefined ? '' : ` for booking ${locator}`;
  const name =
    outcome?.reference === undefined ? '' : ` (the airline's reference ${cleanCode(outcome.reference, 100)})`;
  return `${why} In the airline's own desk, check${where} ${act.toCheck(subject)}${name}.`;
}

/** The outcome of an operation that was settled as not carried out, when something shows that it was. */
export function contradictedSince(acts: Acts, operation: Operation, why: string): Outcome {
  const { error: _, provisional: __, ...known } = operation.outcome ?? {};
  return { ...known, check: checkSentence(acts.of(operation.subject), operation, why) };
}

/** What a reply said that did not settle the operation, in a sentence; empty if there was none. */
export function doubtSentence(acts: Acts, { subject, outcome }: Pick<Operation, 'subject' | 'outcome'>): string {
  const doubt = acts.of(subject).doubt?.(subject, outcome);
  if (doubt !== undefined && doubt !== '') return doubt;

  const { refusal, named } = outcome ?? {};
  const sentences = [
    refusal && `${refusal.message} The airline refused with this, which does not prove that nothing was done.`,
    named && `Its answer names booking ${cleanCode(named, 20)}.`,
  ];
  return joined(sentences, ' ');
}

/** The outcome that a conclusive reply or reading shows, with the estimate from when the operation was entered. */
export function learned(acts: Acts, operation: Operation, basis: 'reply' | 'read', evidence: Evidence): Outcome {
  const { subject, outcome } = operation;
  const { booking } = evidence;
  const refunds = expectedRefundsBefore(subject);
  const payments = expectedPaymentsBefore(subject);

  return {
    estimate: outcome?.estimate,
    charged: outcome?.charged,
    basis,
    ...acts.of(subject).learns?.(subject, evidence, operation.createdAt),
    refund: booking && refunds && operationRefund(booking, refunds),
    charge: booking && payments && statedCharge(payments, booking),
  };
}

/** The payment types that receipts of a payment state, by the airline's codes, each once. */
export function chargedTypes(outcome: Outcome | undefined): readonly string[] {
  const ofTickets = outcome?.tickets?.flatMap(({ paymentType }) => paymentType ?? []);
  return [...new Set([...(outcome?.charged ?? []), ...(ofTickets ?? [])])];
}

/** The payments that are new since the reading before the act. */
function statedCharge({ earlierPayments }: PaymentsBefore, booking: Booking): Outcome['charge'] {
  const newPayments = ordersSince(earlierPayments, paymentsOf(booking));
  const amount = sumMoney(newPayments.flatMap((order) => order.amount ?? []));
  return amount && { amount, orderStatus: newPayments.at(-1)?.status };
}

/** How a send ended: with a decoded reply, or with an error. */
export type Ending = { readonly evidence: Evidence } | { readonly thrown: unknown };

export interface Classified extends Omit<WaitingEnd, 'id'> {
  readonly error?: ClerkError;
}

/**
 * Classifies the end of a send. Only three ends are certain: a reply whose content proves the act, a refusal by the
 * airline, and a request whose first byte never left. Everything else is in doubt.
 * @param started whether the first byte was allowed to leave
 */
export function classify(
  acts: Acts,
  operation: Operation,
  { ending, started }: { readonly ending: Ending; readonly started: boolean },
  judge: (evidence: Evidence) => Verdict,
): Classified {
  if ('evidence' in ending) {
    return classifyReply(acts, operation, ending.evidence, judge(ending.evidence));
  }

  const error = asClerkError(ending.thrown, started ? 'unknown' : 'none');
  if (error.effect === 'none' && isRefusal(error)) return classifyFailure(operation, 'refused', error);

  // No byte left, whatever was thrown.
  if (!started)
    return classifyFailure(operation, 'not_executed', error.effect === 'none' ? error : failedBeforeSend(error));

  return { state: 'in_doubt', error, outcome: doubtfulOutcome(operation, error) };
}

/** What is kept of an error that proves nothing. A person who calls the airline needs the reference. */
function doubtfulOutcome({ locator, outcome }: Operation, error: ClerkError): Outcome | undefined {
  const { airline, refused, named } = error;
  const reference = airline?.correlationId;
  const isNamed = named !== undefined && locator === undefined;
  if (reference === undefined && refused === undefined && !isNamed) return undefined;

  return {
    ...outcome,
    ...(reference && { reference }),
    ...(refused && { refusal: { ...storedError(error), ...refused } }),
    ...(isNamed && { named }),
  };
}

function classifyReply(acts: Acts, operation: Operation, evidence: Evidence, verdict: Verdict): Classified {
  if (verdict === 'done') return { state: 'succeeded', outcome: learned(acts, operation, 'reply', evidence) };
  return { state: 'in_doubt', ...acts.of(operation.subject).unsettled?.(operation, evidence, verdict) };
}

function classifyFailure(operation: Operation, state: 'refused' | 'not_executed', error: ClerkError): Classified {
  return { state, error, outcome: { ...operation.outcome, error: storedError(error) } };
}

/** Whether the airline answered that it did not carry it out. A 408 or 5xx does not say what was done. */
function isRefusal({ airline }: ClerkError): boolean {
  if (airline === undefined) return false;
  return airline.status === undefined || (airline.status < 500 && airline.status !== 408);
}

/** The outcome of an operation that was given up before its dispatch. */
export function givenUpOutcome(operation: Operation, error?: ClerkError): Outcome {
  return { ...operation.outcome, error: error === undefined ? neverSent() : storedError(error) };
}

/** What an operation paid and what came back, as far as somebody stated it. */
export interface MovedMoney {
  readonly paid?: Money;
  readonly refunded?: Money;
  /** The airline charged or refunded an amount that it did not state. */
  readonly unstated?: 'charge' | 'refund';
}

/** The money that an operation moved. Empty if it did not succeed. */
export function movedMoney(
  operation: Pick<Operation, 'state' | 'direction' | 'amount' | 'outcome' | 'subject'>,
): MovedMoney {
  if (operation.state !== 'succeeded') return {};

  const { direction, amount, outcome, subject } = operation;
  // The approved amount is an upper bound. Only the airline states what moved.
  if (expectedPaymentsBefore(subject) !== undefined) {
    if (outcome?.charge === undefined && outcome?.refund === undefined) return { unstated: 'charge' };
    return { paid: outcome.charge?.amount, refunded: outcome.refund?.amount };
  }

  if (direction === 'payment') return amount ? { paid: amount } : { unstated: 'charge' };
  if (direction !== 'refund') return {};

  return outcome?.refund ? { refunded: outcome.refund.amount } : { unstated: 'refund' };
}
