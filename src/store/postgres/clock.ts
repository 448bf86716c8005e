/**
 * The database's clock, followed without asking it each time. All instances share it, so that their own clocks may be
 * wrong by any amount: they only measure the time between two answers of the database.
 */
import { ClockWatch, elapsed, systemClock } from '../../journal/clock.ts';
import type { Clock } from '../../journal/ports.ts';

/** A correction backwards of at most this, milliseconds, holds the clock still until it is right; a greater one sets it back. */
const STAND_STILL_MS = 1_000;

export class PostgresClock implements Clock {
  readonly #tick: () => number;
  #offset = 0;
  #known = false;
  #last = Number.NEGATIVE_INFINITY;
  readonly #clockWatch = new ClockWatch();

  constructor(tick: () => number = elapsed) {
    this.#tick = tick;
  }

  now(): number {
    const now = Math.floor(this.#offset + this.#tick());
    if (now > this.#last || this.#last - now > STAND_STILL_MS) this.#last = now;
    return this.#last;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  /**
   * Asks a question whose answer has the database's time, and corrects the clock if it cannot be right: the database
   * read its time somewhere between the question and the answer.
   */
  async watch<T>(ask: () => Promise<T>, timeIn: (answer: T) => number): Promise<T> {
    const before = this.#tick();
    const answer = await ask();
    const after = this.#tick();
    const at = timeIn(answer);
    // `+ 1`: the database's time is cut to whole milliseconds.
    const [least, most] = [at - after, at + 1 - before];
    // The nearest value that can be right: a late answer says little. For the first one, the middle.
    this.#offset = this.#known ? Math.min(Math.max(this.#offset, least), most) : (least + most) / 2;
    this.#known = true;
    this.#clockWatch.look(this.#offset + after, after);
    return answer;
  }

  sinceSet(): number {
    return this.#clockWatch.since(this.#tick());
  }
}
