/** Waits for a signal that ends the program. */
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
