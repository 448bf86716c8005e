/**
 * Takes the next step (settle-by-reading.ts) of every operation that is due, also of those that a dead process left
 * open, and checks for late effects: an airline may still carry out what readings settled as not carried out.
 */

import { isDeepStrictEqual } from 'node:util';
import { MINUTE_MS } from '../core/times.ts';
import { type JournalContext, move, reload, traced } from './context.ts';
import { CHECKED_FOR_MS, CHECKED_STATES, EXPLAINING_STATES, explainedBy, whyContradicted } from './contradicted.ts';
import type { SettleOnce } from './follow.ts';
import { ACTIVE_STATES, isActive, type Operation } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import { storeWaitingEnds } from './record.ts';
import { dueAt, readAndJudge } from './settle-by-reading.ts';

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
export async function reconcile(context: JournalContext, step: SettleOnce): Promise<Reconciled> {
  // Before any reading, because a reply proves more.
  await storeWaitingEnds(context);
  const open = await context.store.list({ states: ACTIVE_STATES });

  const toCheck = await dueForLateCheck(context);
  const advanced = await inLanes(open, (operation) => advance(context, step, operation));
  const lateEffects = await inLanes(toCheck, (operation) => checkForLateEffect(context, operation));
  const waiting = advanced.filter((operation) => isActive(operation.state)).length;
  const needsPerson = advanced.filter((operation) => operation.state === 'needs_person').length;
  const contradicted = lateEffects.filter(Boolean).length;
  return { settled: advanced.length - waiting - needsPerson, waiting, needsPerson: needsPerson + contradicted };
}

/** Works on a few items at once. The results have no order. */
export async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const queue = [...items];
  const results: R[] = [];
  const lane = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) results.push(await work(next));
  };
  await Promise.all(Array.from({ length: Math.min(LANES, items.length) }, lane));
  return results;
}

/** Takes the step of an operation. A dispatch that expired becomes in doubt, and is read in the same pass. */
export async function advance(context: JournalContext, step: SettleOnce, operation: Operation): Promise<Operation> {
  const settled = await settleIfDue(context, step, operation);
  const isNowInDoubt = operation.state === 'dispatched' && settled.state === 'in_doubt';
  return isNowInDoubt ? await settleIfDue(context, step, settled) : settled;
}

async function settleIfDue(context: JournalContext, step: SettleOnce, operation: Operation): Promise<Operation> {
  if (context.clock.now() < dueAt(context, operation)) return operation;
  await step(operation);
  return await reload(context, operation);
}

/** Reconciles every `gapMs`, and records how far the journal is, until the signal aborts. */
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

/**
 * Looks for a late effect. The first row that holds counts:
 *
 * | another operation, of any caller, explains what the booking shows | the check counts (+: one of the same)      |
 * | another one may turn out to explain it                            | it is made again in the next pass          |
 * | the booking cannot be read                                        | it is made again in the next pass          |
 * | the booking shows the operation done, or in part                  | a person must check (contradicted.ts)      |
 * | it is as before                                                   | the check counts                           |
 * | another operation may have changed it                             | the check counts (+: never)                |
 * | it shows nothing by which to judge, or is gone                    | again; after a while a person must check   |
 * | anything else                                                     | a person must check                        |
 *
 * Readings showed the booking as before when they settled the operation. If it then stops showing that, it has changed.
 * +: of a refusal. One reading settled it, which may have lagged: this check must show the same, or a later operation has
 * been asked for the same, which its own reading before the send showed as not done.
 */
async function judgeAgain(context: JournalContext, operation: OfBooking): Promise<boolean> {
  const { acts, store, clock } = context;
  const { locator, createdAt } = operation;
  const isRefused = operation.state === 'refused';

  const since = await store.list({ locator, from: createdAt, states: EXPLAINING_STATES });
  const others = explainedBy(acts, operation, since);
  if (others === 'explained' && (!isRefused || isAskedAgain(operation, since)))
    return await countLook(context, operation);
  if (others === 'open') return false;

  const { verdict, isAnswer } = await readAndJudge(context, operation, locator);
  if (!isAnswer) return false;

  const why = whyContradicted(operation, verdict, others);
  if (why !== undefined) return await handOver(context, operation, why);
  if (verdict === 'not_done' || (others === 'touched' && !isRefused)) return await countLook(context, operation);

  const isVoid = verdict === 'void';
  if (isVoid && clock.now() - checkAt(context, operation) < VOID_FOR_MS) return false;

  const settled = isRefused ? 'refused' : 'not carried out';
  const but = isVoid ? 'the booking no longer shows what proved that' : 'the booking now shows something else';
  return await handOver(context, operation, `It had been settled as ${settled}, and ${but}.`);
}

/** Whether the same was asked once more, and done: what it is about was then as before, by the reading before its send. */
function isAskedAgain({ id, subject }: Operation, since: readonly Operation[]): boolean {
  const again = since.filter((other) => other.id !== id && other.state === 'succeeded');
  return again.some((other) => isDeepStrictEqual(other.subject, subject));
}

/** Counts a check that found nothing. */
async function countLook(context: JournalContext, { id, state, outcome }: OfBooking): Promise<false> {
  const looked = { ...outcome, looks: (outcome?.looks ?? 0) + 1, provisional: undefined };
  await move(context, id, { from: [state], to: state, patch: { outcome: looked } });
  return false;
}

/** False if it was handed over meanwhile, as by the comparison of this reading. */
async function handOver(context: JournalContext, operation: OfBooking, why: string): Promise<boolean> {
  const { id, state } = operation;
  context.log.warn({ operation: id }, 'a settled operation is contradicted by a later reading');
  const outcome = contradictedSince(context.acts, operation, why);
  return await move(context, id, { from: [state], to: 'needs_person', patch: { outcome } });
}
