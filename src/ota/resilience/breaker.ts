/**
 * Stops asking an airline that is down: per origin, for reads only. Opens at half of at least 20 reads failing within
 * 10 s; after 5 s lets one probe through, and from then on one every 8 s: an airline that is back is found soon.
 */

const WINDOW_MS = 10_000;
const BUCKET_MS = 1_000;
const MIN_SAMPLES = 20;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 8_000;
/** A probe that never reports (its caller gave up) is forgotten after this long. */
const PROBE_MS = 30_000;

interface Bucket {
  readonly slot: number;
  good: number;
  bad: number;
}

export interface Breaker {
  /** Asked before a read. False: fail at once; {@link Breaker.waitMs} says how long. */
  allows(): boolean;
  /** Told of every attempt that {@link Breaker.allows} let through. */
  record(good: boolean): void;
  /** Milliseconds until the next probe; 0 when closed. */
  waitMs(): number;
}

/** @param now monotonic milliseconds */
export function createBreaker(now: () => number): Breaker {
  let buckets: Bucket[] = [];
  let openUntil: number | undefined;
  let wait = FIRST_WAIT_MS;
  let probeSince: number | undefined;

  const open = (): void => {
    openUntil = now() + wait;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    probeSince = undefined;
  };
  const close = (): void => {
    openUntil = undefined;
    wait = FIRST_WAIT_MS;
    probeSince = undefined;
    buckets = [];
  };
  const currentBucket = (): Bucket => {
    const slot = Math.floor(now() / BUCKET_MS);
    const last = buckets.at(-1);
    if (last?.slot === slot) return last;
    const fresh = { slot, good: 0, bad: 0 };
    buckets = [...buckets.filter((bucket) => bucket.slot > slot - WINDOW_MS / BUCKET_MS), fresh];
    return fresh;
  };

  return {
    allows() {
      if (openUntil === undefined) return true;
      if (now() < openUntil) return false;
      if (probeSince !== undefined && now() - probeSince < PROBE_MS) return false;
      probeSince = now();
      return true;
    },
    record(good) {
      if (openUntil !== undefined) {
        // Late news of calls that began before it opened is no probe.
        if (probeSince === undefined) return;
        if (good) close();
        else open();
        return;
      }
      const bucket = currentBucket();
      if (good) bucket.good += 1;
      else bucket.bad += 1;
      const bad = buckets.reduce((sum, one) => sum + one.bad, 0);
      const all = buckets.reduce((sum, one) => sum + one.bad + one.good, 0);
      if (all >= MIN_SAMPLES && bad * 2 >= all) open();
    },
    waitMs() {
      return openUntil === undefined ? 0 : Math.max(0, openUntil - now());
    },
  };
}
