/** Counts requests against a rate: of callers over HTTP, of people on the pages, and what lists read at the airline. */

export interface Rate {
  /** How many requests may come at once. */
  readonly burst: number;
  /** How many more each second allows. */
  readonly perSecond: number;
}

/** Above this number the least recently used key is dropped: its bucket is the fullest. */
const MAX_KEYS = 10_000;

/** Bookings that one caller's lists read at the airline. */
export const LIST_READINGS: Rate = { burst: 200, perSecond: 1 };

interface TokenBucket {
  /** How many requests the bucket allowed at that time. */
  readonly tokens: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/**
 * Counts requests by key, and says how long to wait after too many of them (status 429): a token bucket for each key, all with the same
 * rate, in bounded memory. The user of a rate chooses the key: a caller, a link, or an address, which all people behind one proxy share.
 */
export class RequestRates {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, TokenBucket>();

  /** @param now monotonic milliseconds */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Counts `n` requests of a key. Returns 0 if they are allowed, otherwise the seconds (at least 1) until they are. */
  count(key: string, n = 1): number {
    const { burst, perSecond } = this.#rate;
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    const isAllowed = tokens >= n;

    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isAllowed ? tokens - n : tokens, at: now });

    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_KEYS && oldest !== undefined) this.#buckets.delete(oldest);

    return isAllowed ? 0 : Math.max(1, Math.ceil((n - tokens) / perSecond));
  }
}
