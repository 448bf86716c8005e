/**
 * Dialogs of the 2024–2025 handshakes: a request to the client, while its tool call waits. The call answers before hosts give up
 * on it (60 s); the dialog may still be answered afterwards, and the details page filled in. In order: the two dialogs (details page,
 * question), the watch of a page, and the request to the client.
 */

import { SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { Answer, Ask, AskDetails, AskOnPage, Result } from '../approvals/answer.ts';
import { type DialogReply, SILENCE_MS } from '../approvals/consent-call.ts';
import { isAccept } from '../approvals/dialog-answer.ts';
import { APPROVAL_MS } from '../approvals/expiry.ts';
import type { Asker } from '../clerk/clerk.ts';
import { late, systemClock, within } from '../journal/clock.ts';

const GONE: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
]);

/** How long a whole call takes at most where a dialog may be silent for {@link SILENCE_MS}. Includes reading the booking. */
const CALL_MS = 55_000;

/** Calls the tool again for the same host. `more`: what is new since the first call. */
type CallAgain = (more: Partial<Asker>, approvalId?: string) => Promise<Answer>;

interface DialogWait {
  /** When the tool call arrived, by `performance.now()`. */
  readonly began: number;
  /** How long a dialog may be silent before the page asks too, milliseconds. */
  readonly silenceMs?: number | undefined;
}

/** How the wait for a details page ended. `watched`: it is complete, or its own time is over. */
type PageEnd = { readonly kind: 'watched' } | { readonly kind: 'not_opened'; readonly raw: unknown };

/** Shows the details page of a call first, and then the question that follows from what was entered there. */
export async function askLegacyForDetails(
  asked: AskDetails,
  ctx: ServerContext,
  call: CallAgain,
  wait: DialogWait,
): Promise<Result> {
  const id = asked.detailsId;
  const callWithDetails: CallAgain = (more, approvalId) => call({ details: { id }, ...more }, approvalId);
  const answer = await askForDetails(asked, ctx, callWithDetails, wait);
  return answer.kind === 'result' ? answer : askLegacy(answer, ctx, callWithDetails, wait);
}

/**
 * Asks the client to open the details page for its user. An accept only opens it: the call waits until all details are entered, or
 * says that some are missing.
 */
async function askForDetails(
  asked: AskDetails,
  ctx: ServerContext,
  call: CallAgain,
  { began, silenceMs = SILENCE_MS }: DialogWait,
): Promise<Exclude<Answer, AskDetails>> {
  const { message, url, detailsId } = asked;
  let isOver = false;
  // What the store cannot tell, the call finds out.
  const complete = asked.completed(() => isOver).catch(() => undefined);
  const watched = complete.then((): PageEnd => ({ kind: 'watched' }));

  const untilHostReplies = async (): Promise<PageEnd> => {
    const reply = await elicit({ mode: 'url', message, url, elicitationId: crypto.randomUUID() }, ctx);
    // An accept only opens the page, so the wait for the page goes on.
    return isAccept(reply?.raw) ? watched : { kind: 'not_opened', raw: reply?.raw };
  };

  const leftMs = Math.max(0, began + silenceMs - performance.now());
  const end = await within(systemClock, leftMs, Promise.race([watched, untilHostReplies()])).finally(() => {
    isOver = true;
  });

  // Nobody reads this: the caller has left, and what was entered waits for the next call.
  if (ctx.mcpReq.signal.aborted) throw new Error('the call was taken back while its page was open');
  // The page is still open: this call does not wait, and says where.
  if (end === late) return noDetails(await call({ signal: AbortSignal.abort() }));

  return noDetails(await call(end.kind === 'watched' ? {} : { details: { id: detailsId, raw: end.raw } }));
}

/** Shows a question as a dialog, and waits for its answer, or for one that comes another way, as long as a call may last. */
export async function askLegacy(
  question: Ask | AskOnPage,
  ctx: ServerContext,
  call: CallAgain,
  { began, silenceMs = SILENCE_MS }: DialogWait,
): Promise<Result> {
  // A shorter silence shortens the call in proportion.
  const callMs = silenceMs * (CALL_MS / SILENCE_MS);
  const msLeft = () => Math.max(0, began + callMs - performance.now());

  // Aborted as soon as the dialog is answered: the call that carries its answer out may take longer.
  const dialogAnswered = new AbortController();
  const dialogEnd = openDialog(question, ctx).then(async (dialog) => {
    if (dialog === undefined) return undefined;
    dialogAnswered.abort('the dialog was answered');
    // The user's answer, or the host's refusal of the dialog.
    return call({ dialog });
  });

  // First only the dialog asks.
  const first = await within(systemClock, Math.min(silenceMs, msLeft()), dialogEnd);
  if (first !== late) {
    // Nobody reads this: the caller has left.
    if (first === undefined) throw new Error('the dialog ended without a reply');
    return onlyResult(first);
  }

  // The dialog is silent: the page asks too. The wait ends early if the dialog is answered after all.
  if (!dialogAnswered.signal.aborted) {
    const callOver = AbortSignal.timeout(Math.ceil(msLeft()));
    const signal = AbortSignal.any([ctx.mcpReq.signal, dialogAnswered.signal, callOver]);
    const pageAnswer = await waitBesideDialog(call, question, signal);
    // If the dialog ended the wait, the page's answer only says that the question is open, unless the act is done.
    if (!dialogAnswered.signal.aborted || pageAnswer.structured.status === 'done') return pageAnswer;
  }

  // The dialog was answered, and the airline may take longer than this call: its result then says so.
  const last = await within(systemClock, msLeft(), dialogEnd);
  if (last !== late && last !== undefined) return onlyResult(last);

  // This call does not wait, and says how the question stands.
  return waitBesideDialog(call, question, AbortSignal.abort());
}

/** Waits for an answer on the page while the dialog is open. */
async function waitBesideDialog(call: CallAgain, { handle }: Ask | AskOnPage, signal: AbortSignal): Promise<Result> {
  return onlyResult(await call({ isDialogOpen: true, signal }, handle));
}

/** Shows a dialog. Undefined if no answer will come: the connection ended, the caller cancelled, or it took too long. */
async function openDialog(question: Ask | AskOnPage, ctx: ServerContext): Promise<DialogReply | undefined> {
  const { handle, message } = question;
  const params =
    question.kind === 'ask'
      ? { message, requestedSchema: question.form }
      : { mode: 'url', message, url: question.url, elicitationId: crypto.randomUUID() };
  const reply = await elicit(params, ctx);
  return reply && { handle, ...reply };
}

/** Sends a request to the client's user. Undefined if no answer will come. */
async function elicit(
  params: Record<string, unknown>,
  ctx: ServerContext,
): Promise<Pick<DialogReply, 'raw' | 'tookMs'> | undefined> {
  const askedAt = performance.now();
  const reply = (raw: unknown) => ({ raw, tookMs: Math.round(performance.now() - askedAt) });
  try {
    const raw = await ctx.mcpReq.send({ method: 'elicitation/create', params }, { timeout: APPROVAL_MS });
    // A host that takes its call back closes the dialog by itself.
    return ctx.mcpReq.signal.aborted && !isAccept(raw) ? undefined : reply(raw);
  } catch (error) {
    const noReply = ctx.mcpReq.signal.aborted || (error instanceof SdkError && GONE.has(error.code));
    // Other failures of the host are its reply: it showed nothing.
    return noReply ? undefined : reply(undefined);
  }
}

/** A call that brings an answer never asks again. */
function onlyResult(answer: Answer): Result {
  if (answer.kind === 'result') return answer;
  throw new Error('a dialog was answered with another dialog');
}

/** A call that brings its page never asks for another one. */
function noDetails(answer: Answer): Exclude<Answer, AskDetails> {
  if (answer.kind !== 'ask_details') return answer;
  throw new Error('a page was answered with another page');
}
