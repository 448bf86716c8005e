import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { elapsed, late, systemClock, systemRandom, wallClock, within } from '../../src/journal/clock.ts';

describe('the real clock', () => {
  test('reports the time, and sleeps until the time or the signal', async () => {
    const [before, steady] = [systemClock.now(), elapsed()];
    await systemClock.sleep(20);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before + 19);
    expect(elapsed() - steady).toBeGreaterThanOrEqual(15);
    await systemClock.sleep(-5);
    const stop = new AbortController();
    const sleeping = systemClock.sleep(60_000, stop.signal);
    stop.abort();
    await sleeping;
    await systemClock.sleep(60_000, stop.signal);
  });

  test('returns the value, throws its error, or reports that it is late', async () => {
    expect(await within(systemClock, 1000, Promise.resolve(1))).toBe(1);
    await expect(within(systemClock, 1000, Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await within(systemClock, 1, new Promise(() => {}))).toBe(late);
  });
});

describe('a clock that was changed', () => {
  function watched() {
    const at = { wall: 1_000_000, tick: 500 };
    const pass = (ms: number) => {
      at.wall += ms;
      at.tick += ms;
    };
    const clock = wallClock(
      () => at.wall,
      () => at.tick,
    );
    return { at, pass, clock };
  }

  test.each([6_000, -6_000, 86_400_000])('notices a change of %s ms, and counts the time since', (step) => {
    const { at, pass, clock } = watched();
    expect(clock.now()).toBe(1_000_000);
    expect(clock.sinceSet()).toBe(Number.POSITIVE_INFINITY);
    at.wall += step;
    pass(10);
    expect(clock.sinceSet()).toBe(0);
    pass(250);
    expect(clock.sinceSet()).toBe(250);
  });

  test('ignores the small drift that every clock has', () => {
    const { at, pass, clock } = watched();
    for (let hour = 0; hour < 24; hour++) {
      pass(3_600_000);
      at.wall += 2_000;
      clock.now();
    }
    expect(clock.sinceSet()).toBe(Number.POSITIVE_INFINITY);
  });

  test('counts the time for which the machine slept, and no change of its wall clock', () => {
    const start = elapsed();
    const [wall, up] = [vi.spyOn(Date, 'now'), vi.spyOn(os, 'uptime')];
    try {
      const [now, upSince] = [Date.now(), os.uptime()];
      wall.mockReturnValue(now + 3_600_000);
      expect(elapsed() - start).toBeLessThan(10_000);
      wall.mockReturnValue(now + 7_200_000);
      up.mockReturnValue(upSince + 3_600);
      syncBuiltinESMExports();
      expect(elapsed() - start).toBeGreaterThanOrEqual(3_599_000);
      wall.mockReturnValue(now);
      expect(elapsed() - start).toBeGreaterThanOrEqual(3_599_000);
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });
});

test('creates random UUIDs of version 4', () => {
  expect(systemRandom.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
