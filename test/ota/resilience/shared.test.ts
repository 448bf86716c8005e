/**
 * What adapters of several points of sale share, and the trace headers of each call.
 */
import { expect, it } from 'vitest';
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

it('sends the trace headers with every read and every send', async () => {
  const wire = await serve((_request, socket) => socket.end('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n'));
  let calls = 0;
  const airline = at(wire.origin, { traced: (_, send) => send({ traceparent: `trace-${++calls}` }) });
  await failureOf(airline.read('ABC123'));
  await failureOf(airline.routes());
  await failureOf(pay(airline, watchedDispatch()));
  expect(wire.received.map(({ headers }) => headers.traceparent)).toEqual(['trace-1', 'trace-2', 'trace-3']);
});
