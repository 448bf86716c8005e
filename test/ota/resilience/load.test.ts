/** The breaker and second tries, on a clock of their own. */
import { describe, expect, it } from 'vitest';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import { airlineAt } from '../support/airlines.ts';
import type { OtaOptions } from '../support/port.ts';
import { LOCATOR, OTHER_LOCATOR, readReply } from '../support/samples.ts';

type Answer = Awaited<ReturnType<NonNullable<OtaOptions['transport']>['exchange']>>;

const FAILED: Answer = { status: 500, text: '' };
const GOOD: Answer = { status: 404, text: '' };
/** Read again; to the breaker it is good. */
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

  it('opens after failures in a row only', async () => {
    const { reads } = clocked();
    await reads(FAILED, 19);
    await reads(GOOD);
    expect(await reads(FAILED, 25)).toBe(20);
  });

  it('lets one probe through every five seconds, and closes after a good one', async () => {
    const { reads, clock } = clocked();
    await reads(FAILED, 20);
    for (let probe = 0; probe < 4; probe += 1) {
      clock.at += 4_999;
      expect(await reads(FAILED)).toBe(0);
      clock.at += 1;
      expect(await reads(FAILED, 2)).toBe(1);
    }
    clock.at += 5_000;
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

  it('replaces a lost probe', async () => {
    const { reads, clock, pending } = clocked();
    await reads(FAILED, 20);
    clock.at += 5_000;
    await pending();
    expect(await reads(GOOD)).toBe(0);
    clock.at += 5_000;
    expect(await reads(GOOD)).toBe(1);
  });
});

describe('second tries', () => {
  it('are made once for each read', async () => {
    expect(await clocked().reads(FOREIGN, 10)).toBe(20);
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
