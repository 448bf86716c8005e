/** Stops the server without losing a call that was begun. */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clerk } from '../clerk.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpLimits } from './limits.ts';
import type { Phase } from './router.ts';

interface ShutDownOptions {
  readonly server: Server;
  readonly clerk: Pick<Clerk, 'idle'>;
  readonly endpoint: Endpoint;
  readonly phase: Phase;
  readonly limits: Pick<HttpLimits, 'drainMs' | 'graceMs'>;
  /** Called first: ends what can end while calls go on. */
  draining?(): void;
  /** Closes store, sockets and sandbox. */
  close(): Promise<void>;
}

/** Load balancers probe more often than this. */
const WATCH_MS = 30_000;
/** Time for replies that are being written. */
const LAST_REPLIES_MS = 1_000;

/** Reports "not ready", takes no new connections, waits for calls and operations up to the grace, then closes everything. */
export async function shutDown({
  server,
  clerk,
  endpoint,
  phase,
  limits,
  draining,
  close,
}: ShutDownOptions): Promise<void> {
  phase.draining = true;
  draining?.();
  if (isWatched(phase)) await sleep(limits.drainMs);
  phase.closing = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await endpoint.endStreams();
  await waitAtMost(limits.graceMs, finished(endpoint, clerk));
  server.closeIdleConnections();
  // Operations still being sent after the grace are in doubt; the next start settles them.
  await waitAtMost(LAST_REPLIES_MS, closed);
  await endpoint.close();
  server.closeAllConnections();
  await closed;
  await close();
}

/** Whether a load balancer probes: only then does it need time to see that we stop. */
function isWatched({ probedAt }: Phase): boolean {
  return probedAt !== undefined && performance.now() - probedAt < WATCH_MS;
}

async function finished(endpoint: Endpoint, clerk: Pick<Clerk, 'idle'>): Promise<void> {
  await endpoint.idle();
  await clerk.idle();
}

async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}
