/** Why an approval can no longer be answered or carried out, as errors for the caller. */

import { ClerkError } from '../core/errors.ts';
import type { Approval } from './approval.ts';
import { APPROVAL_TIME, isInTime } from './expiry.ts';

/** Throws why this approval can no longer be answered or carried out. */
export function assertAnswerable(approval: Approval, now: number): void {
  if (approval.decision === 'declined') throw approvalDeclined(approval.tool);
  if (approval.staleLines !== undefined) throw approvalStale(approval.tool, approval.staleLines);
  if (approval.decision === 'void') throw approvalSpent(approval.tool);
  if (approval.decision === 'replaced') throw approvalReplaced(approval);
  if (approval.decision === 'withdrawn') throw approvalWithdrawn();
  if (approval.decision === 'overtaken') throw approvalOvertaken(approval);
  if (approval.decision === 'outdated') throw approvalOutdated(approval);
  // A yes that was not carried out in time expires too.
  if (isInTime(approval, now)) return;
  if (now < approval.expiresAt) throw expired(approval.tool, 'The clock was set back after the question was asked.');
  const given = approval.decision === 'granted' ? 'carried out' : 'given';
  throw expired(approval.tool, `The approval was not ${given} within ${APPROVAL_TIME}.`);
}

export function approvalInvalid(tool: string): ClerkError {
  return new ClerkError(
    'E_APPROVAL_INVALID',
    'This approval_id does not fit this call, or is more than a week old. Nothing was sent now.',
    {
      next: `Call ${tool} without approval_id to ask for a new approval.`,
    },
  );
}

/** The error of a yes that the person withdrew, or that another operation or a limit prevented. */
export function approvalSpent(tool: string): ClerkError {
  return expired(tool, 'The approval could not be carried out, and is used up.');
}

/** @param replacedBy operation id of the question that is asked instead */
function approvalReplaced({ replacedBy = '' }: Approval): ClerkError {
  const what = `A later call asked again about this booking, and its question (operation ${replacedBy}) replaced this one. Nothing was sent for this one, and approving it does nothing.`;
  return new ClerkError('E_APPROVAL_EXPIRED', what, {
    next: 'Go on with the approval_id of the later call; its tool with its arguments and without approval_id gives it again.',
  });
}

/** The error of a plan's question that `stop` ended. */
function approvalWithdrawn(): ClerkError {
  const what =
    'The plan was stopped before it was answered, so its question was withdrawn. Nothing was sent for it, and approving it does nothing.';
  return new ClerkError('E_APPROVAL_EXPIRED', what, {
    next: 'If the person still wants it, call run_plan with the plan_id and again: true, which asks them again.',
  });
}

/** Names the operation that ended the question. `replacedBy` is never another caller's. */
function endingOperation({ replacedBy }: Approval): string {
  return replacedBy === undefined ? '' : ` (operation ${replacedBy})`;
}

function approvalOvertaken(approval: Approval): ClerkError {
  const { tool } = approval;
  const what = `The same was done under another question${endingOperation(approval)}, so this one ended. Nothing was sent now.`;
  return new ClerkError('E_ALREADY_DONE', what, {
    next: `Call read_booking to see the booking; then call ${tool} again only if something is still to be done.`,
  });
}

function approvalOutdated(approval: Approval): ClerkError {
  const what = `Another operation${endingOperation(approval)} changed the booking, so these terms no longer apply. What this call asked for was not done, and nothing was sent for it.`;
  return new ClerkError('E_APPROVAL_STALE', what, {
    next: `If the person still wants it, call ${approval.tool} again without approval_id, which asks them again.`,
  });
}

function expired(tool: string, what: string): ClerkError {
  return new ClerkError('E_APPROVAL_EXPIRED', `${what} Nothing was sent.`, {
    next: `Call ${tool} without approval_id to ask again.`,
  });
}

export function approvalDeclined(tool: string): ClerkError {
  const argument = tool === 'run_plan' ? 'with again: true' : 'without approval_id';
  const howToAskAnew = `Ask again only if the person wants it. Then call ${tool} ${argument}.`;
  const quote = ' To learn what cancelling would refund, call quote_cancellation, which asks nobody.';
  return new ClerkError('E_APPROVAL_DECLINED', 'The person said no. Nothing was sent. The booking is unchanged.', {
    next: tool.startsWith('cancel_') ? howToAskAnew + quote : howToAskAnew,
  });
}

/** @param replacedBy operation id of the question that is asked instead */
export function earlierDeclined(replacedBy: string): ClerkError {
  const what = `The person said no to this question. A later call had asked again (operation ${replacedBy}), and that question stays as it is. Nothing was sent for this one.`;
  return new ClerkError('E_APPROVAL_DECLINED', what, {
    next: 'Ask the person before you go on with the later call, and go on only if they want it.',
  });
}

/** @param changed what differs from the question, a sentence each */
export function approvalStale(tool: string, changed: readonly string[]): ClerkError {
  return new ClerkError(
    'E_APPROVAL_STALE',
    'The booking or its terms changed after the question, so the earlier approval does not count. Nothing was sent.',
    {
      next: `Tell the person what changed. Only if they still want it, call ${tool} again without approval_id, which asks them again.`,
      changed,
    },
  );
}
