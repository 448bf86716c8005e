/**
 * A balancer as deploy/Caddyfile sets one up: asks every instance whether it is ready, keeps connections, sends a call
 * elsewhere only where no connection could be made, and never twice.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const LOOK_MS = 1_000;

export async function startBalancer(fixedPort = 0) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  let all: readonly number[] = [];
  let ready: readonly number[] = [];
  let turn = 0;

  const isReady = async (port: number) => {
    const asked = fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(LOOK_MS) });
    return asked.then(({ ok }) => ok).catch(() => false);
  };
  const looking = setInterval(async () => {
    const seen = await Promise.all(all.map(isReady));
    ready = all.filter((_, n) => seen[n]);
  }, LOOK_MS);

  function pass(incoming: IncomingMessage, response: ServerResponse, body: Buffer, tried: readonly number[]): void {
    const open = ready.filter((port) => !tried.includes(port));
    const port = open[turn++ % Math.max(1, open.length)];
    if (port === undefined) return void response.writeHead(502).end();
    const { url: path, method, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, path, method, headers, agent }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') pass(incoming, response, body, [...tried, port]);
      else if (!response.headersSent) response.writeHead(502).end();
      else response.destroy();
    });
    onward.end(body);
  }

  /** A body is read whole, so that it can be offered to another instance where the first takes no connection. */
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming).catch(() => undefined);
    if (body !== undefined) pass(incoming, response, body, []);
  });
  await once(server.listen(fixedPort, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(ports: readonly number[]) {
      all = ports;
      ready = ports;
    },
    async close() {
      const closed = once(server, 'close');
      clearInterval(looking);
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
