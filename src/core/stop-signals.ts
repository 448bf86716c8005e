/** Handles the signals that end the program: Ctrl-C, a service manager, a terminal that closes. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `stop` at the first signal of each kind. The same signal a second time ends the program at once. Returns how to stop listening. */
export function onStopSignal(stop: () => void): () => void {
  for (const signal of SIGNALS) process.once(signal, stop);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  };
}
