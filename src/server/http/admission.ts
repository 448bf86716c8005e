/** Checks every request before it is routed: its address, its site, and that no header that matters comes twice. */
import type { IncomingMessage } from 'node:http';
import type { ServerAddresses } from './addresses.ts';
import { errorReply } from './error-reply.ts';

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

interface AdmissionOptions {
  readonly addresses: ServerAddresses;
  /** With a token /metrics may be asked by address: Prometheus finds its targets by number. */
  readonly metricsToken?: string;
}

/** Probes from inside the network, whatever Host they use: their answers carry no data. */
const PROBES = ['/healthz', '/readyz'];

/** Returns the reply to a request that must not be routed. */
export function admit(
  path: string,
  request: IncomingMessage,
  { addresses, metricsToken }: AdmissionOptions,
): Response | undefined {
  if (!path.startsWith('/')) return errorReply(400, 'The address of the request must be a path.');
  if (PROBES.includes(path)) return undefined;
  const twice = SINGLE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
  if (twice !== undefined) return errorReply(400, `The header ${twice} comes more than once.`);
  const anyHost = path === '/metrics' && metricsToken !== undefined;
  return (anyHost ? undefined : wrongHost(request, addresses)) ?? wrongOrigin(request, addresses);
}

/** The Host header must be one of our addresses, to the letter. */
function wrongHost({ headers: { host } }: IncomingMessage, { hosts }: ServerAddresses): Response | undefined {
  if (host === undefined || host === '') return errorReply(400, 'The Host header is missing.');
  return hosts.has(host.toLowerCase())
    ? undefined
    : errorReply(403, 'The Host header is not an address of this server.');
}

/** Programs send no Origin. A browser's must be on the list; `null` never is. */
function wrongOrigin({ headers: { origin } }: IncomingMessage, { origins }: ServerAddresses): Response | undefined {
  if (origin === undefined || origins.has(origin)) return undefined;
  return errorReply(403, 'Requests from this Origin are not allowed.');
}
