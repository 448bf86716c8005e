/**
 * A wire between a clerk and the sandbox airline, on real sockets, that a proof can interfere with: it sees each message
 * by name, and may hold it, lose it, answer in the airline's place or spoil the answer.
 */
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Received, reply, startWire } from '../../ota/support/wire-server.ts';
import type { Settings } from './airline.ts';

/** Messages by `local-name` or their own address, as the sandbox names them: `OTA_AirBookRQ`, `token`, `routes`. */
export interface Passing {
  readonly name: string;
  readonly request: Received;
  readonly socket: Socket;
  /** Hands the message to the airline and gives its answer. Once. */
  forward(): ReturnType<typeof handOn>;
}

/** Takes a message over; false: it passes as usual. */
export type Interference = (passing: Passing) => Promise<boolean> | boolean;

export type Relay = Awaited<ReturnType<typeof startRelay>>;

export async function startRelay(airline: Settings) {
  const target = new URL(airline.FARECLERK_BASE_URL ?? '');
  const arrived: string[] = [];
  const carried: ({ readonly name: string } & Awaited<ReturnType<typeof handOn>>)[] = [];
  const away = new Set<Promise<unknown>>();
  let interference: Interference | undefined;

  const pass = async (request: Received, socket: Socket): Promise<void> => {
    const name = nameOf(request);
    arrived.push(name);
    let once: ReturnType<Passing['forward']> | undefined;
    const forward = () => {
      once ??= handOn(target, request).then((answer) => {
        carried.push({ name, ...answer });
        return answer;
      });
      return once;
    };
    if (interference !== undefined && (await interference({ name, request, socket, forward }))) return;
    const { status, bytes, headers } = await forward();
    if (!socket.destroyed) socket.write(reply(status, bytes, headers));
  };

  const wire = await startWire((request, socket) => {
    const passing = pass(request, socket)
      .catch(() => void socket.destroy())
      .finally(() => away.delete(passing));
    away.add(passing);
  });
  const moved = Object.entries(airline).map(([name, value]) => [name, value.replace(target.origin, wire.origin)]);
  return {
    settings: Object.fromEntries(moved) as Settings,
    /** Every message that came, in order, whether or not it was handed on. */
    arrived: arrived as readonly string[],
    /** Messages that the airline answered. */
    carried: carried as readonly (typeof carried)[number][],
    /** How often a message of that name came. */
    times: (name: string) => arrived.filter((one) => one === name).length,
    interfere(with_: Interference | undefined) {
      interference = with_;
    },
    /** Resolves when no message is at the airline. */
    async quiet() {
      while (away.size > 0) await Promise.allSettled(away);
    },
    /** Forgets what came so far. */
    clear() {
      arrived.length = 0;
      carried.length = 0;
    },
    close: () => wire.close(),
  };
}

function nameOf({ path, headers }: Received): string {
  if (headers['local-name'] !== undefined) return headers['local-name'];
  if (path.includes('/openid-connect/token')) return 'token';
  return /OTA_AirSeatMapRQ|calendar|email|download/.exec(path)?.[0] ?? 'routes';
}

/** Headers of the answer that a clerk heeds. */
const KEPT = ['content-type', 'retry-after', 'location'] as const;

function handOn(target: URL, { method, path, headers, text }: Received) {
  const { 'content-length': _length, 'accept-encoding': _encoding, connection: _connection, ...kept } = headers;
  const options = { host: target.hostname, port: target.port, method, path, agent: false };
  type Answer = { status: number; body: string; bytes: Buffer; headers: Record<string, string> };
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = httpRequest({ ...options, headers: { ...kept, host: target.host } }, (incoming) => {
      const { statusCode: status = 0, headers: theirs } = incoming;
      const known = KEPT.flatMap((name) => (theirs[name] === undefined ? [] : [[name, theirs[name]]]));
      const head = { status, headers: Object.fromEntries(known) };
      resolve(buffer(incoming).then((bytes) => ({ ...head, bytes, body: bytes.toString('utf8') })));
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
