/**
 * What one person may have of what all share: open questions, plans, notices. First how much, then who counts as one
 * person, and the refusals.
 */

import { ClerkError } from '../core/errors.ts';
import { MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { withoutApplication } from '../domain/people/caller.ts';
import type { Approval } from './approval.ts';
import type { Question } from './consent-call.ts';
import { APPROVAL_MS, APPROVAL_TIME } from './expiry.ts';

/** Limits of questions, so that one person's many questions neither hide the few of others nor fill the disk. */
export const QUESTIONS = {
  /** Open questions of one person, from all applications. */
  open: 100,
  /** Dialogs of one question, if a page or a terminal can ask too: a looping program must not cover the screen. */
  dialogs: 5,
} as const;

/** How many plans of one person are kept, about 20 MB at most. */
export const PLANS = { kept: 50 } as const;

/** A person gets at most one notice within this time, milliseconds: it speaks for all of their questions. */
export const NOTICES = { everyMs: MINUTE_MS } as const;

type AskedBySomebody = Pick<Approval, 'tenant' | 'caller'>;

/** A key of the person, which all applications of the person share. */
export function personKey({ tenant, caller }: AskedBySomebody): string {
  return JSON.stringify([tenant, withoutApplication({ tenant, id: caller }).id]);
}

/** Throws E_LIMIT if this person has too many questions open. A plan is one question about many acts. */
export async function assertFewOpen({ runtime, asker }: Question): Promise<void> {
  const open = await runtime.state.approvals.openOf(asker.caller, runtime.clock.now());
  if (open >= QUESTIONS.open) throw tooManyOpen(APPROVAL_MS);
}

/** @param waitMs until a part of the share is free again, milliseconds */
export function shareUsedUp(what: string, next: string, waitMs: number): ClerkError {
  return new ClerkError('E_LIMIT', what, { next, retry: `after_s:${Math.ceil(waitMs / 1000)}` });
}

/** `100 questions of this caller wait for an answer.` */
export function tooManyOpen(waitMs: number): ClerkError {
  return shareUsedUp(
    `${counted(QUESTIONS.open, 'question')} of this caller wait for an answer. Nothing was asked or sent.`,
    `Tell the person to answer them (\`fareclerk approve\` lists them), or to wait until they expire, ${APPROVAL_TIME} after they were asked.`,
    waitMs,
  );
}
