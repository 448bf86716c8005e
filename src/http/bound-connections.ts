/** Bounds the open connections of a server: idle ones make room for new ones, and none is cut while a request on it is answered. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections. Above the bound a new connection takes the place of the one that has been without a request for longest, so
 * that a client with many idle ones shuts nobody out. If requests are being answered on all of them, the new one is refused.
 */
export function boundConnections(server: Server, most: number): void {
  const open = new Set<Socket>();
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  const unansweredOn = new WeakMap<Socket, number>();

  server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);

    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });

    const [idleLongest] = idle;
    if (open.size > most) idleLongest?.destroy();
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unansweredOn.set(socket, (unansweredOn.get(socket) ?? 0) + 1);
    idle.delete(socket);

    response.once('close', () => {
      const unanswered = (unansweredOn.get(socket) ?? 1) - 1;
      unansweredOn.set(socket, unanswered);
      // A client may send the next request before it has the answer.
      if (unanswered === 0 && open.has(socket)) idle.add(socket);
    });
  });
}
