import { describe, expect, vi } from 'vitest';
import { createJournal } from '../../src/journal/journal.ts';
import { SAR } from '../store/support/new-operation.ts';
import { type Evidence, error, NAMED, receipt } from './answers.ts';
import { DOWN, Harness, quiet, test } from './harness.ts';

/** The first process ended. */
const next = (h: Harness) => h.process('p2', { ending: new AbortController().signal });

/** Runs an operation; the store fails from before the dispatch on. */
async function run(faults: Harness['faults'], answer?: Parameters<Harness['send']>[0], recheck = async () => {}) {
  const h = await Harness.open();
  const running = h.send(answer, {}, async () => {
    Object.assign(h.faults, faults);
    await recheck();
  });
  await h.clock.pass(20_000);
  return { h, ran: await running };
}

/** The store goes down while the airline answers. */
async function answeredWhileDown(evidence: Evidence = receipt()) {
  const h = await Harness.open();
  const running = h.send(async () => {
    h.faults.transition = DOWN;
    return evidence;
  });
  await h.clock.pass(20_000);
  return { h, running };
}

/** And the process ends before the store is back. */
async function diedWhileDown(evidence?: Evidence) {
  const { h, running } = await answeredWhileDown(evidence);
  h.ending.abort();
  await h.clock.pass(2_000);
  h.faults.transition = 0;
  return { h, running };
}

describe('a store that fails before the dispatch', () => {
  test('lets nothing be sent', async () => {
    const { ran, h } = await run({ transition: 1 });
    expect(h.sends).toBe(0);
    expect(ran).toMatchObject({
      operation: { state: 'not_executed' },
      error: { code: 'E_STATE_DOWN', effect: 'none' },
    });
    expect(h.warnings).toContain('the store failed before the dispatch: nothing is sent');
  });

  test.each<[string, () => Promise<void>, readonly object[]]>([
    ['sound', async () => {}, [{ id: 'a', state: 'not_executed' }]],
    // Another process gives it up too.
    ['failed too', () => Promise.reject(new Error('the terms differ')), []],
  ])('leaves the operation unchanged while it stays down; the reading before was %s', async (_, recheck, ends) => {
    const { ran, h } = await run({ transition: DOWN }, receipt(), recheck);
    expect(h.sends).toBe(0);
    expect(ran).toMatchObject({ operation: { state: 'intent' }, error: { effect: 'none' } });
    expect(h.warnings.filter((line) => line === 'the store could not be written')).toHaveLength(1);
    expect(h.ends.all()).toMatchObject(ends);
  });

  test('gives up nothing that another process has sent, if the reading before fails', async ({ h }) => {
    const ran = await h.send(receipt(), {}, async () => {
      await h.move('intent', 'dispatched', { dispatchedAt: 1 });
      throw new Error('away');
    });
    expect(ran).toMatchObject({ operation: { state: 'dispatched' }, error: { effect: 'none' } });
    expect(h.sends).toBe(0);
  });

  const failure = Object.assign(error('E_INTERNAL', { effect: 'unknown' }), {
    message: 'The disk is full. Who knows.',
    what: 'The disk is full.',
  });
  test.each([
    ['its own refusal', error('E_NOT_PERMITTED'), 'what happened'],
    ['a failure', failure, 'The disk is full. Nothing was sent.'],
  ])('reports as nothing sent: %s', async (_what, thrown, message) => {
    const h = await Harness.open();
    const transition = h.store.transition.bind(h.store);
    vi.spyOn(h.store, 'transition').mockImplementation(async (...given) => {
      if (given[1].to === 'dispatched') throw thrown;
      return await transition(...given);
    });
    const ran = await h.send();
    expect(ran).toMatchObject({
      operation: { state: 'not_executed' },
      error: { code: thrown.code, message, effect: 'none' },
    });
    expect(h.sends).toBe(0);
  });

  test('may have taken the dispatch all the same: nothing that was not sent is in doubt later', async ({ h }) => {
    const transition = h.store.transition.bind(h.store);
    vi.spyOn(h.store, 'transition').mockImplementation(async (...given) => {
      const moved = await transition(...given);
      if (given[1].to !== 'dispatched') return moved;
      h.faults.transition = DOWN;
      throw new Error('disk full');
    });
    const running = h.send();
    await h.clock.pass(20_000);
    expect(await running).toMatchObject({ error: { code: 'E_STATE_DOWN', effect: 'none' } });
    expect(await h.entry()).toMatchObject({ state: 'dispatched' });
    h.ending.abort();
    await h.clock.pass(2_000);
    h.faults.transition = 0;
    await next(h).reconcile();
    expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: { error: { effect: 'none' } } });
    expect(h.ends.all()).toEqual([]);
  });

  test('returns the given operation if it cannot be read after another process was first', async ({ h }) => {
    const operation = await h.open();
    await h.move('intent', 'not_executed');
    h.faults.get = 1;
    expect(await h.journal.execute(operation, h.act())).toEqual({ operation });
  });
});

describe('a store that fails after the answer', () => {
  test('is tried again after longer and longer waits, of two seconds at most', async ({ h }) => {
    const tries: number[] = [];
    const began = h.clock.now();
    const transition = h.store.transition.bind(h.store);
    vi.spyOn(h.store, 'transition').mockImplementation(async (...given) => {
      if (given[1].to === 'dispatched' || tries.length === 7) return await transition(...given);
      tries.push(h.clock.now() - began);
      throw new Error('disk full');
    });
    const running = h.send();
    await h.clock.pass(20_000);
    expect(tries).toEqual([0, 400, 1_200, 2_800, 4_800, 6_800, 8_800]);
    expect((await running).operation.state).toBe('succeeded');
    expect(h.warnings.filter((line) => line === 'the store could not be written')).toHaveLength(1);
  });

  test('has the outcome of a reply however long it stays down, and the call learns it then', async () => {
    const { h, running } = await answeredWhileDown();
    await h.clock.pass(3_600_000);
    h.faults.transition = 0;
    await h.clock.pass(2_000);
    expect(await running).toMatchObject({ operation: { state: 'succeeded', outcome: { basis: 'reply' } } });
    expect(h.ends.all()).toEqual([]);
  });

  test('leaves the outcome unknown if the process ends, and the next one has it', async () => {
    const { h, running } = await diedWhileDown();
    expect(await running).toMatchObject({
      operation: { state: 'dispatched' },
      error: { code: 'E_STATE_DOWN', effect: 'unknown', message: expect.stringContaining('settled by reading') },
    });
    expect(h.ends.all()).toMatchObject([{ id: 'a', state: 'succeeded' }]);
    await next(h).reconcile();
    expect(await h.entry()).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
    expect(h.ends.all()).toEqual([]);
  });

  test('corrects what readings settled without the end of a dead process', async () => {
    const { h } = await diedWhileDown();
    await h.move('dispatched', 'not_executed');
    await next(h).reconcile();
    const check = expect.stringContaining('The airline confirmed it after it had been settled');
    expect(await h.entry()).toMatchObject({ state: 'needs_person', outcome: { check } });
    expect(h.ends.all()).toEqual([]);
  });

  test('does not lose the receipt of a dead process that settles nothing', async () => {
    const { h } = await diedWhileDown(receipt('99.00'));
    h.shown = () => new Promise(() => {});
    void next(h).reconcile();
    await h.clock.pass(0);
    expect(await h.entry()).toMatchObject({ state: 'in_doubt', outcome: { receipt: { stated: SAR(9900) } } });
    expect(h.ends.all()).toEqual([]);
  });

  test('keeps no doubt in the place of a proof that comes late', async ({ h }) => {
    const answer = Promise.withResolvers<Evidence>();
    void h.send(() => {
      h.faults.transition = DOWN;
      return answer.promise;
    });
    await h.clock.pass(200_000);
    expect(h.ends.all()).toEqual([]);
    answer.resolve(receipt());
    await h.clock.pass(20_000);
    expect(h.ends.all()).toMatchObject([{ state: 'succeeded' }]);
    h.ending.abort();
    await h.clock.pass(20_000);
  });

  test('keeps an end whose operation an older copy of the journal lacks', async ({ h }) => {
    h.ends.keep({ id: 'gone', state: 'succeeded', outcome: { locator: 'HOLD01' } });
    await h.journal.reconcile();
    expect(h.ends.all()).toHaveLength(1);
  });

  test('keeps the end at once while the store hangs, and forgets it once that is stored', async ({ h }) => {
    const hanging = Promise.withResolvers<void>();
    const { keepNamed, transition } = h.state.operations;
    vi.spyOn(h.store, 'keepNamed').mockImplementation(async (...given) => {
      await hanging.promise;
      await keepNamed.apply(h.state.operations, given);
    });
    vi.spyOn(h.store, 'transition').mockImplementation(async (...given) => {
      if (given[1].to === 'succeeded') await hanging.promise;
      return await transition.apply(h.state.operations, given);
    });
    const running = h.send(async (dispatch) => {
      await dispatch.keep(NAMED);
      return receipt();
    });
    await h.clock.pass(1_000);
    expect(h.ends.all()).toMatchObject([{ id: 'a', state: 'succeeded' }]);
    // The process that stores it needs no help.
    await h.journal.reconcile();
    expect(await h.entry()).toMatchObject({ state: 'dispatched' });
    hanging.resolve();
    expect((await running).operation.state).toBe('succeeded');
    expect(h.ends.all()).toEqual([]);
  });
});

test('judges a reply that could not be kept, also without a log and a second record', async () => {
  const { ran, h } = await run({ keepNamed: 1 }, async (dispatch) => {
    await dispatch.keep(NAMED);
    return receipt();
  });
  expect(ran.operation.state).toBe('succeeded');
  expect(h.warnings).toEqual(['the locators of a reply could not be kept']);
  const other = await Harness.open();
  const { log: _, ends: __, ...silent } = other.options('p9');
  other.faults.keepNamed = 1;
  const act = h.act(async (dispatch) => {
    await dispatch.keep(NAMED);
    return receipt();
  });
  expect((await createJournal(silent).execute(await other.open(), act)).operation.state).toBe('succeeded');
});

test('continues sending after the lease could not be renewed', async ({ h }) => {
  h.faults.lease = 1;
  await h.begin();
  await h.clock.pass(50_000);
  expect(h.warnings).toEqual(['the lease could not be renewed']);
  expect((await h.entry()).leaseUntil).toBe(h.clock.now() - 10_000 + 60_000);
});

test('returns the operation as dispatched if the store has lost it', async ({ h }) => {
  const transition = h.store.transition.bind(h.store);
  vi.spyOn(h.store, 'transition').mockImplementation(async (id, change, meta) =>
    change.to === 'dispatched' ? transition(id, change, meta) : false,
  );
  vi.spyOn(h.store, 'get').mockResolvedValue(undefined);
  const ran = await h.send();
  await quiet();
  expect(ran).toMatchObject({ operation: { id: 'a', state: 'dispatched' }, error: { effect: 'unknown' } });
});
