/**
 * What somebody outside learns through the proxy: neither figures nor the reasons of readiness.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { raw } from '../http/support/raw.ts';
import { type SignedServed, serveSigned } from '../http/support/serve.ts';

const TOKEN = 'scrape-token-of-the-operator';
let at: SignedServed;

beforeAll(async () => {
  at = await serveSigned({ metrics: createMetrics({ process: false }), metricsToken: TOKEN });
});
afterAll(() => at.close());

const get = (path: string, host: string, more: readonly (readonly [string, string])[] = []) =>
  raw(at.port, { method: 'GET', path, headers: [['host', host], ['authorization', `Bearer ${TOKEN}`], ...more] });

it('serves metrics on the private address', async () => {
  const reply = await get('/metrics', `127.0.0.1:${at.port}`);
  expect([reply.status, reply.body]).toEqual([200, expect.stringContaining('fareclerk_')]);
});

it.each([
  ['the public name', 'air.example', []],
  ['X-Forwarded-For', '127.0.0.1', [['x-forwarded-for', '192.0.2.7']]],
  ['Forwarded', '127.0.0.1', [['forwarded', 'for=192.0.2.7']]],
  ['Via', '127.0.0.1', [['via', '2.0 Caddy']]],
  ['X-Real-IP', '127.0.0.1', [['x-real-ip', '192.0.2.7']]],
] as const)(
  'hides metrics and the details of readiness through a proxy that shows by %s, 20 of 20',
  async (_, host, more) => {
    for (let i = 0; i < 20; i++) {
      const name = host === '127.0.0.1' ? `${host}:${at.port}` : host;
      const metrics = await get('/metrics', name, more);
      expect([metrics.status, metrics.body]).toEqual([404, expect.not.stringContaining('fareclerk_')]);
      const ready = await get('/readyz', name, more);
      expect([ready.status, JSON.parse(ready.body)]).toEqual([200, { status: 'ready' }]);
    }
  },
);
