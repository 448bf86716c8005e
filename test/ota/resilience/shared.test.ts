/**
 * What adapters of several points of sale share, and the trace headers of each call.
 */
import { describe, expect, it } from 'vitest';
import { createReadGuard } from '../../../src/ota/transport/read-guard.ts';
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

/** A state that other processes use too. */
function sharedPauses() {
  const left = new Map<string, number>();
  const kinds: string[] = [];
  return {
    rows: left,
    kinds,
    left: async () => left,
    async keep(kind: string, ms: number) {
      kinds.push(kind);
      left.set(kind, ms);
    },
  };
}

/** An adapter of a process that shares its pauses. */
const sharing = (origin: string, pauses: Parameters<typeof createReadGuard>[2]) =>
  at(origin, { readGuard: createReadGuard(() => performance.now(), undefined, pauses) });

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

  it('may grow while it is waited for: a call looks again before it sends', async () => {
    const wire = await busy('retry-after: 60\r\n');
    let clock = 1_000_000;
    const store = sharedPauses();
    const slept: number[] = [];
    const sleep = async (ms: number) => {
      slept.push(ms);
      clock += ms;
      // The airline asks another process for a longer one meanwhile.
      store.rows.set(store.kinds[0] ?? '', 40_000);
    };
    const airline = at(wire.origin, {
      now: () => clock,
      sleep,
      readGuard: createReadGuard(() => clock, undefined, store),
    });
    await failureOf(airline.read('ABC123'));
    clock += 58_500;
    store.rows.clear();
    expect(await failureOf(airline.read('ABC123'))).toMatchObject({ code: 'E_AIRLINE_BUSY', retry: 'after_s:40' });
    expect([slept, wire.received.length]).toEqual([[1_500], 1]);
  });

  it.each([
    ['before its first try', 'retry-after: 60\r\n', 58_500, 1, ' Nothing was sent.'],
    ['before its second', 'retry-after: 1\r\n', 0, 2, ''],
  ])('says that the caller gave the call up while it waited %s', async (_, header, since, calls, unsent) => {
    const wire = await busy(header);
    let clock = 1_000_000;
    const leaving = new AbortController();
    const sleep = async () => {
      leaving.abort();
      throw leaving.signal.reason;
    };
    const now = () => clock;
    const readGuard = createReadGuard(now);
    const airline = at(wire.origin, { now, sleep, readGuard });
    if (since > 0) await failureOf(at(wire.origin, { now, readGuard }).read('ABC123'));
    else await failureOf(at(wire.origin, { now }).routes());
    clock += since;
    expect(await failureOf(airline.read('ABC123', { signal: leaving.signal }))).toMatchObject({
      code: 'E_AIRLINE_TIMEOUT',
      effect: 'none',
      message: `The call was given up before the airline answered.${unsent}`,
    });
    expect(wire.received).toHaveLength(calls);
  });

  it('is learned from other processes, and told to them', async () => {
    const wire = await busy('retry-after: 60\r\n');
    const store = sharedPauses();
    const [one, other] = [sharing(wire.origin, store), sharing(wire.origin, store)];
    await failureOf(pay(one, watchedDispatch()));
    expect([...store.rows]).toEqual([[`${wire.origin} ticket`, 60_000]]);
    expect(await failureOf(pay(other, watchedDispatch()))).toMatchObject({ code: 'E_AIRLINE_BUSY', effect: 'none' });
    expect(await other.pausedMs(['pay'])).toBeGreaterThan(59_000);
    expect(await other.pausedMs(['cancel', 'modify'])).toBe(0);
    // No act begins while its booking cannot be read.
    await failureOf(one.read('ABC123'));
    expect(await other.pausedMs(['cancel'])).toBeGreaterThan(59_000);
    expect(wire.received).toHaveLength(2);
  });

  it('is followed by the turns of those that wait, the same in each process, also in one that learns of it afterwards', async () => {
    const wire = await busy('retry-after: 60\r\n');
    let clock = 1_000_000;
    const store = sharedPauses();
    const process = () =>
      at(wire.origin, { now: () => clock, readGuard: createReadGuard(() => clock, undefined, store) });
    const one = process();
    await failureOf(pay(one, watchedDispatch()));
    const senders = Array.from({ length: 48 }, () => crypto.randomUUID());
    const turnsAt = (airline: typeof one) =>
      Promise.all(senders.map((sender) => airline.pausedMs(['pay'], sender))).then((turns) =>
        turns.sort((a, b) => a - b),
      );
    const turns = await turnsAt(one);
    for (const turn of turns) expect(turn >= 60_000 && turn < 65_000).toBe(true);
    // Not more than 16 of them in half a second.
    for (const [n, turn] of turns.entries())
      expect((turns[n + 16] ?? Number.POSITIVE_INFINITY) - turn).toBeGreaterThan(500);
    clock += 61_000;
    for (const kind of store.kinds) store.rows.set(kind, -1_000);
    const left = turns.map((turn) => Math.max(0, turn - 61_000));
    expect([await turnsAt(one), await turnsAt(process())]).toEqual([left, left]);
    expect(await process().pausedMs(['pay'])).toBe(0);
    clock += 4_000;
    store.rows.clear();
    expect(await turnsAt(one)).toEqual(turns.map(() => 0));
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('is kept without a state that %s, which delays a call once', async (_, answer) => {
    const wire = await busy('retry-after: 60\r\n');
    const looks: string[] = [];
    const asked = (what: string) => {
      looks.push(what);
      return answer();
    };
    const store = { left: () => asked('left'), keep: () => asked('keep') };
    const airline = sharing(wire.origin, store);
    await failureOf(airline.read('ABC123'));
    expect(await failureOf(airline.read('ABC123'))).toMatchObject({ code: 'E_AIRLINE_BUSY' });
    expect([looks, wire.received.length]).toEqual([['left', 'keep'], 1]);
  });

  it('asks the state once for calls at the same time', async () => {
    const wire = await serve((_, socket) => socket.end('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n'));
    let looks = 0;
    const store = { ...sharedPauses(), left: async () => new Map([[String(++looks), 1]]) };
    const airline = sharing(wire.origin, store);
    await Promise.all(Array.from({ length: 8 }, () => failureOf(airline.read('ABC123'))));
    expect([looks, wire.received.length]).toEqual([1, 8]);
  });

  it('does not count as a failure of the airline', async () => {
    const wire = await busy('retry-after: 60\r\n');
    const readGuard = createReadGuard(() => performance.now());
    const airline = at(wire.origin, { readGuard });
    for (let n = 0; n < 40; n++) await failureOf(airline.read('ABC123'));
    expect(readGuard.openBreakers()).toBe(0);
    expect(wire.received).toHaveLength(1);
    const left = (['read', 'ticket'] as const).map((operation) => readGuard.pauses.leftMs(operation) / 1_000);
    expect(left).toEqual([expect.closeTo(60, -1), 0]);
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
