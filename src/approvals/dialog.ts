/** The host's dialog: a form with one choice, never pre-filled, whose yes names the act; and what its answer counts for. */
import type { FormSchema } from './answer.ts';
import type { ConsentCall, DialogReply } from './call-types.ts';
import type { Approval } from './ports.ts';
import { durationText, noteAnswered, noteUnseen } from './unseen-dialogs.ts';

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
function actionOf(raw: unknown): unknown {
  return fieldsOf(raw).action;
}

/** How a host ended a dialog, in a word. */
function endingOf(raw: unknown): 'declined' | 'closed' | 'answered' {
  const action = actionOf(raw);
  if (action === 'decline') return 'declined';
  return action === 'cancel' ? 'closed' : 'answered';
}

/** The act must be answered word for word; an accept without it is no answer. */
function readAnswer(raw: unknown, act: string): DialogAnswer {
  const { action, content } = fieldsOf(raw);
  if (action === 'decline') return 'no';
  if (action === 'cancel') return 'closed';
  const { decision } = fieldsOf(content);
  if (action !== 'accept') return 'none';
  if (decision === act) return 'yes';
  return decision === NO ? 'no' : 'none';
}

/** On the page a dialog only opens it (URL elicitation): an accept is no yes. A no always counts. */
export function readPageAnswer(raw: unknown): DialogAnswer | 'opened' {
  const action = actionOf(raw);
  if (action === 'decline') return 'no';
  return action === 'accept' ? 'opened' : 'closed';
}

function fieldsOf(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}

/** `opened`: the client opened the page. `moved`: the dialog may no longer answer. `unseen`: no person saw it; says why. */
export type ChannelReply =
  | { readonly kind: DialogAnswer | 'opened' | 'moved' }
  | { readonly kind: 'unseen'; readonly why: string };

/**
 * Remembers whether this client's dialogs are seen. A yes is measured from its own showing, which the
 * client names, or else the last one. A no sends nothing: it is measured from the first showing, because that dialog may still be open, and counts after the question moved to the page too.
 */
export async function readReply(call: ConsentCall, approval: Approval, dialog: DialogReply): Promise<ChannelReply> {
  const inDialog = approval.askedBy === 'elicit' || approval.askedBy === 'either';
  const answer = readAnswer(dialog.raw, approval.act);
  const kind = inDialog || answer === 'no' ? answer : readPageAnswer(dialog.raw);
  const { askedAt, shownAt = askedAt } = approval;
  if (askedAt === undefined || shownAt === undefined) return { kind: kind === 'opened' ? kind : 'moved' };
  // Within those that were: what a client names proves nothing.
  const showing = Math.min(askedAt, Math.max(shownAt, dialog.askedAt ?? askedAt));
  const tookMs = dialog.tookMs ?? call.runtime.clock.now() - (kind === 'no' ? shownAt : showing);
  const isTooSoon = tookMs < call.settings.dialogFloorMs;
  const ended = kind === 'none' ? NO_CHOICE : undefined;
  const why = isTooSoon ? tooSoon(endingOf(dialog.raw), tookMs) : ended;
  if (why === undefined) {
    await noteAnswered(call);
    return { kind };
  }
  await noteUnseen(call, tookMs);
  return { kind: 'unseen', why };
}

const NO_CHOICE = 'The dialog came back without a choice: that does not count as an answer.';

/** By the host itself, as some do with what they do not draw. */
function tooSoon(ending: ReturnType<typeof endingOf>, tookMs: number): string {
  return `The host ${ending} the dialog by itself in ${durationText(tookMs)}, before a person can have read it: that does not count as an answer.`;
}
