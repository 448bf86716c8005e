import { expect, test } from 'vitest';
import { workWheneverLeased } from '../../src/journal/under-lease.ts';

type Work = Parameters<typeof workWheneverLeased>[2];

/** Leases whose answer a test decides, and a clock that jumps as far as somebody sleeps. */
function stage(take: () => Promise<boolean>) {
  let now = 0;
  const ended: string[] = [];
  const clock = {
    now: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      if (!signal?.aborted) now += ms;
      await new Promise(setImmediate);
    },
  };
  const leases = {
    take,
    async end(name: string, owner: string) {
      ended.push(`${name} ${owner}`);
      throw new Error('away');
    },
  };
  const stop = new AbortController();
  const work = (what: Work) => workWheneverLeased({ leases, clock, name: 'events', owner: 'one' }, stop.signal, what);
  return { work, stop, ended, now: () => now };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('waits for the lease, works while it renews it, and gives it back at the end', async () => {
  let takes = 0;
  const { work, stop, ended } = stage(async () => {
    takes += 1;
    if (takes === 5) stop.abort();
    return takes > 2;
  });
  let began = 0;
  await work(async (held) => {
    began = takes;
    await aborted(held);
  });
  expect([began, takes, ended]).toEqual([3, 5, ['events one']]);
});

test('stops the work before its lease ends, if it cannot be renewed, and asks for it again', async () => {
  const answers = ['yes', 'no', 'away'];
  const { work, stop, now } = stage(async () => {
    const answer = answers.shift() ?? 'yes';
    if (answer === 'away') throw new Error(answer);
    return answer === 'yes';
  });
  const lost: number[] = [];
  await work(async (held) => {
    if (lost.length === 1) return stop.abort();
    await aborted(held);
    lost.push(now());
  });
  expect(lost).toEqual([20_000]);
});

test('fails with its work, and does not begin once it has to end', async () => {
  const { work } = stage(async () => true);
  await expect(work(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const { work: late, stop } = stage(async () => true);
  stop.abort();
  await late(async () => expect.unreachable());
});
