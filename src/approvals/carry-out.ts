/** Carries out a granted approval: enters the operation, reads the terms again, and sends once. */

import { late, within } from '../journal/clock.ts';
import { whyNotSend } from '../journal/context.ts';
import type { Sending } from '../journal/ports.ts';
import type { Result } from './answer.ts';
import { mintConfirmed } from './confirmed.ts';
import type { ActCall } from './consent-call.ts';
import { assertNoEarlier, followEarlier } from './earlier-creates.ts';
import { assertWithinLimits, bookingBusy, dayExceeded, dayLimit, withCaution } from './limits.ts';
import { type Approval, approvalInvalid, approvalSpent, approvalStale } from './ports.ts';
import { presentOutcome, waitAndPresent } from './present.ts';
import { carriedBy, operationToEnter } from './request.ts';
import { shownLines, type Terms, termsDigest } from './terms.ts';

/** What a yes is bound to. */
export interface Yes {
  /** Digest of the plan that was granted, if the act is a step of one. */
  readonly plan?: string;
  /** Throws if it must not be sent now. Called before each send. */
  assertHolds(): Promise<void>;
  /** Of the terms as they are now; they are still what was granted if it is that of the approval. */
  digestOf(tool: string, terms: Terms): string;
}

/** The yes to one act: to exactly its terms. */
export function toItsTerms({ runtime }: ActCall): Yes {
  return {
    assertHolds: async () => undefined,
    digestOf: (tool, terms) => termsDigest(runtime.state.digestKey, tool, terms),
  };
}

/** A store that hangs keeps no caller waiting for longer. */
const READ_MS = 1_000;

/**
 * Carries a granted approval out. Called twice, or by two processes, it is still one operation: that has the
 * approval's id, and the store takes each id once (store/journal/operations.ts). Sends in the background, and waits
 * for the outcome as long as a call may wait.
 */
export async function carryOut(call: ActCall, approval: Approval, yes = toItsTerms(call)): Promise<Result> {
  const { runtime, settings, trail } = call;
  const { clock, inFlight, journal, state } = runtime;
  const carried = carriedBy(approval);
  if (carried === undefined) {
    // Another call carried it out, or a no came, while this call was on its way.
    const operation = await state.operations.get(approval.operationId);
    if (operation !== undefined) return waitAndPresent(call, approval, operation);
    throw approvalInvalid(call.act.tool);
  }
  const limit = dayLimit(settings.limits, clock.now());
  const entry = await journal.open(operationToEnter(approval, carried, yes.plan), limit);
  if (entry.kind === 'exists') return waitAndPresent(call, approval, entry.operation);
  if (entry.kind !== 'inserted') {
    // It must not act on its own once sending is allowed again, or the other operation or the day is over.
    await state.approvals.revoke(approval.handleHash);
    if (entry.kind === 'stopped') throw whyNotSend(entry);
    const { amount, subject } = carried.operation;
    if (entry.kind === 'over_limit') throw dayExceeded(limit, entry.spent, amount);
    const { locator } = entry.operation;
    if (locator === undefined) return followEarlier(call, entry.operation, subject);
    throw bookingBusy(call, entry.operation, locator);
  }
  const { operation } = entry;
  const { sending, terms } = prepareSending(call, approval, yes);
  trail.ran = true;
  const running = journal.run(operation, sending);
  inFlight.add(running);
  const over = () => inFlight.delete(running);
  void running.then(over, over);
  const ran = await within(clock, settings.answerMs, running);
  if (ran !== late) return presentOutcome(call, approval, { ...ran, terms: terms() });
  // While the store is away nobody knows more than that it may have been sent.
  const sent = { ...operation, state: 'dispatched' } as const;
  const reading = state.operations.get(operation.id).catch(() => undefined);
  const now = await within(clock, READ_MS, reading);
  return presentOutcome(call, approval, { operation: now === late || now === undefined ? sent : now });
}

/** Reads the terms again, then sends once. Goes on if the caller leaves. */
function prepareSending(call: ActCall, approval: Approval, yes: Yes): { sending: Sending; terms(): Terms | undefined } {
  const { act, runtime, settings } = call;
  const { approvals } = runtime.state;
  let approved: Terms | undefined;
  const sending: Sending = {
    blank: act.blank,
    async recheck() {
      // Meanwhile: it only reads. A hold's preview may ask the airline for a price.
      const preview = act.effect === 'commit' ? act.previewAgain() : undefined;
      preview?.catch(() => undefined);
      // A concurrent no first revokes, then reads the journal: one of the two sees the other.
      const current = await approvals.get(approval.handleHash);
      if (current?.decision !== 'granted') throw approvalSpent(act.tool);
      await yes.assertHolds();
      const terms = await withCaution(call, await (preview ?? act.previewAgain()));
      await assertNoEarlier(call, terms, approval.operationId);
      if (yes.digestOf(act.tool, terms) !== approval.termsDigest) {
        const now = shownLines(terms.sections);
        await approvals.markStale(approval.handleHash, now);
        throw approvalStale(act.tool, now);
      }
      // The limits may be lower than when the question was asked.
      assertWithinLimits(settings.limits, terms.money);
      approved = terms;
    },
    async send(dispatch) {
      if (approved === undefined) throw new Error('sent before the terms were read again');
      return act.send(mintConfirmed(approved.send, approval.operationId, dispatch));
    },
  };
  return { sending, terms: () => approved };
}
