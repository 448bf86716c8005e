import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../src/journal/ports.ts';
import { act, booking, GAP, Harness, paidBooking, quiet, receipt, SETTLE } from './harness.ts';

async function settled<T>(promise: Promise<T>): Promise<T | 'waiting'> {
  await quiet();
  return await Promise.race([promise, Promise.resolve('waiting' as const)]);
}

describe('following', () => {
  test('returns an operation that has ended at once', async () => {
    const h = new Harness();
    await h.journal.run(
      await h.open(),
      act(async () => receipt()),
    );
    expect((await h.journal.follow('a', 60_000)).state).toBe('succeeded');
    expect(h.clock.sleepers).toBe(0);
  });

  test('throws when following an unknown operation', async () => {
    await expect(new Harness().journal.follow('a', 1000)).rejects.toMatchObject({ code: 'E_INTERNAL' });
  });

  test('returns an operation the moment this process settles it', async () => {
    const h = new Harness();
    let answer: (evidence: Evidence) => void = () => {};
    void h.journal.run(
      await h.open(),
      act(() => new Promise((resolve) => (answer = resolve))),
    );
    const following = h.journal.follow('a', 60_000);
    await h.clock.pass(10);
    expect(await settled(following)).toBe('waiting');
    answer(receipt());
    expect(await settled(following)).toMatchObject({ state: 'succeeded' });
    expect(h.clock.sleepers).toBe(0);
  });

  test('notices within half a second that another process settled the operation', async () => {
    const h = new Harness();
    let answer: (evidence: Evidence) => void = () => {};
    void h.journal.run(
      await h.open(),
      act(() => new Promise((resolve) => (answer = resolve))),
    );
    const following = h.process('p2').follow('a', 60_000);
    await h.clock.pass(100);
    answer(receipt());
    await h.clock.pass(300);
    expect(await settled(following)).toBe('waiting');
    await h.clock.pass(100);
    expect(await settled(following)).toMatchObject({ state: 'succeeded' });
  });

  test('returns the current state when the time to wait is over', async () => {
    const h = new Harness();
    h.shown = booking();
    await h.doubt();
    const following = h.journal.follow('a', 30_000);
    await h.clock.pass(29_999);
    expect(await settled(following)).toBe('waiting');
    await h.clock.pass(1);
    expect(await settled(following)).toMatchObject({ state: 'in_doubt' });
    expect(h.clock.sleepers).toBe(0);
  });

  test('reads the state once if there is no time to wait', async () => {
    const h = new Harness();
    await h.doubt();
    expect((await h.journal.follow('a', 0)).state).toBe('in_doubt');
  });

  test('stops following when the signal aborts', async () => {
    const h = new Harness();
    h.shown = booking();
    await h.doubt();
    const stop = new AbortController();
    const following = h.journal.follow('a', 30_000, stop.signal);
    await h.clock.pass(1000);
    stop.abort();
    expect(await settled(following)).toMatchObject({ state: 'in_doubt' });
    expect((await h.journal.follow('a', 30_000, stop.signal)).state).toBe('in_doubt');
  });

  test('settles the operation by a reading when one is due', async () => {
    const h = new Harness();
    h.shown = booking();
    await h.doubt();
    const following = h.journal.follow('a', SETTLE + 10 * GAP);
    await h.clock.pass(SETTLE + GAP);
    expect(h.reads).toBe(14);
    h.shown = paidBooking();
    await h.clock.pass(GAP);
    expect(await settled(following)).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
  });

  test('reads the booking once for many followers', async () => {
    const h = new Harness();
    h.shown = booking();
    await h.doubt();
    const following = Array.from({ length: 10 }, () => h.journal.follow('a', 1000));
    await h.clock.pass(1000);
    await Promise.all(following);
    expect(h.reads).toBe(1);
  });

  test('logs a settling step that fails, and repeats it', async () => {
    const h = new Harness();
    await h.doubt();
    const lease = h.store.lease.bind(h.store);
    let failed = false;
    h.store.lease = async (...given) => {
      if (failed) return await lease(...given);
      failed = true;
      throw new Error('disk full');
    };
    const following = h.journal.follow('a', 10_000);
    await h.clock.pass(1000);
    expect(await settled(following)).toMatchObject({ state: 'succeeded' });
    expect(h.warnings).toEqual(['a settling step failed']);
  });
});

describe('tending', () => {
  test('settles operations in doubt in the background until it is stopped', async () => {
    const h = new Harness();
    h.shown = booking();
    await h.doubt();
    const stop = new AbortController();
    const tending = h.journal.tend(stop.signal);
    await h.clock.pass(SETTLE + 3 * GAP);
    expect((await h.state()).state).toBe('not_executed');
    stop.abort();
    await tending;
    expect(h.clock.sleepers).toBe(0);
  });

  test('continues to settle operations after the store fails', async () => {
    const h = new Harness();
    await h.doubt();
    const list = h.store.list.bind(h.store);
    h.store.list = async () => {
      h.store.list = list;
      throw new Error('disk full');
    };
    const stop = new AbortController();
    void h.journal.tend(stop.signal);
    await h.clock.pass(GAP);
    stop.abort();
    expect(h.warnings).toEqual(['reconciliation failed']);
    expect((await h.state()).state).toBe('succeeded');
  });
});
