/** Opens the page beside a dialog that stays silent, so that a question reaches a person whatever the host draws. */
import { type ConsentCall, silenceOf } from './call-types.ts';
import type { Approval } from './ports.ts';
import { noteUnseen } from './unseen-dialogs.ts';

/**
 * Waits in the background. The dialog may still answer afterwards: the first answer wins, and a late one of a person
 * shows that its dialogs are seen.
 */
export function watchSilence(call: ConsentCall, approval: Approval): void {
  // Until the next call nothing depends on it: after a failure that call opens the page.
  void pageAfterSilence(call, approval).catch(() => undefined);
}

async function pageAfterSilence(call: ConsentCall, { handleHash, askedAt, askedBy }: Approval): Promise<void> {
  const { runtime, settings } = call;
  if (settings.page === undefined && !settings.canUseTerminal) return;
  // Without the caller's signal: a host that gave up on the call has not reached a person.
  await runtime.clock.sleep(silenceOf(call));
  const current = await runtime.state.approvals.get(handleHash);
  // Asked again since, answered, or moved.
  if (current?.decision !== 'pending' || current.askedAt !== askedAt) return;
  if (current.askedBy === 'page' && askedBy !== 'page') return;
  await noteUnseen(call);
  const asked = await openBeside(call, current);
  await settings.page?.open(asked, false, true);
}

/** From now on the dialog and the page may both answer. */
export async function openBeside({ runtime }: ConsentCall, approval: Approval): Promise<Approval> {
  if (approval.askedBy !== 'elicit') return approval;
  await runtime.state.approvals.ask(approval.handleHash, 'either', approval);
  return { ...approval, askedBy: 'either' };
}
