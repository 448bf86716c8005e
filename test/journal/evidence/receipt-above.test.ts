/**
 * A receipt above the approved amount. An airline once sent one that was 1.00 too high, and a reading settled
 * it (docs/wire/notes.md, pay).
 */
import { expect, test } from 'vitest';
import type { Evidence } from '../../../src/journal/ports.ts';
import { SAR } from '../../store/new-operation.ts';
import { act, booking, GAP, Harness, lost, paidBooking, quiet, receipt, SETTLE } from '../harness.ts';

const ABOVE = receipt('173.50');
const NAMES = 'names SAR 173.50; SAR 172.50 was approved.';

async function paid(shown: Harness['shown']): Promise<Harness> {
  const h = new Harness();
  h.shown = shown;
  const ran = await h.journal.run(
    await h.open(),
    act(async () => ABOVE),
  );
  expect(ran.operation).toMatchObject({ state: 'in_doubt', outcome: { receipt: { stated: SAR(17350) } } });
  return h;
}

async function tending(h: Harness, ms: number): Promise<void> {
  for (let spent = 0; spent < ms; spent += GAP) {
    await h.journal.reconcile();
    await h.clock.pass(GAP);
  }
  await h.journal.reconcile();
}

test('settles a receipt above the approved amount as done if an order has the approved amount', async () => {
  const h = await paid(paidBooking());
  await h.journal.reconcile();
  expect(await h.state()).toMatchObject({
    state: 'succeeded',
    outcome: { basis: 'read', tickets: [{ number: '9000000001' }] },
  });
});

const order = (minor: number) => ({ direction: 'PAYMENT', status: 'PAID', amount: SAR(minor) });
test.each<[string, Harness['shown']]>([
  ['an order of the receipt', paidBooking({ orders: [order(17350)] })],
  ['a second order', paidBooking({ orders: [order(17250), order(100)] })],
  ['tickets and no order', paidBooking({ orders: [] })],
  ['no payment', booking()],
])('hands a receipt above the approved amount to a person if the booking shows %s', async (_what, shown) => {
  const h = await paid(shown);
  await tending(h, SETTLE);
  const { state, outcome } = await h.state();
  expect(state).toBe('needs_person');
  expect(outcome?.check).toContain(NAMES);
  expect(outcome?.tickets).toEqual([{ number: '9000000001', total: '173.50' }]);
});

test('hands a receipt above the approved amount to a person if the booking cannot be read', async () => {
  const h = await paid(() => Promise.reject(lost()));
  await tending(h, 31 * 60_000);
  const { state, outcome } = await h.state();
  expect(state).toBe('needs_person');
  expect(outcome?.check).toContain(`${NAMES} The booking could not be read since.`);
});

test.each([
  ['that did not know of it hands it to a person', {}, 'needs_person'],
  ['that knew of it changes nothing', { receipt: {} }, 'succeeded'],
] as const)('decides about a receipt above the approved amount: a reading %s', async (_what, outcome, state) => {
  const h = new Harness();
  let answer: (evidence: Evidence) => void = () => {};
  void h.journal.run(
    await h.open(),
    act(() => new Promise((resolve) => (answer = resolve))),
  );
  await h.clock.pass(SETTLE);
  await h.store.transition('a', ['in_doubt'], 'succeeded', { outcome }, { now: 0, actor: 'p2' });
  answer(ABOVE);
  await quiet();
  const now = await h.state();
  expect(now.state).toBe(state);
  expect(now.outcome?.check?.includes(NAMES) ?? false).toBe(state === 'needs_person');
});
