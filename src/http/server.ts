/**
 * Serves MCP on Streamable HTTP: revision 2026-07-28, and without state the 2025 handshakes. node:http has the limits,
 * the SDK has the protocol. In order: serving until a signal, what a server is put together from, binding, stopping.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { requiredScopes } from '../access/scopes.ts';
import type { Clerk } from '../clerk/clerk.ts';
import { ClerkError } from '../core/errors.ts';
import { isLoopback, withoutBrackets } from '../core/hosts.ts';
import { onStopSignal } from '../core/stop-signals.ts';
import type { Caller, SignIn } from '../domain/people/caller.ts';
import { systemClock, within } from '../journal/clock.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { refusedFor } from './access-line.ts';
import { bracketed, serverAddresses } from './addresses.ts';
import {
  type Authenticate,
  authenticateLoopback,
  authenticateToken,
  type BearerCheck,
  type Challenger,
  createBearerCheck,
  createChallenger,
  notingCaller,
} from './authenticate.ts';
import { boundConnections } from './bound-connections.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { errorReply } from './exchange.ts';
import { HTTP_LIMITS, type HttpLimits } from './limits.ts';
import { createReadiness } from './operator-pages.ts';
import { createRouter, failureLogger, type HttpLog, type Mount, type Phase } from './router.ts';
import { createTicketPage, type TicketLinks } from './ticket-links.ts';

/** Without a probe for this time, milliseconds, no load balancer is there: they probe more often. */
const PROBE_MS = 30_000;

/** Time for replies that are being written, milliseconds. */
const LAST_REPLIES_MS = 1_000;

export interface HttpOptions {
  readonly version: string;
  /** Address to bind. All but loopback need `signIn`. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Who calls on loopback without an issuer: the OS user, as on stdio. */
  readonly caller: Caller;
  /** FARECLERK_HTTP_TOKEN. Required without an issuer. */
  readonly token?: string;
  /** FARECLERK_PUBLIC_URL. */
  readonly publicUrl?: string;
  /** With FARECLERK_ISSUER: auth/callers/access-tokens.ts. */
  readonly signIn?: SignIn;
  /** Served at /metrics. */
  readonly metrics?: Metrics;
  /** FARECLERK_METRICS_TOKEN, for /metrics alone. Without it they are for this machine, and without sign-in for no one. */
  readonly metricsToken?: string;
  /** More pages: the approval page at /approve/. */
  readonly mounts?: readonly Mount[];
  /** One-time addresses of tickets, served at /tickets/. */
  readonly ticketLinks?: TicketLinks;
  readonly limits?: Partial<HttpLimits>;
  readonly log?: HttpLog;
  /** Writes commands as they run on this machine, for the operator. */
  readonly typed?: (text: string) => string;
  /** Called when the server begins to stop, to end work that can end while calls go on. */
  draining?(): void;
  /** Closes store, sockets and sandbox. */
  close(): Promise<void>;
}

export interface HttpServing {
  /** For programs on this machine: `http://127.0.0.1:8765/mcp`. */
  readonly url: string;
  readonly port: number;
  /** Takes no new connections, lets calls in flight finish, then closes everything. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves when everything is closed. */
  readonly closed: Promise<void>;
}

/**
 * Serves until a signal; resolves when everything is closed. Calls `begin` once the address is bound: work that needs no
 * call must not begin in a process that cannot serve. If either fails, everything is closed again.
 */
export async function serveOverHttp(
  clerk: Clerk,
  options: HttpOptions & { begin(serving: HttpServing): Promise<void> },
): Promise<void> {
  // The end of the process closes what failed to close.
  const logFailure = failureLogger(options.log);
  const serving = await startHttp(clerk, options).catch(async (error) => {
    await options.close().catch(logFailure);
    throw error;
  });
  const stopListening = onStopSignal(() => void serving.stop().catch(logFailure));

  try {
    await options.begin(serving).catch(async (error) => {
      await serving.stop().catch(logFailure);
      throw error;
    });
    await serving.closed;
  } finally {
    stopListening();
  }
}

/** Binds and serves; the caller decides when to stop. */
export async function startHttp(clerk: Clerk, options: HttpOptions): Promise<HttpServing> {
  const { signIn, metrics, log, host, version, ticketLinks } = options;
  if (signIn === undefined && !isLoopback(host)) throw openToAll();

  const limits = { ...HTTP_LIMITS, ...options.limits };
  const server = createLimitedServer(limits);
  const phase: Phase = { draining: false, closing: false };
  const onFailure = failureLogger(log);

  // Who calls, and what they may reach.
  const challenger = signIn && createChallenger(signIn, requiredScopes(clerk.tools));
  const { token, metricsToken } = options;

  const check = (secret: string | undefined, setting: string, what: string) =>
    secret === undefined ? undefined : createBearerCheck(secret, `${what} need the token of ${setting}.`);
  const checkToken = check(token, 'FARECLERK_HTTP_TOKEN', 'Calls');
  const checkScraper = check(metricsToken, 'FARECLERK_METRICS_TOKEN', 'Metrics');
  const authenticate = notingCaller(authenticator(options, challenger, checkToken));

  // What answers.
  const endpoint = createEndpoint({ clerk, version, authenticate, challenger, metrics, limits, onFailure });

  const requiresSignIn = signIn !== undefined;
  const ticketPage =
    ticketLinks && createTicketPage({ links: ticketLinks, clerk, authenticate, requiresSignIn, onFailure });
  const mounts = [...(options.mounts ?? [])];
  if (ticketPage) mounts.push(ticketPage);

  const port = await listen(server, options, limits);

  metrics?.watchState(clerk);
  metrics?.watchSignIn(signIn);

  const ready = createReadiness({
    clerk,
    signIn,
    typed: options.typed,
    // A check that still runs when the store closes would blame the store.
    onChange(reasons) {
      if (!phase.draining) log?.readiness?.(reasons);
    },
    onFailure,
  });

  const route = createRouter({
    clerk,
    ready,
    addresses: serverAddresses({ ...options, port }),
    endpoint,
    challenger,
    metrics,
    mounts,
    phase,
    log,
    checkScraper: checkScraper ?? (requiresSignIn ? undefined : refuseScraper),
  });
  server.on('request', route);

  let stopping: Promise<void> | undefined;
  const closed = Promise.withResolvers<void>();

  return {
    url: `http://${bracketed(host)}:${port}/mcp`,
    port,
    closed: closed.promise,
    stop() {
      stopping ??= shutDown(options, { server, clerk, endpoint, phase, limits }).finally(closed.resolve);
      return stopping;
    },
  };
}

/** Without sign-in the users of this machine are not told apart: metrics need their token. */
const refuseScraper: BearerCheck = (request) =>
  refusedFor(request, 'no_token', errorReply(403, 'Metrics are off: set FARECLERK_METRICS_TOKEN to read them.'));

/** Finds out who calls: by a token of the issuer, or by the token of the settings. */
function authenticator(
  { signIn, caller }: HttpOptions,
  challenger: Challenger | undefined,
  checkToken: BearerCheck | undefined,
): Authenticate {
  if (signIn && challenger) return authenticateToken(signIn, challenger);
  if (checkToken) return authenticateLoopback(caller, checkToken);
  throw new Error('callers must sign in or bring a token');
}

function createLimitedServer(limits: HttpLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: 1_000,
    noDelay: true,
  });

  boundConnections(server, limits.connections);
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  return server;
}

async function listen(server: Server, { host, port }: HttpOptions, { backlog }: HttpLimits): Promise<number> {
  server.listen({ host: withoutBrackets(host), port, backlog });
  await once(server, 'listening').catch((error) => {
    throw cannotListen(port, error);
  });
  return (server.address() as AddressInfo).port;
}

function openToAll(): ClerkError {
  return new ClerkError('E_CONFIG', 'Other machines can reach this address, so callers must sign in.', {
    next: 'The operator sets FARECLERK_PUBLIC_URL and FARECLERK_ISSUER, or leaves --host at 127.0.0.1.',
  });
}

function cannotListen(port: number, error: Error): ClerkError {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  const what = isTaken ? `Port ${port} is taken by another program.` : `Port ${port} cannot be opened at this address.`;
  return new ClerkError('E_CONFIG', what, { next: 'The operator chooses another --port or --host.', cause: error });
}

interface ServerParts {
  readonly server: Server;
  readonly clerk: Pick<Clerk, 'idle'>;
  readonly endpoint: Endpoint;
  readonly phase: Phase;
  readonly limits: Pick<HttpLimits, 'drainMs' | 'graceMs'>;
}

/** Reports "not ready", takes no new connections, waits for calls and operations up to the grace, then closes everything. */
async function shutDown(options: HttpOptions, { server, clerk, endpoint, phase, limits }: ServerParts): Promise<void> {
  phase.draining = true;
  options.draining?.();
  if (isProbed(phase)) await sleep(limits.drainMs);
  phase.closing = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));

  await endpoint.endStreams();
  await within(systemClock, limits.graceMs, untilIdle(endpoint, clerk));
  server.closeIdleConnections();

  // Operations still being sent after the grace are in doubt; the next start settles them.
  await within(systemClock, LAST_REPLIES_MS, closed);
  await endpoint.close();
  server.closeAllConnections();
  await closed;
  await options.close();
}

/** Whether a load balancer probes: only then does it need time to see that we stop. */
function isProbed({ probedAt }: Phase): boolean {
  return probedAt !== undefined && performance.now() - probedAt < PROBE_MS;
}

async function untilIdle(endpoint: Endpoint, clerk: Pick<Clerk, 'idle'>): Promise<void> {
  await endpoint.idle();
  await clerk.idle();
}
