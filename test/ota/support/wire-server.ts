/**
 * An airline's socket that sends what the test scripts: raw bytes over net or tls, which may break any rule of HTTP.
 */
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; `{}` where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** 0-based, over all connections. */
  readonly index: number;
  /** 0-based connection it came on. */
  readonly connection: number;
}

export type Answer = (request: Received, socket: Socket) => unknown;

export interface WireServer {
  readonly origin: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Bytes of all requests, whole or not. */
  readonly bytes: number;
  readonly connections: number;
  close(): Promise<void>;
}

export interface WireOptions {
  readonly tls?: boolean;
  /** Called with each new connection, before anything is read. */
  readonly onConnection?: (socket: Socket, index: number) => void;
}

export async function startWire(answer: Answer, options: WireOptions = {}): Promise<WireServer> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let bytes = 0;
  let connections = 0;

  const onSocket = (socket: Socket): void => {
    const connection = connections;
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    options.onConnection?.(socket, connection);
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      pending = Buffer.concat([pending, chunk]);
      for (let next = parse(pending); next !== undefined; next = parse(pending)) {
        pending = pending.subarray(next.length);
        const request = { ...next.request, index: received.length, connection };
        received.push(request);
        answer(request, socket);
      }
    });
  };
  const server = options.tls
    ? createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, onSocket)
    : createServer(onSocket);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    received,
    get bytes() {
      return bytes;
    },
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function parse(buffer: Buffer): { length: number; request: Omit<Received, 'index' | 'connection'> } | undefined {
  const end = buffer.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [start = '', ...lines] = buffer.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (buffer.length < length) return undefined;
  const [method = '', path = ''] = start.split(' ');
  const text = buffer.subarray(end + 4, length).toString('utf8');
  const isJson = headers['content-type'] === 'application/json';
  return { length, request: { method, path, headers, text, body: isJson ? JSON.parse(text) : {} } };
}

/** A whole HTTP/1.1 reply. An object is written as JSON. */
/** What a test double says of itself. */
const DOUBLE = { 'fareclerk-test-double': 'wire' };

export function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const all = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...DOUBLE, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`), bytes]);
}
