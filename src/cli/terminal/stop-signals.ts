/** Handles the signals that end the program: waits for one, or stops work between two of its steps. */
import { once } from 'node:events';
import type { Terminal } from '../commands/command.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves on Ctrl-C, on another signal that ends a program, or once nobody reads what it prints. */
export async function untilStopped({ stdout }: Pick<Terminal, 'stdout'>): Promise<void> {
  const listening = new AbortController();
  const { signal } = listening;
  const signals = SIGNALS.map((name) => once(process, name, { signal }));
  await Promise.race([...signals, once(stdout, 'error', { signal })]);
  listening.abort();
  await Promise.allSettled(signals);
}

/** Runs work that one of the signals stops between two of its steps. The same signal a second time ends the program at once. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | 'stopped'> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 'stopped';
    throw error;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, end);
  }
}
