import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/approvals/terms.ts';
import { reportActivity } from '../../src/tools/report-activity.ts';
import { NOW, sar } from '../support/bookings.ts';
import { inputProblems, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

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

const archived = { rows: [], totals: {}, entries: [], archived_before: '2026-03-01T00:00:00Z' };

async function report(operations: Operation[], args: object = {}) {
  const desk = openDesk();
  desk.operations.push(...operations);
  const given = parsed(reportActivity, args);
  const output = reportActivity.output().parse(await reportActivity.run(given, desk.ctx));
  return { output, text: reportActivity.text(output, given) };
}

const DAY = 86_400_000;
const paid = operation({ id: 'p1', direction: 'payment', amount: sar(69000) });
const refunded = operation({
  id: 'r1',
  tool: 'cancel_segment',
  direction: 'refund',
  amount: sar(69000),
  outcome: { refund: { amount: sar(17250), penalty: sar(1000) } },
  createdAt: NOW - DAY,
});
const unstated = operation({ id: 'r2', tool: 'cancel_segment', direction: 'refund', amount: sar(5000) });
const declined = operation({ id: 'p2', direction: 'payment', amount: sar(99900), state: 'refused' });
const doubt = operation({ id: 'p3', direction: 'payment', amount: sar(11100), state: 'in_doubt', locator: 'XYZ789' });

describe('report_activity', () => {
  test('reports no operations without rows and totals', () => {
    const text = reportActivity.text({ entries: [] }, parsed(reportActivity, {}));
    expect(text).toBe('No operations on these days.');
  });

  test('says which days are in an archive', () => {
    const text = reportActivity.text(reportActivity.output().parse(archived), parsed(reportActivity, {}));
    expect(text).toContain(
      'Most operations from before Sun 1 Mar 00:00 (UTC) are in an archive, and are not counted here.',
    );
  });

  test('counts each measure by day, and refunds of unknown amount apart', async () => {
    const { output, text } = await report([paid, refunded, unstated, declined, doubt]);
    const back = { count: 1, sums: { SAR: '172.50' } };
    const sold = { count: 1, sums: { SAR: '690.00' } };
    expect(output.rows).toEqual([
      {
        key: '2026-11-28',
        measures: { operations: { count: 1 }, refunded: back, penalties: { count: 1, sums: { SAR: '10.00' } } },
      },
      {
        key: '2026-11-29',
        measures: {
          ...{ operations: { count: 4 }, sold, paid: sold, in_doubt: { count: 1 } },
          ...{ refunded: { count: 1, not_stated: 1 }, penalties: { count: 1, not_stated: 1 } },
        },
      },
    ]);
    expect(output.totals?.refunded).toEqual({ count: 2, sums: { SAR: '172.50' }, not_stated: 1 });
    expect(text).toMatch(/^2026-11-28 {2}operations 1, refunded 1 \(SAR 172\.50\), penalties 1 \(SAR 10\.00\)$/m);
    expect(text).toMatch(/^total +operations 5,.*refunded 2 \(SAR 172\.50, 1 not stated\)/m);
    expect(text).toContain('The operations behind a number: pass its measure, and the key of its row.');
  });

  test('lists the operations behind a number, with what each adds to it', async () => {
    const all = [paid, refunded, unstated, declined, doubt];
    const { output, text } = await report(all, { measure: 'refunded' });
    expect(output).toEqual({
      totals: { refunded: { count: 2, sums: { SAR: '172.50' }, not_stated: 1 } },
      entries: [
        { id: 'r2', what: 'cancel_segment', status: 'succeeded', locator: 'ABC123', at: '2026-11-29T05:00:00Z' },
        {
          ...{ id: 'r1', what: 'cancel_segment', status: 'succeeded', locator: 'ABC123' },
          ...{ amount: '172.50', currency: 'SAR', at: '2026-11-28T05:00:00Z' },
        },
      ],
    });
    expect(text).toMatch(/^refunded 2 \(SAR 172\.50, 1 not stated\)\n {2}r2 .* done +not stated +Sun 29 Nov 05:00/);
    const inDoubt = await report(all, { measure: ' in_doubt ' });
    expect(inDoubt.text).toBe('in doubt 1\n  p3  pay_booking  XYZ789  outcome not known  Sun 29 Nov 05:00 (UTC)');
    const one = await report(all, { measure: 'refunded', key: '2026-11-28' });
    expect(one.output.entries.map(({ id }) => id)).toEqual(['r1']);
    expect(one.output.totals?.refunded).toEqual({ count: 1, sums: { SAR: '172.50' } });
    expect(one.text).toContain('refunded 1 (SAR 172.50) of 2026-11-28');
  });

  test('takes the status of a row in the words of the text too', async () => {
    for (const key of ['in_doubt', 'outcome not known']) {
      const { output } = await report([paid, doubt], { group_by: 'status', measure: 'operations', key });
      expect(output.entries.map(({ id }) => id)).toEqual(['p3']);
      expect(output.totals).toEqual({ operations: { count: 1 } });
    }
  });

  test('lists a long number page by page, each operation once', async () => {
    const many = Array.from({ length: 60 }, (_, i) => operation({ id: `m${i}`, createdAt: NOW - (i % 7) }));
    const seen: string[] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const { output, text } = await report(many, { measure: 'operations', ...(after !== undefined && { after }) });
      expect(output.totals).toEqual(after === undefined ? { operations: { count: 60 } } : undefined);
      expect(text.split('\n')[0]).toBe(after === undefined ? 'operations 60' : 'Continued');
      seen.push(...output.entries.map(({ id }) => id));
      after = output.next;
      if (after !== undefined) expect(text).toContain(`More: after ${after}`);
      pages += 1;
    } while (after !== undefined);
    expect([pages, new Set(seen).size, seen.length]).toEqual([3, 60, 60]);
  });

  test('says that there is nothing behind a number that is 0', async () => {
    const none = await report([paid], { measure: 'holds_lapsed', key: '2026-11-29' });
    expect(none.output).toEqual({ totals: {}, entries: [] });
    expect(none.text).toBe('holds lapsed 0 of 2026-11-29');
    expect((await report([paid], { measure: 'sold', key: 'no day' })).output.entries).toEqual([]);
  });

  test('names its measures to who asks for another one, and refuses a place that no answer named', async () => {
    expect(inputProblems(reportActivity, { measure: 'turnover' })).toEqual([
      'measure: expected one of operations, sold, paid, refunded, penalties, holds_made, holds_lapsed, in_doubt, changes, findings, findings_open',
    ]);
    await refusedWith(report([paid], { measure: 'sold', after: 'p1' }), 'E_INPUT');
  });

  test('never adds two currencies', async () => {
    const euros = operation({ id: 'p4', direction: 'payment', amount: { minor: 100, currency: 'EUR' } });
    const { output, text } = await report([paid, euros, operation({ ...paid, id: 'p5' })], { group_by: 'tool' });
    expect(output.totals?.sold).toEqual({ count: 3, sums: { EUR: '1.00', SAR: '1380.00' } });
    expect(output.rows).toEqual([{ key: 'pay_booking', measures: output.totals }]);
    expect(text).toContain('sold 3 (EUR 1.00, SAR 1380.00)');
  });

  test('counts what a payment or a change cost as not stated if nobody stated it', async () => {
    const { amount: _, ...unknown } = operation({ id: 'p6', direction: 'payment' });
    const flight = { from: 'MED', to: 'JED', departs: '2026-12-01T05:00:00Z', number: '1' };
    const change = { kind: 'rebook_segment', replaced: flight, wanted: flight, kept: [] } as const;
    const subject = { ...change, paymentsBefore: 1, refundsBefore: 0 };
    const silent = operation({ id: 'c1', tool: 'rebook_segment', direction: 'payment', amount: sar(500), subject });
    const back = { ...silent, id: 'c2', outcome: { refund: { amount: sar(100) } } };
    const { totals } = (await report([paid, unknown, silent, back])).output;
    expect(totals).toMatchObject({
      sold: { count: 2, sums: { SAR: '690.00' }, not_stated: 1 },
      paid: { count: 3, sums: { SAR: '690.00' }, not_stated: 2 },
      refunded: { count: 1, sums: { SAR: '1.00' } },
      changes: { count: 2 },
    });
  });

  test.each([
    ['status', ['refused', 'succeeded']],
    ['caller', ['ann']],
    ['route', ['unknown']],
  ])('groups operations by %s', async (group_by, keys) => {
    expect((await report([paid, declined], { group_by })).output.rows?.map((row) => row.key)).toEqual(keys);
  });

  test('names every status in plain words in the text, and keeps its code in the structured rows', async () => {
    const states = ['succeeded', 'refused', 'not_executed', 'in_doubt', 'needs_person', 'resolved'] as const;
    const all = states.map((state) => operation({ id: state, state }));
    const { output, text } = await report(all, { group_by: 'status' });
    expect(output.rows?.map(({ key }) => key)).toEqual(states.toSorted());
    for (const words of [
      'done',
      'refused',
      'not carried out',
      'outcome not known',
      'needs a person',
      'closed by a person',
    ])
      expect(text).toMatch(new RegExp(`^${words} +operations 1`, 'm'));
    expect(text).not.toContain('_executed');
  });

  test('counts rows beyond the limit of the list in its total', async () => {
    const callers = Array.from({ length: 300 }, (_, i) => `c${String(i).padStart(3, '0')}`);
    const many = callers.map((caller, i) => operation({ id: `m${i}`, caller, direction: 'payment', amount: sar(100) }));
    const busiest = operation({ id: 'm300', caller: 'c299', direction: 'payment', amount: sar(100) });
    const { output, text } = await report([...many, busiest], { group_by: 'caller' });
    expect(output.rows).toHaveLength(250);
    expect(output.rows?.at(-1)?.key).toBe('c299');
    expect(output.rows_left_out).toBe(50);
    expect(output.totals?.paid).toEqual({ count: 301, sums: { SAR: '301.00' } });
    expect(text).toContain('50 rows with fewer operations not listed; the total includes them.');
    const few = await report([...many.slice(0, 251)], { group_by: 'caller' });
    expect(few.text).toContain('1 row with fewer');
    const byDay = await report(many);
    expect(byDay.output).not.toHaveProperty('rows_left_out');
    expect(byDay.output.rows).toHaveLength(1);
  });

  test('includes the first and last day of the period, and accepts an empty one', async () => {
    const one = await report([paid, refunded], { from: '2026-11-28', to: '2026-11-28' });
    expect(one.output.totals).toMatchObject({ operations: { count: 1 } });
    expect((await report([])).text).toBe('No operations on these days.');
    await refusedWith(report([], { from: '2026-11-28', to: '2026-11-27' }), 'E_INPUT');
  });
});
