/**
 * The doors of the demo. One on this machine spreads connections over the instances, as a load balancer does. With `--public` two more
 * stand on the machine's own address in its network. Behind them everybody still goes by the addresses of this machine, to which alone
 * the servers agree without https: so these doors rewrite addresses, in redirects too.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';

/** What the network may open: pages and tickets. Programs, and what operators read, stay on this machine. */
const PAGES = /^\/(?:approve|details|tickets?)\//;
/** Headers in which a browser says at which address it is. */
const SAID_BY_BROWSER = ['origin', 'referer'] as const;
const HERE = '127.0.0.1';

const portOf = (server: TcpServer) => (server.address() as AddressInfo).port;

export interface Door {
  /** `http://HOST:PORT` */
  readonly origin: string;
  close(): void;
}

/** The address of this machine in its network; undefined if it is in none. */
export function networkAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** Takes a port now; connections go to the ports in turn once there are some. */
export async function openLocalDoor(): Promise<Door & { serve(ports: readonly number[]): void }> {
  const door = createTcpServer();
  door.listen(0, HERE);
  await once(door, 'listening');
  return {
    origin: `http://${HERE}:${portOf(door)}`,
    close: () => void door.close(),
    serve(ports) {
      let connections = 0;
      door.on('connection', (caller) => {
        const instance = connect(ports[connections++ % ports.length] ?? 0, HERE);
        caller.on('error', () => instance.destroy()).pipe(instance);
        instance.on('error', () => caller.destroy()).pipe(caller);
      });
    },
  };
}

interface NetworkDoors {
  readonly page: string;
  readonly signIn: string;
  /** An address of this machine as others open it. */
  shown(address: string): string;
  close(): void;
}

/** @param page and `signIn`: origins on this machine */
export async function openNetworkDoors(host: string, page: string, signIn: string): Promise<NetworkDoors> {
  const outside = new Map<string, string>();
  const shown = (address: string) => {
    const [inside = '', origin = ''] = [...outside].find(([each]) => isAt(address, each)) ?? [];
    return origin + address.slice(inside.length);
  };
  const doors = [
    await openDoor(host, page, shown, ({ url = '' }) => PAGES.test(url)),
    await openDoor(host, signIn, shown, () => true),
  ] as const;
  const [pageDoor, signInDoor] = doors;
  outside.set(page, originOf(host, pageDoor)).set(signIn, originOf(host, signInDoor));
  return {
    page: originOf(host, pageDoor),
    signIn: originOf(host, signInDoor),
    shown,
    close() {
      for (const door of doors) door.close().closeAllConnections();
    },
  };
}

const isAt = (address: string, origin: string) => address === origin || address.startsWith(`${origin}/`);
const originOf = (host: string, door: Server) => `http://${host}:${portOf(door)}`;

async function openDoor(
  host: string,
  inside: string,
  shown: (address: string) => string,
  isOpenFor: (request: IncomingMessage) => boolean,
): Promise<Server> {
  const door = createServer((asked, response) => {
    if (!isOpenFor(asked)) return void response.writeHead(404).end('There is no page here.\n');
    const outside = originOf(host, door);
    const headers = { ...asked.headers, host: new URL(inside).host };
    for (const name of SAID_BY_BROWSER) {
      const said = headers[name];
      if (said !== undefined && isAt(said, outside)) headers[name] = inside + said.slice(outside.length);
    }
    const { method, url = '/' } = asked;
    // A path alone: the origin of a whole address would win over ours.
    if (!url.startsWith('/')) return void response.writeHead(400).end();
    const passed = request(inside + url, { method, headers }, (reply) => pass(reply, response, shown));
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  door.listen(0, host);
  await once(door, 'listening');
  return door;
}

function pass(reply: IncomingMessage, response: ServerResponse, shown: (address: string) => string): void {
  const { rawHeaders } = reply;
  const headers = rawHeaders.map((text, i) =>
    /^location$/i.test(rawHeaders[i - 1] ?? '') && i % 2 === 1 ? shown(text) : text,
  );
  response.writeHead(reply.statusCode ?? 502, headers);
  reply.on('error', () => response.destroy()).pipe(response);
}
