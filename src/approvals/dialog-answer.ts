/**
 * The host's dialog: its form, what its answer counts for, and whether a person can have seen it. question-states.ts
 * decides what the answer does to the question.
 *
 * Some hosts decline a dialog that they do not draw, cancel it at once, accept it, or never answer it. Such a dialog is
 * `unseen`. After two unseen dialogs in a row this process does not ask the same client again for a week: the page or
 * the terminal asks. The page also opens beside a dialog that stays silent, so that a question reaches a person whatever the host
 * draws.
 *
 * In this order: the answer of a dialog, unseen dialogs, silent dialogs, and dialogs that are shown again.
 */

import { WEEK_MS } from '../core/times.ts';
import type { FormSchema } from './answer.ts';
import { type Approval, firstShown } from './approval.ts';
import { actSentence, type Sentence } from './asked-act.ts';
import { type DialogReply, longestSilence, type Question } from './consent-call.ts';
import type { ApprovalStore } from './ports.ts';
import { QUESTIONS } from './shares-of-one-person.ts';

/**
 * What a person chose. `closed`: dismissed the dialog. `opened`: let the client open the page. `no_choice`: nothing, as
 * in an accept without a decision.
 */
type DialogChoice = 'yes' | 'no' | 'closed' | 'opened' | 'no_choice';

/**
 * What a call brings back from the dialog. `no_dialog`: nothing, because the call does not come from a dialog. `moved`:
 * an answer that does not count, because its dialog has ended and the question is asked elsewhere. `unseen`: an answer
 * that no person gave.
 */
export type DialogResult =
  | { readonly kind: Exclude<DialogChoice, 'no_choice'> | 'no_dialog' | 'moved' }
  | { readonly kind: 'unseen' /** How this is known. */; readonly why: string };

/** The choice of the form that declines. The other choice is the act, word for word. */
const NO = 'no';

const NO_CHOICE = 'The dialog came back without a choice, which does not count as an answer.';

/** After so many unseen dialogs in a row the client is not asked in a dialog. */
const UNSEEN_IN_A_ROW = 2;

/** Clients choose their names freely: of more, the one that was noted first is forgotten. */
const MOST_CLIENTS = 1_000;

/** A dialog that no person can have seen. */
export interface Unseen {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How soon the dialog was answered, milliseconds. Absent: not at all. */
  readonly tookMs: number | undefined;
  /** How many in a row. */
  readonly times: number;
}

// The answer of a dialog.

/** The form of the dialog: one choice, between no and the words of the act. */
export function formSchema(act: Sentence): FormSchema {
  return {
    type: 'object',
    properties: { decision: { type: 'string', title: 'Your decision', enum: [NO, String(act)] } },
    required: ['decision'],
  };
}

/** Reads what the call brings back from the dialog, and remembers whether this client's dialogs are seen. */
export function readReply(call: Question, approval: Approval): DialogResult {
  const { dialog } = call.asker;
  if (dialog === undefined) return { kind: 'no_dialog' };
  const { raw } = dialog;
  const choice = readChoice(raw, approval);
  const { askedAt } = approval;
  // The dialog has ended. Only an address can still be opened.
  if (askedAt === undefined) return { kind: choice === 'opened' ? 'opened' : 'moved' };
  const shown = { first: firstShown(approval) as number, last: askedAt };
  const tookMs = dialog.tookMs ?? call.runtime.clock.now() - answeredShowing(dialog, choice, shown);
  const isTooSoon = tookMs < call.settings.dialogFloorMs;
  if (isTooSoon || choice === 'no_choice') {
    noteUnseen(call, tookMs);
    return { kind: 'unseen', why: isTooSoon ? answeredByHost(raw, tookMs) : NO_CHOICE };
  }
  noteSeen(call);
  return { kind: choice };
}

/**
 * Reads the choice of a person. A no counts wherever the question is asked, because it sends nothing, until its dialog
 * has ended (readReply). While only the page may say yes, an accept means that the client opened the page.
 *
 * | MCP's `action` | `decision` of the form | while the dialog may say yes | while it may not |
 * | -------------- | ---------------------- | ---------------------------- | ---------------- |
 * | decline        |                        | no                           | no               |
 * | accept         | no                     | no                           | no               |
 * | accept         | the act, word for word | yes                          | opened           |
 * | accept         | anything else          | no_choice                    | opened           |
 * | cancel         |                        | closed                       | closed           |
 * | anything else  |                        | no_choice                    | closed           |
 */
function readChoice(raw: unknown, { askedBy, act }: Approval): DialogChoice {
  const choice = readFormAnswer(raw, actSentence(act));
  if (choice === 'no') return 'no';
  const mayDialogSayYes = askedBy === 'elicit';
  return mayDialogSayYes ? choice : readPageAnswer(raw);
}

function readFormAnswer(raw: unknown, act: Sentence): DialogChoice {
  const { action, content } = asFields(raw);
  if (action === 'decline') return 'no';
  if (action === 'cancel') return 'closed';
  if (action !== 'accept') return 'no_choice';
  const { decision } = asFields(content);
  if (decision === String(act)) return 'yes';
  return decision === NO ? 'no' : 'no_choice';
}

/** Reads the answer of a dialog that only opens the page (URL elicitation). An accept is not a yes. */
export function readPageAnswer(raw: unknown): DialogChoice {
  if (isAccept(raw)) return 'opened';
  return readAction(raw) === 'decline' ? 'no' : 'closed';
}

/** Whether the host accepted a dialog or an address. */
export function isAccept(raw: unknown): boolean {
  return readAction(raw) === 'accept';
}

/** MCP's `action` of an elicitation result. */
function readAction(raw: unknown): unknown {
  return asFields(raw).action;
}

function asFields(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}

/**
 * When the dialog was shown that the choice answers, milliseconds since 1970. The client names the showing, or else it
 * is the last one. For a no it is the first one, because that dialog may still be open, and a no sends nothing.
 *
 * | shown at     | answered at | the client names | a no counts from | any other choice counts from |
 * | ------------ | ----------- | ---------------- | ---------------- | ---------------------------- |
 * | 10:00        | 10:01       | no time          | 10:00            | 10:00                        |
 * | 10:00, 10:05 | 10:06       | no time          | 10:00            | 10:05                        |
 * | 10:00, 10:05 | 10:06       | 10:00            | 10:00            | 10:00                        |
 */
function answeredShowing(
  { askedAt: named }: Pick<DialogReply, 'askedAt'>,
  choice: DialogChoice,
  { first, last }: { readonly first: number; readonly last: number },
): number {
  if (choice === 'no') return first;
  // The client's time counts only between the first showing and the last one.
  return Math.min(last, Math.max(first, named ?? last));
}

/** Some hosts answer by themselves a dialog that they do not draw. */
function answeredByHost(raw: unknown, tookMs: number): string {
  return `The host ${endingVerb(raw)} the dialog by itself in ${durationText(tookMs)}, before a person can have read it, so that does not count as an answer.`;
}

/** What a host did with a dialog, as a verb for a sentence. */
function endingVerb(raw: unknown): 'declined' | 'closed' | 'answered' {
  const action = readAction(raw);
  if (action === 'decline') return 'declined';
  return action === 'cancel' ? 'closed' : 'answered';
}

// Unseen dialogs.

/** What this process remembers: the last unseen dialog, by caller and client. */
const unseenByStore = new WeakMap<ApprovalStore, Map<string, Unseen>>();

function unseenDialogs({ runtime }: Question): Map<string, Unseen> {
  const { approvals } = runtime.state;
  const unseen = unseenByStore.get(approvals) ?? new Map<string, Unseen>();
  unseenByStore.set(approvals, unseen);
  return unseen;
}

function clientKey({ asker: { caller, client } }: Question): string {
  return JSON.stringify([caller.tenant, caller.id, client?.name, client?.version]);
}

/** The last unseen dialog of this client, for a week. */
function rememberedUnseen(call: Question): Unseen | undefined {
  const unseen = unseenDialogs(call).get(clientKey(call));
  return unseen !== undefined && unseen.at >= call.runtime.clock.now() - WEEK_MS ? unseen : undefined;
}

/**
 * Finds the last unseen dialog of this client. Undefined if fewer than `inARow` dialogs in a row were unseen, if the
 * client shows neither dialogs nor addresses, or if the operator turned this off.
 */
export function lastUnseen(
  call: Question,
  { inARow = UNSEEN_IN_A_ROW }: { readonly inARow?: number } = {},
): Unseen | undefined {
  const { settings, asker } = call;
  if (settings.dialogFloorMs === 0) return undefined;
  const canShow = asker.canElicit === true || asker.canOpenUrls === true;
  const unseen = canShow ? rememberedUnseen(call) : undefined;
  return unseen !== undefined && unseen.times >= inARow ? unseen : undefined;
}

/** How the last dialog ended, for a sentence: `answered in 3 ms`. */
export function unseenWords({ tookMs }: Pick<Unseen, 'tookMs'>): string {
  return tookMs === undefined ? 'not answered' : `answered in ${durationText(tookMs)}`;
}

function durationText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * Counts an unseen dialog, unless the operator turned this off.
 * @param tookMs how long it was open; absent if it did not come back
 */
function noteUnseen(call: Question, tookMs?: number): void {
  if (call.settings.dialogFloorMs === 0) return;
  const clients = unseenDialogs(call);
  const key = clientKey(call);
  const times = (rememberedUnseen(call)?.times ?? 0) + 1;
  // Moves it to the end: the first is the one that was noted longest ago.
  clients.delete(key);
  clients.set(key, { at: call.runtime.clock.now(), tookMs, times });
  const [first = ''] = clients.keys();
  if (clients.size > MOST_CLIENTS) clients.delete(first);
}

/** Forgets the unseen dialogs: a person saw a dialog of this client. */
function noteSeen(call: Question): void {
  unseenDialogs(call).delete(clientKey(call));
}

// Silent dialogs.

/** Whether the dialog has been silent for so long that the page asks too. */
export function isSilent(call: Question, approval: Approval): boolean {
  const since = firstShown(approval);
  return since !== undefined && call.runtime.clock.now() - since >= longestSilence(call);
}

/**
 * Asks on the page too if the dialog stays silent; waits for that in the background. The dialog may still answer
 * afterwards: the first answer wins, and a person's late answer shows that the client's dialogs are seen.
 */
export function watchSilence(call: Question, approval: Approval): void {
  // A failure does no harm: the next call opens the page.
  void askOnPageAfterSilence(call, approval).catch(() => undefined);
}

async function askOnPageAfterSilence(call: Question, shown: Approval): Promise<void> {
  const { runtime, settings } = call;
  if (settings.page === undefined && !settings.canUseTerminal) return;
  // Ignores the caller's signal: a host that gave up on the call has not reached a person.
  await runtime.clock.sleep(longestSilence(call));
  const current = await runtime.state.approvals.get(shown.handleHash);
  if (current?.decision !== 'pending') return;
  // Its dialog ended, and another one is open, whose silence is watched too.
  if (firstShown(current) !== firstShown(shown)) return;
  // The question moved to the page meanwhile, which was opened then.
  if (current.askedBy === 'page' && shown.askedBy !== 'page') return;
  noteUnseen(call);
  await settings.page?.open(current, 'failed_to_show');
}

// Dialogs that are shown again.

interface ShownDialogs {
  readonly count: number;
  /** When the question expires, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Dialogs that this process has shown, by hash of the handle of questions that were shown more than once. */
const dialogsByStore = new WeakMap<ApprovalStore, Map<string, ShownDialogs>>();

/** Counts that the dialog of an open question is shown again, unless it was shown as often as is allowed. */
export function countDialog({ runtime }: Question, { handleHash, expiresAt }: Approval): 'counted' | 'shown_too_often' {
  const { approvals } = runtime.state;
  const dialogs = dialogsByStore.get(approvals) ?? new Map<string, ShownDialogs>();
  dialogsByStore.set(approvals, dialogs);
  for (const [hash, shown] of dialogs) if (shown.expiresAt <= runtime.clock.now()) dialogs.delete(hash);
  // The first dialog is not counted.
  const earlierCount = dialogs.get(handleHash)?.count ?? 1;
  if (earlierCount >= QUESTIONS.dialogs) return 'shown_too_often';
  dialogs.set(handleHash, { count: earlierCount + 1, expiresAt });
  return 'counted';
}
