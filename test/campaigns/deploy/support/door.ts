/** What the proxy lets through and what it refuses, seen by an instance that shows what reaches it. */
import { freePort } from '../../../server/http/support/openid.ts';
import type { Figure } from '../../support/report.ts';
import { type Front, freePorts, startCaddy } from './caddy.ts';
import { startMirror } from './mirror.ts';
import { stalledFigures } from './stalled.ts';

interface Seen {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: number;
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } } as const;
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const truth = (what: string, holds: boolean): Figure => ({ what, value: holds ? 1 : 0, atLeast: 1 });

/** @param slowMs how long the slowest answer takes */
export async function doorFigures(slowMs: number): Promise<readonly Figure[]> {
  const mirror = await startMirror();
  const dead = await freePort();
  const proxy = await startCaddy([mirror.port, dead], await freePorts());
  try {
    return [
      ...(await strangers(proxy)),
      ...(await passed(proxy)),
      ...(await bodies(proxy)),
      ...(await stalledFigures(proxy)),
      ...(await times(proxy, slowMs)),
      ...(await onceOnly(proxy, mirror.came)),
    ];
  } finally {
    await proxy.close();
    await mirror.close();
  }
}

async function strangers(proxy: Front): Promise<readonly Figure[]> {
  const evil = { headers: { host: 'evil.example' } };
  const [byTls, byHttp, byName, redirect] = [
    await proxy.ask('/mcp', { ...POST, ...evil }),
    await proxy.ask('/mcp', { ...evil, plain: true }),
    await proxy.ask('/mcp', { servername: 'evil.example' }),
    await proxy.ask('/mcp', { plain: true }),
  ];
  const inside = [
    '/metrics',
    '/healthz',
    '/readyz',
    '/',
    '/mcp/',
    '/%6detrics',
    '/mcp/../metrics',
    '//metrics',
    '/Metrics',
  ];
  const statuses = await Promise.all(inside.map(async (path) => (await proxy.ask(path)).status));
  return [
    truth('another Host is refused (421), with and without TLS', byTls.status === 421 && byHttp.status === 421),
    truth('another name in the TLS handshake gets no connection', byName.status === 0),
    truth(
      'plain HTTP is redirected to https',
      redirect.status === 308 && redirect.location?.startsWith('https://') === true,
    ),
    {
      what: 'addresses for operators that answer outside',
      value: statuses.filter((one) => one !== 404).length,
      atMost: 0,
    },
  ];
}

async function passed(proxy: Front): Promise<readonly Figure[]> {
  const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' };
  const sent = { traceparent: TRACE, 'x-request-id': 'r-1', 'mcp-method': 'tools/call', authorization: 'Bearer t' };
  const reply = await proxy.ask('/mcp', { ...POST, body: '{}', headers: { ...POST.headers, ...forged, ...sent } });
  const { headers } = JSON.parse(reply.body) as Seen;
  return [
    truth(
      'trace, request id, method and token pass unchanged',
      Object.entries(sent).every(([name, value]) => headers[name] === value),
    ),
    truth('the public Host passes', headers.host === proxy.url.replace('https://', '')),
    truth(
      'forged X-Forwarded headers are replaced by what Caddy saw',
      headers['x-forwarded-for'] === '127.0.0.1' &&
        headers['x-forwarded-proto'] === 'https' &&
        headers['x-forwarded-host'] === headers.host,
    ),
  ];
}

async function bodies(proxy: Front): Promise<readonly Figure[]> {
  const of = (bytes: number) => proxy.ask('/mcp', { ...POST, body: 'x'.repeat(bytes) });
  const largest = await of(256 * 1024);
  const over = await of(300_000);
  return [
    truth(
      'the largest body that an instance takes passes whole',
      (JSON.parse(largest.body) as Seen).body === 256 * 1024,
    ),
    truth('a body that Caddy does not keep is refused (413)', over.status === 413),
  ];
}

async function times(proxy: Front, slowMs: number): Promise<readonly Figure[]> {
  const [slow, stream] = await Promise.all([
    proxy.ask('/mcp', { ...POST, body: 'slow', headers: { 'x-wait': String(slowMs) } }),
    proxy.ask('/mcp', { ...POST, body: 'stream', headers: { 'x-stream': '4' } }),
  ]);
  return [
    truth(`an answer after ${slowMs / 1000} s arrives`, slow.status === 200 && slow.ms >= slowMs - 50),
    {
      what: 'from the first event of a stream to its end',
      value: stream.ms - stream.firstMs,
      unit: 'ms',
      atLeast: 2_000,
    },
    { what: 'events of the stream', value: stream.body.split('data: ').length - 1, atLeast: 4, atMost: 4 },
  ];
}

/** One of the two instances refuses connections: no call may see that, and none may come twice. */
async function onceOnly(proxy: Front, came: ReadonlyMap<string, number>): Promise<readonly Figure[]> {
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) => proxy.ask('/mcp', { ...POST, body: `call ${n} ${'x'.repeat(2_000)}` })),
  );
  const cut = await proxy.ask('/mcp', { ...POST, body: 'cut', headers: { 'x-drop': '1' } });
  return [
    {
      what: 'of 100 POSTs lost beside an instance that refuses connections',
      value: replies.filter(({ status }) => status !== 200).length,
      atMost: 0,
    },
    { what: 'most times that a body came', value: Math.max(...came.values()), atMost: 1 },
    truth('a POST that was cut after it was sent gets a 502', cut.status === 502),
  ];
}
