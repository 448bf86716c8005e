/** The status of an approval, as a page or a terminal shows it to people: still a question, or what became of it. */

import { cleanCode } from '../core/clean-text.ts';
import type { AirlineFault, Effect } from '../core/errors.ts';
import type { Acts } from '../journal/act.ts';
import { isActive, type Operation } from '../journal/operation.ts';
import { type Approval, isPlanQuestion } from './approval.ts';
import { endedOutcome, staleOutcome } from './endings.ts';
import { answerBy, isInTime } from './expiry.ts';
import {
  CHECK_BOOKING,
  type DecisionOutcome,
  doneLines,
  grantedOutcome,
  issuedTickets,
  unsettledOutcome,
} from './outcome-words.ts';
import { needsItsCall } from './request.ts';

export type ApprovalStatus = 'question' | DecisionOutcome;

const CLOSED: DecisionOutcome = {
  kind: 'failed',
  title: 'Checked and closed',
  lines: ['The operator checked it with the airline and closed it. Ask the assistant to read the booking.'],
};

/** The status of an approval, from the approval and the journal. */
export function approvalStatus(
  acts: Acts,
  approval: Approval,
  operation: Operation | undefined,
  now: number,
): ApprovalStatus {
  const isOpen = operation === undefined && approval.decision === 'pending' && isInTime(approval, now);
  return isOpen ? 'question' : statusOnceAnswered(acts, approval, operation, now);
}

/** The status of an approval that was answered, or expired. */
export function statusOnceAnswered(
  acts: Acts,
  approval: Approval,
  operation: Operation | undefined,
  now: number,
): DecisionOutcome {
  // The journal knows more than the approval.
  if (operation !== undefined) return statusByOperation(acts, approval, operation);
  // A plan goes on for longer than its question could be answered.
  if (isPlanQuestion(approval) && approval.decision === 'granted')
    return grantedOutcome('What you ticked is carried out one booking after another. Nothing is sent twice.');
  return endedOutcome(approval, now) ?? grantedStatus(approval);
}

/** A yes that the next call carries out, or the process that took it, unless that ended. */
function grantedStatus(approval: Approval): DecisionOutcome {
  const how = needsItsCall(approval)
    ? 'It is sent when the assistant calls again, because that call brings what the travellers entered. Nothing was sent so far.'
    : 'Nothing was sent so far. It is carried out once, when the assistant calls again.';
  return grantedOutcome(how, `Your approval counts until ${answerBy(approval)}.`);
}

function statusByOperation(acts: Acts, approval: Approval, operation: Operation): DecisionOutcome {
  const { state, subject, outcome } = operation;
  if (isActive(state)) return unsettledOutcome(state, outcome?.shows);

  if (state === 'succeeded') {
    const tickets = issuedTickets(approval, operation);
    const title = acts.of(subject).title(subject, outcome);
    const done = { kind: 'done' as const, title, lines: doneLines(approval, operation) };
    return tickets.length === 0 ? done : { ...done, tickets };
  }

  if (state === 'needs_person')
    return { kind: 'failed', title: 'Needs checking with the airline', lines: [outcome?.check ?? CHECK_BOOKING] };
  if (state === 'resolved') return CLOSED;
  if (approval.voidWhy === 'terms_changed') return staleOutcome(approval.voidLines);

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
