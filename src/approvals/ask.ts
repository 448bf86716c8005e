/**
 * Puts a question to a person through its channel: the host's dialog, the page or its twin in a terminal, or an echo.
 */
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import type { Answer, Result } from './answer.ts';
import type { GuardedCall, PageOpener } from './call-types.ts';
import { chooseChannel } from './channels.ts';
import { formSchema } from './dialog.ts';
import { moneyOf } from './draft.ts';
import type { Approval, AskedBy } from './ports.ts';
import { approvalField, nameOnly, result } from './present.ts';
import { linesOf, type MoneyAtStake } from './terms.ts';

export function channelFor({ settings, how }: GuardedCall, money: MoneyAtStake | undefined): AskedBy {
  const { page, pageAbove } = settings;
  return chooseChannel({
    mode: settings.approval,
    environment: settings.environment,
    // A dialog that came back was shown.
    canElicit: how.canElicit === true || how.dialog !== undefined,
    canShowPage: page !== undefined && (page.canOpen() || how.canOpenUrls === true),
    canUseTerminal: settings.canUseTerminal,
    ...omitUndefined({ money, pageAbove }),
  });
}

/** False if the settings became stricter since the question: then only the page accepts a yes. */
export function isStillAllowed(call: GuardedCall, approval: Approval): boolean {
  return channelFor(call, moneyOf(approval)) === approval.askedBy;
}

export async function ask(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  switch (approval.askedBy) {
    case 'elicit':
      return { kind: 'ask', message: linesOf(approval.sections).join('\n'), form: formSchema(approval.act), handle };
    case 'echo':
      return approvalRequired(call, approval, handle, { way: 'echo' });
    case 'page':
      return showPage(call, approval, handle);
  }
}

async function showPage(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  const opensUrls = call.how.canOpenUrls === true;
  const shown = await call.settings.page?.open(approval, opensUrls);
  if (shown?.url !== undefined && opensUrls) {
    return { kind: 'ask_url', message: `Please decide on the page: ${approval.act}`, url: shown.url, handle };
  }
  return approvalRequired(call, approval, handle, whereOf(shown));
}

export function whereOf(shown: Awaited<ReturnType<PageOpener['open']>> | undefined): Where {
  if (shown?.publicUrl !== undefined) return { way: 'link', url: shown.publicUrl };
  return { way: shown?.opened ? 'page' : 'terminal' };
}

/** Asks on the page from now on: the dialog gave no answer, or is no longer allowed. */
export async function moveToPage({ runtime }: GuardedCall, approval: Approval): Promise<Approval> {
  if (approval.askedBy === 'page') return approval;
  await runtime.state.approvals.ask(approval.handleHash, 'page');
  return { ...approval, askedBy: 'page' };
}

/** The page, or its twin in a terminal. */
export function hasPage({ settings }: GuardedCall): boolean {
  return settings.page !== undefined || settings.canUseTerminal;
}

/** Where a person can answer. `closed`: the dialog gave no answer, and the next call asks on the page; `nowhere`: there is none. */
type Way = 'page' | 'link' | 'terminal' | 'echo' | 'closed' | 'nowhere';

export interface Where {
  readonly way: Way;
  readonly url?: string;
}

const HOW_TO_GO_ON: Record<Way, (tool: string, handle: string, operationId: string) => string> = {
  link: (tool, handle) =>
    `The person must open the address in approval.url, sign in and decide. Then call ${tool} again with the same arguments and approval_id ${handle}.`,
  page: (tool, handle) =>
    `A page has opened for the person to decide on. Then call ${tool} again with the same arguments and approval_id ${handle}.`,
  terminal: (tool, handle, operationId) =>
    `A person must run \`fareclerk approve ${operationId}\` in a terminal on this machine. Then call ${tool} again with the same arguments and approval_id ${handle}.`,
  echo: (tool, handle) =>
    `Show these terms to the person word for word. Only if they agree, call ${tool} again with the same arguments and approval_id ${handle}.`,
  closed: (tool, handle) =>
    `The dialog was closed without an answer. If the person still wants it, call ${tool} again with the same arguments and approval_id ${handle}: a page will ask.`,
  nowhere: (tool) =>
    `The dialog was closed without an answer. If the person still wants it, call ${tool} again without approval_id: it asks anew.`,
};

export function approvalRequired(call: GuardedCall, approval: Approval, handle: string, { way, url }: Where): Result {
  const text = [
    'APPROVAL REQUIRED. Nothing was sent. The terms:',
    ...linesOf(approval.sections).map((line) => `  ${line}`),
    HOW_TO_GO_ON[way](call.act.tool, handle, approval.operationId),
  ];
  return result(call, 'approval_required', text.join('\n'), {
    operation_id: approval.operationId,
    ...approvalField({ approval, handle }, url),
    ...nameOnly(approval.locator),
  });
}
