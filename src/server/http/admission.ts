/**
 * Whether a request may come in at all: where it was sent, from which site, and that its headers say one thing.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Addresses } from './addresses.ts';
import { type Reply, refusal } from './error-reply.ts';

/** Headers that decide something here. Node keeps the first of some and joins others; a second one is a trick. */
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

export function ambiguous(request: IncomingMessage): Reply | undefined {
  const twice = SINGLE.find((name) => (request.headersDistinct[name]?.length ?? 0) > 1);
  return twice && refusal(400, `The header ${twice} comes more than once.`);
}

/** The Host header must be an address of ours, to the letter. */
export function misdirected(request: IncomingMessage, { hosts }: Addresses): Reply | undefined {
  const { host } = request.headers;
  if (host === undefined || host === '') return refusal(400, 'The Host header is missing.');
  return hosts.has(host.toLowerCase()) ? undefined : refusal(403, 'The Host header names no address of this server.');
}

/** Programs send no Origin. A browser's must be on the list; `null` never is. */
export function foreignOrigin(request: IncomingMessage, { origins }: Addresses): Reply | undefined {
  const { origin } = request.headers;
  if (origin === undefined || origins.has(origin)) return undefined;
  return refusal(403, 'Requests from this Origin are not taken.');
}

/** Only the sites that were set get CORS headers (Fetch standard). */
export function corsHeaders(request: IncomingMessage, { crossOrigins }: Addresses): OutgoingHttpHeaders {
  const { origin } = request.headers;
  if (crossOrigins.size === 0) return {};
  if (origin === undefined || !crossOrigins.has(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
  };
}

const ALLOWED_HEADERS =
  'Accept, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, traceparent, tracestate';

/** The answer to a browser that asks before it sends. */
export function preflight(request: IncomingMessage, { crossOrigins }: Addresses): Reply | undefined {
  const { origin } = request.headers;
  if (request.method !== 'OPTIONS' || origin === undefined || !crossOrigins.has(origin)) return undefined;
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': '600',
    },
  };
}
