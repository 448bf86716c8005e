/** Many reads, a few at a time. */
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
