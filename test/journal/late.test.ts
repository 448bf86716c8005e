import { describe, expect } from 'vitest';
import { SAR } from '../store/support/new-operation.ts';
import { booking, CREATE, error, paidBooking, receipt, refused, unsent } from './answers.ts';
import { type Dispatch, GAP, Harness, MINUTE, type NewOperation, quiet, SETTLE, TestClock, test } from './harness.ts';

describe('the time in which sending may start', () => {
  async function asked(meanwhile: (h: Harness) => void | Promise<void>, options = {}) {
    const h = await Harness.open(options);
    let dispatch: Dispatch | undefined;
    const ran = await h.journal.execute(await h.open(), {
      recheck: async () => {},
      async sendConfirmed(given) {
        dispatch = given;
        await meanwhile(h);
        if (!given.mayStart()) throw unsent();
        return receipt();
      },
    });
    return { h, ran, state: ran.operation.state, again: dispatch?.mayStart() };
  }

  test.each<[string, number, object, string]>([
    ['at once', 0, {}, 'succeeded'],
    ['five seconds after the dispatch', 5000, {}, 'succeeded'],
    ['later', 5001, {}, 'not_executed'],
    ['if the clock went back', -1, {}, 'not_executed'],
    ['when the lease is over', 900, { leaseMs: 900 }, 'not_executed'],
  ])('permits the start of sending once, or not: %s', async (_what, ms, options, end) => {
    const { state, again } = await asked((h) => h.clock.jump(ms), options);
    expect([state, again]).toEqual([end, false]);
  });

  test('sends nothing from a process that slept and was taken for dead', async () => {
    const { h, ran } = await asked(async (h) => {
      h.clock.jump(61_000);
      h.shown = booking();
      await h.process('p2').reconcile();
      expect((await h.entry()).state).toBe('in_doubt');
    });
    expect(ran.operation).toMatchObject({ state: 'not_executed', outcome: { error: { code: 'E_AIRLINE_DOWN' } } });
    expect(h.warnings).toEqual([]);
  });

  test('permits no sending once the operation was given up, by this process or another', async () => {
    const h = await Harness.open({ sendMs: 1000, fenceMs: 600_000 });
    let dispatch: Dispatch | undefined;
    const send = (given: Dispatch) => {
      dispatch = given;
      return new Promise<never>(() => {});
    };
    const running = h.journal.execute(await h.open(), { recheck: async () => {}, sendConfirmed: send });
    await h.clock.pass(1000);
    await running;
    expect(dispatch?.mayStart()).toBe(false);
    const other = await Harness.open();
    const operation = await other.open();
    await other.move('intent', 'not_executed');
    expect(await other.journal.execute(operation, other.act())).toEqual({ operation: await other.entry() });
    expect(other.sends).toBe(0);
  });
});

describe('a slow airline', () => {
  test('puts a slow operation in doubt, and settles it by its late reply', async ({ h }) => {
    const { answer, running } = await h.begin();
    await h.clock.pass(179_999);
    expect(await h.entry()).toMatchObject({ state: 'dispatched', owner: 'p1' });
    await h.clock.pass(1);
    expect(await running).toMatchObject({
      operation: { state: 'in_doubt' },
      error: { code: 'E_AIRLINE_TIMEOUT', effect: 'unknown', retry: 'same_call' },
    });
    answer(receipt());
    await quiet();
    expect(await h.entry()).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });

  test('renews the lease while sending, but not once another process has it', async ({ h }) => {
    await h.begin();
    await h.clock.pass(110_000);
    expect((await h.entry()).leaseUntil).toBe(h.clock.now() + 50_000);
    h.clock.jump(61_000);
    await h.store.lease('a', 'p2', h.clock.now() + 500_000, h.clock.now());
    await h.clock.pass(60_000);
    expect((await h.entry()).owner).toBe('p2');
  });
});

describe('a reply that contradicts the settled outcome', () => {
  async function lateReply(
    end: Parameters<Harness['move']>[1],
    outcome: object = { check: 'old' },
    evidence = receipt(),
  ) {
    const h = await Harness.open();
    const { answer } = await h.begin();
    await h.clock.pass(SETTLE);
    await h.move('in_doubt', end, { outcome });
    answer(evidence);
    await quiet();
    return { h, ...(await h.entry()) };
  }

  test('hands an operation settled as not carried out to a person if a late reply confirms it', async () => {
    const told = { code: 'E_AIRLINE_TIMEOUT', message: 'm', next: 'n', effect: 'none', retry: 'never' };
    const estimate = { amount: SAR(1), penalty: SAR(2), rule: 'r' };
    const { h, state, outcome } = await lateReply('not_executed', { error: told, estimate });
    expect(state).toBe('needs_person');
    expect(outcome).toEqual({
      estimate,
      check: expect.stringContaining('after it had been settled as not carried out'),
    });
    expect(h.warnings).toContain('a settled operation is contradicted by a late reply');
    expect((await lateReply('not_executed', {})).outcome).toEqual({ check: expect.any(String) });
  });

  test('hands a closed operation to a person again if the airline confirms it later', async ({ h }) => {
    const { answer, running } = await h.begin();
    await h.move('dispatched', 'needs_person');
    await h.journal.resolve(await h.entry(), 'os:ann', 'it is not paid');
    answer(receipt());
    await running;
    expect(await h.entry()).toMatchObject({ state: 'needs_person', outcome: { resolved: { by: 'os:ann' } } });
  });

  test('settles an operation that waits for a person by a late confirmation, and keeps one that succeeded', async () => {
    expect(await lateReply('needs_person')).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
    expect(await lateReply('succeeded')).toMatchObject({ state: 'succeeded', outcome: { check: 'old' } });
  });

  test('settles by a late refusal what is in doubt, and keeps what is settled as not carried out', async () => {
    for (const settled of [false, true]) {
      const h = await Harness.open();
      const { refuse } = await h.begin();
      await h.clock.pass(SETTLE);
      if (settled) await h.move('in_doubt', 'not_executed');
      refuse(refused());
      await quiet();
      expect((await h.entry()).state).toBe(settled ? 'not_executed' : 'refused');
    }
  });

  test.each([
    ['that did not know of it hands it to a person', {}, 'needs_person'],
    ['that knew of it changes nothing', { receipt: {} }, 'succeeded'],
  ])('decides about a late receipt above the approved amount: a reading %s', async (_what, outcome, end) => {
    const now = await lateReply('succeeded', outcome, receipt('173.50'));
    expect(now.state).toBe(end);
    const names = 'names SAR 173.50, and SAR 172.50 was approved.';
    expect(now.outcome?.check?.includes(names) ?? false).toBe(end === 'needs_person');
  });

  test.each([
    ['less, after it was settled as not carried out', booking(), '100.00', 'not_executed'],
    ['more, after it was settled as not carried out', booking(), '900.00', 'not_executed'],
    ['more, after a reading showed it', paidBooking(), '900.00', 'succeeded'],
  ])('hands a late receipt of another amount to a person: %s', async (_what, shown, total, before) => {
    const h = await Harness.open({ sendMs: 1000 });
    h.shown = shown;
    const { answer } = await h.begin();
    await h.clock.pass(1000);
    await h.tend(SETTLE + 4 * GAP);
    expect((await h.entry()).state).toBe(before);
    answer(receipt(total));
    await h.clock.pass(0);
    expect((await h.entry()).state).toBe('needs_person');
  });
});

const HALF_HOUR = 30 * MINUTE;
const down = () => Promise.reject(error('E_AIRLINE_DOWN'));

/** A clock that was set ahead; sleeping takes as long as before. */
class AheadClock extends TestClock {
  ahead = 0;
  override now(): number {
    return this.time + this.ahead;
  }
}

class SetClock extends TestClock {
  since = Number.POSITIVE_INFINITY;
  sinceSet(): number {
    return this.since;
  }
}

test.each([
  ['nothing', booking(), 3 * SETTLE],
  ['only a part', paidBooking({ tickets: [] }), HALF_HOUR],
])(
  'does not settle a message that is being sent when the clock jumps ahead and readings show %s',
  async (_, shown, ms) => {
    const h = await Harness.open();
    h.shown = shown;
    const { answer } = await h.begin();
    h.clock.time += ms;
    await h.tend(8 * GAP);
    expect(h.reads).toBeGreaterThan(4);
    expect(await h.entry()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    answer(receipt());
    await h.clock.pass(0);
    expect((await h.entry()).state).toBe('succeeded');
  },
);

test('waits for an answer that never ends for the settle time', async () => {
  const h = await Harness.open({ sendMs: 1000 });
  h.shown = booking();
  await h.begin();
  await h.clock.pass(1000);
  await h.tend(12 * GAP);
  expect(await h.entry()).toMatchObject({ state: 'in_doubt', negatives: 0 });
  await h.tend(4 * GAP);
  expect((await h.entry()).state).toBe('not_executed');
});

test.each<[string, Partial<NewOperation>, Parameters<Harness['send']>[0]]>([
  ['a create', CREATE, { booking: booking() }],
  ['a booking that cannot be read', {}, receipt()],
])('does not hand %s to a person while it is being sent', async (_what, changes, evidence) => {
  const clock = new AheadClock();
  const h = await Harness.open({}, clock);
  h.shown = down;
  const { answer } = await h.begin(changes);
  for (let i = 0; i < 4; i++) {
    await clock.pass(0);
    await h.journal.reconcile();
    clock.ahead += HALF_HOUR;
  }
  expect((await h.entry()).state).toBe('in_doubt');
  answer(evidence as never);
  await clock.pass(0);
  expect((await h.entry()).state).toBe('succeeded');
});

describe('a clock that was changed', () => {
  test('does not settle as not carried out until the settle time has passed since then', async () => {
    const clock = new SetClock();
    const h = await Harness.open({}, clock);
    h.shown = booking();
    await h.doubt();
    clock.time += 2 * SETTLE;
    clock.since = SETTLE - 1;
    await h.tend(5 * GAP);
    expect(await h.entry()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    clock.since = SETTLE;
    await h.tend(3 * GAP);
    expect((await h.entry()).state).toBe('not_executed');
  });

  test('reads at once after it was set back, also after an earlier reading', async ({ h }) => {
    h.shown = booking();
    await h.doubt();
    h.clock.time -= HALF_HOUR;
    await h.journal.reconcile();
    expect(h.reads).toBe(1);
    h.clock.time -= HALF_HOUR;
    h.shown = paidBooking();
    await h.journal.reconcile();
    expect((await h.entry()).state).toBe('succeeded');
  });

  test('does not extend the lease of a dead process when it is set back', async ({ h }) => {
    await h.begin();
    h.clock.time -= 4 * HALF_HOUR;
    expect(await h.process('p2').reconcile()).toMatchObject({ settled: 1 });
    expect((await h.entry()).state).toBe('succeeded');
  });

  test('counts failed readings from now on after it was set back', async ({ h }) => {
    h.shown = down;
    await h.doubt();
    await h.journal.reconcile();
    h.clock.time -= HALF_HOUR;
    await h.journal.reconcile();
    expect(await h.entry()).toMatchObject({ failingSince: h.clock.now() });
  });

  test('settles an operation sent by a fast clock within the settle time of the right clock', async ({ h }) => {
    h.shown = booking();
    await h.doubt();
    h.clock.time -= 24 * 2 * HALF_HOUR;
    await h.tend(SETTLE + 3 * GAP);
    expect((await h.entry()).state).toBe('not_executed');
  });
});

test('hands a create without an answer to a person after the settle time', async ({ h }) => {
  await h.doubt(CREATE);
  await h.tend(SETTLE);
  expect((await h.entry()).state).toBe('in_doubt');
  await h.journal.reconcile();
  expect(h.reads).toBe(0);
  expect((await h.entry()).state).toBe('needs_person');
});
