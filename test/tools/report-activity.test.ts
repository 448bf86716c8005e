import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/approvals/terms.ts';
import { reportActivity } from '../../src/tools/report-activity.ts';
import { NOW, sar } from '../support/bookings.ts';
import { openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const TERMS = {
  locator: 'ABC123',
  sections: [],
  act: '',
  nature: 'change',
  ask: true,
  subject: { kind: 'create' },
  send: 0,
} as const;
const operation = (over: Partial<Operation>) => operationOf(over.tool ?? 'pay_booking', TERMS, over);

const archived = { rows: [], totals: [], in_doubt: [], in_doubt_total: 0, archived_before: '2026-03-01T00:00:00Z' };

async function report(operations: Operation[], args: object = {}) {
  const desk = openDesk();
  desk.operations.push(...operations);
  const given = parsed(reportActivity, args);
  const output = reportActivity.output().parse(await reportActivity.run(given, desk.ctx));
  return { output, text: reportActivity.text(output, given) };
}

const DAY = 86_400_000;

describe('report_activity', () => {
  test('says which days are in an archive', () => {
    const text = reportActivity.text(reportActivity.output().parse(archived), parsed(reportActivity, {}));
    expect(text).toContain(
      'Most operations from before Sun 1 Mar 00:00 (UTC) are in an archive, and are not counted here.',
    );
  });

  const paid = operation({ id: 'p1', direction: 'payment', amount: sar(69000) });
  const refunded = operation({
    id: 'r1',
    tool: 'cancel_segment',
    direction: 'refund',
    amount: sar(69000),
    outcome: { refund: { amount: sar(17250) } },
    createdAt: NOW - DAY,
  });
  const unstated = operation({ id: 'r2', tool: 'cancel_segment', direction: 'refund', amount: sar(5000) });
  const declined = operation({ id: 'p2', direction: 'payment', amount: sar(99900), state: 'refused' });
  const doubt = operation({ id: 'p3', direction: 'payment', amount: sar(11100), state: 'in_doubt', locator: 'XYZ789' });

  test('sums completed operations by day, lists those in doubt and counts unstated refunds', async () => {
    const { output, text } = await report([paid, refunded, unstated, declined, doubt]);
    expect(output.rows).toEqual([
      { key: '2026-11-28', operations: 1, paid: '0.00', refunded: '172.50', currency: 'SAR' },
      { key: '2026-11-29', operations: 4, paid: '690.00', refunded: '0.00', refunds_not_stated: 1, currency: 'SAR' },
    ]);
    expect(output.totals).toEqual([
      { operations: 5, paid: '690.00', refunded: '172.50', refunds_not_stated: 1, currency: 'SAR' },
    ]);
    expect(output.in_doubt).toEqual([
      { operation_id: 'p3', tool: 'pay_booking', status: 'in_doubt', locator: 'XYZ789', since: '2026-11-29T05:00:00Z' },
    ]);
    expect(text).toContain(
      'Outcome not known; a person must check:\n  p3  pay_booking  XYZ789  outcome not known  since Sun 29 Nov 05:00 (UTC)',
    );
    expect(text).toContain('2026-11-28  1 operation ');
    expect(text).toContain('1 refund of unknown amount');
  });

  test('reports two currencies in separate rows', async () => {
    const euros = operation({ id: 'p4', direction: 'payment', amount: { minor: 100, currency: 'EUR' } });
    const { output } = await report([paid, euros], { group_by: 'tool' });
    expect(output.rows.map((row) => [row.key, row.currency, row.paid])).toEqual([
      ['pay_booking', 'SAR', '690.00'],
      ['pay_booking', 'EUR', '1.00'],
    ]);
    expect(output.totals).toHaveLength(2);
  });

  test.each([
    ['status', ['refused', 'succeeded']],
    ['caller', ['ann']],
    ['route', ['unknown']],
  ])('groups operations by %s', async (group_by, keys) => {
    expect((await report([paid, declined], { group_by })).output.rows.map((row) => row.key)).toEqual(keys);
  });

  test('names every status in plain words in the text, and keeps its code in the structured rows', async () => {
    const states = ['succeeded', 'refused', 'not_executed', 'in_doubt', 'needs_person', 'resolved'] as const;
    const all = states.map((state) => operation({ id: state, state }));
    const { output, text } = await report(all, { group_by: 'status' });
    expect(output.rows.map(({ key }) => key)).toEqual(states.toSorted());
    for (const words of [
      'done',
      'refused',
      'not carried out',
      'outcome not known',
      'needs a person',
      'closed by a person',
    ])
      expect(text).toMatch(new RegExp(`^${words} +1 operation `, 'm'));
    expect(text).not.toContain('_executed');
    expect(text).toMatch(/ {2}needs_person {2}pay_booking .*needs a person +since/);
  });

  test('counts rows and open operations beyond the limits of the lists', async () => {
    const callers = Array.from({ length: 300 }, (_, i) => `c${String(i).padStart(3, '0')}`);
    const many = callers.map((caller, i) => operation({ id: `m${i}`, caller, direction: 'payment', amount: sar(100) }));
    const busiest = operation({ id: 'm300', caller: 'c299', direction: 'payment', amount: sar(100) });
    const open = callers.map((_, i) =>
      operation({ id: `d${i}`, caller: 'zoe', state: 'in_doubt', createdAt: NOW - i }),
    );
    const { output, text } = await report([...many, busiest, ...open], { group_by: 'caller' });
    expect(output.rows).toHaveLength(250);
    expect(output.rows.map(({ key }) => key).slice(-2)).toEqual(['c299', 'zoe']);
    expect(output.rows_left_out).toBe(51);
    expect(output.totals).toEqual([{ operations: 601, paid: '301.00', refunded: '0.00', currency: 'SAR' }]);
    expect([output.in_doubt.length, output.in_doubt_total]).toEqual([100, 300]);
    expect(output.in_doubt[0]?.operation_id).toBe('d0');
    expect(text).toContain('51 rows with fewer operations not listed; the total includes them.');
    expect(text).toContain('200 older not listed; 300 in all.');
    const byDay = await report([...many, ...open]);
    expect(byDay.output).not.toHaveProperty('rows_left_out');
    expect(byDay.output.rows).toHaveLength(1);
  });

  test('includes the first and last day of the period, and accepts an empty one', async () => {
    const one = await report([paid, refunded], { from: '2026-11-28', to: '2026-11-28' });
    expect(one.output.totals).toMatchObject([{ operations: 1 }]);
    expect((await report([])).text).toBe('No operations on these days.');
    await refusedWith(report([], { from: '2026-11-28', to: '2026-11-27' }), 'E_INPUT');
  });
});
