/** Runs work for many callers at once: a few items at a time, callers that take turns, one run that many share, waits that end. */

interface FanOut {
  /** How many items run at once. */
  readonly width: number;
  /** Called before each start; false skips the rest. */
  mayStart?(): boolean;
  /** Called after each item with how many are done. */
  done?(count: number): void;
}

/** Works on each item. Returns results in the order of the items, undefined for items that were not started. */
export async function fanOut<T, R>(
  items: readonly T[],
  options: FanOut,
  work: (item: T) => Promise<R>,
): Promise<readonly (PromiseSettledResult<R> | undefined)[]> {
  const results = new Array<PromiseSettledResult<R> | undefined>(items.length).fill(undefined);
  const queue = items.entries();
  let finished = 0;

  async function worker(): Promise<void> {
    for (const [i, item] of queue) {
      if (options.mayStart?.() === false) return;
      [results[i]] = await Promise.allSettled([work(item)]);
      options.done?.(++finished);
    }
  }

  await Promise.all(Array.from({ length: Math.min(options.width, items.length) }, worker));
  return results;
}

/** How a wait ended before what it waited for. */
export type WaitOver = 'timeout' | 'aborted';

/**
 * Waits for a promise at most `ms` milliseconds, and until the signal aborts: then it rejects with what `over` makes. The promise itself
 * goes on for others. Node's own sleep makes an error for each signal that it is ended by, which costs more than a timer.
 */
export async function withinTime<T>(
  promise: PromiseLike<T>,
  ms: number,
  over: (why: WaitOver) => Error,
  signal?: AbortSignal,
): Promise<T> {
  const end = Promise.withResolvers<never>();
  const timer = setTimeout(() => end.reject(over('timeout')), Math.max(0, ms));
  const giveUp = () => end.reject(over('aborted'));
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted === true) giveUp();

  try {
    return await Promise.race([promise, end.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Lets a number of callers work at once; others wait in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** How many callers wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a turn: at most `ms` milliseconds, and until the signal aborts. Returns whether the caller has a turn; then it must
   * call {@link end}.
   */
  async take(ms?: number, signal?: AbortSignal): Promise<boolean> {
    if (this.takeNow()) return true;

    const turn = Promise.withResolvers<boolean>();
    const begin = () => turn.resolve(true);

    const giveUp = () => {
      const place = this.#waiting.indexOf(begin);
      if (place >= 0) this.#waiting.splice(place, 1);
      turn.resolve(false);
    };

    this.#waiting.push(begin);
    const timer = ms === undefined ? undefined : setTimeout(giveUp, ms);

    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();

    try {
      return await turn.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Takes a turn if one is free, without waiting. */
  takeNow(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Hands the turn to whoever waits longest: nobody who comes in between can take it. */
  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

interface Sharing {
  /** How long a result is shared after its run ended, milliseconds. Default 0. */
  readonly keepMs?: number;
  /** The clock, milliseconds. */
  readonly tick?: () => number;
}

/**
 * Shares one run of `work` among all who call while it runs, and its result for some time after. A failure reaches those
 * who wait for it and is then forgotten: the next call tries again. All who share a run get the result for the arguments
 * of the call that began it.
 */
export function singleFlight<A extends readonly unknown[], T>(
  work: (...args: A) => Promise<T>,
  { keepMs = 0, tick = () => performance.now() }: Sharing = {},
): (...args: A) => Promise<T> {
  let latestRun: { readonly result: Promise<T>; sharedUntil: number } | undefined;
  return (...args) => {
    if (latestRun !== undefined && tick() < latestRun.sharedUntil) return latestRun.result;

    const run = { result: work(...args), sharedUntil: Number.POSITIVE_INFINITY };
    latestRun = run;

    run.result.then(
      () => {
        run.sharedUntil = tick() + keepMs;
      },
      () => {
        run.sharedUntil = Number.NEGATIVE_INFINITY;
      },
    );

    return run.result;
  };
}
