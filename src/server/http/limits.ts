/**
 * Sizes, times and rates of the HTTP server.
 */

export interface Rate {
  /** Most at once. */
  readonly burst: number;
  readonly perSecond: number;
}

export interface HttpLimits {
  readonly bodyBytes: number;
  /** Objects and arrays within one another. */
  readonly jsonDepth: number;
  /** Messages in one body (the 2025-03-26 handshake may send several). */
  readonly batch: number;
  /** All headers together; beyond it 431. */
  readonly headerBytes: number;
  /** For the headers, and for the whole request, to come in, milliseconds: not for the answer. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** An idle connection is kept so long, milliseconds: longer than load balancers keep theirs. */
  readonly keepAliveMs: number;
  readonly connections: number;
  readonly requestsPerConnection: number;
  /** Calls of one caller. */
  readonly calls: Rate;
  /** Calls of one caller under way at once. */
  readonly callsAtOnce: number;
  /** Refused tokens of one address. */
  readonly refusals: Rate;
  /** Open `subscriptions/listen` streams: the tools never change, so nothing is lost by few. */
  readonly subscriptions: number;
  /** How long calls under way are awaited when the server stops, milliseconds. */
  readonly graceMs: number;
  /** Between saying "not ready" and taking no more connections, milliseconds, where a load balancer looks. */
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
