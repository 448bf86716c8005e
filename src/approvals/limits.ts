/**
 * Refuses an act before anybody is asked: sending is stopped, a money limit would be exceeded, the booking has another
 * operation, or a person has used up a share. The store checks again when the operation is entered. In this order: money,
 * all checks of an act, the caution in its terms, and what one person may have of what all share.
 */

import { ClerkError } from '../core/errors.ts';
import { type Money, showMoney, subtractMoney } from '../core/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, showDeadline } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import { whyNotSend } from '../journal/context.ts';
import { isActive, type Operation } from '../journal/operation.ts';
import { doubtSentence } from '../journal/outcome.ts';
import type { Clock, DayLimit, OperationStore } from '../journal/ports.ts';
import { type Limits, longestWait, type Question } from './consent-call.ts';
import { actWord } from './outcome-words.ts';
import { APPROVAL_MS, type Approval } from './ports.ts';
import { type MoneyAtStake, type Terms, termsDeparture } from './terms.ts';

/** How long a call waits for an open operation, milliseconds: a reading that is due rarely takes longer. */
const SETTLING_MS = 2_000;

/** How long questions warn of an earlier act that was never settled, milliseconds. */
const CAUTION_MS = 30 * DAY_MS;

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
      const why = money.isUpperBound ? `: the most that can move counts, because the ${unknown} is not known` : '';
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
    `${showMoney(spent)} was moved in the last 24 hours; with ${showMoney(amount)} that is ${over} over the limit of ${showMoney(perDay)} for a caller's day.`,
  );
}

function limitError(reason: string): ClerkError {
  return new ClerkError('E_LIMIT', `${reason} Nothing was sent.`, {
    next: 'A person with authority must do this at the airline, or the operator raises FARECLERK_LIMIT_PER_ACTION or FARECLERK_LIMIT_PER_DAY.',
  });
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

/** Throws E_BOOKING_BUSY if the booking has an open operation, after an attempt to settle that one by reading. */
export async function assertNotBusy(call: Question, locator: string | undefined): Promise<void> {
  if (locator === undefined) return;
  const { journal, acts } = call.runtime;
  const { tenant } = call.asker.caller;
  const open = await journal.openOn(locator);
  if (open === undefined) return;
  if (open.tenant !== tenant) throw bookingBusy(call, open, locator);
  const now = await journal.follow(open.id, Math.min(longestWait(call), SETTLING_MS), call.asker.signal);
  if (isActive(now.state)) throw bookingBusy(call, now, locator);
  throw new ClerkError(
    'E_BOOKING_BUSY',
    `An earlier ${actWord(acts, now.tool)} of ${locator} has just been settled (${now.state.replace('_', ' ')}). Nothing was sent now.`,
    { next: 'Call read_booking to see its state, then decide again.', retry: 'same_call' },
  );
}

/** Reveals only that another tenant's operation exists. */
export function bookingBusy(
  { asker, runtime }: Pick<Question, 'asker' | 'runtime'>,
  other: Pick<Operation, 'tenant' | 'tool'>,
  locator: string,
): ClerkError {
  if (other.tenant !== asker.caller.tenant) {
    return new ClerkError('E_BOOKING_BUSY', `Another operation on ${locator} is under way. Nothing was sent.`, {
      next: 'Try again later: wait, then call read_booking to see its state.',
      retry: 'after_s:30',
    });
  }
  return new ClerkError(
    'E_BOOKING_BUSY',
    `${locator} has an operation whose outcome is not known yet (${actWord(runtime.acts, other.tool)}). Nothing else is sent meanwhile.`,
    { next: 'Wait, then call read_booking; it shows the open operation.', retry: 'after_s:30' },
  );
}

// The caution about an earlier act.

/** Adds a caution to the terms if an earlier act on the booking was never settled. */
export async function withCaution(call: Question, terms: Terms): Promise<Terms> {
  const doubt = await unsettledAct(call, terms);
  if (doubt === undefined) return terms;
  const [act, ...others] = terms.sections;
  const caution = { kind: 'caution' as const, lines: [doubt] };
  return { ...terms, sections: [...(act ? [act] : []), caution, ...others] };
}

/** Warns of an unsettled act: who approves a second payment must know that the first may have succeeded. */
async function unsettledAct({ runtime, asker }: Question, terms: Terms): Promise<string | undefined> {
  const { locator } = terms;
  if (locator === undefined) return undefined;
  const filter = { tenant: asker.caller.tenant, locator, states: ['needs_person'], limit: 1 } as const;
  const [open] = await runtime.state.operations.list({ ...filter, from: runtime.clock.now() - CAUTION_MS });
  if (open === undefined) return undefined;
  const when = showDeadline(new Date(open.dispatchedAt ?? open.createdAt).toISOString(), termsDeparture(terms));
  const known = doubtSentence(runtime.acts, open);
  const became =
    known === '' ? 'was never settled. It may have been done' : `was handed to a person. ${known.slice(0, -1)}`;
  return `Caution: an earlier ${actWord(runtime.acts, open.tool)} of this booking (${when}) ${became}: ask the airline before saying yes.`;
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

/** `100 questions of this caller wait for an answer.` */
export function tooManyOpen(waitMs: number): ClerkError {
  return shareUsedUp(
    `${counted(QUESTIONS.open, 'question')} of this caller wait for an answer. Nothing was asked or sent.`,
    'A person must answer them (`fareclerk approve` lists them), or wait until they expire, ten minutes after they were asked.',
    waitMs,
  );
}
