/**
 * Chooses the channel of a question: the host's dialog, our page, or (by setting, or in the sandbox as the last resort)
 * the model's word. If nobody can be asked, nothing happens.
 */

import { ClerkError } from '../core/errors.ts';
import { type Money, showMoney } from '../core/money.ts';
import { isAbove } from './limits.ts';
import type { AskedBy } from './ports.ts';
import type { MoneyAtStake } from './terms.ts';

export type ApprovalMode = 'auto' | 'elicit' | 'page' | 'echo';

export interface ApprovalChannels {
  readonly mode: ApprovalMode;
  readonly environment: 'sandbox' | 'live';
  readonly canElicit: boolean;
  /** A page can be shown: a browser here, or a client that opens URLs. */
  readonly canShowPage: boolean;
  readonly canUseTerminal: boolean;
  /** Absent where no money moves. */
  readonly money?: MoneyAtStake;
  /** Amounts above it are approved on the page only. */
  readonly pageAbove?: Money;
}

function mustUsePage({ mode, money, pageAbove }: ApprovalChannels): boolean {
  return mode === 'page' || isAbove(money, pageAbove);
}

/** Throws E_APPROVAL_UNAVAILABLE if nobody can be asked. */
export function chooseChannel(channels: ApprovalChannels): AskedBy {
  const pageOnly = mustUsePage(channels);
  if (!pageOnly && channels.canElicit) return 'elicit';
  if (!pageOnly && channels.mode === 'echo') return 'echo';
  if (channels.canShowPage) return 'page';
  const lastResort = channels.mode === 'auto' && channels.environment === 'sandbox' && !pageOnly;
  if (lastResort) return 'echo';
  if (channels.canUseTerminal) return 'page';
  const above =
    pageOnly && channels.pageAbove ? ` Amounts above ${showMoney(channels.pageAbove)} need the approval page.` : '';
  throw new ClerkError(
    'E_APPROVAL_UNAVAILABLE',
    `Nobody can be asked for approval: this client shows no dialog and no page can be opened.${above} Nothing was sent.`,
    {
      next: 'A person must use a client with dialogs, or the operator sets FARECLERK_APPROVAL or FARECLERK_PUBLIC_URL.',
    },
  );
}
