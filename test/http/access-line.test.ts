/** The line in the log that each request over HTTP leaves, answered or refused. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { goodHeaders, headOf, LIST, open, raw } from './support/raw.ts';
import { serve, serveSigned } from './support/serve.ts';

type Line = Readonly<Record<'route' | 'status' | 'bytes', unknown>> & {
  readonly caller?: string;
  readonly refused?: string;
};
const lines: Line[] = [];
const log = { answered: (line: Line) => void lines.push(line), failure() {} };
afterEach(() => {
  lines.length = 0;
});
const told = () => lines.map(({ route, status }) => `${route} ${status}`);

/** Sends a request and waits for its line, which is written after the answer. */
async function ask(
  port: number,
  { path = '/mcp', ...headers }: Record<string, string> = {},
  body = LIST,
): Promise<Line> {
  const known = lines.length;
  const all = {
    host: 'air.example',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const method = path.startsWith('/mcp') ? 'POST' : 'GET';
  const { status } = await raw(port, { method, path, headers: Object.entries({ ...all, ...headers }), body });
  await expect.poll(() => lines.length).toBe(known + 1);
  const line = lines.at(-1) as Line;
  expect(line.status).toBe(status);
  return line;
}

test('an answered call leaves a line with route, size, time and a digest of its caller', async () => {
  const at = await serveSigned({ log });
  const as = async (sub: string) => ({ authorization: `Bearer ${await at.token({ sub })}` });
  const first = await ask(at.port, { ...(await as('ann')), path: '/mcp?session=secret-query' });
  expect(first).toEqual({
    ...{ method: 'POST', route: '/mcp', status: 200, duration_ms: expect.any(Number), bytes: expect.any(Number) },
    caller: expect.stringMatching(/^[\w-]{16}$/),
  });
  expect(first.bytes).toBeGreaterThan(200);
  expect((await ask(at.port, await as('ann'))).caller).toBe(first.caller);
  expect((await ask(at.port, await as('bob'))).caller).not.toBe(first.caller);
  expect(JSON.stringify(lines)).not.toMatch(/ann|bob|secret-query|Bearer/);
  await at.close();
});

test('a refused request leaves a line too, without a caller', async () => {
  const metrics = createMetrics({ process: false });
  const at = await serveSigned({ log, metrics, limits: { calls: { burst: 1, perSecond: 0.001 } } });
  const good = { authorization: `Bearer ${await at.token({ sub: 'carl' })}` };
  await ask(at.port);
  await ask(at.port, { authorization: 'Bearer wrong' });
  await ask(at.port, { host: 'evil.example' });
  await ask(at.port, { path: '/nowhere/W1LOCA?token=wrong' });
  expect(lines.flatMap(({ caller }) => caller ?? [])).toEqual([]);
  await ask(at.port, good, JSON.stringify({ long: 'x'.repeat(300_000) }));
  await ask(at.port, good);
  await ask(at.port, { path: '/.well-known/oauth-protected-resource' });
  await ask(at.port, { path: '/healthz' });
  expect(told()).toEqual([
    ...['/mcp 401', '/mcp 401', '/mcp 403', 'other 404', '/mcp 413', '/mcp 429'],
    ...['/.well-known/oauth-protected-resource 200', '/healthz 200'],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/wrong|W1LOCA|carl/);
  metrics.close();
  await at.close();
});

test('the line of a refused caller says why, in a word of a closed list', async () => {
  const at = await serveSigned({ log, limits: { calls: { burst: 1, perSecond: 0.001 } } });
  const bearing = (token: string) => ask(at.port, { authorization: `Bearer ${token}` });
  const past = Math.floor(Date.now() / 1000) - 600;
  const other = await at.token({ aud: 'https://other.example' });
  await ask(at.port);
  await ask(at.port, { authorization: 'Bearer two words' });
  await bearing(await at.token({ iat: past - 60, exp: past }));
  await bearing(other);
  await bearing(await at.token({ iss: 'https://evil.example' }));
  await bearing(`${(await at.token()).slice(0, -8)}AAAAAAAA`);
  await bearing(await at.token({ scope: 'email' }));
  await bearing(await at.token({ sub: 'dora' }));
  await bearing(await at.token({ sub: 'dora' }));
  await ask(at.port, { host: 'evil.example' });
  await ask(at.port, { origin: 'https://evil.example' });
  expect(lines.map(({ refused }) => refused)).toEqual([
    ...['no_token', 'malformed', 'expired', 'audience', 'issuer', 'signature', 'scope', undefined, 'rate'],
    ...['host', 'origin'],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/evil|other\.example|dora/);
  await at.close();
});

test('without an issuer the line names the local user by a digest, and a caller who leaves is logged and counted as 499', async () => {
  const metrics = createMetrics({ process: false });
  const at = await serve({ log, metrics });
  expect((await ask(at.port, { host: `127.0.0.1:${at.port}` })).caller).toMatch(/^[\w-]{16}$/);
  for (const end of ['destroy', 'end'] as const) {
    const socket = await open(at.port);
    socket.write(`${headOf({ headers: [...goodHeaders(at.port), ['content-length', '100']] })}{`);
    await pause(50);
    socket[end]();
  }
  await expect.poll(told).toEqual(['/mcp 200', '/mcp 499', '/mcp 499']);
  expect((await metrics.text()).body).toContain('fareclerk_http_requests_total{route="/mcp",status="499"} 2');
  expect(at.failures).toEqual([]);
  metrics.close();
  await at.close();
});
