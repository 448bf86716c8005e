/** Work that Ctrl-C stops between two steps. */

/** Passes on an end of the program, so that the work stops between two steps. A second Ctrl-C ends it at once. */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | 'stopped'> {
  const stop = new AbortController();
  const end = () => stop.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 'stopped';
    throw error;
  } finally {
    for (const signal of signals) process.removeListener(signal, end);
  }
}
