/**
 * The outcome of an approved act in words, for the person who decided. It comes from the journal and from the facts
 * that the approval stores. While the outcome is unknown, a call's result and the page say the same.
 *
 * In this order: what was done, what is not known yet, the facts that the approval stores.
 */

import { cleanCode, plainText } from '../core/clean-text.ts';
import { sameMoney, showMoney } from '../core/money.ts';
import { showTrip } from '../core/times.ts';
import { present } from '../core/words.ts';
import { activeSegments, type Booking, type Segment, type Ticket } from '../domain/booking/booking.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import { showRoute } from '../domain/booking/stations.ts';
import { assignedSeat, expectedPaymentsBefore, expectedRefundsBefore } from '../domain/facts/expected-change.ts';
import { isSameTicket } from '../domain/facts/issued-tickets.ts';
import type { SeatPlace } from '../domain/facts/values.ts';
import type { Digest } from '../domain/people/identity-text.ts';
import { fullName } from '../domain/people/traveler.ts';
import { rangeText } from '../domain/refund/back-words.ts';
import { conditionSentence } from '../domain/refund/describe-refund.ts';
import type { Acts } from '../journal/act.ts';
import { type ActiveState, locatorOf, type Operation, type Outcome } from '../journal/operation.ts';
import type { Approval, OutcomeFacts, TicketFact } from './approval.ts';

/** The words of results and docs/concepts/approvals.md for the sandbox's last resort. */
export const BY_NOBODY = 'Approved by nobody: sandbox';

/** Lines that say which booking, what is new, and what comes back. Tickets are in {@link issuedTickets}. */
export function doneLines({ after: facts }: Approval, operation: Operation): readonly string[] {
  const { outcome } = operation;
  const locator = locatorOf(operation);
  const newLocator = outcome?.newLocator;

  return present([
    locator && `Booking ${locator}`,
    newLocator && `New booking ${newLocator}`,
    ...(facts?.changes ?? []),
    ...refundLines(operation),
    refusedButDone(outcome),
  ]);
}

/** Says that the airline refused what its booking shows as done. Undefined if it did not refuse. */
export function refusedButDone(outcome: Outcome | undefined): string | undefined {
  const refusal = outcome?.refusal;
  return refusal && `The airline refused it: ${refusal.message} But the booking shows that it was done.`;
}

/** The issued tickets: with names until these are blanked, afterwards only their numbers. */
export function issuedTickets({ after: facts }: Approval, { outcome }: Operation): readonly TicketFact[] {
  const tickets = facts?.tickets ?? [];
  if (tickets.length > 0) return tickets;
  return (outcome?.tickets ?? []).map(({ number }) => ({ number, rides: [] }));
}

/** A ticket in one line, for a terminal. */
export function ticketLine({ number, passenger, rides }: TicketFact): string {
  return [`Ticket ${number}`, passenger, ...rides].filter((part) => part !== undefined).join('; ');
}

/**
 * Lines about the refund. The operation's subject tells what the act can do: it has the earlier refunds if the act can
 * refund, and the earlier payments if the airline can charge for the act.
 *
 * | the act                   | the airline states a refund | lines                                         |
 * | ------------------------- | --------------------------- | --------------------------------------------- |
 * | cannot refund             |                             | none                                          |
 * | can refund                | yes                         | the refund, and the estimate if it differs    |
 * | can refund, cannot charge | no                          | that it is not stated, and what was estimated |
 * | can refund, can charge    | no                          | none: it refunds only if the airline says so  |
 */
function refundLines({ subject, outcome = {} }: Operation): readonly string[] {
  const { refund, estimate } = outcome;
  const canRefund = expectedRefundsBefore(subject) !== undefined;
  if (!canRefund) return [];
  if (refund !== undefined) return statedRefundLines(refund, estimate);

  const canCharge = expectedPaymentsBefore(subject) !== undefined;
  if (canCharge) return [];

  const bounds = estimate?.bounds;
  const boundsLines = bounds && [`It is ${rangeText(bounds)}.`];
  const conditions = (estimate?.conditions ?? []).map(conditionSentence);
  return ['The airline has not stated the refund.', ...estimateLines(estimate), ...(boundsLines ?? []), ...conditions];
}

function statedRefundLines(refund: NonNullable<Outcome['refund']>, estimate: Outcome['estimate']): readonly string[] {
  const { amount, penalty, vat } = refund;
  const penaltyWords = penalty && `${showMoney(penalty)} penalty`;
  const vatWords = vat && `${showMoney(vat)} VAT`;
  const deductions = [penaltyWords, vatWords].filter((words) => words !== undefined);
  const keeps = deductions.length === 0 ? '' : ` It keeps ${deductions.join(' and ')}.`;
  const stated = `The airline states a refund of ${showMoney(amount)}`;
  if (sameMoney(amount, estimate?.amount)) return [`${stated}, as estimated.${keeps}`];

  return [`${stated}.${keeps}`, ...estimateLines(estimate)];
}

function estimateLines(estimate: Outcome['estimate']): readonly string[] {
  return estimate?.amount === undefined ? [] : [`The estimate was ${showMoney(estimate.amount)}.`];
}

// What is not known yet.

export interface PageText {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What became of a question, as a page or a terminal shows it. */
export interface DecisionOutcome extends PageText {
  readonly kind: 'done' | 'pending' | 'declined' | 'failed' | 'stale' | 'unknown';
  /** Issued by a payment. */
  readonly tickets?: readonly TicketFact[];
}

/** Why it is not known what became of an operation that may have been sent. `unrecorded`: the store has not taken it. */
const WHY_NOT_KNOWN = {
  dispatched: 'the airline has not answered',
  in_doubt: 'no answer of the airline settles it',
  unrecorded:
    'the airline is done with it, and the outcome cannot be recorded now, because the server cannot reach its own database',
};

/** For a call's result. @param what `The payment of SAR 20.00 for booking ABC123` */
export function notKnownYet(why: ActiveState | 'unrecorded', what: string): string {
  return why === 'intent'
    ? `NOT SENT YET: the booking is being read again first. ${what} may be sent at any moment.`
    : `OUTCOME NOT KNOWN YET: ${WHY_NOT_KNOWN[why]}. ${what} may or may not have gone through.`;
}

/** For the page, of an operation that is entered and not settled. @param shows what a reading proves of it in part */
export function unsettledOutcome(state: ActiveState, shows?: string): DecisionOutcome {
  if (state === 'intent') return BEING_DONE;
  const title = shows === undefined ? 'Sent, but the outcome is not known yet' : 'Not finished yet';
  const lines = [
    shows ?? 'It may or may not have been done. The booking is read again until that is known.',
    'It will not be sent twice, so do not start it again.',
  ];
  return { kind: 'pending', title, lines };
}

const BEING_DONE: DecisionOutcome = {
  kind: 'pending',
  title: 'In progress',
  lines: ['Your approval is recorded. The booking is being read once more before anything is sent.'],
};

/** A yes whose operation is not in the journal yet: every act is there before its first byte, so nothing was sent. */
export function grantedOutcome(...lines: string[]): DecisionOutcome {
  return { kind: 'pending', title: 'Your approval is recorded', lines };
}

/** Shown if something failed while the answer was carried out. Only the journal knows more. */
export const DECISION_FAILED: DecisionOutcome = {
  kind: 'pending',
  title: 'Something went wrong here',
  lines: [
    'It is not known yet whether your answer was carried out. It will not be sent twice.',
    'Look again in a moment, or ask the assistant.',
  ],
};

/** Shown for an operation that a person must check, if the journal says no more. */
export const CHECK_BOOKING = 'Check the booking at the airline before anything else is done with it.';

// The facts that the approval stores.

/** The facts of an outcome that the approval stores. `before`: as read for the terms, if this process sent. */
export function outcomeFacts(
  acts: Acts,
  operation: Operation,
  booking: Booking,
  known: { readonly before: Booking | undefined; readonly digest: Digest },
): OutcomeFacts {
  const { subject } = operation;
  return {
    tickets: ticketFacts(operation, booking),
    changes: acts.of(subject).changes?.(subject, booking, known) ?? [],
  };
}

function ticketFacts({ outcome }: Operation, booking: Booking): readonly TicketFact[] {
  return (outcome?.tickets ?? []).map(({ number }) => {
    const ticket = booking.tickets.find((issued) => isSameTicket(issued.number, number));
    const holder = ticket?.travelerRefs[0];
    return {
      number: cleanCode(number, 40),
      passenger: holder === undefined ? undefined : passengerName(booking, holder),
      rides: ticket === undefined ? [] : ticketedRides(ticket, booking),
    };
  });
}

function ticketedRides(
  { travelerRefs: [holder = ''], segmentRefs, coupons }: Ticket,
  booking: Booking,
): readonly string[] {
  const refs = [...segmentRefs, ...coupons.map(({ segmentRef }) => segmentRef)];
  const segments = activeSegments(booking);
  const ticketed = segments.filter(({ ref }) => refs.includes(ref));

  return (ticketed.length === 0 ? segments : ticketed).map((segment) => {
    const seat = assignedSeat(booking, holder, segment.ref);
    const ride = rideText(segment);
    return seat === undefined ? ride : `${ride}, ${seatWords(seat)}`;
  });
}

/** `HHR101 MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3)`. */
export function rideText(segment: Segment): string {
  return `${flightName(segment)} ${showRoute(segment)}, ${showTrip(segment.departs, segment.arrives)}`;
}

/** A name from the airline, cut; `passenger 2` for one without. */
export function passengerName({ travelers }: Booking, wanted: string): string {
  const name = travelers.find(({ ref }) => ref === wanted)?.name;
  return name === undefined ? `passenger ${cleanCode(wanted)}` : plainText(fullName(name), 70);
}

/** `coach 4 seat 52`, for sentences. */
export function seatWords({ seat, coach }: SeatPlace): string {
  return `${coach === undefined ? '' : `coach ${cleanCode(coach, 8)} `}seat ${cleanCode(seat, 8)}`;
}
