/** The breaker and the budget of second tries, on a clock of their own. */
import { describe, expect, it } from 'vitest';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import { airlineAt } from '../support/airlines.ts';
import type { OtaOptions } from '../support/port.ts';
import { LOCATOR, OTHER_LOCATOR, readReply } from '../support/samples.ts';

type Answer = Awaited<ReturnType<NonNullable<OtaOptions['transport']>['exchange']>>;

const FAILED: Answer = { status: 500, text: '' };
const GOOD: Answer = { status: 404, text: '' };
/** Read again if the budget allows it; to the breaker it is good. */
const FOREIGN: Answer = { status: 200, text: JSON.stringify(readReply(OTHER_LOCATOR)) };

function clocked(options: Partial<OtaOptions> = {}) {
  const clock = { at: 5_000_000 };
  const state = { sent: 0, answer: FAILED as Answer | Promise<Answer> };
  const pauses: number[] = [];
  const transport = {
    async exchange() {
      state.sent += 1;
      return state.answer;
    },
    replaceConnections: () => {},
    close: async () => {},
  };
  const airline = airlineAt('https://airline.test', {
    transport,
    now: () => clock.at,
    deadlines: { read: 1e9 },
    sleep: async (ms) => void pauses.push(ms),
    ...options,
  });
  const read = () => airline.read(LOCATOR).catch((error) => error);
  return {
    clock,
    pauses,
    /** Requests sent by so many reads with this answer. */
    async reads(answer: Answer | Promise<Answer>, times = 1) {
      const before = state.sent;
      state.answer = answer;
      for (let count = 0; count < times; count += 1) await read();
      return state.sent - before;
    },
    /** A read whose answer comes later. */
    async pending() {
      const later = Promise.withResolvers<Answer>();
      state.answer = later.promise;
      const reading = read();
      await new Promise(setImmediate);
      return async (answer: Answer) => {
        later.resolve(answer);
        await reading;
      };
    },
  };
}

describe('the breaker', () => {
  it('opens at the twentieth failure, not before', async () => {
    const { reads, clock } = clocked();
    expect(await reads(FAILED, 25)).toBe(20);
    clock.at += 4_999;
    expect(await reads(GOOD)).toBe(0);
    clock.at += 1;
    expect(await reads(GOOD)).toBe(1);
  });

  it('opens if half of the calls fail, and not below that', async () => {
    const { reads } = clocked();
    await reads(GOOD, 11);
    expect(await reads(FAILED, 15)).toBe(11);
  });

  it('forgets failures that are older than ten seconds', async () => {
    const { reads, clock } = clocked();
    await reads(FAILED, 19);
    clock.at += 10_000;
    expect(await reads(FAILED, 25)).toBe(20);
  });

  it('lets one probe through, closes after a good one and waits longer after a bad one', async () => {
    const { reads, clock } = clocked();
    await reads(FAILED, 20);
    for (const wait of [5_000, 8_000, 8_000, 8_000]) {
      clock.at += wait - 1;
      expect(await reads(FAILED)).toBe(0);
      clock.at += 1;
      expect(await reads(FAILED, 2)).toBe(1);
    }
    clock.at += 8_000;
    expect(await reads(GOOD)).toBe(1);
    expect(await reads(FAILED, 25)).toBe(20);
    clock.at += 5_000;
    expect(await reads(GOOD)).toBe(1);
  });

  it('closes after a probe that the airline took, however long it is silent', async () => {
    const { reads, clock } = clocked();
    await reads(FAILED, 20);
    clock.at += 5_000;
    await reads(Promise.reject(new TransportFailure('timeout', true)));
    expect(await reads(FAILED, 3)).toBe(3);
  });

  it('counts a connection that took too long as a failure', async () => {
    const { reads } = clocked();
    const unconnected = Promise.reject(new TransportFailure('timeout', false));
    expect(await reads(unconnected, 25)).toBe(20);
  });

  it('ignores late results from before it opened, and replaces a lost probe', async () => {
    const { reads, clock, pending } = clocked();
    const answerLate = await pending();
    await reads(FAILED, 20);
    await answerLate(GOOD);
    expect(await reads(GOOD)).toBe(0);
    clock.at += 5_000;
    await pending();
    expect(await reads(GOOD)).toBe(0);
    clock.at += 30_000;
    expect(await reads(GOOD)).toBe(1);
  });
});

describe('second tries', () => {
  it('are made for a tenth of the requests', async () => {
    const again = (await clocked().reads(FOREIGN, 1_000)) - 1_000;
    expect(again).toBeGreaterThanOrEqual(100);
    expect(again).toBeLessThanOrEqual(101);
  });

  it('are made once a second, and ten are saved at most', async () => {
    const { reads, clock } = clocked();
    expect(await reads(FOREIGN, 2)).toBe(3);
    clock.at += 600;
    expect(await reads(FOREIGN)).toBe(1);
    clock.at += 600;
    expect(await reads(FOREIGN, 2)).toBe(3);
    clock.at += 3_600_000;
    const again = (await reads(FOREIGN, 13)) - 13;
    expect(again).toBeGreaterThanOrEqual(10);
    expect(again).toBeLessThanOrEqual(11);
  });

  it('wait between a tenth of a second and one second', async () => {
    for (const [random, pause] of [
      [0, 100],
      [0.5, 550],
      [1, 1_000],
    ] as const) {
      const { reads, pauses } = clocked({ random: () => random });
      await reads(FOREIGN);
      expect(pauses).toEqual([pause]);
    }
  });
});
