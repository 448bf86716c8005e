/**
 * The host's dialog: its form, what its answer counts for, and whether a person can have seen it. Some hosts decline
 * unseen, cancel at once, never answer, or accept what they do not draw. After two such dialogs in a row the same
 * client is not asked again for a week: the page or the terminal asks. The page also opens beside a dialog that stays
 * silent, so that a question reaches a person whatever the host draws.
 */
import { WEEK_MS } from '../core/times.ts';
import type { FormSchema } from './answer.ts';
import { longestSilence, type Question } from './consent-call.ts';
import { QUESTIONS } from './limits.ts';
import { type Approval, type ApprovalStore, type Client, firstShown, type Unseen } from './ports.ts';

/** `closed`: dismissed without an answer. `none`: no choice of a person, such as an accept without a decision. */
type DialogAnswer = 'yes' | 'no' | 'closed' | 'none';

/** The choice of the form that declines. The other choice is the act, word for word. */
const NO = 'no';

const NO_CHOICE = 'The dialog came back without a choice: that does not count as an answer.';

/** Stands for a client that did not give its name. */
const NAMELESS: Client = { name: '', version: '' };

/** The form of the dialog: one choice, between no and the words of the act. */
export function formSchema(act: string): FormSchema {
  return {
    type: 'object',
    properties: { decision: { type: 'string', title: 'Your decision', enum: [NO, act] } },
    required: ['decision'],
  };
}

/** MCP's `action` of an elicitation result. */
function readAction(raw: unknown): unknown {
  return asFields(raw).action;
}

/** Whether the host accepted a dialog or an address. */
export function isAccept(raw: unknown): boolean {
  return readAction(raw) === 'accept';
}

/** What a host did with a dialog, as a verb for a sentence. */
function endingVerb(raw: unknown): 'declined' | 'closed' | 'answered' {
  const action = readAction(raw);
  if (action === 'decline') return 'declined';
  return action === 'cancel' ? 'closed' : 'answered';
}

/** The act must be answered word for word; an accept without it is no answer. */
function readAnswer(raw: unknown, act: string): DialogAnswer {
  const { action, content } = asFields(raw);
  if (action === 'decline') return 'no';
  if (action === 'cancel') return 'closed';
  const { decision } = asFields(content);
  if (action !== 'accept') return 'none';
  if (decision === act) return 'yes';
  return decision === NO ? 'no' : 'none';
}

/** Reads the answer of a dialog that only opens the page (URL elicitation): an accept is no yes. A no always counts. */
export function readPageAnswer(raw: unknown): DialogAnswer | 'opened' {
  if (isAccept(raw)) return 'opened';
  return readAction(raw) === 'decline' ? 'no' : 'closed';
}

function asFields(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}

/** `opened`: the client opened the page. `moved`: the dialog may no longer answer. `unseen`: no person saw it. */
type ChannelReply =
  | { readonly kind: Exclude<DialogAnswer, 'none'> | 'opened' | 'moved' }
  | { readonly kind: 'unseen' /** How this is known. */; readonly why: string };

/**
 * Reads the dialog's answer, and remembers whether this client's dialogs are seen. Undefined if no dialog came back. A
 * yes is measured from its own showing, which the client names, or else from the last one. A no sends nothing: it is
 * measured from the first showing, because that dialog may still be open, and also counts once the page asks.
 */
export async function readReply(call: Question, approval: Approval): Promise<ChannelReply | undefined> {
  const { dialog } = call.asker;
  if (dialog === undefined) return undefined;
  const mayDialogAnswer = approval.askedBy === 'elicit' || approval.askedBy === 'either';
  const answer = readAnswer(dialog.raw, approval.act);
  const kind = mayDialogAnswer || answer === 'no' ? answer : readPageAnswer(dialog.raw);
  const { askedAt, shownAt = askedAt } = approval;
  if (askedAt === undefined || shownAt === undefined) return { kind: kind === 'opened' ? kind : 'moved' };
  // Keeps the time that the client names between the first showing and the last one.
  const showing = Math.min(askedAt, Math.max(shownAt, dialog.askedAt ?? askedAt));
  const tookMs = dialog.tookMs ?? call.runtime.clock.now() - (kind === 'no' ? shownAt : showing);
  const isTooSoon = tookMs < call.settings.dialogFloorMs;
  if (isTooSoon || kind === 'none') {
    await noteUnseen(call, tookMs);
    return { kind: 'unseen', why: isTooSoon ? tooSoon(endingVerb(dialog.raw), tookMs) : NO_CHOICE };
  }
  await noteAnswered(call);
  return { kind };
}

/** Some hosts answer by themselves a dialog that they do not draw. */
function tooSoon(verb: ReturnType<typeof endingVerb>, tookMs: number): string {
  return `The host ${verb} the dialog by itself in ${durationText(tookMs)}, before a person can have read it: that does not count as an answer.`;
}

/** Unseen dialogs before this time are forgotten. */
export function rememberedSince(now: number): number {
  return now - WEEK_MS;
}

/** Counts an unseen dialog, unless the operator turned this off. */
async function noteUnseen({ runtime, settings, asker }: Question, tookMs?: number): Promise<void> {
  if (settings.dialogFloorMs === 0) return;
  const now = runtime.clock.now();
  const unseen = { at: now, tookMs };
  await runtime.state.unseenDialogs?.add(asker.caller, asker.client ?? NAMELESS, unseen, rememberedSince(now));
}

/** Forgets the unseen dialogs: a person saw a dialog of this client. */
async function noteAnswered({ runtime, asker }: Question): Promise<void> {
  await runtime.state.unseenDialogs?.clear(asker.caller, asker.client ?? NAMELESS);
}

/** The last unseen dialog of a client, if at least `times` in a row were not seen. */
export async function lastUnseen({ runtime, settings, asker }: Question, times = 2): Promise<Unseen | undefined> {
  if (settings.dialogFloorMs === 0 || !(asker.canElicit === true || asker.canOpenUrls === true)) return undefined;
  const since = rememberedSince(runtime.clock.now());
  return runtime.state.unseenDialogs?.last(asker.caller, asker.client ?? NAMELESS, since, times);
}

/** How the last dialog ended, for a sentence: `answered in 3 ms`. */
export function unseenWords({ tookMs }: Pick<Unseen, 'tookMs'>): string {
  return tookMs === undefined ? 'not answered' : `answered in ${durationText(tookMs)}`;
}

function durationText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * Asks on the page too if the dialog stays silent; waits for that in the background. The dialog may still answer
 * afterwards: the first answer wins, and a person's late answer shows that the client's dialogs are seen.
 */
export function watchSilence(call: Question, approval: Approval): void {
  // A failure does no harm: the next call opens the page.
  void pageAfterSilence(call, approval).catch(() => undefined);
}

/** Whether the dialog has been silent for so long that the page asks too. */
export function isSilent(call: Question, approval: Approval): boolean {
  const since = firstShown(approval);
  return since !== undefined && call.runtime.clock.now() - since >= longestSilence(call);
}

interface ShownDialogs {
  readonly count: number;
  /** When the question expires, milliseconds since 1970. */
  readonly until: number;
}

/** Dialogs that this process has shown, by hash of the handle of questions that were shown more than once. */
const dialogsByStore = new WeakMap<ApprovalStore, Map<string, ShownDialogs>>();

/** Counts one more dialog of an open question. False if it was shown as often as is allowed. */
export function mayShowAgain({ runtime }: Question, { handleHash, expiresAt: until }: Approval): boolean {
  const { approvals } = runtime.state;
  const dialogs = dialogsByStore.get(approvals) ?? new Map<string, ShownDialogs>();
  dialogsByStore.set(approvals, dialogs);
  for (const [hash, dialog] of dialogs) if (dialog.until <= runtime.clock.now()) dialogs.delete(hash);
  const count = (dialogs.get(handleHash)?.count ?? 1) + 1;
  if (count > QUESTIONS.dialogs) return false;
  dialogs.set(handleHash, { count, until });
  return true;
}

async function pageAfterSilence(call: Question, approval: Approval): Promise<void> {
  const { runtime, settings } = call;
  const { handleHash, askedBy } = approval;
  if (settings.page === undefined && !settings.canUseTerminal) return;
  // Ignores the caller's signal: a host that gave up on the call has not reached a person.
  await runtime.clock.sleep(longestSilence(call));
  const current = await runtime.state.approvals.get(handleHash);
  // The question was answered, or its dialog ended and another one is open.
  if (current?.decision !== 'pending' || firstShown(current) !== firstShown(approval)) return;
  if (current.askedBy === 'page' && askedBy !== 'page') return;
  await noteUnseen(call);
  const asked = await moveToBoth(call, current);
  await settings.page?.open(asked, false, { isUnseen: true });
}

/** Notes that both the dialog and the page ask from now on: the first answer counts. */
export async function moveToBoth({ runtime }: Question, approval: Approval): Promise<Approval> {
  if (approval.askedBy !== 'elicit') return approval;
  await runtime.state.approvals.changeChannel(approval.handleHash, 'either', approval);
  return { ...approval, askedBy: 'either' };
}
