/**
 * HTTP by hand: requests that no client library would send, and replies as they came.
 */
import { connect, type Socket } from 'node:net';

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** In order, twice if wanted. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** By port: the token of a server that was given none of its own. Requests to it carry the token. */
export const usualTokens = new Map<number, string>();

function usualToken(port: number): [string, string][] {
  const token = usualTokens.get(port);
  return token === undefined ? [] : [['authorization', `Bearer ${token}`]];
}

/** Sends one request on a connection of its own and reads the reply to its end. */
export async function raw(port: number, request: RawRequest) {
  const { headers = [], body = '' } = request;
  const has = (name: string) => headers.some(([header]) => header.toLowerCase() === name);
  const framing: [string, string][] = [
    ...(has('authorization') ? [] : usualToken(port)),
    ...(has('content-length') || has('transfer-encoding') ? [] : [['content-length', `${Buffer.byteLength(body)}`]]),
    ...(has('connection') ? [] : [['connection', 'close']]),
  ] as [string, string][];
  const head = headOf({ ...request, headers: [...headers, ...framing] });
  return exchange(port, Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]));
}

/** A request up to its body. */
export function headOf({ method = 'POST', path = '/mcp', headers = [] }: RawRequest): string {
  return `${[`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;
}

export async function exchange(port: number, bytes: Buffer) {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A reset after the reply is how a refused upload ends.
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve());
  });
  const [head = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  const named = fields.map((field) => /^([^:]*):\s*(.*?)\s*$/.exec(field)?.slice(1) ?? []);
  const headers = Object.fromEntries(named.map(([name = '', value = '']) => [name.toLowerCase(), value]));
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') };
}

export function open(port: number, host = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Headers of a good call of 2025-era. */
export function goodHeaders(port: number): [string, string][] {
  return [
    ['host', `127.0.0.1:${port}`],
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
    ...usualToken(port),
  ];
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message in the form of the 2025 handshakes, which take it without a session. */
export const message = (method: string, params: object = {}, id = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const LIST = message('tools/list');

export const callBody = (name: string, args: object = {}, id = 1): string =>
  message('tools/call', { name, arguments: args }, id);

/** The JSON-RPC message in a reply, whether it came as JSON or as one event. */
export function messageIn(body: string): { readonly [key: string]: unknown } {
  const event = /^data: (.*)$/m.exec(body)?.[1];
  return JSON.parse(event ?? /\{[\s\S]*\}/.exec(body)?.[0] ?? '{}');
}
