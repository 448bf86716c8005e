/** The machine's clock, and whether somebody set it; waiting by a clock, and random ids. */
import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import type { Clock, Random } from './ports.ts';

/** Seconds that the machine was up when this process began. */
const STARTED = uptime() - performance.now() / 1000;

/** A smaller change of the wall clock beside a steady one is drift, milliseconds. */
const DRIFT_MS = 500;

/** How far the wall clock was ahead of the steady one when it was last looked at, milliseconds. */
let lastOffset = Date.now() - performance.now();
/** How long the machine slept since this process began, as far as it was noticed. */
let sleptMs = 0;

/** Milliseconds since some moment. Cannot be set, and counts a machine's sleep. */
export function elapsed(): number {
  const awake = performance.now();
  const offset = Date.now() - awake;
  // After a sleep the wall clock is ahead. Only then is it asked how long the machine is up, which reads a file on
  // Linux.
  if (Math.abs(offset - lastOffset) > DRIFT_MS) {
    lastOffset = offset;
    sleptMs = Math.max(sleptMs, (uptime() - STARTED) * 1000 - awake);
  }
  return awake + sleptMs;
}

/** A larger change between two readings of a clock means that somebody set it, milliseconds. */
export const SET_MS = 5_000;

/** Notices when a clock is set, by comparing it with one that cannot be set. */
export class ClockWatch {
  #offset: number | undefined;
  #setAt = Number.NEGATIVE_INFINITY;

  /** `now` by the clock at `tick`. */
  look(now: number, tick: number): void {
    const offset = now - tick;
    if (this.#offset !== undefined && Math.abs(offset - this.#offset) > SET_MS) this.#setAt = tick;
    this.#offset = offset;
  }

  /** Milliseconds from the last time that the clock was set until `tick`. */
  since(tick: number): number {
    return tick - this.#setAt;
  }
}

/** The machine's clock, in UTC. */
export function wallClock(wall: () => number = Date.now, tick: () => number = elapsed): Required<Clock> {
  const watch = new ClockWatch();
  const now = () => {
    const time = wall();
    watch.look(time, tick());
    return time;
  };
  return {
    now,
    sinceSet() {
      now();
      return watch.since(tick());
    },
    // Node's own sleep makes an error for each signal, which costs more than the timer.
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const over = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', over);
          resolve();
        };
        const timer = setTimeout(over, Math.max(0, ms)).unref();
        if (signal?.aborted === true) over();
        else signal?.addEventListener('abort', over);
      });
    },
  };
}

export const systemClock: Clock = wallClock();

export const systemRandom: Random = { uuid: () => randomUUID() };

/** What {@link within} gives where the time was over first. */
export const late: unique symbol = Symbol('late');

/** Resolves to the promise's value, or to `late` after `ms`. Does not cancel the promise. */
export async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | typeof late> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, clock.sleep(ms, over.signal).then((): typeof late => late)]);
  } finally {
    over.abort('over');
  }
}
