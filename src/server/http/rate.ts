/** Token buckets, one per key, in bounded memory. */
import type { Rate } from './limits.ts';

interface TokenBucket {
  tokens: number;
  at: number;
}

/** Above this number the least recently used key is dropped: its bucket is the fullest. */
const MAX_KEYS = 10_000;

export class Buckets {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, TokenBucket>();

  /** @param now monotonic milliseconds */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes `n` tokens. Returns 0, or the seconds (at least 1) until they are available. */
  take(key: string, n = 1): number {
    const { burst, perSecond } = this.#rate;
    const now = this.#now();
    const known = this.#buckets.get(key);
    const tokens = known === undefined ? burst : Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond);
    const enough = tokens >= n;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: enough ? tokens - n : tokens, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_KEYS && oldest !== undefined) this.#buckets.delete(oldest);
    return enough ? 0 : Math.max(1, Math.ceil((n - tokens) / perSecond));
  }
}

/** The key of an address: the /64 for IPv6, because each user has a whole one (RFC 6177). */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(':')) return v4 ?? address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
