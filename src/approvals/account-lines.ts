/**
 * What a question says of an account that its payments charge: sum, balance and what is missing, in one line. The line is shown, and no
 * yes is bound to it, because every payment changes the balance.
 */
import { quoted } from '../core/clean-text.ts';
import { type Money, showMoney } from '../core/money.ts';

/** How many characters of the name of an account or of its holder people are shown. */
export const ACCOUNT_NAME_CHARS = 60;

/** What the airline says of the account that a payment charges. */
export interface ChargedAccount {
  readonly name: string;
  /** Absent: the airline lists no such account, or did not answer. */
  readonly listed?: {
    /** What can still be charged. Absent if the airline does not say it as an amount. */
    readonly available?: Money | undefined;
    readonly isActive: boolean;
  };
  /** The airline did not answer. */
  readonly isUnknown?: true;
}

/** What is paid from an account. */
interface AccountPayment {
  readonly account?: ChargedAccount | undefined;
  readonly money?: { readonly amount?: Money } | undefined;
}

export interface AccountLines {
  /** Of accounts that will not do. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** A line for each account and currency. */
export function accountLines(payments: readonly AccountPayment[]): AccountLines {
  const charged = payments.flatMap(({ account, money }) =>
    account === undefined || money?.amount === undefined ? [] : [{ account, amount: money.amount }],
  );
  const together = Map.groupBy(charged, ({ account, amount }) => `${amount.currency} ${account.name}`);

  // Each was read for its own payment: the last reading counts.
  const all = [...together.values()]
    .map((same) =>
      same.reduce((before, { account, amount }) => ({
        account,
        amount: { ...amount, minor: before.amount.minor + amount.minor },
      })),
    )
    .map(({ account, amount }) => accountLine(account, amount));
  const linesOf = (warns: boolean) => all.filter(({ isWarning }) => isWarning === warns).map(({ line }) => line);
  return { warnings: linesOf(true), notes: linesOf(false) };
}

interface AccountLine {
  readonly line: string;
  readonly isWarning: boolean;
}

function accountLine({ name, listed, isUnknown }: ChargedAccount, sum: Money): AccountLine {
  const pays = `Account ${quoted(name, ACCOUNT_NAME_CHARS)} pays ${showMoney(sum)}`;
  if (isUnknown) return { line: `${pays}. What it has is not known now.`, isWarning: false };
  if (listed === undefined)
    return { line: `WARNING: ${pays}, and the airline lists no such account.`, isWarning: true };

  const { available, isActive } = listed;
  const isShort = available?.currency === sum.currency && available.minor < sum.minor;
  const facts = [
    available === undefined ? 'what is available is not said' : `${showMoney(available)} available`,
    ...(isShort ? [`${showMoney({ ...sum, minor: sum.minor - available.minor })} missing`] : []),
    ...(isActive ? [] : ['not active']),
  ];
  const isWarning = isShort || !isActive;
  return { line: `${isWarning ? 'WARNING: ' : ''}${pays}: ${facts.join(', ')}.`, isWarning };
}
