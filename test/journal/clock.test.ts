import { describe, expect, test } from 'vitest';
import { late, systemClock, systemRandom, within } from '../../src/journal/clock.ts';

describe('the real clock', () => {
  test('tells the time, and sleeps', async () => {
    const before = systemClock.now();
    await systemClock.sleep(5);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before + 4);
    await systemClock.sleep(-5);
  });

  test('a sleep ends when the signal aborts', async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(60_000, stop.signal);
    stop.abort();
    await sleeping;
    await systemClock.sleep(60_000, stop.signal);
  });

  test('within a time: the value, its error, or late', async () => {
    expect(await within(systemClock, 1000, Promise.resolve(1))).toBe(1);
    await expect(within(systemClock, 1000, Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await within(systemClock, 1, new Promise(() => {}))).toBe(late);
  });
});

test('a random UUID is version 4', () => {
  expect(systemRandom.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
