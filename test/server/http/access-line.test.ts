/** The line in the log that each request over HTTP leaves, answered or refused. */
import { afterEach, expect, test } from 'vitest';
import type { AccessLine } from '../../../src/server/http/access-line.ts';
import { createMetrics } from '../../../src/server/metrics/metrics.ts';
import { goodHeaders, open, raw } from './support/raw.ts';
import { serve, serveSigned } from './support/serve.ts';

const lines: AccessLine[] = [];
const log = { answered: (line: AccessLine) => void lines.push(line), failure() {} };
afterEach(() => {
  lines.length = 0;
});

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** The next line: it is written after the answer. */
async function lineAfter(request: () => Promise<{ readonly status: number }>): Promise<AccessLine> {
  const [known, { status }] = [lines.length, await request()];
  await expect.poll(() => lines.length).toBe(known + 1);
  const line = lines.at(-1);
  expect(line?.status).toBe(status);
  return line as AccessLine;
}

function posting(port: number, headers: Readonly<Record<string, string>>, body = LIST, path = '/mcp') {
  const all = {
    host: 'air.example',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return () => raw(port, { method: 'POST', path, headers: Object.entries({ ...all, ...headers }), body });
}

test('an answered call leaves a line with route, size, time and a digest of its caller', async () => {
  const at = await serveSigned({ log });
  const as = async (sub: string) => ({
    authorization: `Bearer ${await at.token({ sub })}`,
  });
  const first = await lineAfter(posting(at.port, await as('ann'), LIST, '/mcp?session=secret-query'));
  expect(first).toEqual({
    method: 'POST',
    route: '/mcp',
    status: 200,
    duration_ms: expect.any(Number),
    bytes: expect.any(Number),
    caller: expect.stringMatching(/^[\w-]{16}$/),
  });
  expect(first.bytes).toBeGreaterThan(200);
  const again = await lineAfter(posting(at.port, await as('ann')));
  const other = await lineAfter(posting(at.port, await as('bob')));
  expect(again.caller).toBe(first.caller);
  expect(other.caller).not.toBe(first.caller);
  expect(JSON.stringify(lines)).not.toMatch(/ann|bob|secret-query|Bearer/);
  await at.close();
});

test('a refused request leaves a line too, without a caller', async () => {
  const at = await serveSigned({
    log,
    metrics: createMetrics({ process: false }),
    limits: { calls: { burst: 1, perSecond: 0.001 } },
  });
  const good = { authorization: `Bearer ${await at.token({ sub: 'carl' })}` };
  const get =
    (path: string, host = 'air.example') =>
    () =>
      raw(at.port, { method: 'GET', path, headers: [['host', host]] });
  const seen = [
    await lineAfter(posting(at.port, {})),
    await lineAfter(posting(at.port, { authorization: 'Bearer wrong' })),
    await lineAfter(posting(at.port, { host: 'evil.example' })),
    await lineAfter(get('/nowhere/W1LOCA?token=wrong')),
    await lineAfter(posting(at.port, good, JSON.stringify({ long: 'x'.repeat(300_000) }))),
    await lineAfter(posting(at.port, good)),
    await lineAfter(get('/.well-known/oauth-protected-resource')),
    await lineAfter(get('/healthz')),
  ];
  expect(seen.map(({ route, status }) => `${route} ${status}`)).toEqual([
    '/mcp 401',
    '/mcp 401',
    '/mcp 403',
    'other 404',
    '/mcp 413',
    '/mcp 429',
    '/.well-known/oauth-protected-resource 200',
    '/healthz 200',
  ]);
  expect(seen.slice(0, 4).flatMap(({ caller }) => caller ?? [])).toEqual([]);
  expect(JSON.stringify(seen)).not.toMatch(/wrong|W1LOCA|carl/);
  await at.close();
});

test('without an issuer the line names the local user by a digest', async () => {
  const at = await serve({ log });
  const line = await lineAfter(posting(at.port, { host: `127.0.0.1:${at.port}` }));
  expect(line.caller).toMatch(/^[\w-]{16}$/);
  await at.close();
});

test('a caller who leaves before an answer is counted and logged as 499, and not as answered', async () => {
  const metrics = createMetrics({ process: false });
  const at = await serve({ log, metrics });
  const head = ['POST /mcp HTTP/1.1', ...goodHeaders(at.port).map(([name, value]) => `${name}: ${value}`)];
  for (const end of ['destroy', 'end'] as const) {
    const socket = await open(at.port);
    socket.write(`${head.join('\r\n')}\r\ncontent-length: 100\r\n\r\n{`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket[end]();
  }
  await expect.poll(() => lines.length).toBe(2);
  expect(lines.map(({ route, status }) => `${route} ${status}`)).toEqual(['/mcp 499', '/mcp 499']);
  expect((await metrics.text()).body).toContain('fareclerk_http_requests_total{route="/mcp",status="499"} 2');
  expect(at.failures).toEqual([]);
  metrics.close();
  await at.close();
});
