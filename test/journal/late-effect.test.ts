import { describe, expect } from 'vitest';
import { expectCancelledPassengers } from '../../src/tools/acts/cancellation-evidence.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { booking, CREATE, error, lost, order, paidBooking, receipt, refused, traveler, unsent } from './answers.ts';
import { GAP, Harness, MINUTE, type NewOperation, SETTLE, test } from './harness.ts';

const unpaid = booking();
const NOTHING = { settled: 0, waiting: 0, needsPerson: 0 };
const down = () => Promise.reject(error('E_AIRLINE_DOWN'));

/** An operation that readings settled as not carried out. */
async function settledAsNot(changes: Partial<NewOperation> = {}): Promise<Harness> {
  const h = await Harness.open();
  h.shown = unpaid;
  await h.doubt(changes);
  await h.tend(SETTLE + 4 * GAP);
  expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: { error: { code: 'E_AIRLINE_TIMEOUT' } } });
  h.reads = 0;
  return h;
}

/** Another operation, which this process runs. */
async function another(h: Harness, answer: Parameters<Harness['act']>[0], changes: Partial<NewOperation> = {}) {
  const opened = await h.journal.open(newOperation('b', changes));
  if (opened.kind !== 'inserted') throw new Error(opened.kind);
  await h.journal.execute(opened.operation, h.act(answer));
}

describe('an operation settled as not carried out', () => {
  test('is read again after 15 minutes and an hour, and no more', async () => {
    const h = await settledAsNot();
    const { updatedAt, outcome } = await h.entry();
    await h.clock.pass(updatedAt + 15 * MINUTE - 1 - h.clock.now());
    await h.journal.reconcile();
    expect(h.reads).toBe(0);
    await h.clock.pass(1);
    expect(await h.journal.reconcile()).toEqual(NOTHING);
    await h.journal.reconcile();
    expect(h.reads).toBe(1);
    expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: { ...outcome, looks: 1 } });
    await h.clock.pass(45 * MINUTE - 1);
    await h.journal.reconcile();
    expect(h.reads).toBe(1);
    await h.clock.pass(1);
    await h.journal.reconcile();
    expect(h.reads).toBe(2);
    expect((await h.entry()).updatedAt).toBe(updatedAt + 60 * MINUTE);
    await h.tend(120 * MINUTE);
    expect(h.reads).toBe(2);
    expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: { ...outcome, looks: 2 } });
    expect(h.warnings).toEqual([]);
    expect(await h.store.verify()).toBeUndefined();
  });

  const LATER = 'A later reading shows that it was ';
  test.each([
    ['carried out', paidBooking(), `${LATER}done.`],
    ['partly carried out', paidBooking({ tickets: [] }), `${LATER}done in part.`],
    [
      'changed in a way that nobody asked for',
      paidBooking({ orders: [order(1)] }),
      'It had been settled as not carried out, and the booking now shows something else.',
    ],
  ])('goes to a person if the booking later shows it %s', async (_, shown, why) => {
    const h = await settledAsNot();
    h.shown = shown;
    await h.clock.pass(15 * MINUTE);
    expect(await h.journal.reconcile()).toEqual({ ...NOTHING, needsPerson: 1 });
    expect(await h.entry()).toMatchObject({ state: 'needs_person' });
    const check = `${why} In the airline's own desk, check for booking ABC123 whether the booking is paid`;
    expect((await h.entry()).outcome).toEqual({ check: expect.stringContaining(check) });
    expect(h.warnings).toEqual(['a settled operation is contradicted by a later reading']);
    await h.tend(120 * MINUTE);
    expect(h.reads).toBe(1);
  });

  test('goes to a person at the second check too, if it was a cancellation and the booking is gone by then', async () => {
    const h = await settledAsNot({ subject: { kind: 'cancel_booking' } });
    await h.clock.pass(15 * MINUTE);
    await h.journal.reconcile();
    h.shown = () => Promise.reject(error('E_NOT_FOUND', { noSuchBooking: true }));
    await h.clock.pass(45 * MINUTE);
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
    expect((await h.entry()).outcome).toEqual({ looks: 1, check: expect.any(String) });
  });

  test('is checked again until the airline answers, however long that takes', async () => {
    const h = await settledAsNot();
    await h.clock.pass((await h.entry()).updatedAt + 15 * MINUTE - h.clock.now());
    h.shown = down;
    expect(await h.journal.reconcile()).toEqual(NOTHING);
    h.reads = 0;
    await h.tend(3 * 60 * MINUTE);
    expect(h.reads).toBe((3 * 60 * MINUTE) / GAP);
    expect((await h.entry()).outcome?.looks).toBeUndefined();
    h.shown = unpaid;
    await h.journal.reconcile();
    expect((await h.entry()).outcome?.looks).toBe(1);
    h.shown = down;
    await h.tend(90 * MINUTE);
    h.shown = paidBooking();
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('is not dropped because the one reading after a night without a server failed', async () => {
    const h = await settledAsNot();
    h.clock.jump(5 * 60 * MINUTE);
    h.shown = down;
    await h.journal.reconcile();
    h.shown = paidBooking();
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('is not checked by a reading of another booking', async () => {
    const h = await settledAsNot();
    await h.clock.pass(15 * MINUTE);
    h.shown = paidBooking({ locator: 'XYZ999', references: [] });
    await h.journal.reconcile();
    expect((await h.entry()).outcome?.looks).toBeUndefined();
    h.shown = paidBooking();
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('is not checked if a newer operation of any tenant explains the booking', async () => {
    for (const tenant of ['t', 'another tenant']) {
      const h = await settledAsNot();
      await another(h, receipt(), { tenant });
      h.shown = paidBooking();
      await h.tend(90 * MINUTE);
      expect(h.reads).toBe(0);
      expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: { looks: 2 } });
    }
    // Not by one that was refused, or is on another booking.
    const h = await settledAsNot();
    await another(h, refused());
    await h.journal.open(newOperation('c', { locator: 'OTHER1' }));
    h.shown = paidBooking();
    await h.clock.pass(15 * MINUTE);
    await h.journal.reconcile();
    expect(await h.entry()).toMatchObject({ state: 'needs_person' });
  });

  test('waits for a newer operation that is active, which explains nothing if it was not carried out', async () => {
    const h = await settledAsNot();
    await h.clock.pass(60 * MINUTE);
    await h.journal.reconcile();
    await h.clock.pass(45 * MINUTE - 1);
    const opened = await h.journal.open(newOperation('b'));
    await h.clock.pass(1);
    h.reads = 0;
    h.shown = paidBooking();
    expect(opened.kind).toBe('inserted');
    await h.journal.reconcile();
    expect(h.reads).toBe(0);
    expect((await h.entry()).outcome?.looks).toBe(1);
    await h.move('intent', 'not_executed', {}, 'b');
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('keeps the outcome that another process recorded meanwhile', async () => {
    const h = await settledAsNot();
    await h.clock.pass(15 * MINUTE);
    h.shown = async () => {
      await h.move('not_executed', 'needs_person', { outcome: { check: 'p2' } });
      return paidBooking();
    };
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 0 });
    expect((await h.entry()).outcome).toEqual({ check: 'p2' });
  });

  test('is checked if an older version settled it without an error', async ({ h }) => {
    h.shown = unpaid;
    await h.open();
    await h.move('intent', 'not_executed', { lastReadAt: h.clock.now() });
    await h.tend(90 * MINUTE);
    expect(h.reads).toBe(2);
    expect((await h.entry()).outcome).toEqual({ looks: 2 });
    // And not after half a day.
    const late = await settledAsNot();
    await late.clock.pass(12 * 60 * MINUTE);
    await late.journal.reconcile();
    expect(late.reads).toBe(0);
  });
});

describe('a cancellation settled as not carried out, of a booking that then shows nobody', () => {
  const two = paidBooking({ travelers: [traveler('1', 'Ada'), traveler('2', 'Bob')] });
  const one = paidBooking({ travelers: [traveler('2', 'Bob')] });
  const nobody = paidBooking({ travelers: [] });
  const subject = (before: typeof two, ref: string) => expectCancelledPassengers(before, [ref], (text) => `#${text}`);

  async function settled(before: typeof two, ref: string): Promise<Harness> {
    const h = await Harness.open();
    h.shown = before;
    await h.doubt({ subject: subject(before, ref) });
    await h.tend(SETTLE + 4 * GAP);
    expect(await h.entry()).toMatchObject({ state: 'not_executed' });
    await h.clock.pass((await h.entry()).updatedAt + 15 * MINUTE - h.clock.now());
    return h;
  }

  test.each([
    ['the last passenger was to go, and went late', one, '2'],
    ['the other one went by an operation that was late too', two, '1'],
  ])('goes to a person after half an hour: %s', async (_, before, ref) => {
    const h = await settled(before, ref);
    h.shown = nobody;
    await h.tend(30 * MINUTE);
    expect(await h.entry()).toMatchObject({ state: 'not_executed' });
    expect((await h.entry()).outcome?.looks).toBeUndefined();
    expect(await h.journal.reconcile()).toEqual({ ...NOTHING, needsPerson: 1 });
    expect((await h.entry()).outcome?.check).toMatch(
      /^It had been settled as not carried out, and the booking no longer shows what proved that\. In the airline's own desk, check /,
    );
  });

  test('goes to a person although readings fail when the half hour is over', async () => {
    const h = await settled(one, '2');
    h.shown = nobody;
    await h.tend(29 * MINUTE);
    h.shown = down;
    await h.tend(40 * MINUTE);
    h.shown = nobody;
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('goes to a person if the airline says for half an hour that there is no such booking', async () => {
    const h = await settled(one, '2');
    h.shown = () => Promise.reject(error('E_NOT_FOUND', { noSuchBooking: true }));
    await h.tend(30 * MINUTE);
    expect(await h.journal.reconcile()).toMatchObject({ needsPerson: 1 });
  });

  test('stays settled if the airline shows the passengers again within half an hour', async () => {
    const h = await settled(two, '1');
    h.shown = nobody;
    await h.tend(29 * MINUTE);
    h.shown = two;
    await h.tend(120 * MINUTE);
    expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: { looks: 2 } });
    expect(h.warnings).toEqual([]);
  });
});

test.each<[string, string, (h: Harness) => Promise<unknown>]>([
  [
    'a message that was never sent',
    'not_executed',
    async (h) =>
      h.journal.execute(await h.open(), { recheck: async () => {}, sendConfirmed: () => Promise.reject(unsent()) }),
  ],
  ["the airline's refusal", 'refused', (h) => h.send(refused())],
  ['one given up before sending', 'not_executed', (h) => h.send(receipt(), {}, () => Promise.reject(lost()))],
  [
    'a create, which has no booking to read',
    'not_executed',
    async (h) => {
      await h.open(CREATE);
      await h.move('intent', 'not_executed', { lastReadAt: h.clock.now() });
    },
  ],
])('makes no later check of %s', async (_, state, enter) => {
  const h = await Harness.open();
  await enter(h);
  h.shown = paidBooking();
  await h.tend(90 * MINUTE);
  expect(h.reads).toBe(0);
  expect(await h.entry()).toMatchObject({ state });
  expect((await h.entry()).outcome?.looks).toBeUndefined();
});
