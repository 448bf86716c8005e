/**
 * The database's clock, kept in step without asking it each time. All processes of a fleet share it, so that their own
 * clocks may be wrong by any amount: between two looks only the time that passed is measured here.
 */
import { ClockWatch, elapsed, systemClock } from '../../journal/clock.ts';
import type { Clock } from '../../journal/ports.ts';

/** Corrections that are smaller do not turn it back: it stands still until it is right. */
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
   * Runs a question whose answer holds the database's time, and is set by it where what was believed cannot be: the
   * database said so somewhere between the question and the answer.
   */
  async watch<T>(ask: () => Promise<T>, timeIn: (answer: T) => number): Promise<T> {
    const before = this.#tick();
    const answer = await ask();
    const after = this.#tick();
    const at = timeIn(answer);
    const [least, most] = [at - after, at + 1 - before];
    // The nearest that can be right: of an answer that was held up little is known. Of the first one, the middle.
    this.#offset = this.#known ? Math.min(Math.max(this.#offset, least), most) : (least + most) / 2;
    this.#known = true;
    this.#clockWatch.look(this.#offset + after, after);
    return answer;
  }

  sinceSet(): number {
    return this.#clockWatch.since(this.#tick());
  }
}
