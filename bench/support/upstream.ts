/**
 * An airline that only repeats itself: fixed replies by operation, from a process of its own. `GET /count` gives the
 * number of requests so far, and sets it back to 0.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Replies } from './replies.ts';

const SEARCHES = ['leanSearch', 'largeSearch', 'roundTripSearch', 'oneWaySearch'] as const;
export type Searches = (typeof SEARCHES)[number];

export interface Upstream {
  readonly origin: string;
  /** Settings that point a server at it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Which reply searches get from now on. */
  search(kind: Searches): Promise<void>;
  /** Searches or readings get this text from now on. */
  answer(to: 'search' | 'read', text: string): Promise<void>;
  /** Requests since it was last asked. */
  count(): Promise<number>;
  stop(): void;
}

export async function startUpstream(replies: Replies): Promise<Upstream> {
  const child = fork(new URL(import.meta.url), { stdio: 'inherit' });
  child.send(replies);
  const [port] = await once(child, 'message');
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    settings: {
      FARECLERK_BASE_URL: `${origin}/ota`,
      FARECLERK_GATEWAY_URL: `${origin}/gateway`,
      FARECLERK_CREDENTIALS: 'key',
      FARECLERK_API_KEY: 'bench-key-as-long-as-keys-usually-are',
      FARECLERK_AGENT_ID: 'A1',
      FARECLERK_AGENCY_ID: 'Agency',
      FARECLERK_CURRENCY: 'SAR',
    },
    async search(kind) {
      await fetch(`${origin}/search/${kind}`);
    },
    async answer(to, text) {
      await fetch(`${origin}/answer/${to}`, { method: 'POST', body: text });
    },
    count: async () => Number(await (await fetch(`${origin}/count`)).text()),
    stop: () => child.kill(),
  };
}

async function serve(replies: Replies): Promise<number> {
  const body = (text: string): Buffer => Buffer.from(text);
  const searches = new Map(SEARCHES.map((kind) => [`/search/${kind}`, body(replies[kind])]));
  let search = body(replies.oneWaySearch);
  let read = body(replies.read);
  const [seatMap, routes, calendar] = [replies.seatMap, replies.routes, replies.calendar].map(body);
  let count = 0;

  const answerTo = (url: string, message: unknown): Buffer | undefined => {
    if (url.startsWith('/gateway/schedule/routes')) return routes;
    if (url.startsWith('/gateway/schedule/calendar')) return calendar;
    if (url.endsWith('/OTA_AirSeatMapRQ')) return seatMap;
    return message === 'OTA_ReadRQ' ? read : search;
  };
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    if (url === '/count') {
      response.end(String(count));
      count = 0;
      return;
    }
    const chosen = searches.get(url);
    if (chosen !== undefined) {
      search = chosen;
      response.end();
      return;
    }
    if (url.startsWith('/answer/')) {
      void bodyOf(request).then((given) => {
        if (url.endsWith('/read')) read = given;
        else search = given;
        response.end();
      });
      return;
    }
    count += 1;
    request.resume();
    request.once('end', () => {
      const answer = answerTo(url, headers['local-name']);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer?.length ?? 0 });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

if (import.meta.main) {
  process.once('message', (replies) => {
    void serve(replies as Replies).then((port) => process.send?.(port));
  });
  process.once('disconnect', () => process.exit());
}
