/**
 * Counts requests by key, and says how long to wait after too many of them (status 429). The user of a rate chooses the key: a
 * caller, a link, or an address, which all people behind one proxy share.
 */

export interface Rate {
  /** How many requests may come at once. */
  readonly burst: number;
  /** How many more each second allows. */
  readonly perSecond: number;
}

interface TokenBucket {
  /** How many requests the bucket allowed at that time. */
  readonly tokens: number;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Above this number the least recently used key is dropped: its bucket is the fullest. */
const MAX_KEYS = 10_000;

/** A token bucket for each key, all with the same rate, in bounded memory. */
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

/** The key by which requests of an address are counted: of IPv6 the /64, because each user has a whole one (RFC 6177). */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(':')) return v4 ?? address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
