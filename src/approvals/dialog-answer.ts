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

/** `closed`: dismissed without an answer. `none`: nothing that a person chose, such as an accept without its choice. */
type DialogAnswer = 'yes' | 'no' | 'closed' | 'none';

const NO = 'no';

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

/** How a host ended a dialog, in a word. */
function howEnded(raw: unknown): 'declined' | 'closed' | 'answered' {
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

/** On the page a dialog only opens it (URL elicitation): an accept is no yes. A no always counts. */
export function readPageAnswer(raw: unknown): DialogAnswer | 'opened' {
  const action = readAction(raw);
  if (action === 'decline') return 'no';
  return action === 'accept' ? 'opened' : 'closed';
}

function asFields(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}

/**
 * `opened`: the client opened the page. `moved`: the dialog may no longer answer. `unseen`: no person saw it; says
 * why.
 */
type ChannelReply =
  | { readonly kind: DialogAnswer | 'opened' | 'moved' }
  | { readonly kind: 'unseen'; readonly why: string };

/**
 * Undefined where no dialog came back. Remembers whether this client's dialogs are seen. A yes is measured from its
 * own showing, which the client names, or else the last one. A no sends nothing: it is measured from the first
 * showing, because that dialog may still be open, and counts after the question moved to the page too.
 */
export async function readReply(call: Question, approval: Approval): Promise<ChannelReply | undefined> {
  const { dialog } = call.asker;
  if (dialog === undefined) return undefined;
  const inDialog = approval.askedBy === 'elicit' || approval.askedBy === 'either';
  const answer = readAnswer(dialog.raw, approval.act);
  const kind = inDialog || answer === 'no' ? answer : readPageAnswer(dialog.raw);
  const { askedAt, shownAt = askedAt } = approval;
  if (askedAt === undefined || shownAt === undefined) return { kind: kind === 'opened' ? kind : 'moved' };
  // A client may name any time: only times between the first showing and the last one count.
  const showing = Math.min(askedAt, Math.max(shownAt, dialog.askedAt ?? askedAt));
  const tookMs = dialog.tookMs ?? call.runtime.clock.now() - (kind === 'no' ? shownAt : showing);
  const isTooSoon = tookMs < call.settings.dialogFloorMs;
  const ended = kind === 'none' ? NO_CHOICE : undefined;
  const why = isTooSoon ? tooSoon(howEnded(dialog.raw), tookMs) : ended;
  if (why === undefined) {
    await noteAnswered(call);
    return { kind };
  }
  await noteUnseen(call, tookMs);
  return { kind: 'unseen', why };
}

const NO_CHOICE = 'The dialog came back without a choice: that does not count as an answer.';

/** Some hosts answer by themselves a dialog that they do not draw. */
function tooSoon(ending: ReturnType<typeof howEnded>, tookMs: number): string {
  return `The host ${ending} the dialog by itself in ${durationText(tookMs)}, before a person can have read it: that does not count as an answer.`;
}

export const rememberedSince = (now: number): number => now - WEEK_MS;

const NAMELESS: Client = { name: '', version: '' };

/** Counts an unseen dialog, unless the operator turned this off. */
async function noteUnseen({ runtime, settings, asker }: Question, tookMs?: number): Promise<void> {
  if (settings.dialogFloorMs === 0) return;
  const now = runtime.clock.now();
  const unseen = { at: now, tookMs };
  await runtime.state.unseenDialogs?.add(asker.caller, asker.client ?? NAMELESS, unseen, rememberedSince(now));
}

/** A person saw a dialog of this client. */
async function noteAnswered({ runtime, asker }: Question): Promise<void> {
  await runtime.state.unseenDialogs?.clear(asker.caller, asker.client ?? NAMELESS);
}

/** The last unseen dialog of a client, where so many in a row were not seen. */
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
 * Waits in the background. The dialog may still answer afterwards: the first answer wins, and a late one of a person
 * shows that its dialogs are seen.
 */
export function watchSilence(call: Question, approval: Approval): void {
  // Until the next call nothing depends on it: after a failure that call opens the page.
  void pageAfterSilence(call, approval).catch(() => undefined);
}

/** Whether it is time for the page beside a dialog. */
export function isSilent(call: Question, approval: Approval): boolean {
  const since = firstShown(approval);
  return since !== undefined && call.runtime.clock.now() - since >= longestSilence(call);
}

/** How many dialogs this process has shown of questions that were shown again. */
const dialogs = new WeakMap<ApprovalStore, Map<string, { readonly count: number; readonly until: number }>>();

/** Counts one more dialog of a question that is open. False: it has had its share. */
export function mayShowAgain({ runtime }: Question, { handleHash, expiresAt: until }: Approval): boolean {
  const { approvals } = runtime.state;
  const shown = dialogs.get(approvals) ?? new Map<string, { readonly count: number; readonly until: number }>();
  dialogs.set(approvals, shown);
  for (const [hash, before] of shown) if (before.until <= runtime.clock.now()) shown.delete(hash);
  const count = (shown.get(handleHash)?.count ?? 1) + 1;
  if (count > QUESTIONS.dialogs) return false;
  shown.set(handleHash, { count, until });
  return true;
}

async function pageAfterSilence(call: Question, approval: Approval): Promise<void> {
  const { runtime, settings } = call;
  const { handleHash, askedBy } = approval;
  if (settings.page === undefined && !settings.canUseTerminal) return;
  // Without the caller's signal: a host that gave up on the call has not reached a person.
  await runtime.clock.sleep(longestSilence(call));
  const current = await runtime.state.approvals.get(handleHash);
  // Answered or moved, or its dialog ended and another one is open.
  if (current?.decision !== 'pending' || firstShown(current) !== firstShown(approval)) return;
  if (current.askedBy === 'page' && askedBy !== 'page') return;
  await noteUnseen(call);
  const asked = await askInBoth(call, current);
  await settings.page?.open(asked, false, true);
}

/** From now on the dialog and the page may both answer. */
export async function askInBoth({ runtime }: Question, approval: Approval): Promise<Approval> {
  if (approval.askedBy !== 'elicit') return approval;
  await runtime.state.approvals.changeChannel(approval.handleHash, 'either', approval);
  return { ...approval, askedBy: 'either' };
}
