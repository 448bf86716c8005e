/** An instance that shows what reaches it: headers, a late answer, a stream, and how often each request came. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Mirror {
  readonly port: number;
  /** How often each body came. */
  readonly came: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** `x-wait: 5000` answers later, `x-stream: 3` sends so many events a second apart, `x-drop: 1` cuts the connection. */
export async function startMirror(): Promise<Mirror> {
  const came = new Map<string, number>();
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/readyz') return void response.end('{"status":"ready"}');
    const { headers } = incoming;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return; // The sender broke off.
    }
    const body = Buffer.concat(chunks).toString('utf8');
    came.set(body, (came.get(body) ?? 0) + 1);
    if (headers['x-drop'] !== undefined) return void incoming.socket.resetAndDestroy();
    const events = Number(headers['x-stream'] ?? 0);
    if (events === 0) {
      const answer = JSON.stringify({ headers, body: body.length });
      return void setTimeout(() => response.end(answer), Number(headers['x-wait'] ?? 0));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(`data: ${sent}\n\n`);
      sent += 1;
      if (sent < events) return;
      clearInterval(timer);
      response.end();
    }, 1_000);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    came,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
