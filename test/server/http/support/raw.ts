/**
 * HTTP by hand: requests that no client library would send, and replies as they came.
 */
import { connect, type Socket } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** In order, twice if wanted. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** Sends one request on a connection of its own and reads the reply to its end. */
export async function raw(port: number, request: RawRequest): Promise<RawReply> {
  const { method = 'POST', path = '/mcp', headers = [], body = '' } = request;
  const has = (name: string) => headers.some(([header]) => header.toLowerCase() === name);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(has('content-length') || has('transfer-encoding') ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    ...(has('connection') ? [] : ['connection: close']),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return exchange(port, Buffer.concat([head, Buffer.from(body)]));
}

export function exchange(port: number, bytes: Buffer): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    // A reset after the reply is how a refused upload ends.
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('utf8'))));
  });
}

export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

function parse(text: string): RawReply {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf(':');
      return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') };
}

/** Headers of a good call of 2025-era. */
export function goodHeaders(port: number): [string, string][] {
  return [
    ['host', `127.0.0.1:${port}`],
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ];
}

export const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** A call in the form of the 2025 handshakes, which take it without a session. */
export function callBody(name: string, args: object = {}, id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
}

/** The JSON-RPC message in a reply, whether it came as JSON or as one event. */
export function messageIn(body: string): { readonly [key: string]: unknown } {
  const event = /^data: (.*)$/m.exec(body)?.[1];
  const text = event ?? /\{[\s\S]*\}/.exec(body)?.[0] ?? '{}';
  return JSON.parse(text);
}
