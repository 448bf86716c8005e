/**
 * A transaction pooler in front of PostgreSQL, as PgBouncer is in transaction mode: each transaction of a client goes to
 * whichever server connection is free, never twice in a row to the same. What a client leaves in its session is lost, or
 * worse, found by somebody else.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface Pooler {
  readonly url: string;
  /** Transactions that went to each server connection. */
  readonly carried: readonly number[];
  close(): Promise<void>;
}

/** Messages of protocol 3.0 (PostgreSQL documentation, frontend/backend protocol). */
const PASSWORD_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const PROTOCOL_3 = 196_608;
const [SYNC, QUERY, TERMINATE, READY_FOR_QUERY, IDLE, KEY] = [0x53, 0x51, 0x58, 0x5a, 0x49, 0x4b];

interface Backend {
  readonly socket: Socket;
  /** BackendKeyData: its session number. */
  readonly key: Buffer;
  client: Client | undefined;
  carried: number;
}

interface Client {
  readonly socket: Socket;
  /** Messages not handed on yet. */
  readonly queue: Buffer[];
  backend: Backend | undefined;
  /** A batch has been handed on to its end: nothing more until the server is ready. */
  waiting: boolean;
}

/** @param tellsSession clients get the number of the first server connection, as if it were theirs alone */
export async function startPooler(
  server: string,
  { size = 3, tellsSession = false }: { readonly size?: number; readonly tellsSession?: boolean } = {},
): Promise<Pooler> {
  const { hostname, port, username, pathname } = new URL(server);
  const free: Backend[] = [];
  const hungry: Client[] = [];
  const all: Backend[] = [];
  const clients = new Set<Socket>();

  const serve = () => {
    while (free.length > 0 && hungry.length > 0) {
      const [backend, client] = [free.shift(), hungry.shift()];
      if (backend === undefined || client === undefined) return;
      client.backend = backend;
      backend.client = client;
      backend.carried += 1;
      pump(client);
    }
  };

  const pump = (client: Client) => {
    if (client.waiting || client.queue.length === 0) return;
    if (client.backend === undefined) {
      if (!hungry.includes(client)) hungry.push(client);
      return serve();
    }
    for (let message = client.queue.shift(); message !== undefined; message = client.queue.shift()) {
      client.backend.socket.write(message);
      client.waiting = message[0] === SYNC || message[0] === QUERY;
      if (client.waiting) return;
    }
  };

  const answered = (backend: Backend, message: Buffer) => {
    const { client } = backend;
    client?.socket.write(message);
    if (message[0] !== READY_FOR_QUERY || client === undefined) return;
    client.waiting = false;
    if (message[5] === IDLE) {
      client.backend = undefined;
      backend.client = undefined;
      free.push(backend);
    }
    pump(client);
    serve();
  };

  for (let i = 0; i < size; i++) {
    const { socket, key } = await login(hostname, Number(port), { user: username, database: pathname.slice(1) });
    const backend: Backend = { socket, key, client: undefined, carried: 0 };
    socket.on(
      'data',
      framed((message) => answered(backend, message)),
    );
    all.push(backend);
    free.push(backend);
  }

  const door = createServer((socket) => {
    clients.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy()).on('close', () => clients.delete(socket));
    const client: Client = { socket, queue: [], backend: undefined, waiting: false };
    socket.once('data', () => {
      const told = tellsSession ? (all[0]?.key ?? READY) : Buffer.alloc(0);
      socket.write(Buffer.concat([PASSWORD_OK, told, READY]));
      socket.on(
        'data',
        framed((message) => {
          if (message[0] === TERMINATE) return void socket.end();
          client.queue.push(message);
          pump(client);
        }),
      );
    });
  });
  const at = await listening(door);
  return {
    url: `postgres://${username}@127.0.0.1:${at}${pathname}`,
    get carried() {
      return all.map(({ carried }) => carried);
    },
    async close() {
      for (const socket of [...clients, ...all.map((backend) => backend.socket)]) socket.destroy();
      await new Promise((done) => door.close(done));
    },
  };
}

function login(host: string, port: number, fields: Record<string, string>): Promise<Pick<Backend, 'socket' | 'key'>> {
  const words = Buffer.from(`${Object.entries(fields).flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(words.length + 8, 0);
  head.writeInt32BE(PROTOCOL_3, 4);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => socket.write(Buffer.concat([head, words])));
    let key = Buffer.alloc(0);
    const read = framed((message) => {
      if (message[0] === KEY) key = Buffer.from(message);
      if (message[0] !== READY_FOR_QUERY) return;
      socket.removeListener('data', read).removeListener('error', reject);
      socket.on('error', () => undefined);
      resolve({ socket, key });
    });
    socket.on('data', read).once('error', reject);
  });
}

/** Cuts a stream into messages: a letter, and a length that counts itself. */
function framed(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0);
  return (chunk) => {
    left = Buffer.concat([left, chunk]);
    while (left.length >= 5 && left.length > left.readInt32BE(1)) {
      const end = left.readInt32BE(1) + 1;
      const message = Buffer.from(left.subarray(0, end));
      left = left.subarray(end);
      take(message);
    }
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
