/**
 * Stopping, and callers who leave: no call that began is lost.
 */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { serveOverHttp, startHttp } from '../../../src/server/http/server.ts';
import { callBody, goodHeaders, LIST, open, raw } from './support/raw.ts';
import { serve, serveSigned } from './support/serve.ts';
import { openTinyClerk } from './support/tiny-clerk.ts';

const probe = (port: number, path: string) => raw(port, { method: 'GET', path, headers: [['host', 'x']] });

describe('readiness', () => {
  it('is ready once the state store answers', async () => {
    const at = await serve();
    const reply = await probe(at.port, '/readyz');
    expect([reply.status, JSON.parse(reply.body)]).toEqual([200, { status: 'ready' }]);
    await at.close();
  });

  it('is not ready if the state cannot be opened, but alive', async () => {
    const tiny = await openTinyClerk();
    const broken = { ...tiny.clerk, parts: () => Promise.reject(new Error('postgres://user:secret@host')) };
    const serving = await startHttp(broken, {
      version: '0',
      host: '127.0.0.1',
      port: 0,
      caller: { tenant: 't', id: 'i' },
      close: tiny.close,
    });
    const reply = await probe(serving.port, '/readyz');
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      503,
      { status: 'not ready', reasons: ['The server cannot open what calls need: see the log.'] },
    ]);
    // Whoever comes through a proxy gets no reasons.
    const headers = [
      ['host', `127.0.0.1:${serving.port}`],
      ['x-forwarded-for', '203.0.113.7'],
    ] as const;
    const outside = await raw(serving.port, { method: 'GET', path: '/readyz', headers });
    expect([outside.status, JSON.parse(outside.body)]).toEqual([503, { status: 'not ready' }]);
    expect((await probe(serving.port, '/healthz')).status).toBe(200);
    await serving.stop();
  });
});

describe('stopping', () => {
  it('stops in order: not ready, calls in flight finish, then it closes', async () => {
    const at = await serve({ limits: { drainMs: 600 } });
    expect((await probe(at.port, '/readyz')).status).toBe(200);
    const call = raw(at.port, { headers: goodHeaders(at.port), body: callBody('wait_for', { word: 'end' }) });
    await expect.poll(() => at.tiny.waiting.size).toBe(1);
    const stopped = at.serving.stop();
    const [ready, alive, another] = await Promise.all([
      probe(at.port, '/readyz'),
      probe(at.port, '/healthz'),
      raw(at.port, { headers: goodHeaders(at.port), body: LIST }),
    ]);
    expect([ready.status, alive.status, another.status]).toEqual([503, 200, 200]);
    expect(at.tiny.closed).toBe(false);
    at.tiny.waiting.get('end')?.();
    expect((await call).body).toContain('waited for end');
    await stopped;
    expect(at.tiny.closed).toBe(true);
    await expect(open(at.port)).rejects.toThrow('ECONNREFUSED');
  });

  it('stops at once if no load balancer probes', async () => {
    const at = await serve({ limits: { drainMs: 60_000 } });
    await at.serving.stop();
    expect(at.tiny.closed).toBe(true);
  });

  it('finishes a hundred calls in flight before it stops', async () => {
    const at = await serveSigned({ limits: { callsAtOnce: 200 } });
    const authorization = ['authorization', `Bearer ${await at.token()}`] as const;
    const words = Array.from({ length: 100 }, (_, i) => `word-${i}`);
    const calls = words.map((word) =>
      raw(at.port, { headers: [...goodHeaders(at.port), authorization], body: callBody('wait_for', { word }) }),
    );
    await expect.poll(() => at.tiny.waiting.size, { timeout: 10_000 }).toBe(100);
    const stopped = at.serving.stop();
    for (const end of [...at.tiny.waiting.values()]) end();
    const replies = await Promise.all(calls);
    for (const [i, reply] of replies.entries()) expect(reply.body).toContain(`waited for ${words[i]}"`);
    expect(at.failures).toEqual([]);
    await stopped;
    await at.issuer.close();
  });

  it('refuses new calls on open connections while it stops', async () => {
    const at = await serve();
    const call = raw(at.port, { headers: goodHeaders(at.port), body: callBody('wait_for', { word: 'last' }) });
    await expect.poll(() => at.tiny.waiting.size).toBe(1);
    const socket = await open(at.port);
    // Half a request keeps the connection from being idle.
    const head = goodHeaders(at.port).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\ncontent-length: ${LIST.length}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const stopped = at.serving.stop();
    await new Promise(setImmediate);
    socket.write(`\r\n${LIST}`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toContain('503');
    expect(chunk.toString().toLowerCase()).toContain('retry-after: 5');
    at.tiny.waiting.get('last')?.();
    expect((await call).status).toBe(200);
    await stopped;
  });

  it('stops after the grace even if a call does not end', async () => {
    const at = await serve({ limits: { graceMs: 50 } });
    const call = raw(at.port, { headers: goodHeaders(at.port), body: callBody('wait_for', { word: 'never' }) });
    await expect.poll(() => at.tiny.waiting.size).toBe(1);
    await at.serving.stop();
    await call.catch(() => undefined);
    expect(at.tiny.closed).toBe(true);
  });

  it('stops once, however often it is asked to', async () => {
    const at = await serve();
    expect(at.serving.stop()).toBe(at.serving.stop());
    await at.serving.closed;
  });

  it('waits for operations being sent whose callers have left', async () => {
    const at = await serve();
    let finish = () => {};
    await at.tiny.clerk.parts();
    at.tiny.parts.inFlight.add(new Promise<void>((resolve) => (finish = resolve)));
    const stopped = at.serving.stop();
    const early = await Promise.race([stopped.then(() => 'stopped'), new Promise((r) => setTimeout(r, 80, 'waiting'))]);
    expect(early).toBe('waiting');
    finish();
    await stopped;
  });

  it('stops on SIGTERM', async () => {
    const tiny = await openTinyClerk();
    const before = process.listenerCount('SIGTERM');
    let port = 0;
    const over = serveOverHttp(tiny.clerk, {
      version: '0',
      host: '127.0.0.1',
      port: 0,
      caller: { tenant: 't', id: 'i' },
      close: () => tiny.close(),
      listening: (serving) => {
        port = serving.port;
      },
    });
    await expect.poll(() => port).toBeGreaterThan(0);
    expect((await probe(port, '/healthz')).status).toBe(200);
    process.emit('SIGTERM');
    await over;
    expect(tiny.closed).toBe(true);
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});

describe('a caller who leaves', () => {
  it('finishes a call that began even if its caller leaves', async () => {
    const at = await serve();
    const socket = await open(at.port);
    const head = goodHeaders(at.port).map(([name, value]) => `${name}: ${value}`);
    const body = callBody('wait_for', { word: 'left' });
    socket.write(`POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await expect.poll(() => at.tiny.waiting.size).toBe(1);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    // Stopping still waits for it.
    const stopped = at.serving.stop();
    const early = await Promise.race([stopped.then(() => 'stopped'), new Promise((r) => setTimeout(r, 50, 'waiting'))]);
    expect(early).toBe('waiting');
    at.tiny.waiting.get('left')?.();
    await stopped;
    expect(at.tiny.ended).toEqual(['left']);
    expect(at.failures).toEqual([]);
  });
});

describe('binding', () => {
  it('refuses to bind to other than loopback without sign-in', async () => {
    const tiny = await openTinyClerk();
    const options = { version: '0', host: '0.0.0.0', port: 0, caller: { tenant: 't', id: 'i' }, close: tiny.close };
    await expect(startHttp(tiny.clerk, options)).rejects.toMatchObject({ code: 'E_CONFIG' });
    await tiny.close();
  });

  it('reports a port that is in use', async () => {
    const at = await serve();
    const again = serve({ port: at.port });
    await expect(again).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: `Port ${at.port} is taken by another program.`,
    });
    await at.close();
  });
});
