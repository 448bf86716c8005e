/**
 * A message that may be on its way is never settled as not carried out, whatever the clock says; and a step that breaks
 * keeps the pace of the others.
 */
import { describe, expect, test } from 'vitest';
import { evidenceRules } from '../../src/journal/evidence.ts';
import type { Evidence } from '../../src/journal/ports.ts';
import { act, booking, GAP, Harness, paidBooking, receipt, SETTLE, TestClock } from './harness.ts';

const HALF_HOUR = 30 * 60_000;

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

test('a clock that jumps ahead does not make a process settle what it is still sending', async () => {
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

test('a partial booking is not handed to a person either, as long as it is being sent', async () => {
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

test('an answer that never ends is waited for, for the settle time', async () => {
  const h = new Harness({ sendMs: 1000 });
  h.shown = booking();
  await sending(h);
  await h.clock.pass(1000);
  await readings(h, 12);
  expect(await h.state()).toMatchObject({ state: 'in_doubt', negatives: 0 });
  await readings(h, 4);
  expect((await h.state()).state).toBe('not_executed');
});

describe('a clock that was set', () => {
  class SetClock extends TestClock {
    since = Number.POSITIVE_INFINITY;
    sinceSet(): number {
      return this.since;
    }
  }

  test('lately does not tell how long ago it was sent', async () => {
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

  test('back does not stop the readings', async () => {
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

test('a step that breaks keeps its distance, and a person is called in the end', async () => {
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
