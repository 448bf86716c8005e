/**
 * Counts open operations and approvals for gauges. Asks the store at most every few seconds and once at a time, waits a
 * limited time, and returns the last known counts if the store does not answer.
 */
import type { OpenCounts } from '../../approvals/ports.ts';

export interface StateWatchOptions {
  /** Counts up to this age are reused, milliseconds. Default 5_000. */
  readonly freshMs?: number;
  /** How long a scrape waits for the store, milliseconds. Default 1_000. */
  readonly waitMs?: number;
  /** A monotonic clock, milliseconds. */
  readonly tick?: () => number;
}

interface StateSeen {
  /** The store answered the last request. */
  readonly up: boolean;
  /** Absent until the first answer. */
  readonly known?: { readonly counts: OpenCounts; readonly ageMs: number };
}

/** Never rejects. `ask` must settle: it is not called again before. */
export function stateWatch(ask: () => Promise<OpenCounts>, options: StateWatchOptions = {}): () => Promise<StateSeen> {
  const { freshMs = 5_000, waitMs = 1_000, tick = () => performance.now() } = options;
  let known: { readonly counts: OpenCounts; readonly at: number } | undefined;
  let asking: Promise<void> | undefined;
  let answered = false;

  async function look(): Promise<void> {
    try {
      const counts = await ask();
      known = { counts, at: tick() };
      answered = true;
    } catch {
      answered = false;
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    let late = false;
    if (known === undefined || !answered || tick() - known.at >= freshMs) {
      asking ??= look();
      late = await endsLate(asking, waitMs);
    }
    return {
      up: answered && !late,
      ...(known && { known: { counts: known.counts, ageMs: tick() - known.at } }),
    };
  };
}

async function endsLate(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, true);
  try {
    return await Promise.race([work.then(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
