/**
 * A wire to a server that can fall silent, as when a machine loses its power or a network its cable: nothing is closed,
 * nothing arrives.
 */
import { connect, createServer, type Socket } from 'node:net';

export interface Valve {
  readonly port: number;
  /** Shut: nothing passes, in neither direction, not even the end of a connection. */
  shut: boolean;
  close(): Promise<void>;
}

export async function startValve(host: string, port: number): Promise<Valve> {
  const sockets = new Set<Socket>();
  const valve = { port: 0, shut: false, close };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ host, port, allowHalfOpen: true, noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (valve.shut || to.write(chunk)));
      from.on('end', () => void (valve.shut || to.end()));
      from.on('error', () => undefined).on('close', () => sockets.delete(from));
    }
  });
  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  valve.port = typeof address === 'object' && address !== null ? address.port : 0;
  return valve;
}
