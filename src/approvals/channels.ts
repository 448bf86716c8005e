/**
 * How a question is put: the host's dialog, our page, or (by setting, or in the sandbox as the last resort) the model's
 * word. If nobody can be asked, nothing happens.
 */
import { type Money, showMoney } from '../domain/pricing/money.ts';
import { ClerkError } from '../errors.ts';
import { isAbove } from './limits.ts';
import type { AskedBy } from './ports.ts';
import type { MoneyAtStake } from './terms.ts';

export type ApprovalMode = 'auto' | 'elicit' | 'page' | 'echo';

export interface ApprovalChannels {
  readonly mode: ApprovalMode;
  readonly environment: 'sandbox' | 'live';
  /** The client shows forms to its user. */
  readonly canElicit: boolean;
  /** A page can be shown: a browser here, or a client that opens URLs. */
  readonly canShowPage: boolean;
  /** `fareclerk approve` can reach this state folder: the page's twin in a terminal. */
  readonly canUseTerminal: boolean;
  /** Absent where no money moves. */
  readonly money?: MoneyAtStake;
  /** Amounts above it are approved on the page only. */
  readonly pageAbove?: Money;
}

function mustUsePage({ mode, money, pageAbove }: ApprovalChannels): boolean {
  return mode === 'page' || isAbove(money, pageAbove);
}

/** Picks the rung, or throws E_APPROVAL_UNAVAILABLE. */
export function chooseChannel(rungs: ApprovalChannels): AskedBy {
  const pageOnly = mustUsePage(rungs);
  if (!pageOnly && rungs.canElicit) return 'elicit';
  if (!pageOnly && rungs.mode === 'echo') return 'echo';
  if (rungs.canShowPage) return 'page';
  const lastResort = rungs.mode === 'auto' && rungs.environment === 'sandbox' && !pageOnly;
  if (lastResort) return 'echo';
  if (rungs.canUseTerminal) return 'page';
  const above =
    pageOnly && rungs.pageAbove ? ` Amounts above ${showMoney(rungs.pageAbove)} need the approval page.` : '';
  throw new ClerkError(
    'E_APPROVAL_UNAVAILABLE',
    `Nobody can be asked for approval: this client shows no dialog and no page can be opened.${above} Nothing was sent.`,
    {
      next: 'A person must use a client with dialogs, or the operator sets FARECLERK_APPROVAL or FARECLERK_PUBLIC_URL.',
    },
  );
}
