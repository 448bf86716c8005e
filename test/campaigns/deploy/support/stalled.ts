/** Callers without a token that break off or never end what they send: others must not feel them. */
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { Figure } from '../../support/report.ts';
import type { Front } from './caddy.ts';

const ABORTED = 6;
const STALLED = 20;
/** `read_body` of the Caddyfile, and time to notice. */
const LIMIT_MS = 10_000;
const LATEST_MS = 14_000;

export async function stalledFigures(proxy: Front): Promise<readonly Figure[]> {
  return [...(await broken(proxy)), ...(await stalled(proxy))];
}

/** Each would make Caddy believe that the instance failed, if it counted failures. */
async function broken(proxy: Front): Promise<readonly Figure[]> {
  const lost: number[] = [];
  for (let n = 0; n < ABORTED; n++) {
    const upload = begin(proxy, 500, 'x'.repeat(6));
    await wait(100);
    upload.abort();
    await wait(100);
    lost.push(await failed(proxy));
  }
  return [{ what: `POSTs lost beside ${ABORTED} that broke off`, value: sum(lost), atMost: 0 }];
}

async function stalled(proxy: Front): Promise<readonly Figure[]> {
  const began = performance.now();
  const uploads = Array.from({ length: STALLED }, () => begin(proxy, 200_000, 'x'.repeat(100_000)).closed);
  let open = true;
  const closedAfter = Promise.all(
    uploads.map(async (closed) => {
      await Promise.race([closed, wait(LATEST_MS + 1_000)]);
      return performance.now() - began;
    }),
  ).finally(() => {
    open = false;
  });
  const lost: number[] = [];
  while (open) {
    lost.push(await failed(proxy));
    await wait(500);
  }
  const times = await closedAfter;
  const what = `of ${uploads.length} uploads that stalled, the`;
  return [
    { what: `${what} first closed after`, value: Math.min(...times), unit: 'ms', atLeast: LIMIT_MS - 1_000 },
    { what: `${what} last closed after`, value: Math.max(...times), unit: 'ms', atMost: LATEST_MS },
    { what: 'POSTs lost meanwhile', value: sum(lost), atMost: 0 },
  ];
}

async function failed(proxy: Front): Promise<number> {
  const { status } = await proxy.ask('/mcp', { method: 'POST', body: `well ${performance.now()}` });
  return status === 200 ? 0 : 1;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Sends the head and a part of the body. */
function begin(proxy: Front, length: number, part: string) {
  const { host, port } = new URL(proxy.url);
  const socket = connect({ host: '127.0.0.1', port: Number(port), ca: proxy.ca, servername: 'localhost' });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {}).resume();
  socket.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\n\r\n${part}`);
  return { closed, abort: () => void socket.destroy() };
}
