/**
 * The machine's two clocks, and random ids. The steady clock, {@link elapsed}, cannot be set; its state is of this
 * process, as the clock is. The wall clock can be set, which {@link ClockWatch} notices. At the end: waiting by a clock.
 */
import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import type { Clock, Random } from './ports.ts';

/** How long the machine was up when this process began, seconds. */
const UP_AT_START = uptime() - performance.now() / 1000;

/** A smaller change between the wall clock and a steady clock is drift, milliseconds. */
const DRIFT_MS = 500;

/** How far the wall clock was ahead of the steady clock when they were last compared, milliseconds. */
let lastOffset = Date.now() - performance.now();
/** How long the machine slept since this process began, as far as this noticed it, milliseconds. */
let sleptMs = 0;

/** A larger change between two readings of a clock means that somebody set it, milliseconds. */
export const SET_MS = 5_000;

/** Milliseconds since some moment. Cannot be set, and counts a machine's sleep. */
export function elapsed(): number {
  const awake = performance.now();
  const offset = Date.now() - awake;

  // After a sleep the wall clock is ahead. `uptime` is called only then, because it reads a file on Linux.
  if (Math.abs(offset - lastOffset) > DRIFT_MS) {
    lastOffset = offset;
    sleptMs = Math.max(sleptMs, (uptime() - UP_AT_START) * 1000 - awake);
  }

  return awake + sleptMs;
}

/** Notices when a clock is set, by comparing it with one that cannot be set. */
export class ClockWatch {
  #offset: number | undefined;
  #setAt = Number.NEGATIVE_INFINITY;

  /** Notes that the watched clock says `now` while the steady clock says `tick`. */
  note(now: number, tick: number): void {
    const offset = now - tick;
    if (this.#offset !== undefined && Math.abs(offset - this.#offset) > SET_MS) this.#setAt = tick;
    this.#offset = offset;
  }

  /** Milliseconds from the last time that the clock was set until `tick`; Infinity if it was never set. */
  sinceSet(tick: number): number {
    return tick - this.#setAt;
  }
}

/** The machine's clock, in UTC. */
export function wallClock(wall: () => number = Date.now, tick: () => number = elapsed): Required<Clock> {
  const watch = new ClockWatch();
  const now = () => {
    const time = wall();
    watch.note(time, tick());
    return time;
  };

  return {
    now,

    sinceSet() {
      now();
      return watch.sinceSet(tick());
    },

    // Node's own sleep creates an error for each aborted signal, which costs more than the timer.
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          resolve();
        };

        const timer = setTimeout(wake, Math.max(0, ms)).unref();
        if (signal?.aborted === true) wake();
        else signal?.addEventListener('abort', wake);
      });
    },
  };
}

export const systemClock: Clock = wallClock();

export const systemRandom: Random = { uuid: () => randomUUID() };

/** What {@link within} resolves to if the time is over first. */
export const late: unique symbol = Symbol('late');

/** Resolves to the promise's value, or to `late` after `ms`. Does not cancel the promise. */
export async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | typeof late> {
  const timer = new AbortController();
  try {
    return await Promise.race([promise, clock.sleep(ms, timer.signal).then((): typeof late => late)]);
  } finally {
    timer.abort('over');
  }
}
