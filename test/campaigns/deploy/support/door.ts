/** What the proxy lets through and what it refuses, seen by an instance that shows what reaches it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { freePort } from '../../../http/support/openid.ts';
import { exactly, least, most, none } from '../../support/report.ts';
import { type Front, freePorts, startCaddy } from './caddy.ts';

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } } as const;
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const INSIDE = [
  ...['/metrics', '/healthz', '/readyz', '/%6detrics', '//metrics', '/Metrics'],
  ...[
    '/mcp/../metrics',
    '/approve/../metrics',
    '/approve/%2e%2e/metrics',
    '/tickets/./../readyz',
    '/details/../metrics',
  ],
];
const ABORTED = 6;
const STALLED = 20;
/** `read_body` of the Caddyfile, and time to notice. */
const LIMIT_MS = 10_000;
const LATEST_MS = 14_000;

const truth = (what: string, holds: boolean) => exactly(what, Number(holds), 1);

/** @param slowMs how long the slowest answer takes */
export async function doorFigures(slowMs: number) {
  const mirror = await startMirror();
  const proxy = await startCaddy([mirror.port, await freePort()], await freePorts());
  try {
    return [
      ...(await strangers(proxy)),
      ...(await passed(proxy)),
      ...(await broken(proxy)),
      ...(await stalled(proxy)),
      ...(await times(proxy, slowMs)),
      ...(await onceOnly(proxy, mirror.came)),
    ];
  } finally {
    await proxy.close();
    mirror.server.close();
    mirror.server.closeAllConnections();
  }
}

/**
 * An instance that shows what reaches it: headers, and how often each body came. `x-wait: 5000` answers later, `x-stream: 3`
 * sends so many events a second apart, `x-drop: 1` cuts the connection.
 */
async function startMirror() {
  const came = new Map<string, number>();
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/readyz') return void response.end('{"status":"ready"}');
    const { headers } = incoming;
    const body = await text(incoming).catch(() => undefined);
    // The sender broke off.
    if (body === undefined) return;
    came.set(body, (came.get(body) ?? 0) + 1);
    if (headers['x-drop'] !== undefined) return void incoming.socket.resetAndDestroy();
    const events = Number(headers['x-stream'] ?? 0);
    if (events === 0) {
      await wait(Number(headers['x-wait'] ?? 0));
      return void response.end(JSON.stringify({ headers, body: body.length }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < events; sent++) {
      await wait(1_000);
      response.write(`data: ${sent}\n\n`);
    }
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, came, port: (server.address() as AddressInfo).port };
}

async function strangers(proxy: Front) {
  const evil = { headers: { host: 'evil.example' } };
  const byTls = await proxy.ask('/mcp', { ...POST, ...evil });
  const byHttp = await proxy.ask('/mcp', { ...evil, plain: true });
  const byName = await proxy.ask('/mcp', { servername: 'evil.example' });
  const { status, location } = await proxy.ask('/mcp', { plain: true });
  const statusOf = async (path: string) => (await proxy.ask(path)).status;
  const statuses = await Promise.all(INSIDE.map(statusOf));
  return [
    truth('another Host is refused (421), with and without TLS', byTls.status === 421 && byHttp.status === 421),
    truth('another name in the TLS handshake gets no connection', byName.status === 0),
    truth('plain HTTP is redirected to https', status === 308 && location?.startsWith('https://') === true),
    none('addresses for operators that answer outside', statuses.filter((one) => one !== 404).length),
    truth('the address without a path reaches an instance', (await statusOf('/')) === 200),
  ];
}

async function passed(proxy: Front) {
  const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' };
  const sent = { traceparent: TRACE, 'x-request-id': 'r-1', 'mcp-method': 'tools/call', authorization: 'Bearer t' };
  const reply = await proxy.ask('/mcp', { ...POST, body: '{}', headers: { ...POST.headers, ...forged, ...sent } });
  const { headers } = JSON.parse(reply.body) as { headers: Record<string, string> };
  const host = proxy.url.replace('https://', '');
  const due = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': host };
  const isSo = (all: object) => Object.entries(all).every(([name, value]) => headers[name] === value);
  const largest = await proxy.ask('/mcp', { ...POST, body: 'x'.repeat(768 * 1024) });
  const over = await proxy.ask('/mcp', { ...POST, body: 'x'.repeat(800_000) });
  return [
    truth('trace, request id, method, token and the public Host pass unchanged', isSo({ ...sent, host })),
    truth('forged X-Forwarded headers are replaced by what Caddy saw', isSo(due)),
    exactly('the largest body that an instance takes passes whole', JSON.parse(largest.body).body, 768 * 1024),
    exactly('a body that Caddy does not keep is refused', over.status, 413),
  ];
}

const failed = async (proxy: Front) =>
  Number((await proxy.ask('/mcp', { method: 'POST', body: `well ${performance.now()}` })).status !== 200);

/** Sends the head and a part of the body. */
function begin(proxy: Front, length: number, part: string) {
  const { host, port } = new URL(proxy.url);
  const socket = connect({ host: '127.0.0.1', port: Number(port), ca: proxy.ca, servername: 'localhost' });
  socket.on('error', () => {}).resume();
  socket.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\n\r\n${part}`);
  return socket;
}

/** Each would make Caddy believe that the instance failed, if it counted failures. */
async function broken(proxy: Front) {
  let lost = 0;
  for (let n = 0; n < ABORTED; n++) {
    const upload = begin(proxy, 500, 'x'.repeat(6));
    await wait(100);
    upload.destroy();
    await wait(100);
    lost += await failed(proxy);
  }
  return [none(`POSTs lost beside ${ABORTED} that broke off`, lost)];
}

/** Callers who never end what they send: others must not feel them. */
async function stalled(proxy: Front) {
  const began = performance.now();
  const uploads = Array.from({ length: STALLED }, () => once(begin(proxy, 200_000, 'x'.repeat(100_000)), 'close'));
  let open = true;
  const closing = Promise.all(
    uploads.map(async (closed) => {
      await Promise.race([closed, wait(LATEST_MS + 1_000)]);
      return performance.now() - began;
    }),
  ).finally(() => {
    open = false;
  });
  let lost = 0;
  while (open) {
    lost += await failed(proxy);
    await wait(500);
  }
  const closedAfter = await closing;
  return [
    least(
      `of ${STALLED} uploads that stalled, the first closed after`,
      Math.min(...closedAfter),
      LIMIT_MS - 1_000,
      'ms',
    ),
    most(`of ${STALLED} uploads that stalled, the last closed after`, Math.max(...closedAfter), LATEST_MS, 'ms'),
    none('POSTs lost meanwhile', lost),
  ];
}

async function times(proxy: Front, slowMs: number) {
  const [slow, stream] = await Promise.all([
    proxy.ask('/mcp', { ...POST, body: 'slow', headers: { 'x-wait': String(slowMs) } }),
    proxy.ask('/mcp', { ...POST, body: 'stream', headers: { 'x-stream': '4' } }),
  ]);
  return [
    truth(`an answer after ${slowMs / 1000} s arrives`, slow.status === 200 && slow.ms >= slowMs - 50),
    least('from the first event of a stream to its end', stream.ms - stream.firstMs, 2_000, 'ms'),
    exactly('events of the stream', stream.body.split('data: ').length - 1, 4),
  ];
}

/** One of the two instances refuses connections: no call may see that, and none may come twice. */
async function onceOnly(proxy: Front, came: ReadonlyMap<string, number>) {
  const body = (n: number) => `call ${n} ${'x'.repeat(2_000)}`;
  const asked = Array.from({ length: 100 }, (_, n) => proxy.ask('/mcp', { ...POST, body: body(n) }));
  const lost = (await Promise.all(asked)).filter(({ status }) => status !== 200).length;
  const cut = await proxy.ask('/mcp', { ...POST, body: 'cut', headers: { 'x-drop': '1' } });
  return [
    none('of 100 POSTs lost beside an instance that refuses connections', lost),
    most('most times that a body came', Math.max(...came.values()), 1),
    exactly('status of a POST that was cut after it was sent', cut.status, 502),
  ];
}
