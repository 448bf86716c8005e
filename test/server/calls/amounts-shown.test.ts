/**
 * The journal's export and the desk's report show the same amounts: what moved, never what limits count.
 */
import { expect, test } from 'vitest';
import { csvLine, csvTitles } from '../../../src/cli/journal/export.ts';

import { preparedFor, rebookableBooking, ticketedBooking } from './bookings.ts';
import { accept, failures, openDesk } from './desk.ts';

type Row = {
  readonly key: string;
  readonly measures: Record<'paid' | 'refunded', { sums?: Record<string, string> } | undefined>;
};

test('exports the same sums as report_activity shows', async () => {
  // Prices are not stated for each flight, so limits count the most that can move.
  const desk = await openDesk({ sandbox: { tolerances: ['oldPriceRows'] } });
  const locator = await ticketedBooking(desk);
  await desk.say('cancel_segment', { locator, segment_refs: ['1'] }, accept);
  const other = await rebookableBooking(desk);
  const { args } = preparedFor('rebook_segment', other);
  await desk.say('rebook_segment', { locator: other, ...args }, accept);

  const report = await desk.result('report_activity', { group_by: 'tool' });
  const rows = (report.structured.rows as Row[]).map(({ key, measures }) => {
    const [paid, refunded] = [measures.paid?.sums?.SAR ?? '0.00', measures.refunded?.sums?.SAR ?? '0.00'];
    return { key, paid, refunded };
  });
  const lines = (await desk.parts.state.operations.list({})).map((operation) =>
    csvLine({ operation, last: { n: 1, hash: '' } }),
  );
  const names = csvTitles().trimEnd().split(',');
  const sheet = lines.map((line) => {
    const cells = line.split(',');
    return (name: string): string => cells[names.indexOf(name)] ?? '';
  });
  const sum = (tool: string, column: string): string =>
    sheet
      .filter((cell) => cell('tool') === tool)
      .reduce((all, cell) => all + Number(cell(column)), 0)
      .toFixed(2);
  for (const { key, paid, refunded } of rows) {
    expect([key, sum(key, 'charged'), sum(key, 'refund')]).toEqual([key, paid, refunded]);
  }
  const told = Object.fromEntries(rows.map(({ key, paid, refunded }) => [key, Number(paid) + Number(refunded)]));
  for (const tool of ['cancel_segment', 'rebook_segment']) {
    expect(told[tool]).toBeGreaterThan(0);
    expect(told[tool]).toBeLessThan(Number(sum(tool, 'at_stake')));
  }
  expect(failures).toEqual([]);
  await desk.close();
});
