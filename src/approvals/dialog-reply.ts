/** Reads what a host sent back for a dialog, and decides whether a person can have seen it. */
import type { DialogReply, GuardedCall } from './call-types.ts';
import { type DialogAnswer, readAnswer, readPageAnswer } from './dialog.ts';
import type { Approval } from './ports.ts';
import { noteSeen, noteUnseen, unseenWords } from './unseen-dialogs.ts';

/** `opened`: the client opened the page. `moved`: the dialog may no longer answer. `unseen`: no person saw it; says why. */
export type Reply =
  | { readonly kind: DialogAnswer | 'opened' | 'moved' }
  | { readonly kind: 'unseen'; readonly why: string };

/**
 * Remembers whether this client's dialogs are seen. A yes is measured from the last showing. A no sends nothing: it is measured
 * from the first showing, because that dialog may still be open, and counts after the question moved to the page too.
 */
export async function readReply(call: GuardedCall, approval: Approval, dialog: DialogReply): Promise<Reply> {
  const inDialog = approval.askedBy === 'elicit' || approval.askedBy === 'either';
  const answer = readAnswer(dialog.raw, approval.act);
  const kind = inDialog || answer === 'no' ? answer : readPageAnswer(dialog.raw);
  const { askedAt, shownAt = askedAt } = approval;
  if (askedAt === undefined || shownAt === undefined) return { kind: kind === 'opened' ? kind : 'moved' };
  const tookMs = dialog.tookMs ?? call.runtime.clock.now() - (kind === 'no' ? shownAt : askedAt);
  const why = whyUnseen(kind, tookMs, call.settings.dialogFloorMs);
  if (why === undefined) {
    await noteSeen(call);
    return { kind };
  }
  await noteUnseen(call, tookMs);
  return { kind: 'unseen', why };
}

function whyUnseen(kind: Reply['kind'], tookMs: number, floorMs: number): string | undefined {
  if (tookMs < floorMs) {
    const how = unseenWords({ tookMs });
    return `The dialog was ${how}, before a person can have read it: that does not count as an answer.`;
  }
  return kind === 'none' ? 'The dialog came back without a choice: that does not count as an answer.' : undefined;
}
