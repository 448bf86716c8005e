import { expect, test } from 'vitest';
import { NO_REFUNDS, newOperation } from '../store/support/new-operation.ts';
import { NOW, sar } from '../support/bookings.ts';
import { type Desk, type DeskOptions, expectTexts, openDesk } from './support/desk.ts';

type Operations = Desk['state']['operations'];
type Act = Partial<Parameters<typeof newOperation>[1]> & {
  readonly id: string;
  readonly state?: Parameters<Operations['transition']>[2];
  readonly outcome?: NonNullable<Parameters<Operations['transition']>[3]['outcome']>;
  readonly at?: number;
};

async function deskOf(acts: readonly Act[], options?: DeskOptions): Promise<Desk> {
  const desk = await openDesk(options);
  for (const { id, state = 'succeeded', outcome, at = NOW, ...changes } of acts) {
    const meta = { now: at, actor: 'p', owner: 'p', leaseUntil: at };
    const { amount: _, direction: __, ...bare } = newOperation(id, { tenant: 'desk', caller: 'ann', ...changes });
    const { amount, direction } = changes;
    await desk.state.operations.insert({ ...bare, ...(amount && { amount }), ...(direction && { direction }) }, meta);
    await desk.state.operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: at }, meta);
    const [first, then] =
      state === 'needs_person' || state === 'resolved' ? (['needs_person', 'resolved'] as const) : [state];
    await desk.state.operations.transition(id, ['dispatched'], first, outcome ? { outcome } : {}, meta);
    if (state === 'resolved') await desk.state.operations.transition(id, [first], then ?? state, {}, meta);
  }
  return desk;
}
const report = async (acts: readonly Act[], args: object = {}) => (await deskOf(acts)).read('report_activity', args);
type Entry = { id: string };

const DAY = 86_400_000;
const DAYS = '30 Oct to 29 Nov 2026 (UTC)';
const CANCEL = { tool: 'cancel_segment', direction: 'refund' } as const;
const paid: Act = { id: 'p1', direction: 'payment', amount: sar(69000) };
const refunded: Act = {
  ...{ id: 'r1', ...CANCEL, amount: sar(69000), at: NOW - DAY },
  outcome: { refund: { amount: sar(17250), penalty: sar(1000) } },
};
const unstated: Act = { id: 'r2', ...CANCEL, amount: sar(5000) };
const declined: Act = { id: 'p2', direction: 'payment', amount: sar(99900), state: 'refused' };
const doubt: Act = { id: 'p3', direction: 'payment', amount: sar(11100), state: 'in_doubt', locator: 'XYZ789' };
const ALL = [paid, refunded, unstated, declined, doubt];

test('counts each measure by day, with refunds of unknown amount apart, and lists the operations behind a number', async () => {
  const byDay = report(ALL);
  const back = report(ALL, { measure: 'refunded' });
  const states = ['succeeded', 'refused', 'not_executed', 'in_doubt', 'needs_person', 'resolved'] as const;
  const byStatus = report(
    states.map((state, i) => ({ id: state, state, locator: `ABC12${i}` })),
    { group_by: 'status' },
  );
  await expectTexts('results/report_activity', {
    'By day': byDay,
    'Behind a number': back,
    'By status': byStatus,
    'Nothing happened': report([]),
  });
  expect((await byStatus).text).not.toContain('_executed');
  expect((await byDay).view).toMatchObject({ group_by: 'day' });
  const entry = { what: 'cancel_segment', status: 'succeeded', locator: 'ABC123' };
  expect((await back).view.entries).toEqual([
    { ...entry, id: 'r2', at: '2026-11-29T05:00+00:00', not_stated: true },
    { ...entry, id: 'r1', at: '2026-11-28T05:00+00:00', amount: '172.50', currency: 'SAR' },
  ]);
});

test.each([
  [{ measure: ' in_doubt ' }, ['p3'], { in_doubt: { count: 1 } }],
  [{ measure: 'refunded', key: '2026-11-28' }, ['r1'], { refunded: { count: 1, sums: { SAR: '172.50' } } }],
  [{ group_by: 'status', measure: 'operations', key: 'in_doubt' }, ['p3'], { operations: { count: 1 } }],
  [{ group_by: 'status', measure: 'operations', key: 'outcome not known' }, ['p3'], { operations: { count: 1 } }],
  [{ measure: 'holds_lapsed', key: '2026-11-29' }, [], {}],
  [{ measure: 'sold', key: 'no day' }, [], {}],
])('finds the operations of %o', async (args, ids, totals) => {
  const { view } = await report(ALL, args);
  expect(view.entries.map(({ id }: Entry) => id)).toEqual(ids);
  expect(view.totals ?? {}).toEqual(totals);
});

test('lists a long number page by page, each operation once', async () => {
  const desk = await deskOf(Array.from({ length: 60 }, (_, i) => ({ id: `m${i}`, at: NOW - (i % 7) })));
  const seen: string[] = [];
  for (let after: string | undefined, page = 1; page <= 3; page++) {
    const args = { measure: 'operations', ...(after !== undefined && { after }) };
    const { view, lines, text } = await desk.read('report_activity', args);
    expect(view.totals).toEqual(page === 1 ? { operations: { count: 60 } } : undefined);
    expect(lines[0]).toBe(page === 1 ? `Operations 60, ${DAYS}.` : `More of operations, ${DAYS}.`);
    seen.push(...view.entries.map(({ id }: Entry) => id));
    after = view.next_page;
    expect(text.includes(`Next: For more, call again with after ${after}.`)).toBe(page < 3);
  }
  expect([new Set(seen).size, seen.length]).toEqual([60, 60]);
});

test('never adds two currencies, and counts what nobody stated apart', async () => {
  const euros: Act = { id: 'p4', direction: 'payment', amount: { minor: 100, currency: 'EUR' } };
  const both = await report([paid, euros, { ...paid, id: 'p5' }], { group_by: 'tool' });
  expect(both.view.totals.sold).toEqual({ count: 3, sums: { EUR: '1.00', SAR: '1380.00' } });
  expect(both.view.rows).toEqual([{ key: 'pay_booking', measures: both.view.totals }]);
  expect(both.text).toContain('sold 3 (EUR 1.00, SAR 1,380.00)');
  const train = { from: 'MED', to: 'JED', departs: '2026-12-01T05:00:00Z', number: '1' };
  const subject = {
    ...{ kind: 'rebook_segment' as const, replaced: train, wanted: train },
    ...{ kept: [], earlierPayments: [], ...NO_REFUNDS },
  };
  const silent: Act = { id: 'c1', tool: 'rebook_segment', direction: 'payment', amount: sar(500), subject };
  const back = { ...silent, id: 'c2', outcome: { refund: { amount: sar(100) } } };
  expect((await report([paid, { id: 'p6', direction: 'payment' }, silent, back])).view.totals).toMatchObject({
    sold: { count: 2, sums: { SAR: '690.00' }, not_stated: 1 },
    paid: { count: 3, sums: { SAR: '690.00' }, not_stated: 2 },
    ...{ refunded: { count: 1, sums: { SAR: '1.00' } }, changes: { count: 2 } },
  });
});

test('shows callers as they are stored, and quotes one that is more than words', async () => {
  const by = (caller: string, i: number): Act => ({ id: `c${i}`, caller, direction: 'payment', amount: sar(100) });
  const callers = ['os:ann', 'oauth:ann%40x.example:desk', 'oauth:**paid**:_desk_'];
  const { view, text } = await report(callers.map(by), { group_by: 'caller' });
  expect(view.rows.map(({ key }: { key: string }) => key).toSorted()).toEqual(callers.toSorted());
  for (const shown of ['os:ann  ', 'oauth:ann%40x.example:desk  ', '“oauth: paid : desk”  '])
    expect(text).toContain(shown);
});

test('counts rows beyond the limit of the list in its total', async () => {
  const pays = (id: number, caller: number): Act => ({
    ...{ id: `m${id}`, caller: `c${String(caller).padStart(3, '0')}`, direction: 'payment', amount: sar(100) },
  });
  const many = Array.from({ length: 300 }, (_, i) => pays(i, i));
  const { view, text } = await report([...many, pays(300, 299)], { group_by: 'caller' });
  expect([view.rows.length, view.rows.at(-1).key, view.rows_left_out]).toEqual([250, 'c299', 50]);
  expect(view.totals.paid).toEqual({ count: 301, sums: { SAR: '301.00' } });
  expect(text).toContain('50 rows with fewer operations not listed; the total includes them.');
});

test('includes the first and last day of the period, and refuses one that ends before it begins and an unknown measure', async () => {
  const one = await report([paid, refunded], { from: '2026-11-28', to: '2026-11-28' });
  expect(one.view.totals).toMatchObject({ operations: { count: 1 } });
  expect(one.view).not.toHaveProperty('rows_left_out');
  const desk = await deskOf([paid]);
  const wrong = [{ from: '2026-11-28', to: '2026-11-27' }, { measure: 'sold', after: 'p1' }, { measure: 'turnover' }];
  for (const args of wrong) expect((await desk.refused('report_activity', args)).code).toBe('E_INPUT');
  expect((await desk.refused('report_activity', { measure: 'turnover' })).message).toContain(
    'expected one of operations, sold, paid',
  );
});

test('has days and times of the desk: half past one in Riyadh is of that day, and the summary names the zone', async () => {
  const night: Act = { ...paid, id: 'n1', at: Date.parse('2026-11-28T22:30:00Z') };
  const desk = await deskOf([night, refunded], { settings: { timeZone: () => 'Asia/Riyadh' } });
  const { view, lines } = await desk.read('report_activity', { from: '2026-11-29', to: '2026-11-29' });
  expect(lines[0]).toBe('1 operation, 29 Nov 2026 (Asia/Riyadh).');
  expect(view.rows.map(({ key }: { key: string }) => key)).toEqual(['2026-11-29']);
  const behind = await desk.read('report_activity', { measure: 'sold', key: '2026-11-29' });
  expect(behind.lines[0]).toBe('Sold 1 (SAR 690.00) of 2026-11-29, 30 Oct to 29 Nov 2026 (Asia/Riyadh).');
  expect(behind.view.entries).toMatchObject([{ id: 'n1', at: '2026-11-29T01:30+03:00' }]);
  expect(behind.text).toContain('Sun 29 Nov 01:30 (UTC+3)');
});

test('sums up by payment type', async () => {
  const cash = { ...paid, id: 'p7', facts: { paymentType: 'cash' } };
  const { view } = await report([paid, cash], { group_by: 'payment_type' });
  expect(view.rows.map(({ key }: { key: string }) => key)).toEqual(['cash', 'unknown']);
});
