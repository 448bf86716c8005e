/** How much at once, and how long to wait. */
import { setTimeout as wait } from 'node:timers/promises';

/** Runs `work` on every item, `width` at a time; the order of results is that of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

/** Tries again after a pause what fails with an error that `isPassing`, so many times at most. */
export async function retried<T>(
  tries: number,
  pauseMs: number,
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === tries || !isPassing(error)) throw error;
      await wait(pauseMs);
    }
  }
}

/** Looks every `everyMs` until what it sees `isEnough`, or `mostMs` have passed. Returns what it saw last. */
export async function seenWithin<T>(
  mostMs: number,
  everyMs: number,
  look: () => T | Promise<T>,
  isEnough: (seen: T) => boolean,
): Promise<T> {
  const until = performance.now() + mostMs;
  for (;;) {
    const seen = await look();
    if (isEnough(seen) || performance.now() > until) return seen;
    await wait(everyMs);
  }
}
