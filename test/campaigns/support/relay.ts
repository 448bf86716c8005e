/**
 * A wire between a clerk and the sandbox airline, on real sockets, that a proof can interfere with: it sees each message
 * by name, and may hold it, lose it, answer in the airline's place or spoil the answer.
 */
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { type Received, reply, startWire, type WireServer } from '../../ota/support/wire-server.ts';
import type { Settings } from './airline.ts';

/** Messages by `local-name` or their own address, as the sandbox names them: `OTA_AirBookRQ`, `token`, `routes`. */
export interface Passing {
  readonly name: string;
  readonly request: Received;
  readonly socket: Socket;
  /** Hands the message to the airline and gives its answer. Once. */
  forward(): Promise<Forwarded>;
}

export interface Forwarded {
  readonly status: number;
  readonly body: string;
}

/** Takes a message over; false: it passes as usual. */
export type Interference = (passing: Passing) => Promise<boolean> | boolean;

export interface Carried {
  readonly name: string;
  readonly status: number;
  readonly body: string;
}

export interface Relay {
  readonly settings: Settings;
  /** Every message that came, in order, whether or not it was handed on. */
  readonly arrived: readonly string[];
  /** Messages that the airline answered. */
  readonly carried: readonly Carried[];
  readonly wire: WireServer;
  interfere(with_: Interference | undefined): void;
  /** Resolves when no message is at the airline. */
  quiet(): Promise<void>;
  /** Forgets what came so far. */
  clear(): void;
  close(): Promise<void>;
}

export interface RelayOptions {
  readonly onConnection?: (socket: Socket, index: number) => void;
}

export async function startRelay(airline: Settings, options: RelayOptions = {}): Promise<Relay> {
  const target = new URL(airline.FARECLERK_BASE_URL ?? '');
  const arrived: string[] = [];
  const carried: Carried[] = [];
  const away = new Set<Promise<unknown>>();
  let interference: Interference | undefined;

  const pass = async (request: Received, socket: Socket): Promise<void> => {
    const name = nameOf(request);
    arrived.push(name);
    let once: Promise<Forwarded> | undefined;
    const forward = () => {
      once ??= handOn(target, request).then((answer) => {
        carried.push({ name, ...answer });
        return answer;
      });
      return once;
    };
    if (interference !== undefined && (await interference({ name, request, socket, forward }))) return;
    const { status, body } = await forward();
    if (!socket.destroyed) socket.write(reply(status, body));
  };

  const wire = await startWire((request, socket) => {
    const passing = pass(request, socket)
      .catch(() => void socket.destroy())
      .finally(() => away.delete(passing));
    away.add(passing);
  }, options.onConnection && { onConnection: options.onConnection });
  const moved = Object.entries(airline).map(([name, value]) => [name, value.replace(target.origin, wire.origin)]);
  return {
    settings: Object.fromEntries(moved),
    arrived,
    carried,
    wire,
    interfere(with_) {
      interference = with_;
    },
    async quiet() {
      while (away.size > 0) await Promise.allSettled(away);
    },
    clear() {
      arrived.length = 0;
      carried.length = 0;
    },
    close: () => wire.close(),
  };
}

export function nameOf({ path, headers }: Received): string {
  const local = headers['local-name'];
  if (local !== undefined) return local;
  if (path.includes('/openid-connect/token')) return 'token';
  if (path.includes('OTA_AirSeatMapRQ')) return 'OTA_AirSeatMapRQ';
  return path.includes('calendar') ? 'calendar' : 'routes';
}

function handOn(target: URL, { method, path, headers, text }: Received): Promise<Forwarded> {
  const { 'content-length': _length, 'accept-encoding': _encoding, connection: _connection, ...kept } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: target.hostname, port: target.port, method, path, headers: { ...kept, host: target.host }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
