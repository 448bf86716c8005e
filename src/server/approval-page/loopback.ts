/**
 * The page's own server on loopback: an ephemeral port, nothing that holds the process open, small limits.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Approval } from '../../approvals/ports.ts';
import { createPageHandler, type HandlerOptions, type PageHandler, pagePath } from './handler.ts';
import { createLoopbackGate } from './loopback-gate.ts';
import { knowsPeers, watchPeers } from './peer.ts';

const HOST = '127.0.0.1';
/** How long an answer that is being written may hold up closing, milliseconds. */
const LAST_WORDS_MS = 1_000;

export type LoopbackOptions = Omit<HandlerOptions, 'gate' | 'origins' | 'base'>;

export interface Loopback extends PageHandler {
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  /** The address with a new one-time secret in it. For a browser only: never for a result or a log. */
  addressFor(approval: Approval): string;
  visited(operationId: string): boolean;
  close(): Promise<void>;
}

export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
  let port = 0;
  const server = createServer({
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_500,
  });
  const isOwnUser = watchPeers(server);
  const gate = createLoopbackGate({
    now: options.now,
    path: pagePath,
    isOwnUser: async (request) => !knowsPeers || (await isOwnUser(request.socket)),
  });
  const page = createPageHandler({
    ...options,
    gate,
    origins: () => [`http://${HOST}:${port}`, `http://localhost:${port}`],
  });
  server.on('request', (request, response) => void page.handle(request, response));
  server.maxConnections = 64;
  server.on('connection', (socket) => socket.unref());
  port = await listen(server);
  return {
    ...page,
    origin: `http://${HOST}:${port}`,
    addressFor: (approval) => `http://${HOST}:${port}${pagePath(approval.operationId)}?k=${gate.secretFor(approval)}`,
    visited: (operationId) => gate.visited(operationId),
    close: () => close(server),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: HOST, port: 0, exclusive: true }, () => {
      server.unref();
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Lets an outcome that is just being shown reach the browser, then ends every connection. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const over = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS);
    server.close(() => {
      clearTimeout(over);
      resolve();
    });
    server.closeIdleConnections();
  });
}
