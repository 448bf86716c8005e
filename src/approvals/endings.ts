/**
 * Why a question is over: the closed list, with the words of each. A person reads them on the page or in the terminal,
 * the caller gets them as an error, and the lines of a plan say them too.
 */

import { ClerkError } from '../core/errors.ts';
import { type Approval, RUN_PLAN } from './approval.ts';
import { APPROVAL_TIME, isInTime } from './expiry.ts';
import type { DecisionOutcome, PageText } from './outcome-words.ts';

/** `unanswered`: nobody answered in time. `unused`: it was approved, but not carried out in time. */
export type WhyOver = 'declined' | 'replaced' | 'unanswered' | 'unused' | NonNullable<Approval['voidWhy']>;

interface EndingWords extends PageText {
  readonly kind: DecisionOutcome['kind'];
  error(approval: Approval, now: number): ClerkError;
}

/** The last sentence for a question of which nothing more can come. */
const START_AGAIN = 'If it is still wanted, the assistant can start again.';
const NOW_OR_EVER = 'Nothing was sent for this question, and nothing will be.';
/** The next step where the terms of a plan are gone. */
export const PROPOSE_AGAIN = 'If it is still wanted, call propose_plan again, which reads the terms again.';

const ENDINGS: Readonly<Record<WhyOver, EndingWords>> = {
  declined: {
    kind: 'declined',
    title: 'Declined',
    lines: ['Nothing was sent, and nothing changed.'],
    error: ({ tool }) => approvalDeclined(tool),
  },
  replaced: {
    kind: 'unknown',
    title: 'A newer question replaced this one',
    lines: [`The assistant asked again about the same booking. ${NOW_OR_EVER}`],
    error: ({ replacedBy = '' }) =>
      new ClerkError(
        'E_APPROVAL_EXPIRED',
        `A later call asked again about this booking, and its question (operation ${replacedBy}) replaced this one. Nothing was sent for this one, and approving it does nothing.`,
        {
          next: 'Go on with the approval_id of the later call; its tool with its arguments and without approval_id gives it again.',
        },
      ),
  },
  unanswered: {
    kind: 'failed',
    title: 'Too late to answer',
    lines: ['Nobody answered in time. Nothing was sent.', START_AGAIN],
    error: (approval, now) => expired(approval, now, 'given'),
  },
  unused: {
    kind: 'failed',
    title: 'Too late to answer',
    lines: ['It was approved, but not carried out in time. Nothing was sent.', START_AGAIN],
    error: (approval, now) => expired(approval, now, 'carried out'),
  },
  terms_changed: {
    kind: 'stale',
    title: 'Something changed, so nothing was sent',
    lines: ['What changed is no longer known.'],
    error: ({ tool, voidLines = [] }) => approvalStale(tool, voidLines),
  },
  not_done: {
    kind: 'failed',
    title: 'Approved, but not carried out',
    lines: ['Nothing was sent, and nothing will be.', START_AGAIN],
    error: ({ tool }) => approvalSpent(tool),
  },
  stopped: {
    kind: 'unknown',
    title: 'This question was withdrawn',
    lines: [
      'The assistant stopped the plan before it was answered. Nothing was done, and nothing will be.',
      START_AGAIN,
    ],
    error: () =>
      new ClerkError(
        'E_APPROVAL_EXPIRED',
        'The plan was stopped before it was answered, so its question was withdrawn. Nothing was sent for it, and approving it does nothing.',
        {
          next: 'If the person still wants it, call run_plan with the plan_id and again: true, which asks them again.',
        },
      ),
  },
  done_elsewhere: {
    kind: 'unknown',
    title: 'This was done under another question',
    lines: [NOW_OR_EVER],
    error: (approval) =>
      new ClerkError(
        'E_ALREADY_DONE',
        `The same was done under another question${endingOperation(approval)}, so this one ended. Nothing was sent now.`,
        {
          next: `Call read_booking to see the booking; then call ${approval.tool} again only if something is still to be done.`,
        },
      ),
  },
  booking_changed: {
    kind: 'unknown',
    title: 'The booking has changed',
    lines: [`Another operation changed it, so these terms no longer apply. ${NOW_OR_EVER}`, START_AGAIN],
    error: (approval) =>
      new ClerkError(
        'E_APPROVAL_STALE',
        `Another operation${endingOperation(approval)} changed the booking, so these terms no longer apply. What this call asked for was not done, and nothing was sent for it.`,
        {
          next: `If the person still wants it, call ${approval.tool} again without approval_id, which asks them again.`,
        },
      ),
  },
  upgraded: {
    kind: 'unknown',
    title: 'An upgrade ended this question',
    lines: ['The server was upgraded before this was carried out. Nothing was sent, and nothing will be.', START_AGAIN],
    error: ({ tool }) =>
      new ClerkError(
        'E_APPROVAL_EXPIRED',
        'The server was upgraded before this was carried out, which ended its question. Nothing was sent.',
        { next: tool === RUN_PLAN ? PROPOSE_AGAIN : `Call ${tool} without approval_id to ask again.` },
      ),
  },
};

/** Why the question is over. Undefined while it can be answered, or its yes be carried out. */
function endingOf(approval: Approval, now: number): WhyOver | undefined {
  const { decision, voidWhy = 'not_done' } = approval;
  if (decision === 'void') return voidWhy;
  if (decision === 'declined' || decision === 'replaced') return decision;
  // A yes that was not carried out in time expires too.
  if (isInTime(approval, now)) return undefined;
  return decision === 'granted' ? 'unused' : 'unanswered';
}

/** Throws why this approval can no longer be answered or carried out. */
export function assertAnswerable(approval: Approval, now: number): void {
  const ending = endingOf(approval, now);
  if (ending !== undefined) throw ENDINGS[ending].error(approval, now);
}

/** What a person reads of a question that is over. Undefined while it is not. */
export function endedOutcome(approval: Approval, now: number): DecisionOutcome | undefined {
  const ending = endingOf(approval, now);
  return ending === 'terms_changed' ? staleOutcome(approval.voidLines) : ending && outcomeOf(ending);
}

/** What a person reads of a question that ended so. */
export function outcomeOf(ending: WhyOver): DecisionOutcome {
  const { kind, title, lines } = ENDINGS[ending];
  return { kind, title, lines };
}

/** @param changed what differs from the question, a sentence each; unknown once it was blanked */
export function staleOutcome(changed: readonly string[] = []): DecisionOutcome {
  const outcome = outcomeOf('terms_changed');
  return changed.length > 0 ? { ...outcome, lines: changed } : outcome;
}

/** Why a line of a plan was not begun, or not done, because its question ended so. @param more what the store has of it */
export function lineWords(ending: WhyOver, more: readonly string[] = []): string {
  if (ending === 'not_done' && more.length > 0) return more.join(' ');
  // Its title says that nothing was sent, but what the line did before may have been.
  const why = ending === 'terms_changed' ? 'Its terms changed after the question' : ENDINGS[ending].title;
  return [`${why}.`, ...more].join(' ');
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

/** The error of a yes that another operation or a limit prevented. */
export function approvalSpent(tool: string): ClerkError {
  return mustAskAgain(tool, 'The approval could not be carried out, and is used up.');
}

/** @param missed what was not done in time */
function expired({ tool, expiresAt }: Approval, now: number, missed: 'given' | 'carried out'): ClerkError {
  if (now < expiresAt) return mustAskAgain(tool, 'The clock was set back after the question was asked.');
  return mustAskAgain(tool, `The approval was not ${missed} within ${APPROVAL_TIME}.`);
}

function mustAskAgain(tool: string, what: string): ClerkError {
  return new ClerkError('E_APPROVAL_EXPIRED', `${what} Nothing was sent.`, {
    next: `Call ${tool} without approval_id to ask again.`,
  });
}

/** Names the operation that ended the question. `replacedBy` is never another caller's. */
function endingOperation({ replacedBy }: Approval): string {
  return replacedBy === undefined ? '' : ` (operation ${replacedBy})`;
}

export function approvalDeclined(tool: string): ClerkError {
  const argument = tool === 'run_plan' ? 'with again: true' : 'without approval_id';
  const howToAskAnew = `Ask again only if the person wants it. Then call ${tool} ${argument}.`;
  const quote = ' To learn what cancelling would refund, call quote_cancellation, which asks nobody.';
  return new ClerkError('E_APPROVAL_DECLINED', 'The person said no. Nothing was sent. The booking is unchanged.', {
    next: tool.startsWith('cancel_') ? howToAskAnew + quote : howToAskAnew,
  });
}

/** The error of a no to a question that a newer one replaced. */
export function earlierDeclined({ replacedBy }: Approval): ClerkError {
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
