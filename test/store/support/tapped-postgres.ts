/**
 * A socket in front of PostgreSQL that counts what a program asks of it: statements, and how many of them wait for the answer of
 * another one, one after the other.
 */
import { connect, createServer, type Socket } from 'node:net';

/** What was asked in a while. */
export interface AskedOf {
  readonly statements: readonly string[];
  /** The longest row of statements that each began after the answer to the one before. */
  readonly inARow: number;
  /** Those that wrote something for which the server waits until it is on its disk. */
  readonly durable: readonly string[];
}

export type TappedPostgres = Awaited<ReturnType<typeof tapPostgres>>;

/**
 * How far away the server seems, milliseconds: what is asked at once is under way at once, as it is on a network, also where a busy
 * machine asks some of it late.
 */
const AWAY_MS = 60;

/** Messages of protocol 3.0 (PostgreSQL documentation, frontend/backend protocol). */
const [PARSE, BIND, QUERY, READY] = [0x50, 0x42, 0x51, 0x5a];
const WRITES = /^\s*(?:insert|update|delete|with turn)\b|\b(?:enter_operation|move_operation|change_journal)\(/i;
const LIGHTLY = "set_config('synchronous_commit', 'off', true)";

export async function tapPostgres(server: string) {
  const { hostname, port, username, pathname } = new URL(server);
  const sockets = new Set<Socket>();
  let asked: { sql: string; depth: number }[] = [];
  let answered = 0;

  const begin = (sql: string) => {
    const statement = { sql: sql.replace(/\s+/g, ' '), depth: answered + 1 };
    asked.push(statement);
    return statement;
  };

  const tapped = createServer((client) => {
    const backend = connect(Number(port), hostname);
    const texts = new Map<string, string>();
    let underWay: { depth: number } | undefined;
    /** The statement that this connection is preparing: it is asked now, and not anew when it is bound. */
    let preparing: string | undefined;
    const toServer = messages(false, (type, body) => {
      const first = textAt(body, 0);
      if (type === PARSE) {
        preparing = first;
        texts.set(first, textAt(body, first.length + 1));
        underWay = begin(texts.get(first) ?? '');
      }
      if (type === BIND) {
        const name = textAt(body, first.length + 1);
        if (name !== preparing) underWay = begin(texts.get(name) ?? '');
        preparing = undefined;
      }
      if (type === QUERY) underWay = begin(first);
    });
    const toClient = messages(true, (type) => {
      if (type !== READY || underWay === undefined) return;
      answered = Math.max(answered, underWay.depth);
      underWay = undefined;
    });
    client.on('data', (chunk: Buffer) => {
      toServer(chunk);
      backend.write(chunk);
    });
    backend.on('data', (chunk: Buffer) => {
      setTimeout(() => {
        toClient(chunk);
        client.write(chunk);
      }, AWAY_MS);
    });
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(one.once('close', () => other.destroy()).on('error', () => other.destroy()));
    }
  });
  await new Promise<void>((resolve) => tapped.listen(0, '127.0.0.1', resolve));
  const address = tapped.address();
  return {
    url: `postgres://${username}@127.0.0.1:${typeof address === 'object' ? address?.port : ''}${pathname}`,
    /** What was asked while this work was done. */
    async during<T>(work: () => Promise<T>): Promise<AskedOf & { readonly result: T }> {
      [asked, answered] = [[], 0];
      const result = await work();
      const statements = asked.map(({ sql }) => sql);
      const durable = statements.filter((sql) => WRITES.test(sql) && !sql.includes(LIGHTLY));
      return { result, statements, durable, inARow: Math.max(0, ...asked.map(({ depth }) => depth)) };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => tapped.close(resolve));
    },
  };
}

const textAt = (body: Buffer, at: number): string => body.toString('utf8', at, body.indexOf(0, at));

/** Cuts a stream into messages. Only the first of a client has no type. */
function messages(isTyped: boolean, hear: (type: number, body: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let skip = isTyped ? 1 : 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= skip + 4) {
      const length = skip + rest.readInt32BE(skip);
      if (rest.length < length) return;
      if (skip === 1) hear(rest[0] ?? 0, rest.subarray(5, length));
      rest = rest.subarray(length);
      skip = 1;
    }
  };
}
