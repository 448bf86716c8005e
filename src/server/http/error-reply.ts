/**
 * Answers of our own, before or instead of MCP's.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** On every answer: nothing of ours is to be kept, guessed at or framed. */
const ALWAYS: OutgoingHttpHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const SERVER_ERROR = -32_000;

export function json(status: number, value: unknown, headers: OutgoingHttpHeaders = {}): Reply {
  return { status, body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...headers } };
}

/** A refusal as JSON-RPC clients read it. The words are ours: nothing of the request is repeated. */
export function refusal(
  status: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
  code: number = SERVER_ERROR,
): Reply {
  return json(status, { jsonrpc: '2.0', error: { code, message }, id: null }, headers);
}

export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(ALWAYS)) if (value !== undefined) response.setHeader(name, value);
}

export function send(response: ServerResponse, { status, body = '', headers = {} }: Reply): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(response.req.method === 'HEAD' ? '' : body);
}
