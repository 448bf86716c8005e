/** Work that is asked for at once: a few items at a time, callers that take turns, one run that many share. */

interface FanOut {
  /** How many items are worked on at once. */
  readonly width: number;
  /** Called before each start; false skips the rest. */
  mayStart?(): boolean;
  /** Hears how many items are done. */
  done?(count: number): void;
}

/** Returns results in the order of the items, undefined for those not started. */
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

/** Lets a number of callers work at once; others wait in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Waits for a turn. False if none came within `ms` milliseconds; whoever got one calls `end`. Without `ms` it waits for ever. */
  take(ms?: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (this.#free > 0) {
      this.#free -= 1;
      resolve(true);
      return promise;
    }
    const begin = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const giveUp = () => {
      this.#waiting.splice(this.#waiting.indexOf(begin), 1);
      resolve(false);
    };
    const timer = ms === undefined ? undefined : setTimeout(giveUp, ms);
    this.#waiting.push(begin);
    return promise;
  }

  /** Hands the turn to whoever waits longest: nobody who comes in between can take it. */
  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

interface Sharing {
  /** How long a result counts after its run ended, milliseconds: 0. */
  readonly keepMs?: number;
  /** Milliseconds. */
  readonly tick?: () => number;
}

/**
 * Shares one run of `work` among all who call meanwhile, and its result for some time after. A failure reaches those
 * who waited for it and is not kept: the next call tries again. The arguments of the call that begins a run count for
 * all who share it.
 */
export function singleFlight<A extends readonly unknown[], T>(
  work: (...args: A) => Promise<T>,
  { keepMs = 0, tick = () => performance.now() }: Sharing = {},
): (...args: A) => Promise<T> {
  let latest: { readonly result: Promise<T>; sharedUntil: number } | undefined;
  return (...args) => {
    if (latest !== undefined && tick() < latest.sharedUntil) return latest.result;
    const flight = { result: work(...args), sharedUntil: Number.POSITIVE_INFINITY };
    latest = flight;
    flight.result.then(
      () => {
        flight.sharedUntil = tick() + keepMs;
      },
      () => {
        flight.sharedUntil = Number.NEGATIVE_INFINITY;
      },
    );
    return flight.result;
  };
}
