/**
 * Carries out a granted approval: enters the operation, reads the terms again, and sends once. What counts as other terms: binding.ts.
 */

import { ClerkError } from '../core/errors.ts';
import { counted } from '../core/words.ts';
import { waitOutPause } from '../domain/airline-pauses.ts';
import { late, within } from '../journal/clock.ts';
import { whyNotSend } from '../journal/context.ts';
import type { Operation } from '../journal/operation.ts';
import type { Sending } from '../journal/ports.ts';
import { type Result, sameCall } from './answer.ts';
import type { Approval } from './approval.ts';
import { type Binding, bindingDigest, bindingOf, leftOutNow, whatDiffers } from './binding.ts';
import { bookingBusy, withCaution } from './busy-booking.ts';
import { mintConfirmed } from './confirmed.ts';
import type { ActCall } from './consent-call.ts';
import { assertNotMadeMeanwhile, presentIfOwnRepeat } from './earlier-creates.ts';
import { approvalDeclined, approvalInvalid, approvalSpent, approvalStale } from './endings.ts';
import { answerBy, outlasts } from './expiry.ts';
import { airlinePauseWords, secondsOf } from './may-ask.ts';
import { assertWithinLimits, dayExceeded, dayLimit } from './money-limits.ts';
import { presentOutcome, waitAndPresent } from './present-outcome.ts';
import { carriedBy, operationToEnter, questionHandle } from './request.ts';
import type { Terms } from './terms.ts';

/** What a yes is bound to. */
export interface Yes {
  /** Digest of the granted plan, if the act is a step of one. */
  readonly plan?: string;
  /** Throws if the act must not be sent now. Called before each send. */
  assertHolds(): Promise<void>;
  /** What the terms bind as they are now, to be compared with what was granted. */
  bindingOf(terms: Terms): Binding;
}

/** Such a question does not keep what a yes binds. */
const ASKED_BY_EARLIER_VERSION =
  'An earlier version of this program asked the question, so that a yes to it does not count.';

/** How long a caller waits for a store that hangs, milliseconds. */
const STORE_WAIT_MS = 1_000;

/** The yes to one act: it is bound to exactly the terms of that act. */
export function toItsTerms({ runtime }: ActCall): Yes {
  return {
    assertHolds: async () => undefined,
    bindingOf: (terms) => bindingOf(runtime.state.digestKey, terms, runtime.clock.now()),
  };
}

/**
 * Carries out a granted approval. If it is called twice, or by two processes, there is still one operation: it has the
 * id of the approval, and the store takes each id once (store/journal/operations.ts). Sends in the background, and
 * waits for the outcome as long as a call may wait.
 */
export async function carryOut(call: ActCall, approval: Approval, yes = toItsTerms(call)): Promise<Result> {
  const { runtime, settings, trail } = call;
  const { clock, inFlight, journal, state } = runtime;

  const carried = carriedBy(approval);
  if (carried === undefined) {
    // Another call carried it out meanwhile, or a no came.
    const operation = await state.operations.get(approval.operationId);
    if (operation !== undefined) return waitAndPresent(call, approval, operation);
    throw approvalInvalid(call.act.tool);
  }

  await passPause(call, approval);
  const limit = dayLimit(settings.limits, clock.now());
  const entry = await journal.open(operationToEnter(approval, carried, yes.plan), limit);
  if (entry.kind === 'exists') return waitAndPresent(call, approval, entry.operation);

  if (entry.kind !== 'inserted') {
    // The yes is spent: it must not take effect by itself once what prevents the act is over.
    await state.approvals.makeVoid(approval.handleHash, 'not_done');
    if (entry.kind === 'stopped') throw whyNotSend(entry);

    const { amount, subject } = carried.operation;
    if (entry.kind === 'over_limit') throw dayExceeded(limit, entry.spent, amount);

    const { locator } = entry.operation;
    if (locator === undefined) return presentIfOwnRepeat(call, entry.operation, subject);
    throw bookingBusy(call, entry.operation, locator);
  }

  const { operation } = entry;
  const { sending, terms } = prepareSending(call, approval, yes);
  trail.ran = true;

  const running = journal.execute(operation, sending);
  const removeFromInFlight = () => inFlight.delete(running);
  inFlight.add(running);
  void running.then(removeFromInFlight, removeFromInFlight);

  const ran = await within(clock, settings.answerMs, running);
  if (ran !== late) return presentOutcome(call, approval, { ...ran, terms: terms() });

  return presentOutcome(call, approval, { operation: await asFarAsKnown(call, operation) });
}

/** The operation as it is stored now. If the store does not answer, all that is known is that it may have been sent. */
async function asFarAsKnown({ runtime: { clock, state } }: ActCall, operation: Operation): Promise<Operation> {
  const reading = state.operations.get(operation.id).catch(() => undefined);
  const current = await within(clock, STORE_WAIT_MS, reading);
  return current === late || current === undefined ? { ...operation, state: 'dispatched' } : current;
}

/**
 * Waits for the rest of a short pause.
 * @param sender the operation that waits for its turn among the first sends after a pause
 * @throws ClerkError E_AIRLINE_BUSY into a longer one: the yes can be carried out afterwards
 */
async function passPause(call: ActCall, approval: Approval, sender?: string): Promise<void> {
  const { act, runtime } = call;
  const leftMs = await waitOutPause({ left: () => act.pausedMs(sender), sleep: (ms) => runtime.clock.sleep(ms) });
  if (leftMs > 0) throw airlinePaused(call, approval, leftMs);
}

function airlinePaused(call: ActCall, approval: Approval, waitMs: number): ClerkError {
  const { act, runtime, detailsId } = call;
  const now = runtime.clock.now();
  const seconds = secondsOf(waitMs);
  const again = outlasts(approval, waitMs, now)
    ? `${sameCall(act.tool, questionHandle(call, approval), detailsId)}, and nobody is asked again. The approval counts until ${answerBy(approval)}.`
    : `call ${act.tool} without approval_id to ask again.`;

  return new ClerkError('E_AIRLINE_BUSY', `${airlinePauseWords(waitMs, approval.near, now)} Nothing was sent.`, {
    next: `In ${counted(seconds, 'second')} ${again}`,
    retry: `after_s:${seconds}`,
  });
}

/**
 * Prepares how the journal reads the terms again and then sends once, which goes on if the caller leaves. `terms`
 * returns the terms that were sent.
 */
function prepareSending(call: ActCall, approval: Approval, yes: Yes): { sending: Sending; terms(): Terms | undefined } {
  const { act, runtime, settings } = call;
  const { clock, state } = runtime;
  const { approvals } = state;
  const carried = carriedBy(approval);
  let approved: Terms | undefined;

  const sending: Sending = {
    async recheck() {
      const read = () => act.previewAgain(call.pointed ?? carried?.bound?.booking?.reading);
      // A commit's preview only reads, so it begins before the checks. A hold's preview may ask for a price.
      const preview = act.effect === 'commit' ? read() : undefined;
      preview?.catch(() => undefined);

      // A concurrent no takes the yes back first and reads the journal second, so that one of the two sees the other.
      const current = await approvals.get(approval.handleHash);
      if (current?.decision === 'declined') throw approvalDeclined(act.tool);
      if (current?.decision !== 'granted') throw approvalSpent(act.tool);

      await yes.assertHolds();
      const terms = await withCaution(call, await (preview ?? read()));
      await assertNotMadeMeanwhile(call, terms, approval.operationId);

      const changed = changedSinceYes(call, approval, terms, yes);
      if (changed.length > 0) {
        await approvals.makeVoid(approval.handleHash, 'terms_changed', changed);
        await keepLeftOut(call, approval, terms, yes);
        throw approvalStale(act.tool, changed);
      }

      // The limits may have become lower since the question was asked.
      assertWithinLimits(settings.limits, terms.money);
      await passPause(call, approval, approval.operationId);

      approved = terms;
    },

    async waitMs(refusal) {
      // If only our own queue is full, the yes is spent: it was meant for now.
      const waitMs = refusal.code === 'E_AIRLINE_BUSY' ? await act.pausedMs(approval.operationId) : 0;
      // A plan checks by itself how long its yes counts.
      const isInTime = yes.plan !== undefined || outlasts(approval, waitMs, clock.now());
      return waitMs > 0 && isInTime ? waitMs : undefined;
    },

    async sendConfirmed(dispatch) {
      if (approved === undefined) throw new Error('sent before the terms were read again');
      return act.commit(mintConfirmed(approved.send, approval.operationId, dispatch), act.sendContext);
    },
  };

  return { sending, terms: () => approved };
}

/** Keeps for the next question what the reading left out: nodes of an airline can differ, and must block nobody. */
async function keepLeftOut(
  { act, runtime }: ActCall,
  approval: Approval,
  terms: Terms,
  yes: Pick<Yes, 'bindingOf'>,
): Promise<void> {
  const asked = carriedBy(approval)?.bound;
  const leftOut = asked && leftOutNow(asked, yes.bindingOf(terms), act);
  if (leftOut !== undefined) await runtime.state.approvals.keepTerms({ ...approval, leftOut });
}

/** In what the terms are not those that the approval carries, a sentence each. Empty: the yes counts. */
export function changedSinceYes(
  { act, runtime }: Pick<ActCall, 'act' | 'runtime'>,
  approval: Approval,
  terms: Terms,
  yes: Pick<Yes, 'bindingOf'>,
): readonly string[] {
  const asked = carriedBy(approval)?.bound;
  const isOfQuestion =
    asked?.lines !== undefined && bindingDigest(runtime.state.digestKey, act.tool, asked) === approval.termsDigest;
  if (!isOfQuestion) return [ASKED_BY_EARLIER_VERSION];
  const now = { bound: yes.bindingOf(terms), sections: terms.sections };
  return whatDiffers({ bound: asked, sections: approval.sections }, now, act);
}
