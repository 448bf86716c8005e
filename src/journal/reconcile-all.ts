/**
 * Takes the next step (settle-by-reading.ts) of every operation that is due, also of those that a process left open when it died.
 * Checks for late effects too.
 */
import { type Context, reload } from './context.ts';
import type { SettleOnce } from './follow.ts';
import { dueForLook, lookAgain } from './late-effect.ts';
import { ACTIVE_STATES, isActive, type Operation } from './operation.ts';
import { storeWaiting } from './record.ts';
import { dueAt } from './settle-by-reading.ts';

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
