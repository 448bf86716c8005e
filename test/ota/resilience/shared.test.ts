/**
 * What adapters of several points of sale share, and the trace headers of each call.
 */
import { describe, expect, it } from 'vitest';
import { createReadGuard } from '../../../src/ota/resilience/read-guard.ts';
import { at, failureOf, pay, serve } from '../support/harness.ts';
import { watchedDispatch } from '../support/samples.ts';

it('shares between adapters that the airline is down', async () => {
  const down = await serve((_request, socket) => socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n'));
  const told: boolean[] = [];
  const readGuard = createReadGuard(
    () => performance.now(),
    (isDown) => told.push(isDown),
  );
  const [one, other] = [at(down.origin, { readGuard }), at(down.origin, { readGuard })];
  let said = '';
  for (let n = 0; n < 40 && !said.includes('not asked'); n++) said = (await failureOf(one.read('ABC123'))).message;
  const asked = down.received.length;
  expect(asked).toBeLessThanOrEqual(22);
  expect((await failureOf(other.read('ABC123'))).message).toContain('not asked');
  expect(down.received.length).toBe(asked);
  // The operator learns it once.
  expect(told).toEqual([true]);
});

describe('a pause that the airline asks for', () => {
  const busy = (retryAfter: string, status = 429) =>
    serve((_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n${retryAfter}content-length: 0\r\n\r\n`));

  it.each([
    ['retry-after: 60\r\n', 429, 60],
    ['retry-after: 60\r\n', 503, 60],
    ['retry-after: 86400\r\n', 429, 600],
  ] as const)('is kept by all adapters for that kind of message: %j with %i', async (header, status, seconds) => {
    const wire = await busy(header, status);
    let clock = 1_000_000;
    const now = () => clock;
    const readGuard = createReadGuard(now);
    const [one, other] = [at(wire.origin, { readGuard, now }), at(wire.origin, { readGuard, now })];
    await failureOf(one.read('ABC123'));
    expect(await failureOf(other.read('DEF456'))).toMatchObject({
      code: 'E_AIRLINE_BUSY',
      effect: 'none',
      retry: `after_s:${seconds}`,
      message: 'The airline asked for a pause of requests of this kind. Nothing was sent.',
    });
    expect(wire.received).toHaveLength(1);
    // Other kinds of messages are asked, and this one again once the pause is over.
    await failureOf(other.routes());
    expect(wire.received).toHaveLength(2);
    clock += seconds * 1_000;
    await failureOf(other.read('DEF456'));
    expect(wire.received).toHaveLength(3);
  });

  it.each([
    ['the rest of a named one', 'retry-after: 60\r\n', 58_500],
    ['one that names no time', '', 500],
  ])('is short enough to wait for: %s', async (_, header, since) => {
    const wire = await busy(header);
    let clock = 1_000_000;
    const now = () => clock;
    const slept: number[] = [];
    const airline = at(wire.origin, {
      now,
      sleep: async (ms) => {
        slept.push(ms);
        clock += ms;
      },
    });
    await failureOf(airline.read('ABC123'));
    clock += since;
    await failureOf(airline.read('ABC123'));
    expect(slept).toEqual([1_500]);
    expect(wire.received).toHaveLength(2);
  });

  it('is not broken by a payment, which is then provably not sent', async () => {
    const wire = await busy('retry-after: 60\r\n');
    const airline = at(wire.origin);
    await failureOf(pay(airline, watchedDispatch()));
    expect(await failureOf(pay(airline, watchedDispatch()))).toMatchObject({ code: 'E_AIRLINE_BUSY', effect: 'none' });
    expect(wire.received).toHaveLength(1);
  });

  it('does not count as a failure of the airline', async () => {
    const wire = await busy('retry-after: 60\r\n');
    const readGuard = createReadGuard(() => performance.now());
    const airline = at(wire.origin, { readGuard });
    for (let n = 0; n < 40; n++) await failureOf(airline.read('ABC123'));
    expect(readGuard.openBreakers()).toBe(0);
    expect(wire.received).toHaveLength(1);
  });
});

it('sends the trace headers with every read and every send', async () => {
  const wire = await serve((_request, socket) => socket.end('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n'));
  let calls = 0;
  const airline = at(wire.origin, { traced: (_, send) => send({ traceparent: `trace-${++calls}` }) });
  await failureOf(airline.read('ABC123'));
  await failureOf(airline.routes());
  await failureOf(pay(airline, watchedDispatch()));
  expect(wire.received.map(({ headers }) => headers.traceparent)).toEqual(['trace-1', 'trace-2', 'trace-3']);
});
