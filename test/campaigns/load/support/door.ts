/**
 * A door between the server and the airline: counts what comes, lets it through, or shuts.
 */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from './stage.ts';

export interface Door {
  /** The airline's settings, with every address led through the door. */
  readonly settings: Settings;
  /** Whether the airline is up; if not, every connection is reset. */
  open: boolean;
  /** Passes the next payment on, cuts off its answer, and shuts. */
  shutsAtPayment: boolean;
  /** Requests that came, by `local-name` (or path where there is none). */
  readonly seen: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const PAYMENT = 'OTA_AirDemandTicketRQ';

export async function openDoor(airline: Settings): Promise<Door> {
  const target = new URL(airline.FARECLERK_BASE_URL ?? '');
  const seen = new Map<string, number>();
  const door = { open: true, shutsAtPayment: false };
  const server = createServer((incoming, response) => {
    const name = String(incoming.headers['local-name'] ?? incoming.url?.split('?')[0]);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    if (!door.open) return void incoming.socket.resetAndDestroy();
    const cut = door.shutsAtPayment && name === PAYMENT;
    if (cut) door.open = false;
    const onward = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (reply) => {
        if (cut) {
          reply.resume();
          reply.on('end', () => incoming.socket.resetAndDestroy());
          return;
        }
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      },
    );
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const led = Object.entries(airline).map(([key, value]) => [key, value.replace(target.origin, origin)]);
  return Object.assign(door, {
    settings: Object.fromEntries(led) as Settings,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
