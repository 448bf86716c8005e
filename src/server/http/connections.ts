/** Bounds the open connections of a server, so that whoever holds many idle ones shuts nobody out. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Above the bound a new connection takes the place of the one that has been without a request for longest, whether it
 * sent nothing yet or was answered. A request that is being answered is never cut off: if all are, the new one is refused.
 */
export function boundConnections(server: Server, wanted: number): void {
  const most = Math.min(wanted, descriptorsFor(wanted));
  const open = new Set<Socket>();
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  const answering = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    for (const set of [open, idle]) set.add(socket);
    socket.once('close', () => {
      for (const set of [open, idle]) set.delete(socket);
    });
    const [longest] = idle;
    if (open.size > most) longest?.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = (answering.get(socket) ?? 1) - 1;
      answering.set(socket, left);
      // A client may send the next request before it has the answer.
      if (left === 0 && open.has(socket)) idle.add(socket);
    });
  });
}

/** Descriptors kept for files, the store and the airline: without any, no request could be answered. */
const OTHER_DESCRIPTORS = 128;

/** Connections that fit the descriptor limit of this process, at least 8. */
function descriptorsFor(wanted: number): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return soft === undefined ? wanted : Math.max(8, Number(soft) - OTHER_DESCRIPTORS);
  } catch {
    return wanted;
  }
}
