/**
 * Which request goes where. Exact paths only; every refusal is ours.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clerk } from '../clerk.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Addresses } from './addresses.ts';
import { ambiguous, corsHeaders, foreignOrigin, misdirected, preflight } from './admission.ts';
import { type Challenger, METADATA_PATH } from './challenge.ts';
import type { Endpoint } from './endpoint.ts';
import { json, type Reply, refusal, send, setCommonHeaders } from './error-reply.ts';
import { cameThroughProxy, metricsPage, readiness, withoutDetails } from './pages.ts';

/** Allow-listed fields only: no address, no header, no body. */
export interface HttpLog {
  answered(fields: { route: string; method: string; status: number; ms: number }): void;
  failure(fields: { reference: string; error: unknown }): void;
}

/** A page of another part, below a path of its own. */
export interface Mount {
  /** `/approve/` */
  readonly prefix: string;
  /** Answers one request. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** How far stopping has come. */
export interface Phase {
  /** Said to load balancers; calls are still taken. */
  draining: boolean;
  /** Calls are taken no more. */
  closing: boolean;
  /** When somebody last asked whether we are ready, monotonic milliseconds. */
  lookedAt?: number;
}

export interface RouterOptions {
  readonly clerk: Clerk;
  readonly addresses: Addresses;
  readonly endpoint: Endpoint;
  readonly challenger?: Challenger;
  readonly metrics?: Metrics;
  readonly metricsToken?: string;
  readonly mounts: readonly Mount[];
  readonly log?: HttpLog;
  readonly phase: Phase;
}

/** A reply to send, or undefined where it was answered already. */
type Answered = Promise<Reply | undefined> | Reply | undefined;
type Route = (request: IncomingMessage, response: ServerResponse) => Answered;

/** For whoever watches the process from within its network, under whatever name: they say nothing else. */
const OPEN = ['/healthz', '/readyz'];

export function createRouter(options: RouterOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { addresses, phase, log, metrics } = options;
  const routes = routesOf(options);
  const mountAt = (path: string) => options.mounts.find(({ prefix }) => path.startsWith(addresses.base + prefix));

  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = admit(path, request, response, options);
    if (refused !== undefined) return send(response, refused);
    const mount = mountAt(path);
    if (mount !== undefined) return phase.closing ? send(response, stopping()) : mount.handle(request, response);
    const reply = await (routes.get(path) ?? notFound)(request, response);
    if (reply !== undefined) send(response, reply);
  }

  return (request, response) => {
    const started = performance.now();
    const path = pathOf(request);
    const known = routes.has(path) ? path : (mountAt(path)?.prefix ?? 'other');
    setCommonHeaders(response);
    if (phase.draining) response.setHeader('connection', 'close');
    response.once('close', () => {
      const { statusCode: status } = response;
      metrics?.answered(known, status);
      log?.answered({ route: known, method: methodOf(request), status, ms: Math.round(performance.now() - started) });
    });
    answer(path, request, response).catch((error) => {
      // A caller who leaves in the middle of a request is no failure of ours.
      if (!request.destroyed || request.complete) log?.failure({ reference: crypto.randomUUID().slice(0, 8), error });
      send(response, refusal(500, 'Something went wrong inside fareclerk.'));
    });
  };
}

function routesOf({ clerk, addresses, endpoint, challenger, phase, ...options }: RouterOptions): Map<string, Route> {
  const { metrics, metricsToken } = options;
  const seenOutside = (request: IncomingMessage) => cameThroughProxy(request, addresses.publicHosts);
  const routes = new Map<string, Route>();
  const mcp: Route = async (request, response) => {
    if (phase.closing) return stopping();
    await endpoint.handle(request, response);
    return undefined;
  };
  routes.set('/mcp', mcp).set(`${addresses.base}/mcp`, mcp);
  routes.set(
    '/healthz',
    reading(() => json(200, { status: 'alive' })),
  );
  routes.set(
    '/readyz',
    reading(async (request) => {
      phase.lookedAt = performance.now();
      const reply = await readiness(clerk, phase.draining);
      return seenOutside(request) ? withoutDetails(reply) : reply;
    }),
  );
  if (metrics)
    routes.set(
      '/metrics',
      reading((request) => (seenOutside(request) ? notFound() : metricsPage(request, metrics, metricsToken))),
    );
  if (challenger) {
    const metadata = reading(() => challenger.metadata());
    for (const tail of ['', '/mcp', `${addresses.base}/mcp`]) routes.set(METADATA_PATH + tail, metadata);
  }
  return routes;
}

function admit(path: string, request: IncomingMessage, response: ServerResponse, options: RouterOptions) {
  const { addresses, metricsToken } = options;
  if (!request.url?.startsWith('/')) return refusal(400, 'The address of the request must be a path.');
  if (OPEN.includes(path)) return undefined;
  const twice = ambiguous(request);
  if (twice !== undefined) return twice;
  // Prometheus finds its targets by number; with a token nothing rests on the name.
  const named = path === '/metrics' && metricsToken !== undefined;
  const foreign = (named ? undefined : misdirected(request, addresses)) ?? foreignOrigin(request, addresses);
  if (foreign !== undefined) return foreign;
  for (const [name, value] of Object.entries(corsHeaders(request, addresses))) {
    if (value !== undefined) response.setHeader(name, value);
  }
  return preflight(request, addresses);
}

function stopping(): Reply {
  return refusal(503, 'The server is stopping.', { 'retry-after': '5', connection: 'close' });
}

function reading(page: (request: IncomingMessage) => Reply | Promise<Reply>): Route {
  return (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return page(request);
    return refusal(405, 'Only GET is taken here.', { allow: 'GET, HEAD' });
  };
}

function notFound(): Reply {
  return refusal(404, 'Nothing is here: the server answers at /mcp.');
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** A closed list: methods are free text on the wire. */
function methodOf({ method }: IncomingMessage): string {
  return ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT'].find((one) => one === method) ?? 'other';
}
