/** Routes each request by its path as it was sent, after admission: nothing is decoded or resolved. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clerk } from '../clerk/clerk.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { plainTracer } from '../tracing/tracer.ts';
import { type AccessLine, beginAccessLine, knownMethod, refusedFor } from './access-line.ts';
import type { ServerAddresses } from './addresses.ts';
import { type BearerCheck, type Challenger, METADATA_PATH } from './authenticate.ts';
import type { Endpoint } from './endpoint.ts';
import { COMMON_HEADERS, errorReply, send } from './exchange.ts';
import { cameThroughProxy, metricsPage, type Readiness, readinessPage, stoppingPage } from './operator-pages.ts';

const INBOX_PATH = '/approve/';

/** The status in the log of a request whose caller left before the reply. Never sent. Proxies log the same number. */
const CALLER_LEFT = 499;

/** Routes without spans: else most spans would be those of probes and scrapes. */
const UNTRACED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Headers that the server acts on. Node keeps the first of some and joins others, so a second one is refused. */
const NEVER_TWICE = [
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-encoding',
  'content-length',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'traceparent',
] as const;

/** Paths that answer under any Host, for probes from inside the network: their answers carry no data. */
const PROBES = ['/healthz', '/readyz'];

/** Allow-listed fields only: no address, no header, no body. */
export interface HttpLog {
  answered(line: AccessLine): void;
  failure(fields: { reference: string; error: unknown }): void;
  /** The answer to readiness probes has changed. Without reasons: ready. */
  readiness?(reasons: readonly string[]): void;
}

/** Returns the function that logs a failure under a new reference. */
export const failureLogger = (log: HttpLog | undefined) => (error: unknown) =>
  log?.failure({ reference: crypto.randomUUID().slice(0, 8), error });

/** Pages below one path, such as the approval page. */
export interface Mount {
  /** `/approve/` */
  readonly prefix: string;
  /** Answers one request. Never rejects. */
  handle(request: IncomingMessage): Promise<Response>;
}

/** The steps of stopping. */
export interface Phase {
  /** Readiness probes fail; calls are still accepted. */
  draining: boolean;
  /** No more calls are accepted. */
  closing: boolean;
  /** Time of the last readiness probe, monotonic milliseconds. */
  probedAt?: number;
}

interface RouterOptions {
  /** Absent: every program on this machine may read metrics. */
  readonly checkScraper: BearerCheck | undefined;
  readonly clerk: Pick<Clerk, 'runtime' | 'options'>;
  ready(): Promise<Readiness>;
  readonly addresses: ServerAddresses;
  readonly endpoint: Endpoint;
  readonly challenger?: Challenger;
  readonly metrics?: Metrics;
  readonly mounts: readonly Mount[];
  readonly log?: HttpLog;
  readonly phase: Phase;
}

type RouteAnswer = (incoming: IncomingMessage, outgoing: ServerResponse) => Response | Promise<Response>;

interface FoundRoute {
  /** Names it in logs, metrics and traces: the path, or what begins the paths of a page. */
  readonly label: string;
  readonly answer: RouteAnswer;
}

export function createRouter(options: RouterOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { phase, log } = options;
  const { tracer = plainTracer } = options.clerk.options;
  const logFailure = failureLogger(log);
  const findRoute = createRoutes(options);

  /** Returns the reply to a request, also if the answer fails. */
  async function reply(answer: RouteAnswer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<Response> {
    try {
      return admit(requestPath(incoming), incoming, options) ?? (await answer(incoming, outgoing));
    } catch (error) {
      // A caller who leaves during a request is not an error.
      if (!incoming.destroyed || incoming.complete) logFailure(error);
      return errorReply(500, 'Something went wrong inside fareclerk.');
    }
  }

  /** Answers a request, and ends its span and its line in the log. */
  async function run(route: FoundRoute, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const endAccessLine = beginAccessLine(incoming, route.label, options);
    const closed = Promise.withResolvers<void>();
    outgoing.once('close', closed.resolve);
    outgoing.setHeaders(COMMON_HEADERS);
    if (phase.draining) outgoing.setHeader('connection', 'close');

    void reply(route.answer, incoming, outgoing)
      .then((response) => send(outgoing, response))
      .catch((error) => {
        logFailure(error);
        outgoing.destroy();
      });

    // The request also ends when its caller leaves, however long the reply takes.
    await closed.promise;
    const status = outgoing.headersSent ? outgoing.statusCode : CALLER_LEFT;
    tracer.mark({ 'http.response.status_code': status });
    if (status >= 500) tracer.fail(String(status));
    endAccessLine(status);
  }

  return (incoming, outgoing) => {
    const route = findRoute(requestPath(incoming));
    const { label } = route;
    if (UNTRACED.has(label)) return void run(route, incoming, outgoing);

    const method = knownMethod(incoming);
    // Traces the route and not the path, which may name an operation or a one-time key.
    const fields = { 'http.request.method': method, 'http.route': label };
    const about = { name: `${method} ${label}`, kind: 'server', fields } as const;
    void tracer.serve(incoming.headers, about, () => run(route, incoming, outgoing));
  };
}

/** Returns the function that finds the route of a path. */
function createRoutes(options: RouterOptions): (path: string) => FoundRoute {
  const { ready, addresses, endpoint, challenger, phase, metrics, mounts, checkScraper } = options;
  const { base, publicHosts } = addresses;
  const isOutside = (request: IncomingMessage) => cameThroughProxy(request, publicHosts);
  const answers = new Map<string, RouteAnswer>();

  const whileOpen =
    (answer: RouteAnswer): RouteAnswer =>
    (incoming, outgoing) =>
      phase.closing ? stopping() : answer(incoming, outgoing);

  const page = (path: string, show: RouteAnswer) =>
    answers.set(path, (incoming, outgoing) =>
      // A HEAD request gets the headers of GET; `send` leaves out the body.
      incoming.method === 'GET' || incoming.method === 'HEAD' ? show(incoming, outgoing) : onlyGet(),
    );

  for (const path of ['/mcp', `${base}/mcp`]) answers.set(path, whileOpen(endpoint.handle));

  // Leads a person who typed the address of the server to the inbox.
  if (mounts.some(({ prefix }) => prefix === INBOX_PATH)) {
    const toInbox = () => new Response(null, { status: 302, headers: { location: base + INBOX_PATH } });
    for (const path of ['/', '/approve', `${base}/`, `${base}/approve`]) page(path, toInbox);
  }

  page('/healthz', () => Response.json({ status: 'alive' }));
  page('/readyz', async (request) => {
    phase.probedAt = performance.now();
    const outside = isOutside(request);
    return phase.draining ? stoppingPage(outside) : readinessPage(await ready(), outside);
  });
  if (metrics)
    page('/metrics', (request) => (isOutside(request) ? notFound() : metricsPage(request, metrics, checkScraper)));

  // Clients ask at the root, or with the path of the resource behind it (RFC 9728, section 3.1).
  if (challenger)
    for (const ending of ['', '/mcp', `${base}/mcp`]) page(METADATA_PATH + ending, () => challenger.metadata());

  return (path) => {
    const answer = answers.get(path);
    if (answer !== undefined) return { label: path, answer };
    const mount = mounts.find(({ prefix }) => path.startsWith(base + prefix));
    return mount === undefined
      ? { label: 'other', answer: notFound }
      : { label: mount.prefix, answer: whileOpen((incoming) => mount.handle(incoming)) };
  };
}

function onlyGet(): Response {
  return errorReply(405, 'Only GET is allowed here.', { allow: 'GET, HEAD' });
}

function stopping(): Response {
  return errorReply(503, 'The server is stopping.', { 'retry-after': '5', connection: 'close' });
}

function notFound(): Response {
  return errorReply(404, 'Not found: the server answers at /mcp.');
}

/** Returns the path as it was sent: nothing is decoded or resolved. Only a slash after /mcp is left out, because hosts add one. */
function requestPath(request: IncomingMessage | undefined): string {
  const [path = ''] = (request?.url ?? '').split('?', 1);
  return path.endsWith('/mcp/') ? path.slice(0, -1) : path;
}

interface AdmissionOptions extends Pick<RouterOptions, 'checkScraper'> {
  readonly addresses: ServerAddresses;
}

/** Returns the reply to a request that must not be routed: by its address, its site, or a header that matters and comes twice. */
function admit(
  path: string,
  request: IncomingMessage,
  { addresses, checkScraper }: AdmissionOptions,
): Response | undefined {
  if (!path.startsWith('/')) return errorReply(400, 'The address of the request must be a path.');
  if (PROBES.includes(path)) return undefined;
  const repeatedHeader = NEVER_TWICE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
  if (repeatedHeader !== undefined) return errorReply(400, `The header ${repeatedHeader} comes more than once.`);
  // Metrics with a token answer under any Host: Prometheus finds its targets by number.
  const allowsAnyHost = path === '/metrics' && checkScraper !== undefined;
  return (allowsAnyHost ? undefined : wrongHost(request, addresses)) ?? wrongOrigin(request, addresses);
}

/** Refuses a Host header that is not, to the letter, one of our addresses. */
function wrongHost(request: IncomingMessage, { hosts }: ServerAddresses): Response | undefined {
  const { host } = request.headers;
  if (host === undefined || host === '') return errorReply(400, 'The Host header is missing.');
  if (hosts.has(host.toLowerCase())) return undefined;
  return refusedFor(request, 'host', errorReply(403, 'The Host header is not an address of this server.'));
}

/** Refuses an Origin that is not on the list; `null` never is. Programs send none. */
function wrongOrigin(request: IncomingMessage, { origins }: ServerAddresses): Response | undefined {
  const { origin } = request.headers;
  if (origin === undefined || origins.has(origin)) return undefined;
  return refusedFor(request, 'origin', errorReply(403, 'Requests from this Origin are not allowed.'));
}
