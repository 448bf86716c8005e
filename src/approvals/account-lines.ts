/**
 * What a question says of an account that its payments charge: sum, balance and what is missing, in one line. The line is shown, and no
 * yes is bound to it, because every payment changes the balance.
 */
import { quoted } from '../core/clean-text.ts';
import { type Money, showMoney } from '../core/money.ts';

/** How many characters of the name of an account or of its holder people are shown. */
export const ACCOUNT_NAME_CHARS = 60;

/** What the airline says of the account that a payment charges, at the question or before it is sent. */
export interface ChargedAccount {
  readonly name: string;
  /** Absent: the airline lists no such account, or did not answer. */
  readonly listed?: {
    /** What can still be charged. Absent if the airline does not say it as an amount. */
    readonly available?: Money | undefined;
    readonly isActive: boolean;
    /** It has less left than the payment. */
    readonly isShort: boolean;
  };
  /** The airline did not answer. */
  readonly isUnknown?: true;
}

/** How the line begins. No line that quotes a passenger or the airline begins so. */
const ACCOUNT_LINE = /^(?:WARNING: )?Account \u201C/;

/** Whether the account will not do. */
export const isAccountWarning = (line: string): boolean => line.startsWith('WARNING: ') && isAccountLine(line);

export const isAccountLine = (line: string): boolean => ACCOUNT_LINE.test(line);

/** What is paid from an account. */
interface AccountPayment {
  readonly account?: ChargedAccount | undefined;
  readonly money?: { readonly amount?: Money } | undefined;
}

/** A line for each account and currency. */
export function accountLines(payments: readonly AccountPayment[]): readonly string[] {
  const charged = payments.flatMap(({ account, money }) =>
    account === undefined || money?.amount === undefined ? [] : [{ account, amount: money.amount }],
  );
  const together = Map.groupBy(charged, ({ account, amount }) => `${amount.currency} ${account.name}`);
  // Each was read for its own payment: the last reading counts.
  return [...together.values()]
    .map((same) =>
      same.reduce((before, { account, amount }) => ({
        account,
        amount: { ...amount, minor: before.amount.minor + amount.minor },
      })),
    )
    .map(({ account, amount }) => accountLine(account, amount));
}

function accountLine({ name, listed, isUnknown }: ChargedAccount, sum: Money): string {
  const pays = `Account ${quoted(name, ACCOUNT_NAME_CHARS)} pays ${showMoney(sum)}`;
  if (isUnknown) return `${pays}. What it has is not known now.`;
  if (listed === undefined) return `WARNING: ${pays}, and the airline lists no such account.`;
  const { available, isActive } = listed;
  const isShort = available?.currency === sum.currency && available.minor < sum.minor;
  const facts = [
    available === undefined ? 'what is available is not said' : `${showMoney(available)} available`,
    ...(isShort ? [`${showMoney({ ...sum, minor: sum.minor - available.minor })} missing`] : []),
    ...(isActive ? [] : ['not active']),
  ];
  return `${isShort || !isActive ? 'WARNING: ' : ''}${pays}: ${facts.join(', ')}.`;
}
