/**
 * What refuses an act before anybody is asked: sending is stopped, a limit of money, another operation on the
 * booking, a used-up share of what all callers share. The store decides again when the operation is entered.
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

/** Whose day it is, and where it is summed up. */
interface LimitedCall {
  readonly settings: { readonly limits: Limits };
  readonly runtime: { readonly clock: Clock; readonly state: { readonly operations: Pick<OperationStore, 'spent'> } };
  readonly asker: { readonly caller: Caller };
}

/** Throws E_LIMIT if the caller's last 24 hours have no room for it. */
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

/** Also true where the amount is unknown or in another currency: it cannot be compared. */
export function isAbove(money: MoneyAtStake | undefined, limit: Money | undefined): boolean {
  if (money === undefined || limit === undefined) return false;
  const { amount } = money;
  return amount === undefined || amount.currency !== limit.currency || amount.minor > limit.minor;
}

/** Only an amount can exceed a limit: there are both. */
export function dayExceeded(limit: DayLimit | undefined, spent: Money, money: Money | undefined): ClerkError {
  const [{ perDay }, amount] = [limit as DayLimit, money as Money];
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

/** Makes all checks at once; of several refusals it throws the first of this list. */
export async function assertMayAsk(call: Question, terms: Terms): Promise<void> {
  const checks = await Promise.allSettled([
    assertMaySend(call),
    (async () => assertWithinLimits(call.settings.limits, terms.money))(),
    assertNotBusy(call, terms.locator),
    assertWithinDay(call, terms.money),
  ]);
  for (const check of checks) if (check.status === 'rejected') throw check.reason;
}

export async function assertMaySend({ runtime }: Pick<Question, 'runtime'>): Promise<void> {
  const status = await runtime.state.chain?.status();
  const why = status && whyNotSend(status);
  if (why !== undefined) throw why;
}

/** Throws E_LIMIT if this person has too many questions open. A plan is one question about many acts. */
export async function assertFewOpen({ runtime, asker }: Question): Promise<void> {
  const open = await runtime.state.approvals.openOf(asker.caller, runtime.clock.now());
  if (open >= QUESTIONS.open) throw tooManyOpen(APPROVAL_MS);
}

/** How long an open operation is waited for: a reading that is due rarely takes longer. */
const SETTLING_MS = 2_000;

/** A booking takes one operation at a time. Tries to settle an open one by reading first. */
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

/** How long a person is reminded of an act that was never settled. */
const REMEMBERED_MS = 30 * 24 * 60 * 60_000;

export async function withCaution(call: Question, terms: Terms): Promise<Terms> {
  const doubt = await unsettled(call, terms);
  if (doubt === undefined) return terms;
  const [act, ...others] = terms.sections;
  const caution = { kind: 'caution' as const, lines: [doubt] };
  return { ...terms, sections: [...(act ? [act] : []), caution, ...others] };
}

/** A person who approves a second payment must know that the first may have succeeded. */
async function unsettled({ runtime, asker }: Question, terms: Terms): Promise<string | undefined> {
  const { locator } = terms;
  if (locator === undefined) return undefined;
  const filter = { tenant: asker.caller.tenant, locator, states: ['needs_person'], limit: 1 } as const;
  const [open] = await runtime.state.operations.list({ ...filter, from: runtime.clock.now() - REMEMBERED_MS });
  if (open === undefined) return undefined;
  const when = showDeadline(new Date(open.dispatchedAt ?? open.createdAt).toISOString(), termsDeparture(terms));
  const known = doubtSentence(runtime.acts, open);
  const became =
    known === '' ? 'was never settled. It may have been done' : `was handed to a person. ${known.slice(0, -1)}`;
  return `Caution: an earlier ${actWord(runtime.acts, open.tool)} of this booking (${when}) ${became}: ask the airline before saying yes.`;
}

/**
 * What one person may take of what all share, so that nobody's many questions keep people from another's few, or fill
 * the disk: each is stored with its terms. `open`: of one person, whatever application asks. `replaced`: of one
 * caller and booking within `replacedMs`: a question that is replaced time and again could not be answered. `dialogs`: of one
 * question, where a page or a terminal can ask too: a program that calls in a loop must not cover the screen.
 */
export const QUESTIONS = { open: 100, replaced: 5, replacedMs: HOUR_MS, dialogs: 5 } as const;

/** How many plans of one person are kept, about 20 MB at most. */
export const PLANS = { kept: 50 } as const;

/** Rows on a page of the inbox, and how many of one person while others wait too. */
export const INBOX = { rows: 100, ofPerson: 5 } as const;

/** One notice of a person's questions within this time, milliseconds: it speaks for all of them. */
export const NOTICES = { everyMs: MINUTE_MS } as const;

type AskedBySomebody = Pick<Approval, 'tenant' | 'caller'>;

/** The same for all applications of a person. */
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
 * Shares a page so that each person's first question is on it before anybody's second. Over a hundred people go on on
 * the next page.
 * @param page from 1
 */
export function sharedPage<T extends AskedBySomebody>(asked: readonly T[], page: number): SharedPage<T> {
  const all = [...Map.groupBy(asked, personKey)];
  const here = all.slice((page - 1) * INBOX.rows, page * INBOX.rows);
  const each = Math.min(INBOX.ofPerson, Math.max(1, Math.floor(INBOX.rows / Math.max(1, here.length))));
  const most = all.length === 1 ? INBOX.rows : each;
  const people = here.map(([key, asks]) => ({ key, shown: asks.slice(0, most), total: asks.length }));
  return { people, later: Math.max(0, all.length - page * INBOX.rows) };
}

/** @param until when a part of the share is free again, milliseconds from now */
export function shareUsedUp(what: string, next: string, until: number): ClerkError {
  return new ClerkError('E_LIMIT', what, { next, retry: `after_s:${Math.ceil(until / 1000)}` });
}

/** `100 questions of this caller wait for an answer.` */
export function tooManyOpen(until: number): ClerkError {
  return shareUsedUp(
    `${counted(QUESTIONS.open, 'question')} of this caller wait for an answer. Nothing was asked or sent.`,
    'A person must answer them (`fareclerk approve` lists them), or wait until they expire, ten minutes after they were asked.',
    until,
  );
}
