/** Waits for an operation, and settles it when that is due. */
import { ClerkError } from '../core/errors.ts';
import type { Context } from './context.ts';
import { isActive, type Operation } from './operation.ts';
import { dueAt } from './settle-by-reading.ts';

/** One step of settling, shared by all waits in this process. */
export type SettleOnce = (operation: Operation) => Promise<void>;

export async function follow(
  context: Context,
  step: SettleOnce,
  id: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<Operation> {
  const { clock, store } = context;
  const until = clock.now() + waitMs;
  for (;;) {
    const operation = await store.get(id);
    if (operation === undefined) throw unknown(id);
    const now = clock.now();
    if (!isActive(operation.state) || now >= until || signal?.aborted === true) return operation;
    const due = dueAt(context, operation);
    if (due <= now) void step(operation);
    const again = due <= now ? context.pollMs : due - now;
    await pause(context, id, Math.min(until - now, context.pollMs, again), signal);
  }
}

/** Until this process moves the operation, or it is time to look again. */
async function pause(context: Context, id: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const over = new AbortController();
  const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  try {
    await Promise.race([context.clock.sleep(ms, either), context.changes.next(id, either)]);
  } finally {
    over.abort('over');
  }
}

function unknown(id: string): ClerkError {
  return new ClerkError('E_INTERNAL', `There is no operation ${id} in the journal.`, {
    next: 'Tell the operator; `fareclerk journal list` shows what there is.',
  });
}
