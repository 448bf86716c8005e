/** What commands do at a signal that ends the program: one waits for it, others stop between two of their steps. */
import { onStopSignal } from '../../core/stop-signals.ts';
import type { Terminal } from './command.ts';

/** Resolves on Ctrl-C, on another signal that ends a program, or once nobody reads what it prints. */
export async function untilStopped({ stdout }: Pick<Terminal, 'stdout'>): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  const stopListening = onStopSignal(stop);
  stdout.once('error', stop);
  await stopped;
  stdout.removeListener('error', stop);
  stopListening();
}

/** Runs work that one of the signals stops between two of its steps. The same signal a second time ends the program at once. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | 'stopped'> {
  const stop = new AbortController();
  const stopListening = onStopSignal(() => stop.abort());
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 'stopped';
    throw error;
  } finally {
    stopListening();
  }
}
