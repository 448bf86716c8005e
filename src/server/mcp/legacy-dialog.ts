/**
 * Dialogs of the 2024–2025 handshakes: a request to the client, while its tool call waits. The call answers before hosts
 * give up on it (60 s); the dialog may still be answered afterwards.
 */
import { SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { Answer, Ask, AskOnPage, Result } from '../../approvals/answer.ts';
import type { DialogReply } from '../../approvals/consent-call.ts';
import type { CallOptions } from '../clerk.ts';

/** How long a dialog stays open, milliseconds. Approvals expire after the same time. */
const DIALOG_MS = 600_000;
/** After this long without an answer the page asks too, milliseconds. */
const SILENCE_MS = 40_000;
/** The whole call takes at most this much longer, reading the booking included: 55 s. */
const WHOLE = 11 / 8;

/** Calls the tool again: with the dialog's answer, or with the approval's id. */
type CallAgain = (more: Partial<CallOptions>, approvalId?: string) => Promise<Answer>;

interface DialogWait {
  /** When the tool call arrived, by `performance.now()`. */
  readonly began: number;
  readonly silenceMs?: number | undefined;
}

export async function askLegacy(
  question: Ask | AskOnPage,
  ctx: ServerContext,
  call: CallAgain,
  { began, silenceMs = SILENCE_MS }: DialogWait,
): Promise<Result> {
  const left = () => Math.max(0, began + silenceMs * WHOLE - performance.now());
  const over = new AbortController();
  const answered = openDialog(question, ctx).then(async (dialog): Promise<Answer | 'gone'> => {
    if (dialog === undefined) return 'gone';
    over.abort('the dialog was answered');
    return call({ dialog });
  });
  const first = await Promise.race([answered, sleep(Math.min(silenceMs, left()))]);
  // Nobody reads this: the caller has left.
  if (first === 'gone') throw new Error('the dialog ended without a reply');
  if (first !== undefined) return resultOf(first);
  if (!over.signal.aborted) {
    const signal = AbortSignal.any([ctx.mcpReq.signal, over.signal, AbortSignal.timeout(Math.ceil(left()))]);
    const waited = resultOf(await call({ isDialogOpen: true, signal }, question.handle));
    if (!over.signal.aborted || waited.structured.status === 'done') return waited;
  }
  // The dialog was answered, and the airline may take longer than this call.
  const last = await Promise.race([answered, sleep(left())]);
  if (last !== undefined && last !== 'gone') return resultOf(last);
  return resultOf(await call({ isDialogOpen: true, signal: AbortSignal.abort() }, question.handle));
}

/** Undefined if no answer will come: the connection ended, the caller cancelled, or it took too long. */
async function openDialog(question: Ask | AskOnPage, ctx: ServerContext): Promise<DialogReply | undefined> {
  const { handle, message } = question;
  const params =
    question.kind === 'ask'
      ? { message, requestedSchema: question.form }
      : { mode: 'url', message, url: question.url, elicitationId: crypto.randomUUID() };
  const asked = performance.now();
  const reply = (raw: unknown): DialogReply => ({ handle, raw, tookMs: Math.round(performance.now() - asked) });
  try {
    const raw = await ctx.mcpReq.send({ method: 'elicitation/create', params }, { timeout: DIALOG_MS });
    // A host that takes its call back closes the dialog by itself.
    return ctx.mcpReq.signal.aborted && raw.action !== 'accept' ? undefined : reply(raw);
  } catch (error) {
    const noReply = ctx.mcpReq.signal.aborted || (error instanceof SdkError && GONE.has(error.code));
    // Other failures of the host are its reply: it showed nothing.
    return noReply ? undefined : reply(undefined);
  }
}

const GONE: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
]);

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(resolve, ms, undefined).unref());
}

function resultOf(answer: Answer): Result {
  if (answer.kind === 'result') return answer;
  throw new Error('a dialog was answered with another dialog');
}
