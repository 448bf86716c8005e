/** Checks every request before it is routed: its address, its site, and that no header that matters comes twice. */
import type { IncomingMessage } from 'node:http';
import type { ServerAddresses } from './addresses.ts';
import { errorReply } from './error-reply.ts';
import type { MetricsAccess } from './operator-pages.ts';
import { refusedFor } from './request-notes.ts';

/** Headers that decide something. Node keeps the first of some and joins others, so a second one is refused. */
const SINGLE = [
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-encoding',
  'content-length',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'traceparent',
] as const;

interface AdmissionOptions extends Pick<MetricsAccess, 'checkScraper'> {
  readonly addresses: ServerAddresses;
}

/** Probes from inside the network, whatever Host they use: their answers carry no data. */
const PROBES = ['/healthz', '/readyz'];

/** Returns the reply to a request that must not be routed. */
export function admit(
  path: string,
  request: IncomingMessage,
  { addresses, checkScraper }: AdmissionOptions,
): Response | undefined {
  if (!path.startsWith('/')) return errorReply(400, 'The address of the request must be a path.');
  if (PROBES.includes(path)) return undefined;
  const twice = SINGLE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
  if (twice !== undefined) return errorReply(400, `The header ${twice} comes more than once.`);
  // With a token of its own it may be asked by address: Prometheus finds its targets by number.
  const anyHost = path === '/metrics' && checkScraper !== undefined;
  return (anyHost ? undefined : wrongHost(request, addresses)) ?? wrongOrigin(request, addresses);
}

/** The Host header must be one of our addresses, to the letter. */
function wrongHost(request: IncomingMessage, { hosts }: ServerAddresses): Response | undefined {
  const { host } = request.headers;
  if (host === undefined || host === '') return errorReply(400, 'The Host header is missing.');
  if (hosts.has(host.toLowerCase())) return undefined;
  return refusedFor(request, 'host', errorReply(403, 'The Host header is not an address of this server.'));
}

/** Programs send no Origin. A browser's must be on the list; `null` never is. */
function wrongOrigin(request: IncomingMessage, { origins }: ServerAddresses): Response | undefined {
  const { origin } = request.headers;
  if (origin === undefined || origins.has(origin)) return undefined;
  return refusedFor(request, 'origin', errorReply(403, 'Requests from this Origin are not allowed.'));
}
