/** When to try again, and what may be delivered now. */
import { linesOf } from './event.ts';
import type { Due } from './ports.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** As the Standard Webhooks specification recommends; the last goes on. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** After its first failure an event is tried for so long, milliseconds. */
export const GIVE_UP_MS = 3 * 24 * HOUR;

/**
 * When to try an event again that has just failed; undefined: no more.
 * @param tries before this one
 * @param chance in [0, 1): spreads tries by a fifth either way
 */
export function nextTry(
  { tries, failedAt }: Pick<Due, 'tries' | 'failedAt'>,
  now: number,
  chance: number,
): number | undefined {
  if (failedAt !== undefined && now - failedAt >= GIVE_UP_MS) return undefined;
  const delay = DELAYS[Math.min(tries, DELAYS.length - 1)] ?? 0;
  return Math.round(now + delay * (0.8 + 0.4 * chance));
}

/** Goes through the events that one address lacks, oldest first, and picks those that are due and the first of their booking and operation. */
export class Picker {
  readonly #now: number;
  readonly #most: number;
  readonly #busy = new Set<string>();
  /** The first that failed and is not due yet, and whether there are more, of other bookings. */
  #failed: Due | undefined;
  #areMore = false;
  readonly picked: Due[] = [];

  constructor(now: number, most: number) {
    this.#now = now;
    this.#most = most;
  }

  /** Returns whether there is room for more. */
  offer(due: Due): boolean {
    const lines = linesOf(due.event);
    if (!lines.some((line) => this.#busy.has(line))) {
      if (due.nextAt <= this.#now) this.picked.push(due);
      else if (this.#failed !== undefined) this.#areMore = true;
      else this.#failed = due;
    }
    for (const line of lines) this.#busy.add(line);
    return this.picked.length < this.#most;
  }

  /** One event before its time, if several bookings wait: one alone may be an event that the address refuses. */
  probe(): readonly Due[] {
    return this.#failed !== undefined && this.#areMore ? [this.#failed] : [];
  }
}
