/** Waits until the program is to end. */
import { once } from 'node:events';
import type { Terminal } from '../commands/command.ts';

/** Resolves on Ctrl-C, on the other signals that end a program, or once nobody reads what it prints. */
export async function untilStopped({ stdout }: Pick<Terminal, 'stdout'>): Promise<void> {
  const stopped = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal, { signal: stopped.signal }));
  await Promise.race([...signals, once(stdout, 'error', { signal: stopped.signal })]);
  stopped.abort();
  await Promise.allSettled(signals);
}
