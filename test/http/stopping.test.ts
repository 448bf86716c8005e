/** Readiness, binding, stopping, and callers who leave: no call that began is lost. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { serveOverHttp } from '../../src/http/server.ts';
import { callBody, goodHeaders, headOf, LIST, open, raw } from './support/raw.ts';
import { serve, TOKEN } from './support/serve.ts';
import { openTinyClerk } from './support/tiny-clerk.ts';

const probe = (port: number, path: string) => raw(port, { method: 'GET', path, headers: [['host', 'x']] });
const waitFor = (port: number, word: string, ...more: [string, string][]) =>
  raw(port, { headers: [...goodHeaders(port), ...more], body: callBody('wait_for', { word }) });
/** Whether it is still under way a moment later. */
const lasts = async (work: Promise<unknown>) => (await Promise.race([work, pause(80, 'waiting')])) === 'waiting';

describe('stopping', () => {
  it('stops in order: not ready, calls in flight finish, then it closes', async () => {
    const at = await serve({ limits: { drainMs: 600 } });
    const ready = await probe(at.port, '/readyz');
    expect([ready.status, JSON.parse(ready.body)]).toEqual([200, { status: 'ready' }]);
    const call = waitFor(at.port, 'end');
    await expect.poll(() => at.tiny.waiting.size).toBe(1);
    const stopped = at.close();
    const meanwhile = await Promise.all([
      probe(at.port, '/readyz'),
      probe(at.port, '/healthz'),
      raw(at.port, { headers: goodHeaders(at.port), body: LIST }),
    ]);
    expect(meanwhile.map(({ status }) => status)).toEqual([503, 200, 200]);
    expect(at.tiny.closed).toBe(false);
    at.tiny.waiting.get('end')?.();
    expect((await call).body).toContain('waited for end');
    await stopped;
    expect(at.tiny.closed).toBe(true);
    await expect(open(at.port)).rejects.toThrow('ECONNREFUSED');
  });

  it('stops at once if no load balancer probes, and once, however often it is asked to', async () => {
    const at = await serve({ limits: { drainMs: 60_000 } });
    expect(at.serving.stop()).toBe(at.serving.stop());
    await at.serving.closed;
    expect(at.tiny.closed).toBe(true);
  });

  it('refuses new calls on open connections while it stops', async () => {
    const at = await serve();
    const call = waitFor(at.port, 'last');
    await expect.poll(() => at.tiny.waiting.size).toBe(1);
    const socket = await open(at.port);
    // Half a request keeps the connection from being idle.
    const head = headOf({ headers: [...goodHeaders(at.port), ['content-length', String(LIST.length)]] });
    socket.write(head.slice(0, -2));
    await pause(30);
    const stopped = at.close();
    await new Promise(setImmediate);
    socket.write(`\r\n${LIST}`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 5/i);
    at.tiny.waiting.get('last')?.();
    expect((await call).status).toBe(200);
    await stopped;
  });

  it('does not blame the store for a probe that was under way when it closed', async () => {
    const changes: (readonly string[])[] = [];
    const readiness = (reasons: readonly string[]) => void changes.push(reasons);
    const at = await serve({ log: { answered() {}, failure() {}, readiness } });
    const { state } = await at.tiny.clerk.runtime();
    const asked = Promise.withResolvers<void>();
    const { promise: closes, resolve: close } = Promise.withResolvers<void>();
    vi.spyOn(state, 'unwritable').mockImplementation(async () => {
      asked.resolve();
      await closes;
      return ['state'];
    });
    const probed = probe(at.port, '/readyz');
    await asked.promise;
    const stopped = at.close();
    close();
    expect((await probed).status).toBe(503);
    await stopped;
    expect(changes).toEqual([]);
  });

  it('stops after the grace even if a call does not end', async () => {
    const at = await serve({ limits: { graceMs: 50 } });
    const call = waitFor(at.port, 'never');
    await expect.poll(() => at.tiny.waiting.size).toBe(1);
    await at.close();
    await call.catch(() => undefined);
    expect(at.tiny.closed).toBe(true);
  });

  it('waits for operations being sent whose callers have left', async () => {
    const at = await serve();
    const { promise, resolve } = Promise.withResolvers<void>();
    (await at.tiny.clerk.runtime()).inFlight.add(promise);
    const stopped = at.close();
    expect(await lasts(stopped)).toBe(true);
    resolve();
    await stopped;
  });

  it('stops on SIGTERM', async () => {
    const tiny = await openTinyClerk();
    const before = process.listenerCount('SIGTERM');
    let port = 0;
    const over = serveOverHttp(tiny.clerk, {
      ...{ version: '0', host: '127.0.0.1', port: 0, caller: { tenant: 't', id: 'i' }, token: TOKEN },
      close: () => tiny.close(),
      async begin(serving) {
        port = serving.port;
      },
    });
    await expect.poll(() => port).toBeGreaterThan(0);
    expect((await probe(port, '/healthz')).status).toBe(200);
    process.emit('SIGTERM');
    await over;
    expect([tiny.closed, process.listenerCount('SIGTERM')]).toEqual([true, before]);
  });
});

describe('binding', () => {
  it('refuses to bind to other than loopback without sign-in', async () => {
    const tiny = await openTinyClerk();
    await expect(serve({ host: '0.0.0.0' }, tiny)).rejects.toMatchObject({ code: 'E_CONFIG' });
    await tiny.close();
  });

  it('reports a port that is in use', async () => {
    const at = await serve();
    const message = `Port ${at.port} is taken by another program.`;
    await expect(serve({ port: at.port })).rejects.toMatchObject({ code: 'E_CONFIG', message });
    await at.close();
  });
});
