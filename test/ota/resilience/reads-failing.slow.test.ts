/**
 * Failed reads: which ones are retried, one total deadline, and a breaker for an airline that is down.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.ts';
import { createReadGuard } from '../../../src/ota/transport/read-guard.ts';
import { drip, inTurn, json, locatorAsked } from '../support/answers.ts';
import { at, failureOf, serve } from '../support/harness.ts';
import { LOCATOR, OTHER_LOCATOR, readReply } from '../support/samples.ts';
import { type Answer, reply } from '../support/wire-server.ts';

describe('a failed read', () => {
  type Failure = [name: string, answer: Answer, code: ErrorCode, calls: 1 | 2, deadlineMs?: number];
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"succ';
  const unavailable = { status: 503, code: '187' };
  const FAILURES: Failure[] = [
    ['silence', () => {}, 'E_AIRLINE_TIMEOUT', 1, 150],
    ['a reset', (_, socket) => socket.resetAndDestroy(), 'E_AIRLINE_DOWN', 2],
    ['an end', (_, socket) => socket.end(), 'E_AIRLINE_DOWN', 2],
    ['half a reply', (_, socket) => socket.end(half), 'E_AIRLINE_REPLY', 2],
    ['a drip', drip, 'E_AIRLINE_TIMEOUT', 1, 250],
    ['HTML', json(200, '<html>'), 'E_AIRLINE_REPLY', 1],
    ['a foreign booking', json(200, readReply(OTHER_LOCATOR)), 'E_AIRLINE_REPLY', 2],
    ['no booking', json(200, { success: {} }), 'E_AIRLINE_REPLY', 2],
    ['502', json(502, 'bad gateway'), 'E_AIRLINE_DOWN', 2],
    ['503', json(503, unavailable), 'E_AIRLINE_DOWN', 2],
    ['503 for an hour', json(503, unavailable, { 'retry-after': '3600' }), 'E_AIRLINE_DOWN', 1],
    ['a redirect', json(302, '', { location: '/v2015b/OTA' }), 'E_AIRLINE_REPLY', 1],
    ['throttling', json(429, '', { 'retry-after': '1' }), 'E_AIRLINE_BUSY', 2],
    ['long throttling', json(429, '', { 'retry-after': '90' }), 'E_AIRLINE_BUSY', 1],
  ];

  it.each<Failure>(FAILURES)(
    'reports a read that fails with %s',
    async (_name, answer, code, calls, deadlineMs = 5_000) => {
      const server = await serve(answer);
      const began = performance.now();
      // Time passes while it sleeps: a pause that the airline asks for ends.
      let slept = 0;
      const sleep = async (ms: number) => {
        slept += ms;
      };
      const clock = { now: () => performance.now() + slept, sleep };
      const error = await failureOf(at(server.origin, { deadlines: { read: deadlineMs }, ...clock }).read(LOCATOR));
      expect(error).toMatchObject({ code, effect: 'none' });
      expect(server.received).toHaveLength(calls);
      // Well under undici's own limits (20 s), however busy the machine is.
      expect(performance.now() - began).toBeLessThan(deadlineMs + 5_000);
    },
  );

  it('repeats a failed read once and returns the second reply', async () => {
    const server = await serve(inTurn((_, socket) => socket.resetAndDestroy(), json(200, readReply())));
    const airline = at(server.origin);
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    expect(airline.log).toMatchObject([
      { attempt: 1, code: 'closed' },
      { attempt: 2, status: 200 },
    ]);
  });

  it('stops reading a compressed bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(200 << 20, 0x20));
    const server = await serve(json(200, bomb, { 'content-encoding': 'gzip' }));
    const before = process.memoryUsage().rss;
    expect(await failureOf(at(server.origin).read(LOCATOR))).toMatchObject({ code: 'E_AIRLINE_REPLY' });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
  });

  it('ends the call and its connection as soon as the caller gives up', async () => {
    const ended: Promise<unknown>[] = [];
    const server = await serve((_, socket) => {
      ended.push(new Promise((done) => socket.on('close', done)));
    });
    const caller = new AbortController();
    const outcome = failureOf(at(server.origin).read(LOCATOR, { signal: caller.signal }));
    await expect.poll(() => server.received.length).toBe(1);
    caller.abort();
    expect(await outcome).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'none' });
    await Promise.all(ended);
    const before = await failureOf(at(server.origin).read(LOCATOR, { signal: AbortSignal.abort() }));
    expect(before.effect).toBe('none');
    expect(server.received).toHaveLength(1);
  });
});

describe('an airline that is slow', () => {
  it('is asked again after any number of answers that did not come in time', async () => {
    const late: Answer = () => {};
    const answers = Array.from({ length: 40 }, () => late);
    const server = await serve(inTurn(...answers, json(200, readReply())));
    const readGuard = createReadGuard(() => performance.now());
    const airline = at(server.origin, { readGuard, deadlines: { read: 30 } });
    for (const _ of answers)
      expect(await failureOf(airline.read(LOCATOR))).toMatchObject({ code: 'E_AIRLINE_TIMEOUT' });
    const patient = at(server.origin, { readGuard });
    await expect(patient.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    expect(server.received).toHaveLength(41);
  });
});

describe('an airline that is down', () => {
  it('is not taken to be back because a read from before answers late', () => {
    let now = 0;
    const changes: boolean[] = [];
    const breaker = createReadGuard(
      () => now,
      (isDown) => changes.push(isDown),
    ).breakerOf('https://air.example/');
    for (let n = 0; n < 20; n++) breaker.record('bad');
    breaker.record('slow');
    expect([breaker.isOpen(), breaker.allows()]).toEqual([true, false]);
    now = 5_000;
    expect(breaker.allows()).toBe(true);
    breaker.record('bad');
    breaker.record('slow');
    expect(breaker.isOpen()).toBe(true);
    now = 10_000;
    expect(breaker.allows()).toBe(true);
    breaker.record('slow');
    expect([breaker.isOpen(), changes]).toEqual([false, [true, false]]);
  });

  it('limits retries while the airline is down, then stops asking, and asks again once it is back', async () => {
    let down = true;
    const server = await serve((request, socket) =>
      down ? socket.resetAndDestroy() : socket.write(reply(200, readReply(locatorAsked(request)))),
    );
    let clock = 1_000_000;
    const airline = at(server.origin, { now: () => clock });
    for (let index = 0; index < 100; index += 1) await failureOf(airline.read(LOCATOR));
    expect(server.received.length).toBeLessThanOrEqual(20 + 3);
    const error = await failureOf(airline.read(LOCATOR));
    expect(error).toMatchObject({ code: 'E_AIRLINE_DOWN', retry: 'after_s:5' });
    expect(error.message).toMatch(/Nothing was sent\.$/);
    const asked = server.received.length;
    down = false;
    clock += 4_999;
    await failureOf(airline.read(LOCATOR));
    expect(server.received).toHaveLength(asked);
    clock += 1;
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
    await expect(airline.read(LOCATOR)).resolves.toMatchObject({ locator: LOCATOR });
  });
});
