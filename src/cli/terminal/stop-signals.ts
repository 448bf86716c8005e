/** The signals that end the program: waits for one, or stops work between two of its steps. */
import { once } from 'node:events';
import type { Terminal } from '../commands/command.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves on Ctrl-C, on the other signals that end a program, or once nobody reads what it prints. */
export async function untilStopped({ stdout }: Pick<Terminal, 'stdout'>): Promise<void> {
  const stopped = new AbortController();
  const ended = SIGNALS.map((signal) => once(process, signal, { signal: stopped.signal }));
  await Promise.race([...ended, once(stdout, 'error', { signal: stopped.signal })]);
  stopped.abort();
  await Promise.allSettled(ended);
}

/** Runs work that one of the signals stops between two of its steps. A second Ctrl-C ends the program at once. */
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
