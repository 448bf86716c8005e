/**
 * The real clock and chance.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Random } from './ports.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await wait(Math.max(0, ms), undefined, signal === undefined ? { ref: false } : { ref: false, signal });
    } catch {
      // aborted: the sleep is simply over
    }
  },
};

export const systemRandom: Random = { uuid: () => randomUUID() };

/** Stands for an answer that did not come in time. */
export const late: unique symbol = Symbol('late');

/**
 * What the promise gives within that time, or `late`. The promise itself goes on: nothing that was sent is undone by not
 * waiting for it.
 */
export async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | typeof late> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, clock.sleep(ms, over.signal).then((): typeof late => late)]);
  } finally {
    over.abort('over');
  }
}
