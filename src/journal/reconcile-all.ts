/**
 * Takes the next step (settle-by-reading.ts) of every operation that is due, also of those that a dead process left
 * open, and checks for late effects: an airline may still carry out what readings settled as not carried out.
 */

import { MINUTE_MS } from '../core/times.ts';
import { type JournalContext, move, reload, traced } from './context.ts';
import { CHECKED_FOR_MS, CHECKED_STATES, EXPLAINING_STATES, mayExplain } from './contradicted.ts';
import type { SettleOnce } from './follow.ts';
import { ACTIVE_STATES, isActive, type Operation } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import { storeWaitingEnds } from './record.ts';
import { dueAt, readAndJudge } from './settle-by-reading.ts';

export interface ReconcileProgress {
  readonly done: number;
  readonly total: number;
}

export interface Reconciled {
  readonly settled: number;
  /** Still open: not due yet, or read without a decision. */
  readonly waiting: number;
  /** Handed to a person in this pass. */
  readonly needsPerson: number;
}

/** How many operations are worked on at once. Each may read its booking. */
const LANES = 4;

/**
 * How long after settling to look for a late effect, and how long after that to look once more, milliseconds. A change
 * goes to a person.
 */
const LATE_CHECK_WAITS_MS: readonly number[] = [15 * MINUTE_MS, 45 * MINUTE_MS];
/** How long a booking that shows nothing by which to judge is read again before a person must check it, milliseconds. */
const VOID_FOR_MS = 30 * MINUTE_MS;
/**
 * Makes one pass over everything that is due.
 * @param step settles one operation; calls that wait for the same operation share it
 */
export async function reconcile(
  context: JournalContext,
  step: SettleOnce,
  onProgress?: (progress: ReconcileProgress) => void,
): Promise<Reconciled> {
  // Before any reading, because a reply proves more.
  await storeWaitingEnds(context);
  const open = await context.store.list({ states: ACTIVE_STATES });
  const toCheck = await dueForLateCheck(context);
  const total = open.length + toCheck.length;
  let done = 0;
  const reportDone = <T>(result: T): T => {
    onProgress?.({ done: ++done, total });
    return result;
  };
  const advanced = await inLanes(open, async (operation) => reportDone(await advance(context, step, operation)));
  const lateEffects = await inLanes(toCheck, async (operation) =>
    reportDone(await checkForLateEffect(context, operation)),
  );
  const waiting = advanced.filter((operation) => isActive(operation.state)).length;
  const needsPerson = advanced.filter((operation) => operation.state === 'needs_person').length;
  const contradicted = lateEffects.filter(Boolean).length;
  return { settled: advanced.length - waiting - needsPerson, waiting, needsPerson: needsPerson + contradicted };
}

/** Works on a few items at once. The results have no order. */
async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const queue = [...items];
  const results: R[] = [];
  const lane = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) results.push(await work(next));
  };
  await Promise.all(Array.from({ length: Math.min(LANES, items.length) }, lane));
  return results;
}

/** Takes the step of an operation. A dispatch that expired becomes in doubt, and is read in the same pass. */
async function advance(context: JournalContext, step: SettleOnce, operation: Operation): Promise<Operation> {
  const settled = await settleIfDue(context, step, operation);
  const isNowInDoubt = operation.state === 'dispatched' && settled.state === 'in_doubt';
  return isNowInDoubt ? await settleIfDue(context, step, settled) : settled;
}

async function settleIfDue(context: JournalContext, step: SettleOnce, operation: Operation): Promise<Operation> {
  if (context.clock.now() < dueAt(context, operation)) return operation;
  await step(operation);
  return await reload(context, operation);
}

/** Reconciles every `gapMs`, and keeps the second records up to date, until the signal aborts. */
export async function keepReconciling(context: JournalContext, step: SettleOnce, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await context.chain?.keepUp();
      await reconcile(context, step);
    } catch (error) {
      context.log.warn({ err: error }, 'reconciliation failed');
    }
    await context.clock.sleep(context.gapMs, signal);
  }
}

/** An operation whose booking can be read: a create has none. */
type OfBooking = Operation & Required<Pick<Operation, 'locator'>>;

async function dueForLateCheck(context: JournalContext): Promise<readonly OfBooking[]> {
  const { store, clock } = context;
  const now = clock.now();
  const settled = await store.list({ states: CHECKED_STATES, from: now - CHECKED_FOR_MS });
  return settled.filter(
    (operation): operation is OfBooking => operation.locator !== undefined && now >= checkAt(context, operation),
  );
}

/**
 * When the next check is due. Never if no reading settled the operation: then it was not sent, and cannot take effect, or
 * the airline's refusal proved that. A refusal that one reading settled is checked once, after the settle time.
 */
function checkAt({ settleMs }: JournalContext, operation: Operation): number {
  const { state, createdAt, dispatchedAt = createdAt, lastReadAt, updatedAt, outcome } = operation;
  if (state === 'refused') return outcome?.provisional === true ? dispatchedAt + settleMs : Number.POSITIVE_INFINITY;
  const wait = LATE_CHECK_WAITS_MS[outcome?.looks ?? 0] ?? Number.POSITIVE_INFINITY;
  return lastReadAt === undefined ? Number.POSITIVE_INFINITY : updatedAt + wait;
}

/** Returns true if the booking shows a late effect, which a person must check. */
function checkForLateEffect(context: JournalContext, operation: OfBooking): Promise<boolean> {
  return traced(context, 'look again', operation, () => judgeAgain(context, operation));
}

async function judgeAgain(context: JournalContext, operation: OfBooking): Promise<boolean> {
  const seen = await lookAgain(context, operation);
  if (seen === 'nothing_yet') return false;
  const { id, state, outcome: known } = operation;
  if (seen === 'unchanged') {
    const outcome = { ...known, looks: (known?.looks ?? 0) + 1, provisional: undefined };
    await move(context, id, { from: [state], to: state, patch: { outcome } });
    return false;
  }
  context.log.warn({ operation: operation.id }, 'a settled operation is contradicted by a later reading');
  const outcome = contradictedSince(
    context.acts,
    operation,
    `It had been settled as not carried out, and ${seen.but}.`,
  );
  return await move(context, id, { from: [state], to: 'needs_person', patch: { outcome } });
}

/**
 * What a check found. `unchanged`: it counts. `nothing_yet`: it does not, and is made again in the next pass. `but`: why a
 * person must check.
 */
type Seen = 'unchanged' | 'nothing_yet' | { readonly but: string };

/**
 * Looks for a late effect. The first row that holds counts:
 *
 * | a later operation that may explain it, of any caller, is done or with a person | unchanged |
 * | a later one is still active                                                    | nothing yet: it may turn out not to be done |
 * | the booking cannot be read                                                     | nothing yet |
 * | it is as before the operation                                                  | unchanged |
 * | it does not show the operation done, and another later one is done             | unchanged: that one may have changed it |
 * | it shows nothing by which to judge, or is gone                                 | nothing yet; after a while a person must check |
 * | anything else                                                                  | a person must check |
 *
 * Nothing but another payment explains what shows that a payment was taken.
 *
 * Readings showed the booking as before when they settled the operation. If it then stops showing that, it has changed.
 */
async function lookAgain(context: JournalContext, operation: OfBooking): Promise<Seen> {
  const { locator, createdAt, direction } = operation;
  const since = await context.store.list({ locator, from: createdAt, states: EXPLAINING_STATES });
  const explaining = since.filter((other) => mayExplain(context.acts, other, operation));
  if (explaining.some(({ state }) => !isActive(state))) return 'unchanged';
  const later = direction === 'payment' ? explaining : since;
  if (later.some(({ state }) => isActive(state))) return 'nothing_yet';
  const { verdict, isAnswer } = await readAndJudge(context, operation, locator);
  if (!isAnswer) return 'nothing_yet';
  if (verdict === 'not_done' || (later.length > 0 && verdict !== 'done')) return 'unchanged';
  if (verdict !== 'void') return { but: 'the booking now shows something else' };
  const mayStillShow = context.clock.now() - checkAt(context, operation) < VOID_FOR_MS;
  return mayStillShow ? 'nothing_yet' : { but: 'the booking no longer shows what proved that' };
}
