/**
 * The host's dialog: its form, what its answer counts for, and whether a person can have seen it. question-states.ts
 * decides what the answer does to the question.
 *
 * Some hosts decline a dialog that they do not draw, cancel it at once, accept it, or never answer it. Such a dialog is
 * `unseen`. After two unseen dialogs in a row this process does not ask the same client again for a week: the page or
 * the terminal asks. The page also opens beside a dialog that stays silent, so that a question reaches a person whatever the host
 * draws.
 */

import { WEEK_MS } from '../core/times.ts';
import type { FormSchema } from './answer.ts';
import type { Approval } from './approval.ts';
import { actSentence, type Sentence } from './asked-act.ts';
import { type DialogReply, longestSilence, type Question, type ShownDialog } from './consent-call.ts';
import { QUESTIONS } from './shares-of-one-person.ts';

/**
 * What a person chose. `closed`: dismissed the dialog. `opened`: let the client open the page. `no_choice`: nothing, as
 * in an accept without a decision.
 */
type DialogChoice = 'yes' | 'no' | 'closed' | 'opened' | 'no_choice';

/**
 * What a call brings back from the dialog. `no_dialog`: nothing, because the call does not come from a dialog. `late`:
 * an answer that does not count, because its dialog had ended. `unseen`: an answer that no person gave.
 */
type DialogResult =
  | { readonly kind: Exclude<DialogChoice, 'no_choice'> | 'no_dialog' | 'late' }
  | { readonly kind: 'unseen'; readonly why: string };

/** The choice of the form that declines. The other choice is the act, word for word. */
const NO = 'no';

const NO_CHOICE = 'The dialog came back without a choice, which does not count as an answer.';

/** Some hosts answer by themselves a dialog that they do not draw. */
const TOO_SOON = 'The dialog was answered before a person can have read it, which does not count as an answer.';

/** After so many unseen dialogs in a row the client is not asked in a dialog. */
const UNSEEN_IN_A_ROW = 2;

/** Clients choose their names freely: of more, the one that was noted first is forgotten. */
const MOST_CLIENTS = 1_000;

// The answer of a dialog.

/** The form of the dialog: one choice, between no and the words of the act. */
export function formSchema(act: Sentence): FormSchema {
  return {
    type: 'object',
    properties: { decision: { type: 'string', title: 'Your decision', enum: [NO, String(act)] } },
    required: ['decision'],
  };
}

/**
 * Reads what the call brings back from the dialog. Remembers that a dialog has ended which nobody saw or which was closed,
 * and whether this client's dialogs are seen.
 */
export function readReply(call: Question, approval: Approval): DialogResult {
  const { dialog } = call.asker;
  if (dialog === undefined) return { kind: 'no_dialog' };

  const { raw } = dialog;
  const { openSince, count } = shownDialog(call, approval);
  const choice = readChoice(raw, approval, approval.askedBy === 'elicit' || count > 1);

  // Only an address can still be opened.
  if (openSince === undefined) return { kind: choice === 'opened' ? 'opened' : 'late' };

  const sinceShown = call.runtime.clock.now() - answeredShowing(dialog, choice, openSince);
  const tookMs = dialog.tookMs ?? Math.max(0, sinceShown);
  const isTooSoon = tookMs < call.settings.dialogFloorMs;
  const isUnseen = isTooSoon || choice === 'no_choice';
  if (isUnseen || choice === 'closed') shownDialog(call, approval).openSince = undefined;

  if (isUnseen) {
    noteUnseen(call);
    return { kind: 'unseen', why: isTooSoon ? TOO_SOON : NO_CHOICE };
  }

  noteSeen(call);
  return { kind: choice };
}

/**
 * Reads the choice of a person: in the form of a dialog, or beside the page that the client opened (URL elicitation),
 * where an accept is no yes.
 *
 * | MCP's `action` | `decision` of the form | in the form | beside the page |
 * | -------------- | ---------------------- | ----------- | --------------- |
 * | decline        |                        | no          | no              |
 * | accept         | no                     | no          | no              |
 * | accept         | the act, word for word | yes         | opened          |
 * | accept         | anything else          | no_choice   | opened          |
 * | cancel         |                        | closed      | closed          |
 * | anything else  |                        | no_choice   | closed          |
 */
function readChoice(raw: unknown, { act }: Approval, hasForm: boolean): DialogChoice {
  const { action, content } = asFields(raw);
  const { decision } = asFields(content);

  if (action === 'decline') return 'no';
  if (action === 'cancel') return 'closed';
  if (!isAccept(raw)) return hasForm ? 'no_choice' : 'closed';
  if (decision === NO) return 'no';
  if (!hasForm) return 'opened';
  if (decision === String(actSentence(act))) return 'yes';

  return 'no_choice';
}

/** Whether the host accepted a dialog or an address: MCP's `action` of an elicitation result. */
export function isAccept(raw: unknown): boolean {
  return asFields(raw).action === 'accept';
}

function asFields(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}

/**
 * When the dialog was shown that the choice answers, milliseconds since 1970: as the client names it, but never before
 * the first. A no counts from the first showing, because that dialog may still be open, and a no sends nothing.
 */
function answeredShowing({ askedAt: named }: DialogReply, choice: DialogChoice, first: number): number {
  return choice === 'no' || named === undefined ? first : Math.max(first, named);
}

// Unseen dialogs.

function clientKey({ asker: { caller, client } }: Question): string {
  return JSON.stringify([caller.tenant, caller.id, client?.name, client?.version]);
}

/** How many dialogs of this client in a row were unseen, within a week. */
function timesUnseen(call: Question): number {
  const unseen = call.runtime.dialogs.unseen.get(clientKey(call));
  return unseen !== undefined && unseen.at >= call.runtime.clock.now() - WEEK_MS ? unseen.times : 0;
}

/**
 * Whether the last dialogs of this client were unseen, as many as `inARow`. False for a client that shows neither dialogs nor addresses,
 * or if the operator turned this off.
 */
export function areDialogsUnseen(call: Question, { inARow = UNSEEN_IN_A_ROW } = {}): boolean {
  const { settings, asker } = call;
  const canShow = asker.canElicit === true || asker.canOpenUrls === true;
  return settings.dialogFloorMs !== 0 && canShow && timesUnseen(call) >= inARow;
}

/** Counts an unseen dialog, unless the operator turned this off. */
function noteUnseen(call: Question): void {
  if (call.settings.dialogFloorMs === 0) return;

  const clients = call.runtime.dialogs.unseen;
  const key = clientKey(call);
  const times = timesUnseen(call) + 1;

  // Moves it to the end: the first is the one that was noted longest ago.
  clients.delete(key);
  clients.set(key, { at: call.runtime.clock.now(), times });

  const [first = ''] = clients.keys();
  if (clients.size > MOST_CLIENTS) clients.delete(first);
}

/** Forgets the unseen dialogs: a person saw a dialog of this client. */
function noteSeen(call: Question): void {
  call.runtime.dialogs.unseen.delete(clientKey(call));
}

// Silent dialogs.

/** Whether the question has been silent for so long that the page asks too. */
export function isSilent(call: Question, { createdAt }: Approval): boolean {
  return call.runtime.clock.now() - createdAt >= longestSilence(call);
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
  // The page was opened when the dialog ended.
  if (current?.decision !== 'pending' || hasDialogEnded(call, shown)) return;

  noteUnseen(call);
  await settings.page?.open(current, 'failed_to_show');
}

// The dialogs of one question.

/** What this process knows of the question's dialogs, until the question expires. */
function shownDialog(
  { runtime: { dialogs, clock } }: Question,
  { handleHash, createdAt, expiresAt }: Approval,
): ShownDialog {
  for (const [hash, shown] of dialogs.shown) if (shown.expiresAt <= clock.now()) dialogs.shown.delete(hash);
  const dialog = dialogs.shown.get(handleHash) ?? { count: 1, openSince: createdAt, expiresAt };
  dialogs.shown.set(handleHash, dialog);
  return dialog;
}

/** Whether the dialogs of this question have ended without an answer, as far as this process knows. */
export function hasDialogEnded(call: Question, approval: Approval): boolean {
  return shownDialog(call, approval).openSince === undefined;
}

/** Whether the dialog of this question was shown as often as is allowed where a page can ask instead. */
export function isShownTooOften(call: Question, approval: Approval): boolean {
  return shownDialog(call, approval).count >= QUESTIONS.dialogs;
}

/** Notes that the dialog is shown again. */
export function noteShownAgain(call: Question, approval: Approval): void {
  const dialog = shownDialog(call, approval);
  dialog.count += 1;
  dialog.openSince ??= call.runtime.clock.now();
}
