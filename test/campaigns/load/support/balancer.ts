/**
 * A balancer as deploy/Caddyfile sets one up: asks every instance whether it is ready, keeps connections, sends a call
 * elsewhere only where no connection could be made, and never twice.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** Calls passed on, by port. */
  readonly passed: ReadonlyMap<number, number>;
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

const LOOK_MS = 1_000;

export async function startBalancer(fixedPort = 0): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const passed = new Map<number, number>();
  let all: readonly number[] = [];
  let ready: number[] = [];
  let turn = 0;

  async function look(): Promise<void> {
    const seen = await Promise.all(
      all.map((port) =>
        fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(LOOK_MS) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = all.filter((_, n) => seen[n]);
  }
  const looking = setInterval(() => void look(), LOOK_MS);

  /** Whole, so that it can be offered to another instance where the first takes no connection. */
  async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  function pass(incoming: IncomingMessage, response: ServerResponse, body: Buffer, tried: readonly number[]): void {
    const open = ready.filter((port) => !tried.includes(port));
    const port = open[turn++ % Math.max(1, open.length)];
    if (port === undefined) return void response.writeHead(502).end();
    passed.set(port, (passed.get(port) ?? 0) + 1);
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

  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => pass(incoming, response, body, []));
  });
  await new Promise<void>((resolve) => server.listen(fixedPort, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    use(ports) {
      all = ports;
      ready = [...ports];
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(looking);
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
