/** An airline that repeats itself: replies by operation, fixed but for a time, from a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Replies } from './replies.ts';

/** JSON text by what it answers. */
type Answers = Readonly<Record<'search' | 'read' | 'seatMap' | 'routes', string>>;

/** In a reply: the airline writes a time in its place, a later one in each reply. */
export const NOW = '@now@';

export type Upstream = Awaited<ReturnType<typeof startUpstream>>;

export async function startUpstream({ oneWaySearch: search, read, seatMap, routes }: Replies) {
  const child = fork(new URL(import.meta.url), { stdio: 'inherit' });
  const tell = async (changed: Partial<Answers>): Promise<{ port: number; count: number }> => {
    child.send(changed);
    return (await once(child, 'message'))[0];
  };
  const { port } = await tell({ search, read, seatMap, routes });
  const origin = `http://127.0.0.1:${port}`;
  return {
    /** They point a server at it. */
    settings: {
      FARECLERK_BASE_URL: `${origin}/ota`,
      FARECLERK_GATEWAY_URL: `${origin}/gateway`,
      FARECLERK_CREDENTIALS: 'key',
      FARECLERK_API_KEY: 'bench-key-as-long-as-keys-usually-are',
      FARECLERK_AGENT_ID: 'A1',
      FARECLERK_AGENCY_ID: 'Agency',
      FARECLERK_CURRENCY: 'SAR',
    },
    /** What is asked gets these texts from now on. */
    answer: (changed: Partial<Answers>) => tell(changed),
    /** Requests since it was last asked, or was given an answer. */
    count: async () => (await tell({})).count,
    stop: () => child.kill(),
  };
}

function operationOf({ url = '', headers }: IncomingMessage): keyof Answers {
  if (url.startsWith('/gateway/schedule/routes')) return 'routes';
  if (url.endsWith('/OTA_AirSeatMapRQ')) return 'seatMap';
  return headers['local-name'] === 'OTA_ReadRQ' ? 'read' : 'search';
}

function serve(): void {
  const bodies = new Map<string, readonly Buffer[]>();
  let count = 0;
  let last = 0;
  const bodyOf = ([first = Buffer.of(), ...others]: readonly Buffer[] = []): Buffer => {
    if (others.length === 0) return first;
    last = Math.max(last + 1, Date.now());
    const now = Buffer.from(new Date(last).toISOString());
    return Buffer.concat([first, ...others.flatMap((part) => [now, part])]);
  };
  const server = createServer((request, response) => {
    count += 1;
    request.resume().once('end', () => {
      const body = bodyOf(bodies.get(operationOf(request)));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
  });
  const listening = once(server.listen(0, '127.0.0.1'), 'listening');
  process.on('message', async (changed: Partial<Answers>) => {
    await listening;
    for (const [to, text] of Object.entries(changed)) {
      bodies.set(
        to,
        text.split(NOW).map((part) => Buffer.from(part)),
      );
    }
    process.send?.({ port: (server.address() as AddressInfo).port, count });
    count = 0;
  });
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit());
  serve();
}
