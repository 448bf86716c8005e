/** What happens while the airline asks for a pause: nobody is asked about what cannot be sent now, and a yes keeps its time. */

import { ClerkError, callAgain } from '../core/errors.ts';
import { MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { SHORT_PAUSE_MS, waitOutPause } from '../domain/airline-pauses.ts';
import { showClock } from '../domain/booking/deadlines.ts';
import { sameCall } from './answer.ts';
import type { Approval } from './approval.ts';
import type { ActCall } from './consent-call.ts';
import { answerBy, outlasts } from './expiry.ts';
import type { PageText } from './outcome-words.ts';
import { questionHandle } from './request.ts';

/**
 * Checks before a person is asked. A short rest of a pause is over before they answer.
 * @param near station time of the booking
 * @throws ClerkError E_AIRLINE_BUSY into a longer one
 */
export async function assertNotPaused({ act, runtime }: ActCall, near: string | undefined): Promise<void> {
  const leftMs = await act.pausedMs();
  if (leftMs <= SHORT_PAUSE_MS) return;
  const retry = `after_s:${secondsOf(leftMs)}` as const;
  const what = `${pauseWords(leftMs, near, runtime.clock.now())} Nobody was asked, and nothing was sent.`;
  throw new ClerkError('E_AIRLINE_BUSY', what, { next: callAgain(retry), retry });
}

/**
 * Waits for the rest of a short pause.
 * @param sender the operation that waits for its turn among the first sends after a pause
 * @throws ClerkError E_AIRLINE_BUSY into a longer one: the yes can be carried out afterwards
 */
export async function passPause(call: ActCall, approval: Approval, sender?: string): Promise<void> {
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
  return new ClerkError('E_AIRLINE_BUSY', `${pauseWords(waitMs, approval.near, now)} Nothing was sent.`, {
    next: `In ${counted(seconds, 'second')} ${again}`,
    retry: `after_s:${seconds}`,
  });
}

/** Tells a person on the page that their yes came into a pause. @param paused what {@link passPause} threw */
export function grantedIntoPause(approval: Approval, paused: ClerkError): PageText {
  const counts = `Your approval counts until ${answerBy(approval)}, and is carried out when the assistant calls again after the pause.`;
  return { title: 'Your approval is recorded', lines: [paused.message, counts] };
}

/** Says until when the airline pauses: the first whole minute after it. @param near station time of the booking */
export function pauseWords(waitMs: number, near: string | undefined, now: number): string {
  const end = Math.ceil((now + waitMs) / MINUTE_MS) * MINUTE_MS;
  return `The airline asked for a pause of requests of this kind until ${showClock(new Date(end).toISOString(), near)}.`;
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
