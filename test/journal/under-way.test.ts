/**
 * A message that may still be on its way is never settled as not carried out, whatever the clock says. A step that
 * fails is repeated at the same pace as the others.
 */

import { describe, expect, test } from 'vitest';
import { evidenceRules } from '../../src/journal/evidence/evidence.ts';
import type { Evidence } from '../../src/journal/ports.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import { traveler } from '../support/people.ts';

import { act, booking, error, GAP, Harness, paidBooking, receipt, SETTLE, TestClock } from './harness.ts';

const HALF_HOUR = 30 * 60_000;

/** A clock that was set ahead; sleeping takes as long as before. */
class AheadClock extends TestClock {
  ahead = 0;
  override now(): number {
    return this.time + this.ahead;
  }
}

async function readings(h: Harness, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await h.journal.reconcile();
    await h.clock.pass(GAP);
  }
}

/** Sends, and waits for an answer that the test gives. */
async function sending(h: Harness) {
  let answer = (_: Evidence): void => undefined;
  const answered = new Promise<Evidence>((resolve) => {
    answer = resolve;
  });
  void h.journal.run(
    await h.open(),
    act(() => answered),
  );
  await h.clock.pass(0);
  return { answer };
}

test('does not settle a message that is being sent when the clock jumps ahead', async () => {
  const h = new Harness();
  h.shown = booking();
  const { answer } = await sending(h);
  h.clock.time += 3 * SETTLE;
  await readings(h, 8);
  expect(h.reads).toBeGreaterThan(4);
  expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
  answer(receipt());
  await h.clock.pass(0);
  expect((await h.state()).state).toBe('succeeded');
});

test('does not hand a partial payment to a person while it is being sent', async () => {
  const h = new Harness();
  h.shown = paidBooking({ tickets: [] });
  const { answer } = await sending(h);
  h.clock.time += HALF_HOUR;
  await readings(h, 3);
  expect((await h.state()).state).toBe('in_doubt');
  answer(receipt());
  await h.clock.pass(0);
  expect((await h.state()).state).toBe('succeeded');
});

test('waits for an answer that never ends for the settle time', async () => {
  const h = new Harness({ sendMs: 1000 });
  h.shown = booking();
  await sending(h);
  await h.clock.pass(1000);
  await readings(h, 12);
  expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
  await readings(h, 4);
  expect((await h.state()).state).toBe('not_executed');
});

test('hands neither a create nor an unreadable booking to a person while it is being sent', async () => {
  const { locator: _, ...unplaced } = newOperation('a', { subject: { kind: 'create' } });
  for (const given of [unplaced, newOperation('a')]) {
    const clock = new AheadClock();
    const h = new Harness({ clock });
    h.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    const opened = await h.journal.open(given);
    let answer = (_: Evidence): void => undefined;
    void h.journal.run(
      opened.kind === 'fresh' ? opened.operation : ({} as never),
      act(() => new Promise((resolve) => (answer = resolve))),
    );
    for (let i = 0; i < 4; i++) {
      await clock.pass(0);
      await h.journal.reconcile();
      clock.ahead += HALF_HOUR;
    }
    expect((await h.state()).state).toBe('in_doubt');
    answer(given === unplaced ? { booking: booking() } : receipt());
    await clock.pass(0);
    expect((await h.state()).state).toBe('succeeded');
  }
});

describe('a clock that was changed', () => {
  class SetClock extends TestClock {
    since = Number.POSITIVE_INFINITY;
    sinceSet(): number {
      return this.since;
    }
  }

  test('does not settle as not carried out until the settle time has passed since a clock change', async () => {
    const clock = new SetClock();
    const h = new Harness({ clock });
    h.shown = booking();
    await h.doubt();
    clock.time += 2 * SETTLE;
    clock.since = SETTLE - 1;
    const pass = async () => {
      await h.journal.reconcile();
      clock.time += GAP;
    };
    for (let i = 0; i < 5; i++) await pass();
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    clock.since = SETTLE;
    for (let i = 0; i < 3; i++) await pass();
    expect((await h.state()).state).toBe('not_executed');
  });

  test('reads at once after the clock was set back', async () => {
    const h = new Harness();
    await h.doubt();
    h.clock.time -= HALF_HOUR;
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('succeeded');
  });

  test('does not extend the lease of a dead process when the clock is set back', async () => {
    const h = new Harness();
    void h.journal.run(
      await h.open(),
      act(() => new Promise(() => {})),
    );
    await h.clock.pass(0);
    h.clock.time -= 4 * HALF_HOUR;
    const other = h.process('p2');
    expect(await other.reconcile()).toMatchObject({ settled: 1 });
    expect((await h.state()).state).toBe('succeeded');
  });

  test('counts failed readings from now on after the clock was set back', async () => {
    const h = new Harness();
    h.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    await h.doubt();
    await h.journal.reconcile();
    h.clock.time -= HALF_HOUR;
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ failingSince: h.clock.now() });
  });

  test('keeps reading after the clock was set back', async () => {
    const h = new Harness();
    h.shown = booking();
    await h.doubt();
    await h.journal.reconcile();
    expect(h.reads).toBe(1);
    h.clock.time -= HALF_HOUR;
    h.shown = paidBooking();
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('succeeded');
  });
});

test('repeats a failing step at the usual pace, then hands the operation to a person', async () => {
  const h = new Harness({ rules: { ...evidenceRules, reading: () => 'done' } });
  await h.doubt();
  h.shown = { ...booking(), tickets: undefined } as never;
  await h.journal.reconcile();
  expect(await h.state()).toMatchObject({ state: 'in_doubt', failingSince: h.clock.now(), lastReadAt: h.clock.now() });
  expect(h.warnings).toContain('a settling step failed');
  await h.journal.reconcile();
  expect(h.reads).toBe(1);
  await readings(h, HALF_HOUR / GAP + 1);
  expect((await h.state()).state).toBe('needs_person');
});

describe('a receipt below the approved amount', () => {
  const less = () => receipt('100.00');
  const running = async (h: Harness) => {
    await h.journal.run(
      await h.open(),
      act(async () => less()),
    );
    return await h.state();
  };

  test('settles a receipt below the approved amount as done once an order has that amount', async () => {
    const h = new Harness();
    expect(await running(h)).toMatchObject({ state: 'in_doubt', outcome: { receipt: { stated: SAR(10000) } } });
    await h.journal.reconcile();
    expect((await h.state()).state).toBe('succeeded');
  });

  test('hands a receipt below the approved amount to a person if the booking shows no payment', async () => {
    const h = new Harness();
    h.shown = booking();
    await running(h);
    await readings(h, SETTLE / GAP);
    expect((await h.state()).state).toBe('in_doubt');
    await readings(h, 1);
    expect((await h.state()).outcome?.check).toContain('receipt names SAR 100.00; SAR 172.50 was approved.');
    expect((await h.state()).state).toBe('needs_person');
  });

  test('hands a receipt without ticket numbers to a person if the booking shows no payment', async () => {
    const item = { ticketNumber: '', conjunctive: [], links: [] };
    const h = new Harness();
    h.shown = booking();
    await h.journal.run(
      await h.open(),
      act(async () => ({ receipt: { locator: 'ABC123', references: [], items: [item] } })),
    );
    await readings(h, SETTLE / GAP + 1);
    expect((await h.state()).outcome?.check).toContain('a receipt that does not settle it');
  });

  test('hands a receipt below the approved amount to a person if no order has that amount', async () => {
    const h = new Harness();
    h.shown = paidBooking({ orders: [{ direction: 'PAYMENT', status: 'PAID' }] });
    await running(h);
    await readings(h, SETTLE / GAP + 1);
    const { state, outcome } = await h.state();
    expect(state).toBe('needs_person');
    expect(outcome?.check).toContain('receipt names SAR 100.00; SAR 172.50 was approved.');
  });

  test('records the receipt when the kept reply of a dead process is read', async () => {
    const h = new Harness({ understand: async () => less() });
    h.shown = paidBooking({ orders: [] });
    await h.doubt();
    await h.store.keepReply('a', { status: 200, body: 'x' });
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'in_doubt', outcome: { receipt: { stated: SAR(10000) } } });
  });
});

describe('a late receipt of another amount', () => {
  test.each([
    ['less, after it was settled as not carried out', booking(), receipt('100.00'), 'not_executed'],
    ['more, after it was settled as not carried out', booking(), receipt('900.00'), 'not_executed'],
    ['more, after a reading showed it', paidBooking(), receipt('900.00'), 'succeeded'],
  ] as const)('hands a late receipt to a person: %s', async (_what, shown, evidence, before) => {
    const h = new Harness({ sendMs: 1000 });
    h.shown = shown;
    const { answer } = await sending(h);
    await h.clock.pass(1000);
    await readings(h, SETTLE / GAP + 4);
    expect((await h.state()).state).toBe(before);
    answer(evidence);
    await h.clock.pass(0);
    expect((await h.state()).state).toBe('needs_person');
  });
});

test('settles an operation sent by a fast clock within the settle time of the right clock', async () => {
  const h = new Harness();
  h.shown = booking();
  await h.doubt();
  h.clock.time -= 24 * 2 * HALF_HOUR;
  await readings(h, SETTLE / GAP + 3);
  expect((await h.state()).state).toBe('not_executed');
});

describe('the release of a hold', () => {
  const subject = { kind: 'cancel_booking' } as const;
  const bare = booking({ options: [] });

  test('settles a hold as released after three readings show nothing of it', async () => {
    const h = new Harness();
    h.shown = bare;
    await h.doubt({ subject });
    await readings(h, SETTLE / GAP);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
    await readings(h, 2);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: -2 });
    await readings(h, 1);
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
  });

  test('restarts the count of three readings whenever a reading disagrees', async () => {
    const h = new Harness();
    h.shown = bare;
    await h.doubt({ subject });
    await readings(h, SETTLE / GAP + 2);
    h.shown = booking();
    await readings(h, 2);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 2 });
    h.shown = bare;
    await readings(h, 1);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: -1 });
    h.shown = booking();
    await readings(h, 3);
    expect((await h.state()).state).toBe('not_executed');
  });
});

test("proves nothing about a create by a reply with another person's booking", async () => {
  const theirs = booking({ travelers: [traveler('1', 'BORIS', 'GODUNOV')] });
  const h = new Harness({ understand: async () => ({ booking: theirs }) });
  const names = ['#ANNA/KARENINA'];
  const { locator: _, ...unplaced } = newOperation('a', { subject: { kind: 'create', names } });
  const opened = await h.journal.open(unplaced);
  await h.journal.run(
    opened.kind === 'fresh' ? opened.operation : ({} as never),
    act(async (dispatch) => {
      await dispatch.keep({ status: 200, body: 'x' });
      return { booking: theirs };
    }),
  );
  expect((await h.state()).state).toBe('in_doubt');
  await readings(h, SETTLE / GAP + 1);
  expect((await h.state()).state).toBe('needs_person');
  expect((await h.state()).locator).toBeUndefined();
});
