/**
 * What a question says of the accounts that its payments charge: sum, balance and what is missing, in one line for each. The lines are
 * shown, and no yes is bound to them, because every payment changes the balance.
 */
import { quoted } from '../core/clean-text.ts';
import { type Money, showMoney } from '../core/money.ts';
import { counted } from '../core/words.ts';

/** How many characters of the name of an account or of its holder people are shown. */
export const ACCOUNT_NAME_CHARS = 60;

/** How many accounts one line names. */
const MOST_ACCOUNTS = 10;

/** An account as the airline lists it. */
export interface ListedAccount {
  readonly name: string;
  /** What can still be charged. Absent if the airline does not say it as an amount. */
  readonly available?: Money | undefined;
  readonly isActive: boolean;
}

/** What the airline says of the account that a payment charges. */
export interface ChargedAccount {
  /** Absent if neither the settings nor the payment name one: the airline chooses. */
  readonly name?: string | undefined;
  /**
   * Of a named account its entry, or none if the airline lists no such account; without a name, all in the currency of the payment.
   * Absent if the airline did not answer.
   */
  readonly listed?: readonly ListedAccount[];
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

/** What is charged to an account in one currency. */
interface Charge {
  readonly account: ChargedAccount;
  readonly amount: Money;
}

/** A line for each account and currency. */
export function accountLines(payments: readonly AccountPayment[]): AccountLines {
  const charges = payments.flatMap(({ account, money }) =>
    account === undefined || money?.amount === undefined ? [] : [{ account, amount: money.amount }],
  );

  // Only the answer to all unnamed payments tells whether they charge an account that others name.
  const byGivenName = addUp(charges, ({ name }) => name);
  const all = addUp(byGivenName, payingAccount).map(accountLine);

  const linesOf = (warns: boolean) => all.filter(({ isWarning }) => isWarning === warns).map(({ line }) => line);
  return { warnings: linesOf(true), notes: linesOf(false) };
}

/** Adds up what is charged to the same account. The list was read for each payment: the last answer counts for all of them. */
function addUp(charges: readonly Charge[], nameOf: (account: ChargedAccount) => string | undefined): readonly Charge[] {
  const together = Map.groupBy(charges, ({ account, amount }) => `${amount.currency} ${nameOf(account) ?? ''}`);
  return [...together.values()].map((same) =>
    same.reduce((before, { account, amount }) => ({
      account: account.isUnknown ? before.account : account,
      amount: { ...amount, minor: before.amount.minor + amount.minor },
    })),
  );
}

/** The name of the account that pays: without a name, the only one that can. Undefined if the airline chooses. */
function payingAccount({ name, listed = [] }: ChargedAccount): string | undefined {
  const [only, ...others] = listed;
  return name ?? (others.length === 0 ? only?.name : undefined);
}

interface AccountLine {
  readonly line: string;
  readonly isWarning: boolean;
}

function accountLine({ account, amount }: Charge): AccountLine {
  const { listed = [], isUnknown } = account;
  const name = payingAccount(account);
  const sum = showMoney(amount);
  const pays = name === undefined ? `An account of the agency pays ${sum}` : `Account ${quotedName(name)} pays ${sum}`;

  if (isUnknown) return { line: `${pays}. What it has is not known now.`, isWarning: false };
  if (listed.length === 0) {
    const what = name === undefined ? `none in ${amount.currency}` : 'no such account';
    return warning(`${pays}, and the airline lists ${what}.`);
  }

  const line =
    name === undefined
      ? `${pays}, and the airline chooses which: ${eachAccount(listed, amount)}.`
      : `${pays}: ${listed.map((each) => accountFacts(each, amount)).join('; ')}.`;
  return listed.some((each) => mayPay(each, amount)) ? { line, isWarning: false } : warning(line);
}

function warning(line: string): AccountLine {
  return { line: `WARNING: ${line}`, isWarning: true };
}

/** `“North”: SAR 300.00 available; “South”: SAR 50.00 available, SAR 20.00 missing`: first those that may pay it. */
function eachAccount(listed: readonly ListedAccount[], sum: Money): string {
  const inOrder = listed.toSorted((a, b) => Number(mayPay(b, sum)) - Number(mayPay(a, sum)));
  const named = inOrder
    .slice(0, MOST_ACCOUNTS)
    .map((account) => `${quotedName(account.name)}: ${accountFacts(account, sum)}`);

  const more = listed.length - named.length;
  return [...named, ...(more > 0 ? [counted(more, 'more account')] : [])].join('; ');
}

/** `SAR 2,000.00 available, SAR 70.00 missing, not active`. */
function accountFacts(account: ListedAccount, sum: Money): string {
  const { available, isActive } = account;
  const facts = [available === undefined ? 'what is available is not said' : `${showMoney(available)} available`];
  if (available !== undefined && isShort(account, sum)) {
    facts.push(`${showMoney({ ...sum, minor: sum.minor - available.minor })} missing`);
  }
  if (!isActive) facts.push('not active');
  return facts.join(', ');
}

/** False only if the airline says that it cannot. */
function mayPay(account: ListedAccount, sum: Money): boolean {
  return account.isActive && !isShort(account, sum);
}

function isShort({ available }: ListedAccount, sum: Money): boolean {
  return available?.currency === sum.currency && available.minor < sum.minor;
}

function quotedName(name: string): string {
  return quoted(name, ACCOUNT_NAME_CHARS);
}
