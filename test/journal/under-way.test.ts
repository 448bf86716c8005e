/**
 * A message that may still be on its way is never settled as not carried out, whatever the clock says.
 */
import { describe, expect } from 'vitest';
import { traveler } from '../support/people.ts';
import {
  booking,
  CREATE,
  error,
  GAP,
  Harness,
  MINUTE,
  type NewOperation,
  paidBooking,
  REPLY,
  receipt,
  SETTLE,
  TestClock,
  test,
} from './harness.ts';

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

describe('a create', () => {
  test("is not proved by a reply with another person's booking", async () => {
    const theirs = { booking: booking({ travelers: [traveler('1', 'BORIS', 'GODUNOV')] }) };
    const h = await Harness.open({ understand: async () => theirs });
    await h.send(
      async (dispatch) => {
        await dispatch.keep(REPLY);
        return theirs;
      },
      { ...CREATE, subject: { kind: 'create', names: ['#ANNA/KARENINA'] } },
    );
    expect((await h.entry()).state).toBe('in_doubt');
    await h.tend(SETTLE + GAP);
    expect(await h.entry()).toMatchObject({ state: 'needs_person' });
    expect((await h.entry()).locator).toBeUndefined();
  });

  test('without an answer goes to a person after the settle time', async ({ h }) => {
    await h.doubt(CREATE);
    await h.tend(SETTLE);
    expect((await h.entry()).state).toBe('in_doubt');
    await h.journal.reconcile();
    expect(h.reads).toBe(0);
    expect((await h.entry()).state).toBe('needs_person');
  });
});
