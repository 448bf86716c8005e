import { describe, expect, test } from 'vitest';
import type { NewOperation } from '../../src/journal/operation.ts';
import { newOperation } from '../store/new-operation.ts';
import { act, booking, error, GAP, Harness, lost, paidBooking, receipt, refused, SETTLE, unsent } from './harness.ts';

const unpaid = booking();
const MINUTE = 60_000;
const NOTHING = { settled: 0, waiting: 0, needsPerson: 0 };
const down = () => Promise.reject(error('E_AIRLINE_DOWN'));

/** An operation that readings settled as not carried out. */
async function settledAsNot(changes: Partial<NewOperation> = {}): Promise<Harness> {
  const h = new Harness();
  h.shown = unpaid;
  await h.doubt(changes);
  await passing(h, SETTLE + 4 * GAP);
  expect(await h.state()).toMatchObject({ state: 'not_executed', outcome: { error: { code: 'E_AIRLINE_TIMEOUT' } } });
  h.reads = 0;
  return h;
}

/** Reconciles in every gap until that much time is over. */
async function passing(h: Harness, ms: number): Promise<void> {
  for (let spent = 0; spent < ms; spent += GAP) {
    await h.journal.reconcile();
    await h.clock.pass(GAP);
  }
}

describe('an operation settled as not carried out', () => {
  test('reads an operation settled as not carried out again after 15 minutes and an hour', async () => {
    const h = await settledAsNot();
    const { updatedAt, outcome } = await h.state();
    await h.clock.pass(updatedAt + 15 * MINUTE - 1 - h.clock.now());
    await h.journal.reconcile();
    expect(h.reads).toBe(0);
    await h.clock.pass(1);
    expect(await h.journal.reconcile()).toEqual(NOTHING);
    await h.journal.reconcile();
    expect(h.reads).toBe(1);
    expect(await h.state()).toMatchObject({ state: 'not_executed', outcome: { ...outcome, looks: 1 } });
    await h.clock.pass(45 * MINUTE - 1);
    await h.journal.reconcile();
    expect(h.reads).toBe(1);
    await h.clock.pass(1);
    await h.journal.reconcile();
    expect(h.reads).toBe(2);
    expect((await h.state()).updatedAt).toBe(updatedAt + 60 * MINUTE);
    await passing(h, 120 * MINUTE);
    expect(h.reads).toBe(2);
    expect(await h.state()).toMatchObject({ state: 'not_executed', outcome: { ...outcome, looks: 2 } });
    expect(h.warnings).toEqual([]);
    expect(await h.store.verify()).toBeUndefined();
  });

  test.each([
    ['carried out', paidBooking()],
    ['partly carried out', paidBooking({ tickets: [] })],
    [
      'changed in a way that nobody asked for',
      paidBooking({ orders: [{ status: 'PAID', amount: { minor: 1, currency: 'SAR' } }] }),
    ],
  ])('hands an operation settled as not carried out to a person if it later shows %s', async (_, shown) => {
    const h = await settledAsNot();
    h.shown = shown;
    await h.clock.pass(15 * MINUTE);
    expect(await h.journal.reconcile()).toEqual({ settled: 0, waiting: 0, needsPerson: 1 });
    const { state, outcome } = await h.state();
    expect(state).toBe('needs_person');
    expect(outcome).toEqual({
      check: expect.stringMatching(
        /^It had been settled as not carried out, and the booking now shows something else\. A person must check .* ABC123: whether the booking is paid/,
      ),
    });
    expect(h.warnings).toEqual(['a settled operation is contradicted by a later reading']);
    await passing(h, 120 * MINUTE);
    expect(h.reads).toBe(1);
  });

  test('finds a late effect at the second check too, and reports progress', async () => {
    const h = await settledAsNot();
    await h.clock.pass(15 * MINUTE);
    const seen: unknown[] = [];
    await h.journal.reconcile((progress) => seen.push(progress));
    expect(seen).toEqual([{ done: 1, total: 1 }]);
    h.shown = paidBooking();
    await h.clock.pass(45 * MINUTE);
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
    expect((await h.state()).outcome).toEqual({ looks: 1, check: expect.any(String) });
  });

  test('hands a cancellation to a person if the booking is gone later', async () => {
    const h = await settledAsNot({ subject: { kind: 'cancel_booking' } });
    h.shown = () => Promise.reject(error('E_NOT_FOUND', { noSuchBooking: true }));
    await h.clock.pass(15 * MINUTE);
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('repeats a failed later check for half an hour, then counts it as done', async () => {
    const h = await settledAsNot();
    await h.clock.pass((await h.state()).updatedAt + 15 * MINUTE - h.clock.now());
    h.shown = down;
    expect(await h.journal.reconcile()).toEqual(NOTHING);
    h.reads = 0;
    await passing(h, 30 * MINUTE);
    expect(h.reads).toBe((30 * MINUTE) / GAP);
    expect((await h.state()).outcome?.looks).toBeUndefined();
    await h.journal.reconcile();
    expect((await h.state()).outcome?.looks).toBe(1);
    h.shown = paidBooking();
    await h.clock.pass(45 * MINUTE);
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('does not count a reading of another booking as a later check', async () => {
    const h = await settledAsNot();
    await h.clock.pass(15 * MINUTE);
    h.shown = paidBooking({ locator: 'XYZ999', references: [] });
    await h.journal.reconcile();
    expect((await h.state()).outcome?.looks).toBeUndefined();
    h.shown = paidBooking();
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test.each(['t', 'another tenant'])(
    'skips later checks if a newer operation of %s explains the booking',
    async (tenant) => {
      const h = await settledAsNot();
      const again = await h.journal.open(newOperation('b', { tenant }));
      if (again.kind !== 'fresh') throw new Error(again.kind);
      await h.journal.run(
        again.operation,
        act(async () => receipt()),
      );
      h.shown = paidBooking();
      await passing(h, 90 * MINUTE);
      expect(h.reads).toBe(0);
      expect(await h.state()).toMatchObject({ state: 'not_executed', outcome: { looks: 2 } });
    },
  );

  test('still checks if the newer operation was refused or is on another booking', async () => {
    const h = await settledAsNot();
    const again = await h.journal.open(newOperation('b'));
    if (again.kind !== 'fresh') throw new Error(again.kind);
    await h.journal.run(
      again.operation,
      act(() => Promise.reject(refused())),
    );
    const other = await h.journal.open(newOperation('c', { locator: 'OTHER1' }));
    if (other.kind !== 'fresh') throw new Error(other.kind);
    h.shown = paidBooking();
    await h.clock.pass(15 * MINUTE);
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'needs_person' });
  });

  test('keeps the outcome that another process recorded meanwhile', async () => {
    const h = await settledAsNot();
    await h.clock.pass(15 * MINUTE);
    h.shown = async () => {
      await h.store.transition('a', ['not_executed'], 'needs_person', { outcome: { check: 'p2' } }, meta(h));
      return paidBooking();
    };
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 0 });
    expect((await h.state()).outcome).toEqual({ check: 'p2' });
  });

  test('checks operations that an older version settled without an error', async () => {
    const h = new Harness();
    h.shown = unpaid;
    await h.open();
    await h.store.transition('a', ['intent'], 'not_executed', { lastReadAt: h.clock.now() }, meta(h));
    await passing(h, 90 * MINUTE);
    expect(h.reads).toBe(2);
    expect((await h.state()).outcome).toEqual({ looks: 2 });
  });

  test('makes no later check after half a day', async () => {
    const h = await settledAsNot();
    await h.clock.pass(12 * 60 * MINUTE);
    await h.journal.reconcile();
    expect(h.reads).toBe(0);
  });
});

const meta = (h: Harness) => ({ now: h.clock.now(), actor: 'p2' });

describe('operations that need no later check', () => {
  test.each([
    [
      'a message that was never sent',
      'not_executed',
      { recheck: async () => {}, send: () => Promise.reject(unsent()) },
    ],
    ["the airline's refusal", 'refused', act(() => Promise.reject(refused()))],
  ])('makes no later check of %s', async (_, state, sending) => {
    const h = new Harness();
    await h.journal.run(await h.open(), sending);
    h.shown = paidBooking();
    await passing(h, 90 * MINUTE);
    expect(h.reads).toBe(0);
    expect((await h.state()).state).toBe(state);
  });

  test('makes no later check of a create, which has no booking to read', async () => {
    const h = new Harness();
    const create = newOperation('a', { subject: { kind: 'create' } });
    const { locator: _, ...unlocated } = create;
    await h.store.insert({ ...unlocated, fingerprint: 'f' }, { ...meta(h), owner: 'p2', leaseUntil: 0 });
    await h.store.transition('a', ['intent'], 'not_executed', { lastReadAt: h.clock.now() }, meta(h));
    await passing(h, 90 * MINUTE);
    expect(h.reads).toBe(0);
    expect((await h.state()).outcome?.looks).toBeUndefined();
  });

  test('makes no later check of an operation given up before anything was sent', async () => {
    const h = new Harness();
    await h.journal.run(
      await h.open(),
      act(
        async () => receipt(),
        () => Promise.reject(lost()),
      ),
    );
    await passing(h, 90 * MINUTE);
    expect(h.reads).toBe(0);
    expect((await h.state()).outcome?.looks).toBeUndefined();
  });
});
