import { describe, expect } from 'vitest';
import { Changes } from '../../src/journal/context.ts';
import { booking, type Evidence, paidBooking, receipt } from './answers.ts';
import { GAP, Harness, quiet, SETTLE, test } from './harness.ts';

async function settled<T>(promise: Promise<T>): Promise<T | 'waiting'> {
  await quiet();
  return await Promise.race([promise, Promise.resolve('waiting' as const)]);
}

/** In doubt, and readings show nothing. */
async function doubted(): Promise<Harness> {
  const h = await Harness.open();
  h.shown = booking();
  await h.doubt();
  return h;
}

describe('following', () => {
  test('returns an operation that has ended at once, and throws for an unknown one', async ({ h }) => {
    await expect(h.journal.follow('a', 1000)).rejects.toMatchObject({ code: 'E_INTERNAL' });
    await h.send();
    expect((await h.journal.follow('a', 60_000)).state).toBe('succeeded');
    expect(h.clock.sleepers).toBe(0);
  });

  test('returns an operation the moment this process settles it, whoever else follows it and leaves', async ({ h }) => {
    const operation = await h.open();
    const leave = new AbortController();
    const left = h.journal.follow('a', 60_000, leave.signal);
    const others = [h.journal.follow('a', 60_000), h.journal.follow('a', 60_000)];
    const { promise, resolve: answer } = Promise.withResolvers<Evidence>();
    void h.journal.execute(
      operation,
      h.act(() => promise),
    );
    await h.clock.pass(10);
    leave.abort();
    expect(await settled(left)).toMatchObject({ state: 'dispatched' });
    expect(await Promise.all(others.map(settled))).toEqual(['waiting', 'waiting']);
    answer(receipt());
    expect(await Promise.all(others.map(settled))).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
    expect(h.clock.sleepers).toBe(0);
  });

  test('notices within half a second that another process settled the operation', async ({ h }) => {
    const { answer } = await h.begin();
    const following = h.process('p2').follow('a', 60_000);
    await h.clock.pass(100);
    answer(receipt());
    await h.clock.pass(300);
    expect(await settled(following)).toBe('waiting');
    await h.clock.pass(100);
    expect(await settled(following)).toMatchObject({ state: 'succeeded' });
  });

  test('returns the current state when the time to wait is over, or the signal aborts', async () => {
    const h = await doubted();
    expect((await h.journal.follow('a', 0)).state).toBe('in_doubt');
    const stop = new AbortController();
    const [following, stopped] = [h.journal.follow('a', 30_000), h.journal.follow('a', 60_000, stop.signal)];
    await h.clock.pass(29_999);
    expect(await settled(following)).toBe('waiting');
    await h.clock.pass(1);
    expect(await settled(following)).toMatchObject({ state: 'in_doubt' });
    expect(await settled(stopped)).toBe('waiting');
    stop.abort();
    expect(await settled(stopped)).toMatchObject({ state: 'in_doubt' });
    expect((await h.journal.follow('a', 30_000, stop.signal)).state).toBe('in_doubt');
    expect(h.clock.sleepers).toBe(0);
  });

  test('settles the operation by a reading when one is due', async () => {
    const h = await doubted();
    const following = h.journal.follow('a', SETTLE + 10 * GAP);
    await h.clock.pass(SETTLE + GAP);
    expect(h.reads).toBe(14);
    h.shown = paidBooking();
    await h.clock.pass(GAP);
    expect(await settled(following)).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
  });

  test('reads the booking once for many followers', async () => {
    const h = await doubted();
    const following = Array.from({ length: 10 }, () => h.journal.follow('a', 1000));
    await h.clock.pass(1000);
    await Promise.all(following);
    expect(h.reads).toBe(1);
  });

  test('logs a settling step that fails, and repeats it', async ({ h }) => {
    await h.doubt();
    h.faults.lease = 1;
    const following = h.journal.follow('a', 10_000);
    await h.clock.pass(1000);
    expect(await settled(following)).toMatchObject({ state: 'succeeded' });
    expect(h.warnings).toEqual(['a settling step failed']);
  });
});

test('settles operations in doubt in the background until it is stopped, also after the store failed', async () => {
  const h = await doubted();
  h.faults.list = 1;
  const stop = new AbortController();
  const tending = h.journal.keepReconciling(stop.signal);
  await h.clock.pass(SETTLE + 4 * GAP);
  expect((await h.entry()).state).toBe('not_executed');
  expect(h.warnings).toEqual(['reconciliation failed']);
  stop.abort();
  await tending;
  expect(h.clock.sleepers).toBe(0);
});

test('wakes those who wait for an operation once each, whoever leaves and whenever', async () => {
  const changes = new Changes();
  const woken: string[] = [];
  const wait = (name: string, id = 'a') => {
    const leave = new AbortController();
    void changes.next(id, leave.signal).then(() => woken.push(name));
    return () => leave.abort();
  };
  const after = async (act: () => void) => {
    act();
    await quiet();
    return woken.splice(0);
  };
  const announce = () => changes.announce('a');
  const [one] = [wait('one'), wait('two'), wait('other', 'b')];
  expect(await after(announce)).toEqual(['one', 'two']);
  wait('three');
  // The first waiter leaves late: the new one waits on.
  expect(await after(one)).toEqual([]);
  expect(await after(wait('four'))).toEqual(['four']);
  expect(await after(announce)).toEqual(['three']);
  const early = wait('early');
  announce();
  wait('late');
  expect(await after(early)).toEqual(['early']);
  expect(await after(announce)).toEqual(['late']);
  wait('last')();
  wait('next');
  expect(await after(announce)).toEqual(['last', 'next']);
  expect(await after(() => changes.announce('b'))).toEqual(['other']);
});
