/**
 * Stopping: nothing that was begun is lost by it.
 */
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clerk } from '../clerk.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpLimits } from './limits.ts';
import type { Phase } from './router.ts';

export interface Stopping {
  readonly server: Server;
  readonly clerk: Pick<Clerk, 'idle'>;
  readonly endpoint: Endpoint;
  readonly phase: Phase;
  readonly limits: Pick<HttpLimits, 'drainMs' | 'graceMs'>;
  /** Closes store, sockets and sandbox. */
  close(): Promise<void>;
}

/** Balancers look more often than this, milliseconds. */
const WATCH_MS = 30_000;
/** How long answers that are being written may hold up closing, milliseconds. */
const LAST_WORDS_MS = 1_000;

/** Not ready; no new connections; calls under way and operations being sent finish, or the grace ends; all is closed. */
export async function shutDown({ server, clerk, endpoint, phase, limits, close }: Stopping): Promise<void> {
  phase.draining = true;
  if (isWatched(phase)) await sleep(limits.drainMs);
  phase.closing = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await endpoint.endStreams();
  await within(limits.graceMs, finished(endpoint, clerk));
  server.closeIdleConnections();
  // Past the grace the journal has what is being sent in doubt, and the next start settles it.
  await within(LAST_WORDS_MS, closed);
  await endpoint.close();
  server.closeAllConnections();
  await closed;
  await close();
}

/** A balancer looks, and is given the time to see it; where nobody does there is nobody to wait for. */
function isWatched({ lookedAt }: Phase): boolean {
  return lookedAt !== undefined && performance.now() - lookedAt < WATCH_MS;
}

async function finished(endpoint: Endpoint, clerk: Pick<Clerk, 'idle'>): Promise<void> {
  await endpoint.idle();
  await clerk.idle();
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}
