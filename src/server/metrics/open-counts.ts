/**
 * How much is open in the state store, for gauges: asked at most every few seconds and once at a time, waited for only
 * so long, and told as last known where the store does not answer.
 */
import type { OpenCounts } from '../../approvals/ports.ts';

export interface StateWatchOptions {
  /** Counts of this age are told without asking, milliseconds: 5_000. */
  readonly freshMs?: number;
  /** How long a scrape waits for the store, milliseconds: 1_000. */
  readonly waitMs?: number;
  /** Milliseconds that only grow. */
  readonly tick?: () => number;
}

export interface StateSeen {
  /** The store answered when it was last asked. */
  readonly up: boolean;
  /** Absent until the first answer. */
  readonly known?: { readonly counts: OpenCounts; readonly ageMs: number };
}

export type StateWatch = () => Promise<StateSeen>;

/** The watch never rejects. `ask` must end by itself some time: until then it is not asked again. */
export function stateWatch(ask: () => Promise<OpenCounts>, options: StateWatchOptions = {}): StateWatch {
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
