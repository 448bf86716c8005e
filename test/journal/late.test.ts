import { describe, expect, test } from 'vitest';
import type { Dispatch } from '../../src/domain/airline.ts';
import type { Evidence, Patch } from '../../src/journal/ports.ts';
import { SAR } from '../store/new-operation.ts';
import { act, booking, Harness, quiet, receipt, refused, SETTLE, unsent } from './harness.ts';

const hang = () => new Promise<Evidence>(() => {});

describe('the time in which sending may start', () => {
  async function asked(meanwhile: (h: Harness) => void | Promise<void>, options = {}) {
    const h = new Harness(options);
    let dispatch: Dispatch | undefined;
    const ran = await h.journal.run(await h.open(), {
      recheck: async () => {},
      async send(given) {
        dispatch = given;
        await meanwhile(h);
        if (!given.mayStart()) throw unsent();
        return receipt();
      },
    });
    return { h, ran, again: dispatch?.mayStart() };
  }

  test('permits the start of sending once', async () => {
    const { ran, again } = await asked(() => {});
    expect(ran.operation.state).toBe('succeeded');
    expect(again).toBe(false);
  });

  test('permits the start of sending for five seconds after the dispatch', async () => {
    expect((await asked((h) => h.clock.jump(5000))).ran.operation.state).toBe('succeeded');
    expect((await asked((h) => h.clock.jump(5001))).ran.operation.state).toBe('not_executed');
  });

  test('permits no sending if the clock went back', async () => {
    expect((await asked((h) => h.clock.jump(-1))).ran.operation.state).toBe('not_executed');
  });

  test('permits no sending when the lease is over', async () => {
    const slept = await asked((h) => h.clock.jump(900), { leaseMs: 900 });
    expect(slept.ran.operation.state).toBe('not_executed');
  });

  test('sends nothing from a process that slept and was taken for dead', async () => {
    const { h, ran } = await asked(async (h) => {
      h.clock.jump(61_000);
      h.shown = booking();
      await h.process('p2').reconcile();
      expect((await h.state()).state).toBe('in_doubt');
    });
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.operation.outcome?.error?.code).toBe('E_AIRLINE_DOWN');
    expect(h.warnings).toEqual([]);
  });

  test('does not dispatch an operation that another process gave up', async () => {
    const h = new Harness();
    const operation = await h.open();
    const late = act(async () => receipt());
    await h.store.transition('a', ['intent'], 'not_executed', {}, { now: 0, actor: 'p2' });
    const ran = await h.journal.run(operation, late);
    expect(late.sends).toBe(0);
    expect(ran).toEqual({ operation: await h.state() });
  });
});

describe('a slow airline', () => {
  test('puts a slow operation in doubt, and settles it by its late reply', async () => {
    const h = new Harness();
    let answer: (evidence: Evidence) => void = () => {};
    const running = h.journal.run(
      await h.open(),
      act(() => new Promise((resolve) => (answer = resolve))),
    );
    await h.clock.pass(179_999);
    expect(await h.state()).toMatchObject({ state: 'dispatched', owner: 'p1' });
    await h.clock.pass(1);
    const ran = await running;
    expect(ran.operation.state).toBe('in_doubt');
    expect(ran.error).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'unknown', retry: 'same_call' });
    answer(receipt());
    await quiet();
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });

  test('settles a slow operation by its late refusal', async () => {
    const h = new Harness();
    let answer: (thrown: unknown) => void = () => {};
    void h.journal.run(
      await h.open(),
      act(() => new Promise((_, reject) => (answer = reject))),
    );
    await h.clock.pass(180_000);
    answer(refused());
    await quiet();
    expect((await h.state()).state).toBe('refused');
  });

  test('permits no sending once the operation was given up', async () => {
    const h = new Harness({ sendMs: 1000, fenceMs: 600_000 });
    let dispatch: Dispatch | undefined;
    const running = h.journal.run(await h.open(), {
      recheck: async () => {},
      send: (given) => {
        dispatch = given;
        return hang();
      },
    });
    await h.clock.pass(1000);
    await running;
    expect(dispatch?.mayStart()).toBe(false);
  });

  test('renews the lease while sending, but not once another process has it', async () => {
    const h = new Harness();
    void h.journal.run(await h.open(), act(hang));
    await h.clock.pass(110_000);
    expect((await h.state()).leaseUntil).toBe(h.clock.now() + 50_000);
    h.clock.jump(61_000);
    await h.store.lease('a', 'p2', h.clock.now() + 500_000, h.clock.now());
    await h.clock.pass(60_000);
    expect((await h.state()).owner).toBe('p2');
  });
});

describe('a reply that contradicts the settled outcome', () => {
  async function lateReply(
    end: 'not_executed' | 'needs_person' | 'succeeded',
    patch: Patch = { outcome: { check: 'old' } },
  ) {
    const h = new Harness();
    let answer: (evidence: Evidence) => void = () => {};
    void h.journal.run(
      await h.open(),
      act(() => new Promise((resolve) => (answer = resolve))),
    );
    await h.clock.pass(SETTLE);
    await h.store.transition('a', ['in_doubt'], end, patch, { now: 0, actor: 'p2' });
    answer(receipt());
    await quiet();
    return { h, state: await h.state() };
  }

  test('hands an operation settled as not carried out to a person if a late reply confirms it', async () => {
    const { h, state } = await lateReply('not_executed');
    expect(state.state).toBe('needs_person');
    expect(state.outcome?.check).toContain('after it had been settled as not carried out');
    expect(h.warnings).toContain('a settled operation is contradicted by a late reply');
  });

  test('replaces the stored error when a late reply contradicts it', async () => {
    const told = { code: 'E_AIRLINE_TIMEOUT', message: 'm', next: 'n', effect: 'none', retry: 'never' } as const;
    const estimate = { amount: SAR(1), penalty: SAR(2), rule: 'r' };
    const { state } = await lateReply('not_executed', { outcome: { error: told, estimate } });
    expect(state.outcome).toEqual({ estimate, check: expect.any(String) });
    expect((await lateReply('not_executed', {})).state.outcome).toEqual({ check: expect.any(String) });
  });

  test('settles an operation that waits for a person by a late confirmation', async () => {
    expect((await lateReply('needs_person')).state).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });

  test('keeps a succeeded operation unchanged after its late reply', async () => {
    expect((await lateReply('succeeded')).state).toMatchObject({ state: 'succeeded', outcome: { check: 'old' } });
  });
});
