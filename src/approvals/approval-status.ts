/** The status of an approval, as a page or a terminal shows it to people: still a question, or what became of it. */

import { cleanCode } from '../core/clean-text.ts';
import type { AirlineFault, Effect } from '../core/errors.ts';
import type { Acts } from '../journal/act.ts';
import { isActive, type Operation } from '../journal/operation.ts';
import { type Approval, isPlanQuestion, type TicketFact } from './approval.ts';
import { answerBy, isInTime } from './expiry.ts';
import {
  CHECK_BOOKING,
  DECISION_FAILED_TEXT,
  doneLines,
  GRANTED,
  GRANTED_TO_CALL,
  issuedTickets,
  NOT_KNOWN_YET,
  type PageText,
  PLAN_GRANTED,
} from './outcome-words.ts';
import { needsItsCall } from './request.ts';

export interface DecisionOutcome extends PageText {
  readonly kind: 'done' | 'pending' | 'declined' | 'failed' | 'stale' | 'unknown';
  /** Issued by a payment. */
  readonly tickets?: readonly TicketFact[];
}

export type ApprovalStatus = 'question' | DecisionOutcome;

/** The last sentence for a question of which nothing more can come. */
const START_AGAIN = 'If you still want it, ask the assistant to start again.';

/** What a person reads of a question that ended, where its decision alone says why. */
const ENDED: Readonly<Partial<Record<Approval['decision'], DecisionOutcome>>> = {
  declined: {
    kind: 'declined',
    title: 'You declined',
    lines: ['Nothing was sent, and nothing changed.'],
  },
  void: {
    kind: 'failed',
    title: 'Approved, but not carried out',
    lines: ['Nothing was sent, and nothing will be.', START_AGAIN],
  },
  replaced: {
    kind: 'unknown',
    title: 'A newer question replaced this one',
    lines: [
      'The assistant asked again about the same booking. Nothing was sent for this question, and nothing will be.',
    ],
  },
  withdrawn: {
    kind: 'unknown',
    title: 'This question was withdrawn',
    lines: [
      'The assistant stopped the plan before it was answered. Nothing was done, and nothing will be.',
      START_AGAIN,
    ],
  },
  overtaken: {
    kind: 'unknown',
    title: 'This was done under another question',
    lines: ['Nothing was sent for this question, and nothing will be.'],
  },
  outdated: {
    kind: 'unknown',
    title: 'The booking has changed',
    lines: [
      'Another operation changed it, so these terms no longer apply. Nothing was sent for this question, and nothing will be.',
      START_AGAIN,
    ],
  },
};

const EXPIRED: DecisionOutcome = {
  kind: 'failed',
  title: 'Too late to answer',
  lines: ['Nobody answered in time. Nothing was sent.', START_AGAIN],
};

const LAPSED: DecisionOutcome = {
  ...EXPIRED,
  lines: ['It was approved, but not carried out in time. Nothing was sent.', START_AGAIN],
};

const CLOSED: DecisionOutcome = {
  kind: 'failed',
  title: 'Checked and closed',
  lines: ['The operator checked it with the airline and closed it. Ask the assistant to read the booking.'],
};

export const BEING_DONE: DecisionOutcome = { kind: 'pending', ...NOT_KNOWN_YET.intent.page };

export const DECISION_FAILED: DecisionOutcome = { kind: 'pending', ...DECISION_FAILED_TEXT };

/** The status of an approval, from the approval and the journal. */
export function approvalStatus(
  acts: Acts,
  approval: Approval,
  operation: Operation | undefined,
  now: number,
): ApprovalStatus {
  const { decision, staleLines } = approval;
  const isOpen =
    operation === undefined && staleLines === undefined && decision === 'pending' && isInTime(approval, now);
  return isOpen ? 'question' : statusOnceAnswered(acts, approval, operation, now);
}

/** The status of an approval that was answered, or expired. */
export function statusOnceAnswered(
  acts: Acts,
  approval: Approval,
  operation: Operation | undefined,
  now: number,
): DecisionOutcome {
  // The order matters: the journal knows more than the approval, and the new terms more than what ended the question.
  if (operation !== undefined) return statusByOperation(acts, approval, operation);
  // A plan goes on for longer than its question could be answered.
  if (isPlanQuestion(approval) && approval.decision === 'granted') return { kind: 'pending', ...PLAN_GRANTED };
  if (approval.staleLines !== undefined) return staleOutcome(approval.staleLines);
  const ended = ENDED[approval.decision];
  if (ended !== undefined) return ended;
  if (isInTime(approval, now)) return grantedStatus(approval);
  return approval.decision === 'granted' ? LAPSED : EXPIRED;
}

/** A yes without an operation: every act is in the journal before its first byte, so nothing was sent. */
function grantedStatus(approval: Approval): DecisionOutcome {
  const { title, lines } = needsItsCall(approval) ? GRANTED_TO_CALL : GRANTED;
  return { kind: 'pending', title, lines: [...lines, `Your approval counts until ${answerBy(approval)}.`] };
}

/** @param changed what differs from the question, a sentence each */
export function staleOutcome(changed: readonly string[]): DecisionOutcome {
  const lines = changed.length > 0 ? changed : ['What changed is no longer known.'];
  return { kind: 'stale', title: 'Something changed, so nothing was sent', lines };
}

function needsPerson(lines: readonly string[]): DecisionOutcome {
  return { kind: 'failed', title: 'Needs checking with the airline', lines };
}

/** `Paid SAR 1,423.00`, `Cancelled; SAR 562.00 comes back`, `Names changed`. */
function doneTitle(acts: Acts, { subject, outcome }: Operation): string {
  return acts.of(subject).title(subject, outcome);
}

function statusByOperation(acts: Acts, approval: Approval, operation: Operation): DecisionOutcome {
  const { state, outcome } = operation;
  if (isActive(state)) return { kind: 'pending', ...NOT_KNOWN_YET[state].page };
  if (state === 'succeeded') {
    const tickets = issuedTickets(approval, operation);
    const done = { kind: 'done' as const, title: doneTitle(acts, operation), lines: doneLines(approval, operation) };
    return tickets.length === 0 ? done : { ...done, tickets };
  }
  if (state === 'needs_person') return needsPerson([outcome?.check ?? CHECK_BOOKING]);
  if (state === 'resolved') return CLOSED;
  if (approval.staleLines !== undefined) return staleOutcome(approval.staleLines);
  return outcome?.error === undefined
    ? { kind: 'failed', title: 'Nothing was done', lines: ['It was not carried out.'] }
    : failureOutcome(outcome.error);
}

interface FailureFacts {
  readonly message: string;
  readonly effect: Effect;
  readonly airline?: AirlineFault | undefined;
}

/** Tells a person what went wrong. What to do next is left to the assistant. */
export function failureOutcome(error: FailureFacts): DecisionOutcome {
  return {
    kind: 'failed',
    title: error.effect === 'none' ? 'Nothing was done' : 'The outcome is not known',
    lines: [error.message, ...airlineLines(error.airline)],
  };
}

function airlineLines({ title, correlationId }: AirlineFault = {}): string[] {
  if (title === undefined)
    return correlationId === undefined ? [] : [`The airline's reference: ${cleanCode(correlationId, 100)}`];
  const reference = correlationId === undefined ? '' : ` (reference ${cleanCode(correlationId, 100)})`;
  return [`The airline said: "${title}"${reference}`];
}
