/**
 * Refuses an act before anybody is asked: sending is stopped, a money limit would be exceeded, the booking has another
 * operation (busy-booking.ts), or a person has used up a share. The store checks again when the operation is entered. In
 * this order: money, all checks of an act, and what one person may have of what all share.
 */

import { quoted } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { type Money, showMoney, subtractMoney } from '../core/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, showTimeLeft } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import { whyNotSend } from '../journal/context.ts';
import type { Clock, DayLimit, OperationStore } from '../journal/ports.ts';
import type { Approval } from './approval.ts';
import { assertNotBusy } from './busy-booking.ts';
import type { Limits, Question } from './consent-call.ts';
import { APPROVAL_MS } from './expiry.ts';
import type { Asking } from './ports.ts';
import { ACCOUNT_NAME_CHARS, type ChargedAccount, type MoneyAtStake, type Terms } from './terms.ts';

/** Limits of questions, so that one person's many questions neither hide the few of others nor fill the disk. */
export const QUESTIONS = {
  /** Open questions of one person, from all applications. */
  open: 100,
  /** Replaced questions of one caller and booking within `replacedMs`: nobody could answer them in time. */
  replaced: 5,
  replacedMs: HOUR_MS,
  /** Dialogs of one question, if a page or a terminal can ask too: a looping program must not cover the screen. */
  dialogs: 5,
} as const;

/** How many plans of one person are kept, about 20 MB at most. */
export const PLANS = { kept: 50 } as const;

/** Rows on a page of the inbox, and how many of them one person may have while others wait too. */
export const INBOX = { rows: 100, ofPerson: 5 } as const;

/** A person gets at most one notice within this time, milliseconds: it speaks for all of their questions. */
export const NOTICES = { everyMs: MINUTE_MS } as const;

// Limits of money.

/** The day's window is the last 24 hours. */
export function dayLimit(limits: Limits, now: number): DayLimit | undefined {
  return limits.perDay && { perDay: limits.perDay, since: now - DAY_MS };
}

/** Throws E_LIMIT if the amount exceeds a limit, is unknown, or is in another currency than the limits. */
export function assertWithinLimits(limits: Limits, money: MoneyAtStake | undefined): void {
  const limit = limits.perAction ?? limits.perDay;
  if (limit === undefined || money === undefined || money.amount?.minor === 0) return;
  const { amount } = money;
  if (amount === undefined) throw limitError('The amount is unknown, so limits cannot be checked.');
  if (amount.currency !== limit.currency) {
    throw limitError(`${showMoney(amount)} cannot be compared with a limit in ${limit.currency}.`);
  }
  for (const [name, most] of [
    ['an action', limits.perAction],
    ["a caller's day", limits.perDay],
  ] as const) {
    if (most !== undefined && amount.minor > most.minor) {
      const over = showMoney(subtractMoney(amount, most));
      const unknown = money.direction === 'refund' ? 'refund' : 'cost';
      const why = money.isUpperBound ? `, counting the most that can move because the ${unknown} is not known` : '';
      throw limitError(`${showMoney(amount)} is ${over} over the limit of ${showMoney(most)} for ${name}${why}.`);
    }
  }
}

/** What the check of the day's limit needs of a call. */
interface LimitedCall {
  readonly settings: { readonly limits: Limits };
  readonly runtime: { readonly clock: Clock; readonly state: { readonly operations: Pick<OperationStore, 'spent'> } };
  readonly asker: { readonly caller: Caller };
}

/** Throws E_LIMIT if the amount would exceed the limit of the caller's last 24 hours. */
export async function assertWithinDay(
  { settings, runtime, asker }: LimitedCall,
  money: MoneyAtStake | undefined,
): Promise<void> {
  const limit = dayLimit(settings.limits, runtime.clock.now());
  const amount = money?.amount;
  if (limit === undefined || amount === undefined || amount.minor === 0) return;
  const spent = await runtime.state.operations.spent(asker.caller.tenant, asker.caller.id, limit);
  if (spent.minor + amount.minor > limit.perDay.minor) throw dayExceeded(limit, spent, amount);
}

/** Whether the money exceeds the limit. True if the amount is unknown or in another currency: it cannot be compared. */
export function isAbove(money: MoneyAtStake | undefined, limit: Money | undefined): boolean {
  if (money === undefined || limit === undefined) return false;
  const { amount } = money;
  return amount === undefined || amount.currency !== limit.currency || amount.minor > limit.minor;
}

/** The error of an exceeded daily limit. Callers have both a limit and an amount then, whatever their types say. */
export function dayExceeded(limit: DayLimit | undefined, spent: Money, money: Money | undefined): ClerkError {
  const { perDay } = limit as DayLimit;
  const amount = money as Money;
  const over = showMoney({ minor: spent.minor + amount.minor - perDay.minor, currency: amount.currency });
  return limitError(
    `${showMoney(spent)} was moved in the last 24 hours, and with ${showMoney(amount)} that is ${over} over the limit of ${showMoney(perDay)} for a caller's day.`,
  );
}

function limitError(reason: string): ClerkError {
  return new ClerkError('E_LIMIT', `${reason} Nothing was sent.`, {
    next: 'Tell the person. If they have the authority, they can do this at the airline, or the operator can raise FARECLERK_LIMIT_PER_ACTION or FARECLERK_LIMIT_PER_DAY.',
  });
}

/**
 * Throws E_PAYMENT_DECLINED if something is wrong with the account that a payment charges which was not when the person was asked. What
 * was wrong then, the question said.
 */
export function assertAccountHolds(asked: ChargedAccount | undefined, now: ChargedAccount | undefined): void {
  if (now === undefined || faultsOf(now).every((fault) => asked !== undefined && faultsOf(asked).includes(fault)))
    return;
  const values = `When the person was asked: ${accountWords(asked)}. Now: ${accountWords(now)}.`;
  const what = `Account ${quoted(now.name, ACCOUNT_NAME_CHARS)} can no longer pay this. ${values}`;
  throw new ClerkError('E_PAYMENT_DECLINED', `${what} Nothing was paid or sent, and paying needs a new approval.`, {
    next: 'Tell the person both. Ask again once the account can pay, or for another payment.type if they choose one.',
  });
}

function faultsOf({ listed, isUnknown }: ChargedAccount): readonly ('unlisted' | 'inactive' | 'short')[] {
  if (isUnknown) return [];
  if (listed === undefined) return ['unlisted'];
  return [...(listed.isActive ? [] : (['inactive'] as const)), ...(listed.isShort ? (['short'] as const) : [])];
}

/** `SAR 10.00 available, less than the payment`. */
function accountWords(account: ChargedAccount | undefined): string {
  if (account === undefined || account.isUnknown) return 'what the airline says of it was not known';
  const { listed } = account;
  if (listed === undefined) return 'the airline lists no such account';
  const { available, isActive, isShort } = listed;
  const credit = available === undefined ? 'what is available is not said' : `${showMoney(available)} available`;
  return `${credit}${isShort ? ', less than the payment' : ''}${isActive ? '' : ', not active'}`;
}

// The checks of an act.

/** Makes all checks at once that can refuse an act. If several refuse, throws the first error in their order. */
export async function assertMayAsk(call: Question, terms: Terms): Promise<void> {
  const checks = await Promise.allSettled([
    assertMaySend(call),
    (async () => assertWithinLimits(call.settings.limits, terms.money))(),
    assertNotBusy(call, terms.locator),
    assertWithinDay(call, terms.money),
  ]);
  for (const check of checks) if (check.status === 'rejected') throw check.reason;
}

/** Throws E_NOT_PERMITTED while sending is held or paused. */
export async function assertMaySend({ runtime }: Pick<Question, 'runtime'>): Promise<void> {
  const status = await runtime.state.chain?.status();
  const why = status && whyNotSend(status);
  if (why !== undefined) throw why;
}

// Shares of one person.

type AskedBySomebody = Pick<Approval, 'tenant' | 'caller'>;

/** A key of the person, which all applications of the person share. */
export function personKey({ tenant, caller }: AskedBySomebody): string {
  return JSON.stringify([tenant, withoutApplication({ tenant, id: caller }).id]);
}

/** A page of what several people ask: some of each, in the order in which each comes first. */
interface SharedPage<T> {
  readonly people: readonly { readonly key: string; readonly shown: readonly T[]; readonly total: number }[];
  /** People on later pages. */
  readonly later: number;
}

/**
 * Shares a page so that it shows each person's first question before anybody's second. If there are more people than
 * rows, the others are on later pages.
 * @param page from 1
 */
export function sharedPage<T extends AskedBySomebody>(asked: readonly T[], page: number): SharedPage<T> {
  const byPerson = [...Map.groupBy(asked, personKey)];
  const onPage = byPerson.slice((page - 1) * INBOX.rows, page * INBOX.rows);
  const fairShare = Math.max(1, Math.floor(INBOX.rows / Math.max(1, onPage.length)));
  const mostRows = byPerson.length === 1 ? INBOX.rows : Math.min(INBOX.ofPerson, fairShare);
  const people = onPage.map(([key, questions]) => ({
    key,
    shown: questions.slice(0, mostRows),
    total: questions.length,
  }));
  return { people, later: Math.max(0, byPerson.length - page * INBOX.rows) };
}

/** Throws E_LIMIT if this person has too many questions open. A plan is one question about many acts. */
export async function assertFewOpen({ runtime, asker }: Question): Promise<void> {
  const open = await runtime.state.approvals.openOf(asker.caller, runtime.clock.now());
  if (open >= QUESTIONS.open) throw tooManyOpen(APPROVAL_MS);
}

/** @param waitMs until a part of the share is free again, milliseconds */
export function shareUsedUp(what: string, next: string, waitMs: number): ClerkError {
  return new ClerkError('E_LIMIT', what, { next, retry: `after_s:${Math.ceil(waitMs / 1000)}` });
}

/**
 * Refuses to replace a question yet again: a person could never answer it. Names the question that is open.
 * @param about the booking that is asked about; absent for a create, and for a plan
 */
export function replacedTooOften(
  { open, freeAt }: Asking & { readonly kind: 'replaced_too_often' },
  about: string | undefined,
  now: number,
): ClerkError {
  const { tool, operationId, act, locator = about ?? 'this trip', expiresAt } = open;
  const waitMs = Math.max(1_000, Math.min(expiresAt, freeAt) - now);
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return shareUsedUp(
    `${QUESTIONS.replaced} questions about ${locator} were replaced within an hour. Nothing was asked, replaced or sent, and the open question stays (${act}, operation ${operationId}).`,
    `Tell the person to answer that question first, or to wait ${showTimeLeft(minutes)}. To go on with it, call ${tool} with its arguments and without approval_id.`,
    waitMs,
  );
}

/** `100 questions of this caller wait for an answer.` */
export function tooManyOpen(waitMs: number): ClerkError {
  return shareUsedUp(
    `${counted(QUESTIONS.open, 'question')} of this caller wait for an answer. Nothing was asked or sent.`,
    'Tell the person to answer them (`fareclerk approve` lists them), or to wait until they expire, ten minutes after they were asked.',
    waitMs,
  );
}
