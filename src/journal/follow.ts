/** Waits for an operation to end, and lets it be settled by reading whenever that is due. */
import { ClerkError } from '../core/errors.ts';
import type { JournalContext } from './context.ts';
import { isActive, type Operation } from './operation.ts';
import { dueAt } from './settle-by-reading.ts';

/** One step of settling, shared by all waits in this process. Logs what goes wrong, and never rejects. */
export type SettleOnce = (operation: Operation) => Promise<void>;

/**
 * Returns the operation once it has ended, `waitMs` are over or the signal aborts.
 * @throws ClerkError if there is none of this id
 */
export async function follow(
  context: JournalContext,
  step: SettleOnce,
  id: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Operation> {
  const { clock, store } = context;
  const until = clock.now() + waitMs;

  for (;;) {
    const operation = await store.get(id);
    if (operation === undefined) throw unknownOperation(id);

    const now = clock.now();
    if (!isActive(operation.state) || now >= until || signal?.aborted === true) return operation;

    const untilDue = dueAt(context, operation) - now;
    if (untilDue <= 0) void step(operation);
    const sleepMs = untilDue <= 0 ? context.pollMs : Math.min(context.pollMs, untilDue);
    await sleepUntilChange(context, id, Math.min(until - now, sleepMs), signal);
  }
}

/** Sleeps until this process moves the operation, it is time to look again, or the signal aborts. Never rejects. */
async function sleepUntilChange(
  context: JournalContext,
  id: string,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ended = new AbortController();
  const wake = signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]);
  try {
    await Promise.race([context.clock.sleep(ms, wake), context.changes.next(id, wake)]);
  } finally {
    ended.abort('over');
  }
}

function unknownOperation(id: string): ClerkError {
  return new ClerkError('E_INTERNAL', `There is no operation ${id} in the journal.`, {
    next: 'Tell the operator; `fareclerk journal list` shows what there is.',
  });
}
