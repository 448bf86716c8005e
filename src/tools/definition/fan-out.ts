/** Many reads, a few at a time. */
interface FanOut {
  readonly width: number;
  /** Asked before each start: false leaves the rest undone. */
  mayStart?(): boolean;
  done?(count: number): void;
}

/** Results in the order of the items; undefined for what was not started. */
export async function fanOut<T, R>(
  items: readonly T[],
  how: FanOut,
  work: (item: T) => Promise<R>,
): Promise<readonly (PromiseSettledResult<R> | undefined)[]> {
  const results = new Array<PromiseSettledResult<R> | undefined>(items.length).fill(undefined);
  const queue = items.entries();
  let finished = 0;
  async function worker(): Promise<void> {
    for (const [i, item] of queue) {
      if (how.mayStart?.() === false) return;
      [results[i]] = await Promise.allSettled([work(item)]);
      how.done?.(++finished);
    }
  }
  await Promise.all(Array.from({ length: Math.min(how.width, items.length) }, worker));
  return results;
}
