/**
 * Chooses the channel of a question: the host's dialog, our page, or (by setting, or in the sandbox as the last resort)
 * the model's word. If nobody can be asked, nothing happens.
 */
import { ClerkError } from '../core/errors.ts';
import { type Money, showMoney } from '../core/money.ts';
import type { ConsentCall } from './call-types.ts';
import { isAbove } from './limits.ts';
import type { Approval, AskedBy, Unseen } from './ports.ts';
import { moneyOf } from './request.ts';
import type { MoneyAtStake } from './terms.ts';

/**
 * @param money absent where no money moves
 * @param unseen nobody sees this client's dialogs: asks elsewhere, but never by the model's word
 * @throws ClerkError E_APPROVAL_UNAVAILABLE if nobody can be asked
 */
export function channelFor(call: ConsentCall, money: MoneyAtStake | undefined, unseen?: Unseen): AskedBy {
  if (unseen !== undefined && hasPage(call)) return 'page';
  const { approval: mode, environment, page, pageAbove, canUseTerminal } = call.settings;
  const { canElicit, canOpenUrls, dialog } = call.asker;
  const pageOnly = mode === 'page' || isAbove(money, pageAbove);
  // A dialog that came back was shown.
  if (!pageOnly && (canElicit === true || dialog !== undefined)) return 'elicit';
  if (!pageOnly && mode === 'echo') return 'echo';
  if (page !== undefined && (page.canOpen() || canOpenUrls === true)) return 'page';
  const lastResort = mode === 'auto' && environment === 'sandbox' && !pageOnly;
  if (lastResort) return 'echo';
  if (canUseTerminal) return 'page';
  throw nobodyToAsk(pageOnly ? pageAbove : undefined);
}

function nobodyToAsk(pageAbove: Money | undefined): ClerkError {
  const above = pageAbove ? ` Amounts above ${showMoney(pageAbove)} need the approval page.` : '';
  return new ClerkError(
    'E_APPROVAL_UNAVAILABLE',
    `Nobody can be asked for approval: this client shows no dialog and no page can be opened.${above} Nothing was sent.`,
    {
      next: 'A person must use a client with dialogs, or the operator sets FARECLERK_APPROVAL or FARECLERK_PUBLIC_URL.',
    },
  );
}

/** False if the settings became stricter since the question: then only the page accepts a yes. */
export function isStillAllowed(call: ConsentCall, approval: Approval): boolean {
  const { askedBy } = approval;
  return channelFor(call, moneyOf(approval)) === (askedBy === 'either' ? 'elicit' : askedBy);
}

/** The page, or its twin in a terminal. */
export function hasPage({ settings }: ConsentCall): boolean {
  return settings.page !== undefined || settings.canUseTerminal;
}
