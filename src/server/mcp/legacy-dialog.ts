/**
 * Dialogs of the 2024–2025 handshakes: a request to the client, while its tool call waits. The call answers before hosts give up
 * on it (60 s); the dialog may still be answered afterwards, and the details page filled in.
 */
import { type McpServer, SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { Answer, Ask, AskDetails, AskOnPage, Result } from '../../approvals/answer.ts';
import { type DialogReply, SILENCE_MS } from '../../approvals/consent-call.ts';
import { APPROVAL_MS } from '../../approvals/ports.ts';
import type { Asker } from '../clerk.ts';

const GONE: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
]);

/** The whole call takes at most this many times the silence, reading the booking included: 55 s. */
const WHOLE_CALL_SILENCES = 11 / 8;

/** Calls the tool again: with the dialog's answer, or with the approval's id. */
type CallAgain = (more: Partial<Asker>, approvalId?: string) => Promise<Answer>;

interface DialogWait {
  /** When the tool call arrived, by `performance.now()`. */
  readonly began: number;
  readonly silenceMs?: number | undefined;
}

/** Shows the details page of a call first, and then the question that follows from what was entered there. */
export async function askLegacyForDetails(
  asked: AskDetails,
  { server, ctx }: { readonly server: McpServer; readonly ctx: ServerContext },
  call: CallAgain,
  wait: DialogWait,
): Promise<Result> {
  const id = asked.detailsId;
  const callWithDetails: CallAgain = (more, approvalId) => call({ details: { id }, ...more }, approvalId);
  const answer = await askForDetails(asked, { server, ctx }, callWithDetails, wait);
  return answer.kind === 'result' ? answer : askLegacy(answer, ctx, callWithDetails, wait);
}

/** Shows a question as a dialog, and waits for its answer, or for one that comes another way, as long as a call may last. */
export async function askLegacy(
  question: Ask | AskOnPage,
  ctx: ServerContext,
  call: CallAgain,
  { began, silenceMs = SILENCE_MS }: DialogWait,
): Promise<Result> {
  const msLeft = () => Math.max(0, began + silenceMs * WHOLE_CALL_SILENCES - performance.now());
  const dialogOver = new AbortController();
  const dialogAnswer = openDialog(question, ctx).then(async (dialog): Promise<Answer | 'gone'> => {
    if (dialog === undefined) return 'gone';
    dialogOver.abort('the dialog was answered');
    return call({ dialog });
  });
  const first = await Promise.race([dialogAnswer, sleep(Math.min(silenceMs, msLeft()))]);
  // Nobody reads this: the caller has left.
  if (first === 'gone') throw new Error('the dialog ended without a reply');
  if (first !== undefined) return onlyResult(first);
  if (!dialogOver.signal.aborted) {
    const signal = AbortSignal.any([ctx.mcpReq.signal, dialogOver.signal, AbortSignal.timeout(Math.ceil(msLeft()))]);
    const otherAnswer = onlyResult(await call({ isDialogOpen: true, signal }, question.handle));
    if (!dialogOver.signal.aborted || otherAnswer.structured.status === 'done') return otherAnswer;
  }
  // The dialog was answered, and the airline may take longer than this call.
  const last = await Promise.race([dialogAnswer, sleep(msLeft())]);
  if (last !== undefined && last !== 'gone') return onlyResult(last);
  return onlyResult(await call({ isDialogOpen: true, signal: AbortSignal.abort() }, question.handle));
}

/** The watch of a details page. */
interface PageWatch {
  readonly completed: Promise<boolean>;
  /** How many calls wait for the page. */
  calls: number;
}

/** One watch for each page and connection, however often its call is repeated. */
const watches = new WeakMap<McpServer, Map<string, PageWatch>>();

/** Watches a page: looks often while a call waits, and now and then afterwards. */
function watchPage(asked: AskDetails, server: McpServer) {
  const watchesOfServer = watches.get(server) ?? new Map<string, PageWatch>();
  watches.set(server, watchesOfServer);
  const id = asked.detailsId;
  let pageWatch = watchesOfServer.get(id);
  if (pageWatch === undefined) {
    const isWaitedFor = () => (watchesOfServer.get(id)?.calls ?? 0) > 0;
    const completed = asked
      .completed(() => !server.isConnected(), isWaitedFor)
      .catch(() => false)
      .finally(() => watchesOfServer.delete(id));
    pageWatch = { completed, calls: 0 };
    watchesOfServer.set(id, pageWatch);
  }
  const watched = pageWatch;
  watched.calls += 1;
  return {
    completed: watched.completed,
    leave() {
      watched.calls -= 1;
    },
  };
}

/**
 * Asks the client to open the details page for its user. An accept only opens it: the call waits until all details are entered, or
 * says that some are missing. A client that is still connected learns when the page is complete, however late.
 */
async function askForDetails(
  asked: AskDetails,
  { server, ctx }: { readonly server: McpServer; readonly ctx: ServerContext },
  call: CallAgain,
  { began, silenceMs = SILENCE_MS }: DialogWait,
): Promise<Exclude<Answer, AskDetails>> {
  const { message, url, detailsId: id } = asked;
  const elicitationId = crypto.randomUUID();
  const { completed, leave } = watchPage(asked, server);
  void completed.then(async (isComplete) => {
    if (!isComplete || !server.isConnected()) return;
    const params = { elicitationId };
    await server.server.notification({ method: 'notifications/elicitation/complete', params }).catch(() => undefined);
  });
  const refusal = elicit({ mode: 'url', message, url, elicitationId }, ctx).then((reply) => {
    // An accept only opens the page.
    if (reply?.raw !== undefined && (reply.raw as { action?: unknown }).action === 'accept')
      return new Promise<never>(() => {});
    return { raw: reply?.raw };
  });
  const leftMs = Math.max(0, began + silenceMs - performance.now());
  const first = await Promise.race([completed, refusal, sleep(leftMs)]).finally(leave);
  // Nobody reads this: the caller has left, and what was entered waits for the next call.
  if (ctx.mcpReq.signal.aborted) throw new Error('the call was taken back while its page was open');
  if (typeof first === 'object') return noDetails(await call({ details: { id, ...first } }));
  // Complete, or its time is over: the call says which.
  if (first !== undefined) return noDetails(await call({}));
  return noDetails(await call({ signal: AbortSignal.abort() }));
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
async function elicit(params: object, ctx: ServerContext): Promise<Pick<DialogReply, 'raw' | 'tookMs'> | undefined> {
  const askedAt = performance.now();
  const reply = (raw: unknown) => ({ raw, tookMs: Math.round(performance.now() - askedAt) });
  try {
    const raw = await ctx.mcpReq.send({ method: 'elicitation/create', params } as never, { timeout: APPROVAL_MS });
    // A host that takes its call back closes the dialog by itself.
    return ctx.mcpReq.signal.aborted && (raw as { action?: unknown }).action !== 'accept' ? undefined : reply(raw);
  } catch (error) {
    const noReply = ctx.mcpReq.signal.aborted || (error instanceof SdkError && GONE.has(error.code));
    // Other failures of the host are its reply: it showed nothing.
    return noReply ? undefined : reply(undefined);
  }
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(resolve, ms, undefined).unref());
}

function onlyResult(answer: Answer): Result {
  if (answer.kind === 'result') return answer;
  throw new Error('a dialog was answered with another dialog');
}

/** A call that brings its page never asks for another one. */
function noDetails(answer: Answer): Exclude<Answer, AskDetails> {
  if (answer.kind !== 'ask_details') return answer;
  throw new Error('a page was answered with another page');
}
