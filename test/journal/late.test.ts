import { describe, expect, test } from 'vitest';
import type { Dispatch } from '../../src/domain/airline.ts';
import type { Evidence, Patch } from '../../src/journal/ports.ts';
import { SAR } from '../store/new-operation.ts';
import { act, booking, Harness, quiet, receipt, refused, SETTLE, unsent } from './harness.ts';

const hang = () => new Promise<Evidence>(() => {});

describe('the fence', () => {
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

  test('opens once', async () => {
    const { ran, again } = await asked(() => {});
    expect(ran.operation.state).toBe('succeeded');
    expect(again).toBe(false);
  });

  test('is open for five seconds after the dispatch', async () => {
    expect((await asked((h) => h.clock.jump(5000))).ran.operation.state).toBe('succeeded');
    expect((await asked((h) => h.clock.jump(5001))).ran.operation.state).toBe('not_executed');
  });

  test('is closed to a clock that went back', async () => {
    expect((await asked((h) => h.clock.jump(-1))).ran.operation.state).toBe('not_executed');
  });

  test('is closed when the lease is over', async () => {
    const slept = await asked((h) => h.clock.jump(900), { leaseMs: 900 });
    expect(slept.ran.operation.state).toBe('not_executed');
  });

  test('a sleeper that was taken for dead cannot send, and says so', async () => {
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

  test('an operation given up by another process is not dispatched', async () => {
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
  test('leaves it in doubt after the time to wait, and its late reply settles it', async () => {
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

  test('its late refusal settles it too', async () => {
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

  test('nothing may leave any more once it was given up', async () => {
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

  test('the lease is renewed while it runs, and left alone once another has it', async () => {
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

describe('a reply that contradicts what was settled', () => {
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

  test('not executed, and yet confirmed: a person is called', async () => {
    const { h, state } = await lateReply('not_executed');
    expect(state.state).toBe('needs_person');
    expect(state.outcome?.check).toContain('after it had been settled as not carried out');
    expect(h.warnings).toContain('a settled operation is contradicted by a late reply');
  });

  test('its words replace those of the failure', async () => {
    const told = { code: 'E_AIRLINE_TIMEOUT', message: 'm', next: 'n', effect: 'none', retry: 'never' } as const;
    const estimate = { amount: SAR(1), penalty: SAR(2), rule: 'r' };
    const { state } = await lateReply('not_executed', { outcome: { error: told, estimate } });
    expect(state.outcome).toEqual({ estimate, check: expect.any(String) });
    expect((await lateReply('not_executed', {})).state.outcome).toEqual({ check: expect.any(String) });
  });

  test('handed to a person, and then confirmed: done', async () => {
    expect((await lateReply('needs_person')).state).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });

  test('known already: as it is', async () => {
    expect((await lateReply('succeeded')).state).toMatchObject({ state: 'succeeded', outcome: { check: 'old' } });
  });
});
