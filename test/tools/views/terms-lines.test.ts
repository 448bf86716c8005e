import { expect, test } from 'vitest';
import { linesOf } from '../../../src/approvals/terms.ts';
import type { PenaltyRule } from '../../../src/domain/pricing/fare.ts';
import { payBooking } from '../../../src/tools/pay-booking.ts';
import { readBooking } from '../../../src/tools/read-booking.ts';
import { refundText } from '../../../src/tools/views/refund-result.ts';
import { fare, held, NOW, OUT, price, row, rule, sar } from '../../support/bookings.ts';
import { openDesk, parsed } from '../support/tool-context.ts';

const keeping = (total: number, from: string, until: string): PenaltyRule =>
  rule({ base: sar(total), tax: sar(0), total: sar(total), from, until });
/** Three windows: 10, then 40, then 80 of 100 are kept, with VAT on it; then nothing can be cancelled. */
const WINDOWS = [
  keeping(1000, '2026-11-01T00:00:00Z', '2026-11-29T09:00:00Z'),
  keeping(4000, '2026-11-29T09:00:00Z', '2026-11-30T09:00:00Z'),
  keeping(8000, '2026-11-30T09:00:00Z', '2026-12-01T05:00:00Z'),
];
const booking = held({
  options: [OUT],
  pricing: {
    total: price(sar(10_000)),
    refunds: [],
    fares: [fare('1', 'MED', 'JED', { refundRules: WINDOWS, cancelUntil: '2026-12-01T04:50:00Z' })],
    perType: [row('ADT', 1, sar(10_000), { segmentRefs: ['1'] })],
  },
});

test('shows a person every later refund before the yes, not only the next one', async () => {
  const args = parsed(payBooking, { locator: 'ABC123', payment: { type: 'invoice' } });
  const lines = linesOf((await payBooking.preview(args, openDesk({ bookings: [booking] }).ctx)).sections);
  expect(lines.slice(-3)).toEqual([
    'From Sun 29 Nov 12:00 (UTC+3): The airline keeps SAR 46.00, tax included. SAR 54.00 comes back then.',
    'From Mon 30 Nov 12:00 (UTC+3): SAR 8.00 comes back.',
    'It can be cancelled until Tue 1 Dec 07:50 (UTC+3); then nothing comes back.',
  ]);
});

test('leaves out starts that have passed, and ends a rule where nothing can be cancelled any more', async () => {
  const desk = openDesk({ bookings: [booking], now: NOW });
  const args = parsed(readBooking, { locator: 'abc123' });
  const output = readBooking.output().parse(await readBooking.run(args, desk.ctx));
  const rules = readBooking
    .text(output, args, desk.ctx)
    .split('\n')
    .filter((line) => line.includes('keeps'));
  expect(rules[0]).not.toContain('from');
  expect(rules[1]).toContain('from Sun 29 Nov 12:00 (UTC+3)');
  expect(rules[2]).toContain('until Tue 1 Dec 07:50 (UTC+3)');
});

test('does not call a refund of zero a refund', () => {
  const nothing = { currency: 'SAR', stated: { amount: '0.00', penalty: '388.75', order_status: 'PAID' } };
  expect(refundText(nothing)).toBe('Nothing was refunded: the airline states SAR 0.');
});
