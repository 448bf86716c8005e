/** The page's own server on loopback: a free port, small limits, and nothing that keeps the process running. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Approval } from '../../approvals/ports.ts';
import { boundConnections } from '../http/connections.ts';
import { send } from '../http/error-reply.ts';
import { plainTracer, type Tracer } from '../tracing/tracer.ts';
import { PLAN_REFRESH_SECONDS } from './frame.ts';
import { createPageHandler, type HandlerOptions } from './handler.ts';
import { createOneTimeLinks } from './one-time-link.ts';
import { pagePath } from './page-access.ts';
import { createPeerCheck, knowsPeers } from './peer.ts';

const HOST = '127.0.0.1';
const PREFIX = '/approve/';
/** Other users of the machine can open as many as they like. */
const MOST_CONNECTIONS = 1_000;
/** Time for replies that are being written when the server closes. */
const LAST_REPLIES_MS = 1_000;
/** Time for pages that come back by themselves: a browser may be slow. */
const LAST_LOOK_MS = PLAN_REFRESH_SECONDS * 1_000 + 1_000;

interface LoopbackOptions extends Omit<HandlerOptions, 'access' | 'origins' | 'base' | 'inbox' | 'linkTo'> {
  readonly tracer?: Tracer | undefined;
}

export interface Loopback {
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  /** Returns an address with a new one-time secret. For a browser only: never for a result or a log. */
  addressFor(approval: Approval): string;
  /** Whether somebody opened such an address. */
  visited(operationId: string): boolean;
  close(): Promise<void>;
}

export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
  let port = 0;
  const server = createServer({
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  });
  boundConnections(server, MOST_CONNECTIONS);
  const isSameUser = createPeerCheck();
  const access = createOneTimeLinks({
    now: options.now,
    isSameUser: async (request) => !knowsPeers || (await isSameUser(request.socket)),
  });
  const following = new Following();
  const origins = () => [`http://${HOST}:${port}`, `http://localhost:${port}`];
  const linkTo = (approval: Approval) => `${pagePath(approval.operationId)}?k=${access.secretFor(approval)}`;
  const answer = createPageHandler({
    ...options,
    access,
    origins,
    linkTo,
    comesBack: (id, does) => following.seen(id, does),
  });
  const { tracer = plainTracer } = options;
  server.on('request', (request, response) => {
    const fields = { 'http.request.method': String(request.method), 'http.route': PREFIX };
    void tracer
      .serve({}, { name: `${request.method} ${PREFIX}`, kind: 'server', fields }, async () => {
        const reply = await answer(request);
        tracer.mark({ 'http.response.status_code': reply.status });
        await send(response, reply);
        following.sent();
      })
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => socket.unref());
  server.listen({ host: HOST, port: 0, exclusive: true }).unref();
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  return {
    origin: `http://${HOST}:${port}`,
    addressFor: (approval) => `http://${HOST}:${port}${linkTo(approval)}`,
    visited: (operationId) => access.visited(operationId),
    async close() {
      await following.end();
      await close(server);
    },
  };
}

/** Pages whose browsers come back by themselves: each sees once more what became of its question before the server ends. */
class Following {
  readonly #pages = new Set<string>();
  #ended: (() => void) | undefined;

  seen(operationId: string, comesBack: boolean): void {
    if (comesBack) this.#pages.add(operationId);
    else this.#pages.delete(operationId);
  }

  sent(): void {
    if (this.#pages.size === 0) this.#ended?.();
  }

  async end(): Promise<void> {
    if (this.#pages.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = resolve;
    const over = setTimeout(resolve, LAST_LOOK_MS);
    await promise;
    clearTimeout(over);
  }
}

/** Lets replies that are being written reach the browser, then ends every connection. */
async function close(server: Server): Promise<void> {
  const over = setTimeout(() => server.closeAllConnections(), LAST_REPLIES_MS);
  server.close();
  await once(server, 'close');
  clearTimeout(over);
}
