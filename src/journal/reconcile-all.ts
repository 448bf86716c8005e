/**
 * Takes the next step (settle-by-reading.ts) of every operation that is due, also of those that a process left open when it
 * died. Checks for late effects too.
 */

import { MINUTE_MS } from '../core/times.ts';
import { type Context, move, reload, traced } from './context.ts';
import type { Verdict } from './evidence.ts';
import type { SettleOnce } from './follow.ts';
import { ACTIVE_STATES, isActive, type Operation, type OperationState } from './operation.ts';
import { contradictedSince } from './outcome.ts';
import { storeWaiting } from './record.ts';
import { dueAt, look } from './settle-by-reading.ts';

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

/** Bookings read at once. */
const FAN_OUT = 4;

export async function reconcile(
  context: Context,
  step: SettleOnce,
  onProgress?: (progress: ReconcileProgress) => void,
): Promise<Reconciled> {
  // First: a reply proves more than a reading.
  await storeWaiting(context);
  const open = await context.store.list({ states: ACTIVE_STATES });
  const settled = await dueForLook(context);
  const total = open.length + settled.length;
  let done = 0;
  const counted = <T>(end: T): T => {
    onProgress?.({ done: ++done, total });
    return end;
  };
  const ends = await inLanes(open, async (operation) => counted(await advance(context, step, operation)));
  const looks = await inLanes(settled, async (operation) => counted(await lookAgain(context, operation)));
  const waiting = ends.filter((operation) => isActive(operation.state)).length;
  const needsPerson = ends.filter((operation) => operation.state === 'needs_person').length;
  const contradicted = looks.filter(Boolean).length;
  return { settled: ends.length - waiting - needsPerson, waiting, needsPerson: needsPerson + contradicted };
}

async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const queue = [...items];
  const ends: R[] = [];
  const lane = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) ends.push(await work(next));
  };
  await Promise.all(Array.from({ length: Math.min(FAN_OUT, items.length) }, lane));
  return ends;
}

/** An expired dispatch becomes in doubt, and is read in the same pass. */
async function advance(context: Context, step: SettleOnce, operation: Operation): Promise<Operation> {
  const once = await ifDue(context, step, operation);
  return operation.state === 'dispatched' && once.state === 'in_doubt' ? await ifDue(context, step, once) : once;
}

async function ifDue(context: Context, step: SettleOnce, operation: Operation): Promise<Operation> {
  if (context.clock.now() < dueAt(context, operation)) return operation;
  await step(operation);
  return await reload(context, operation);
}

export async function keepReconciling(context: Context, step: SettleOnce, signal: AbortSignal): Promise<void> {
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

/*
 * Late effects: an airline may still carry out what readings settled as not carried out. The booking is read again 15 and 60
 * minutes later, and a change goes to a person. Nothing is sent.
 */
/** Before the first check, and between the first and the second. */
const WAITS: readonly number[] = [15 * MINUTE_MS, 45 * MINUTE_MS];
/** A check that fails is repeated this long. */
const FAILING_MS = 30 * MINUTE_MS;
/** Older operations are not checked. */
const WINDOW_MS = 12 * 60 * MINUTE_MS;

/** A later operation in one of these states may explain what the booking shows. */
const EXPLAINING: readonly OperationState[] = [...ACTIVE_STATES, 'succeeded', 'needs_person'];

/** A create has no booking to read. */
type OfBooking = Operation & Required<Pick<Operation, 'locator'>>;

async function dueForLook({ store, clock }: Context): Promise<readonly OfBooking[]> {
  const now = clock.now();
  const settled = await store.list({ states: ['not_executed'], from: now - WINDOW_MS });
  return settled.filter((one): one is OfBooking => one.locator !== undefined && now >= lookAt(one));
}

/** Only for operations that readings settled: what provably never left cannot be carried out. */
function lookAt({ lastReadAt, updatedAt, outcome }: Operation): number {
  const wait = WAITS[outcome?.looks ?? 0] ?? Number.POSITIVE_INFINITY;
  return lastReadAt === undefined ? Number.POSITIVE_INFINITY : updatedAt + wait;
}

/** True: the booking shows a late effect, and a person must check. */
function lookAgain(context: Context, operation: OfBooking): Promise<boolean> {
  return traced(context, 'look again', operation, () => judgeAgain(context, operation));
}

async function judgeAgain(context: Context, operation: OfBooking): Promise<boolean> {
  const verdict = (await isExplained(context, operation)) ? 'not_done' : await verdictNow(context, operation);
  if (verdict === 'void' && context.clock.now() - lookAt(operation) < FAILING_MS) return false;
  if (verdict === 'void' || verdict === 'not_done') {
    const outcome = { ...operation.outcome, looks: (operation.outcome?.looks ?? 0) + 1 };
    await move(context, operation.id, ['not_executed'], 'not_executed', { outcome });
    return false;
  }
  context.log.warn({ operation: operation.id }, 'a settled operation is contradicted by a later reading');
  const why = 'It had been settled as not carried out, and the booking now shows something else.';
  const outcome = contradictedSince(context.acts, operation, why);
  return await move(context, operation.id, ['not_executed'], 'needs_person', { outcome });
}

/** Whether a later operation, of any caller, may be what the booking shows. */
async function isExplained({ store }: Context, { locator, createdAt }: OfBooking): Promise<boolean> {
  return (await store.list({ locator, from: createdAt, states: EXPLAINING, limit: 1 })).length > 0;
}

/** `void` if the booking cannot be read. */
async function verdictNow(context: Context, operation: OfBooking): Promise<Verdict> {
  return (await look(context, operation, operation.locator))?.verdict ?? 'void';
}
