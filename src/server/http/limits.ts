/**
 * Sizes, times and rates of the HTTP server.
 */

export interface Rate {
  /** The most at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface HttpLimits {
  readonly bodyBytes: number;
  /** Nesting of objects and arrays. */
  readonly jsonDepth: number;
  /** Messages in one body (2025-03-26 may send several). */
  readonly batch: number;
  /** All headers together; above it 431. */
  readonly headerBytes: number;
  /** Time in which the headers must arrive, milliseconds. */
  readonly headersMs: number;
  /** Time in which the whole request must arrive, milliseconds. */
  readonly requestMs: number;
  /** How long idle connections stay open, milliseconds: longer than at load balancers. */
  readonly keepAliveMs: number;
  readonly connections: number;
  readonly requestsPerConnection: number;
  /** Calls of one caller. */
  readonly calls: Rate;
  /** Calls of one caller in flight. */
  readonly callsAtOnce: number;
  /** Refused tokens of one address. */
  readonly refusals: Rate;
  /** Open `subscriptions/listen` streams: few, because the tools never change. */
  readonly subscriptions: number;
  /** How long the server waits for calls in flight when it stops, milliseconds. */
  readonly graceMs: number;
  /** Time between "not ready" and closing, milliseconds, if a load balancer probes. */
  readonly drainMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 256 * 1024,
  jsonDepth: 32,
  batch: 16,
  headerBytes: 8 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  connections: 1_000,
  requestsPerConnection: 10_000,
  calls: { burst: 120, perSecond: 20 },
  callsAtOnce: 32,
  refusals: { burst: 20, perSecond: 0.5 },
  subscriptions: 64,
  graceMs: 60_000,
  drainMs: 0,
};
