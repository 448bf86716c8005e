/**
 * The numbers that limit callers of the HTTP server: sizes, times, rates, and connections at once. After them: the class that counts
 * requests against a rate.
 */

import { MOST_LEVELS } from '../../core/text-limits.ts';

export interface Rate {
  /** How many requests may come at once. */
  readonly burst: number;
  /** How many more each second allows. */
  readonly perSecond: number;
}

/** Above this number the least recently used key is dropped: its bucket is the fullest. */
const MAX_KEYS = 10_000;

export const HTTP_LIMITS = {
  bodyBytes: 256 * 1024,
  /** Nesting of objects and arrays. */
  jsonDepth: MOST_LEVELS,
  /** Messages in one body (2025-03-26 may send several). */
  batch: 16,
  /** All headers together. Larger ones get status 431. */
  headerBytes: 8 * 1024,
  /** Time in which the headers must arrive. */
  headersMs: 5_000,
  /** Time in which the whole request must arrive. */
  requestMs: 30_000,
  /** How long idle connections stay open: longer than at load balancers. */
  keepAliveMs: 65_000,
  /** Open connections: above this number the longest idle one makes room. */
  connections: 1_000,
  /** New connections that wait until they are accepted. Linux allows at most net.core.somaxconn. */
  backlog: 4_096,
  requestsPerConnection: 10_000,
  /** Calls of one caller. */
  calls: { burst: 120, perSecond: 20 } as Rate,
  /** Calls of one caller in flight. */
  callsAtOnce: 32,
  /** Refused tokens of one address, before their replies only say when to come back. */
  refusals: { burst: 20, perSecond: 0.5 } as Rate,
  /** Open `subscriptions/listen` streams: few, because the tools never change. */
  subscriptions: 64,
  /** How long the server waits for calls in flight when it stops. */
  graceMs: 60_000,
  /** Time between "not ready" and closing, if a load balancer probes. */
  drainMs: 0,
};

export type HttpLimits = Readonly<typeof HTTP_LIMITS>;

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
