import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { stoppable } from '../../../src/cli/terminal/stoppable.ts';

test('stops work on Ctrl-C, and listens no longer than the work takes', async () => {
  const before = process.listenerCount('SIGINT');
  const work = stoppable((signal) => wait(60_000, undefined, { signal }));
  process.emit('SIGINT');
  expect(await work).toBe('stopped');
  expect(process.listenerCount('SIGINT')).toBe(before);
});

test('passes on what the work returns, and its own failures', async () => {
  expect(await stoppable(async () => 7)).toBe(7);
  await expect(stoppable(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
