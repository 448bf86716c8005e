/** The limits of the HTTP server: sizes, times, rates, and connections at once. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Rate {
  /** The most at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export const HTTP_LIMITS = {
  bodyBytes: 256 * 1024,
  /** Nesting of objects and arrays. */
  jsonDepth: 32,
  /** Messages in one body (2025-03-26 may send several). */
  batch: 16,
  /** All headers together. Larger ones get status 431. */
  headerBytes: 8 * 1024,
  /** Time in which the headers, and the whole request, must arrive. */
  headersMs: 5_000,
  requestMs: 30_000,
  /** How long idle connections stay open: longer than at load balancers. */
  keepAliveMs: 65_000,
  /** Open at once: above it the longest idle one makes room. */
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

interface TokenBucket {
  tokens: number;
  at: number;
}

/** Above this number the least recently used key is dropped: its bucket is the fullest. */
const MAX_KEYS = 10_000;

/** Token buckets, one per key, in bounded memory. */
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

/**
 * So that whoever holds many idle ones shuts nobody out: above the bound a new connection takes the place of the one that has been without a request for longest, whether it
 * sent nothing yet or was answered. A request that is being answered is never cut off: if all are, the new one is refused.
 */
export function boundConnections(server: Server, wanted: number): void {
  const most = Math.min(wanted, descriptorsFor(wanted));
  const open = new Set<Socket>();
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  const answering = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    for (const set of [open, idle]) set.add(socket);
    socket.once('close', () => {
      for (const set of [open, idle]) set.delete(socket);
    });
    const [longest] = idle;
    if (open.size > most) longest?.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = (answering.get(socket) ?? 1) - 1;
      answering.set(socket, left);
      // A client may send the next request before it has the answer.
      if (left === 0 && open.has(socket)) idle.add(socket);
    });
  });
}

/** Descriptors kept for files, the store and the airline: without any, no request could be answered. */
const OTHER_DESCRIPTORS = 128;

/** Connections that fit the descriptor limit of this process, at least 8. */
function descriptorsFor(wanted: number): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? wanted : Math.max(8, Number(soft) - OTHER_DESCRIPTORS);
  } catch {
    return wanted;
  }
}
