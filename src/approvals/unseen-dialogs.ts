/**
 * Dialogs that no person can have seen. Some hosts decline unseen, cancel at once, never answer, or accept what they do
 * not draw. After two such dialogs in a row the same client is not asked again for a week: the page or the terminal asks. The
 * page also opens beside a dialog that stays silent, so that a question reaches a person whatever the host draws.
 */
import { WEEK_MS } from '../core/times.ts';
import { type ConsentCall, silenceOf } from './call-types.ts';
import type { Approval, Client, Unseen } from './ports.ts';

export const rememberedSince = (now: number): number => now - WEEK_MS;

const NAMELESS: Client = { name: '', version: '' };

/** Counts an unseen dialog, unless the operator turned this off. */
export async function noteUnseen({ runtime, settings, asker }: ConsentCall, tookMs?: number): Promise<void> {
  if (settings.dialogFloorMs === 0) return;
  const now = runtime.clock.now();
  const unseen = { at: now, tookMs };
  await runtime.state.unseenDialogs?.add(asker.caller, asker.client ?? NAMELESS, unseen, rememberedSince(now));
}

/** A person saw a dialog of this client. */
export async function noteAnswered({ runtime, asker }: ConsentCall): Promise<void> {
  await runtime.state.unseenDialogs?.clear(asker.caller, asker.client ?? NAMELESS);
}

/** The last unseen dialog of a client, where so many in a row were not seen. */
export async function lastUnseen({ runtime, settings, asker }: ConsentCall, times = 2): Promise<Unseen | undefined> {
  if (settings.dialogFloorMs === 0 || !(asker.canElicit === true || asker.canOpenUrls === true)) return undefined;
  const since = rememberedSince(runtime.clock.now());
  return runtime.state.unseenDialogs?.last(asker.caller, asker.client ?? NAMELESS, since, times);
}

/** How the last dialog ended, for a sentence: `answered in 3 ms`. */
export function unseenWords({ tookMs }: Pick<Unseen, 'tookMs'>): string {
  return tookMs === undefined ? 'not answered' : `answered in ${durationText(tookMs)}`;
}

export function durationText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * Waits in the background. The dialog may still answer afterwards: the first answer wins, and a late one of a person
 * shows that its dialogs are seen.
 */
export function watchSilence(call: ConsentCall, approval: Approval): void {
  // Until the next call nothing depends on it: after a failure that call opens the page.
  void pageAfterSilence(call, approval).catch(() => undefined);
}

/** A dialog that is shown again was silent since its first showing: a call that is repeated must not keep the page from opening. */
const firstShown = ({ shownAt, askedAt }: Approval): number | undefined => shownAt ?? askedAt;

/** Whether it is time for the page beside a dialog. */
export function isSilent(call: ConsentCall, approval: Approval): boolean {
  const since = firstShown(approval);
  return since !== undefined && call.runtime.clock.now() - since >= silenceOf(call);
}

async function pageAfterSilence(call: ConsentCall, approval: Approval): Promise<void> {
  const { runtime, settings } = call;
  const { handleHash, askedBy } = approval;
  if (settings.page === undefined && !settings.canUseTerminal) return;
  // Without the caller's signal: a host that gave up on the call has not reached a person.
  await runtime.clock.sleep(silenceOf(call));
  const current = await runtime.state.approvals.get(handleHash);
  // Answered or moved, or its dialog ended and another one is open.
  if (current?.decision !== 'pending' || firstShown(current) !== firstShown(approval)) return;
  if (current.askedBy === 'page' && askedBy !== 'page') return;
  await noteUnseen(call);
  const asked = await askInBoth(call, current);
  await settings.page?.open(asked, false, true);
}

/** From now on the dialog and the page may both answer. */
export async function askInBoth({ runtime }: ConsentCall, approval: Approval): Promise<Approval> {
  if (approval.askedBy !== 'elicit') return approval;
  await runtime.state.approvals.changeChannel(approval.handleHash, 'either', approval);
  return { ...approval, askedBy: 'either' };
}
