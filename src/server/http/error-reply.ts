/** Replies that the server writes itself, before or instead of MCP's. */
import type { ServerResponse } from 'node:http';

/** On every reply: clients must not store it, nor guess its type. */
export const COMMON_HEADERS = new Map([
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
]);

const SERVER_ERROR = -32_000;

/** A refusal that JSON-RPC clients can read. `message` must repeat nothing of the request. */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number = SERVER_ERROR,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

export function tooMany(message: string, seconds: number): Response {
  return errorReply(429, message, { 'retry-after': String(seconds) });
}

/** Writes a short reply, unless another was begun or the caller left. */
export async function send(outgoing: ServerResponse, reply: Response): Promise<void> {
  if (outgoing.headersSent) return;
  const body = Buffer.from(await reply.arrayBuffer());
  if (outgoing.headersSent || outgoing.destroyed) return;
  outgoing.setHeaders(reply.headers);
  outgoing.writeHead(reply.status, { 'content-length': body.byteLength });
  outgoing.end(outgoing.req.method === 'HEAD' ? '' : body);
}
