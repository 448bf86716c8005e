/**
 * Measures how far this machine's clock is from others: the issuer's and the airline's by their replies, and the database's. It
 * remembers each against a monotonic clock, so that offsets are right as soon as somebody sets ours.
 */
import { elapsed } from '../journal/clock.ts';
import type { Clock } from '../journal/ports.ts';

type OtherClock = 'issuer' | 'airline' | 'database';

/** An HTTP date has whole seconds (RFC 9110, 6.6.1): half of one is the best guess. */
const HALF_SECOND_MS = 500;

/** The headers of a reply that tell its time. */
interface ReplyTime {
  readonly date?: string | null | undefined;
  /** Seconds for which a cache kept the reply. */
  readonly age?: string | null | undefined;
}

export class ClockOffsets {
  /** By how much each clock is ahead of `tick`, milliseconds. */
  readonly #aheadOfTick = new Map<OtherClock, number>();
  readonly #wall: () => number;
  readonly #tick: () => number;
  /** The database's clock, if instances share one. */
  database: Clock | undefined;

  constructor(wall: () => number = Date.now, tick: () => number = elapsed) {
    this.#wall = wall;
    this.#tick = tick;
  }

  /** Notes the time in a reply that has just come. */
  saw(whose: 'issuer' | 'airline', { date, age }: ReplyTime): void {
    const writtenAt = Date.parse(date ?? '');
    const cachedMs = Number(age ?? 0) * 1000;
    // A header that does not parse is ignored.
    if (Number.isNaN(writtenAt) || Number.isNaN(cachedMs)) return;
    const theirs = writtenAt + HALF_SECOND_MS + cachedMs;
    this.#aheadOfTick.set(whose, theirs - this.#tick());
  }

  /** Milliseconds by which our clock is ahead of each clock that is known; negative: behind. */
  all(): ReadonlyMap<OtherClock, number> {
    const now = this.#wall();
    const tick = this.#tick();
    const offsets = new Map([...this.#aheadOfTick].map(([whose, ahead]) => [whose, now - tick - ahead] as const));
    return this.database === undefined ? offsets : offsets.set('database', now - this.database.now());
  }
}
