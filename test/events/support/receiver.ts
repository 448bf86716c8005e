/** A system that receives events, on this machine. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  /** What it was answered. */
  status?: number;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly got: Got[];
  /** Status of the next answers; may look at what came. */
  answer: (got: Got) => number | Promise<number>;
  close(): Promise<void>;
}

/** @param tls over https with this certificate */
export async function startReceiver(tls?: { readonly cert: string; readonly key: string }): Promise<Receiver> {
  const listener: RequestListener = async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const id = String(request.headers['webhook-id']);
    const got: Got = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), id };
    receiver.got.push(got);
    const status = await receiver.answer(got);
    got.status = status;
    reply.writeHead(status, { location: `http://127.0.0.1:${receiver.port}/elsewhere` }).end();
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    got: [],
    answer: () => 204,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
