/**
 * A clock that follows the database's clock without asking for each time. All instances follow the same one, so their
 * own clocks may be wrong by any amount: they only measure the time between two answers of the database.
 */
import { ClockWatch, elapsed, systemClock } from '../../journal/clock.ts';
import type { Clock } from '../../journal/ports.ts';

/**
 * A backward correction up to this makes the clock stand still until it is right. A greater one sets it back.
 * Milliseconds.
 */
const STAND_STILL_MS = 1_000;

export class PostgresClock implements Clock {
  readonly #tick: () => number;
  /** What is added to a tick to get the database's time, milliseconds. */
  #offset = 0;
  /** Whether the database has answered once, so that the offset means something. */
  #hasOffset = false;
  /** The last time that `now` returned, milliseconds since 1970. */
  #lastNow = Number.NEGATIVE_INFINITY;
  readonly #clockWatch = new ClockWatch();

  /** @param tick a monotonic clock, milliseconds */
  constructor(tick: () => number = elapsed) {
    this.#tick = tick;
  }

  now(): number {
    const now = Math.floor(this.#offset + this.#tick());
    if (now > this.#lastNow || this.#lastNow - now > STAND_STILL_MS) this.#lastNow = now;
    return this.#lastNow;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  /**
   * Asks a question whose answer has the database's time, and corrects the clock if it cannot be right: the database
   * read its time somewhere between the question and the answer. If the question came at tick 100, the answer at tick
   * 140, and the database says 5000, the offset lies between 4860 and 4901.
   */
  async watch<T>(ask: () => Promise<T>, timeIn: (answer: T) => number): Promise<T> {
    const before = this.#tick();
    const answer = await ask();
    const after = this.#tick();
    const at = timeIn(answer);

    // The offset lies between these two. `+ 1`, because the database's time is cut to whole milliseconds.
    const least = at - after;
    const most = at + 1 - before;
    // Takes the nearest possible value, because a late answer is inexact; for the first answer, the middle.
    this.#offset = this.#hasOffset ? Math.min(Math.max(this.#offset, least), most) : (least + most) / 2;
    this.#hasOffset = true;
    this.#clockWatch.note(this.#offset + after, after);

    return answer;
  }

  sinceSet(): number {
    return this.#clockWatch.sinceSet(this.#tick());
  }
}
