/** The numbers that limit callers of the HTTP server: sizes, times, rates, and connections at once. */

import type { Rate } from '../clerk/request-rates.ts';
import { MOST_LEVELS } from '../core/text-limits.ts';

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
  /** Open `subscriptions/listen` streams: few, because the tools never change. */
  subscriptions: 64,
  /** How long the server waits for calls in flight when it stops. */
  graceMs: 60_000,
  /** Time between "not ready" and closing, if a load balancer probes. */
  drainMs: 0,
};

export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
