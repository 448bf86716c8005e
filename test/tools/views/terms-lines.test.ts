import { expect, test } from 'vitest';
import { linesOf } from '../../../src/approvals/terms.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { PenaltyRule } from '../../../src/domain/pricing/fare.ts';
import { utcText } from '../../../src/domain/time-and-text/times.ts';
import { payBooking } from '../../../src/tools/pay-booking.ts';
import { readBooking } from '../../../src/tools/read-booking.ts';
import { refundNote } from '../../../src/tools/views/refund-of-booking.ts';
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
const withRules = (refundRules: readonly PenaltyRule[], cancelUntil = '2026-12-01T04:50:00Z') =>
  held({
    options: [OUT],
    pricing: {
      total: price(sar(10_000)),
      refunds: [],
      fares: [fare('1', 'MED', 'JED', { refundRules, cancelUntil, payBy: '2027-01-01T00:00:00Z' })],
      perType: [row('ADT', 1, sar(10_000), { segmentRefs: ['1'] })],
    },
  });
const booking = withRules(WINDOWS);

async function payingTerms(booking: Booking, now = NOW) {
  const args = parsed(payBooking, { locator: 'ABC123', payment: { type: 'invoice' } });
  return linesOf((await payBooking.preview(args, openDesk({ bookings: [booking], now }).ctx)).sections);
}

test('shows a person every later refund before the yes, not only the next one', async () => {
  expect((await payingTerms(booking)).slice(-3)).toEqual([
    'From Sun 29 Nov 12:00 (UTC+3): The airline keeps SAR 46.00, tax included. SAR 54.00 comes back then.',
    'From Mon 30 Nov 12:00 (UTC+3): SAR 8.00 comes back.',
    'It can be cancelled until Tue 1 Dec 07:50 (UTC+3); then nothing comes back.',
  ]);
});

test('says that the rules change again after the last later refund that it lists', async () => {
  const hour = (i: number) => utcText(NOW + i * 3_600_000);
  const told = async (rules: readonly PenaltyRule[]) =>
    (await payingTerms(withRules(rules, rules.at(-1)?.until))).at(-2);
  const hourly = (count: number) =>
    Array.from({ length: count }, (_, i) => keeping(1000 + 100 * i, hour(i), hour(i + 1)));
  const again = 'The rules change again later; only the first changes are listed.';
  expect(await told(hourly(7))).toContain('SAR 81.60 comes back.');
  expect(await told(hourly(8))).toBe(again);
  // Other words for the same sum, in more windows than are looked at.
  const taxed = keeping(1000, '', '');
  const untaxed = rule({ base: sar(1150), tax: sar(0), total: sar(1150), vatHundredths: 0 });
  const wordy = Array.from({ length: 30 }, (_, i) => ({
    ...(i % 2 === 0 ? taxed : untaxed),
    from: hour(i),
    until: hour(i + 1),
  }));
  expect(await told([...wordy, keeping(8000, hour(30), hour(40))])).toBe(again);
});

test('calls it an estimate that nothing comes back once everything has departed, unless a time limit passed', async () => {
  const after = Date.parse('2026-12-02T00:00:00Z');
  const before = 'If it is cancelled after payment: Nothing comes back any more';
  expect(await payingTerms(withRules(WINDOWS), after)).toContain(`${before}.`);
  const ahead = withRules(WINDOWS, '2027-11-29T00:00:00Z');
  expect(await payingTerms(ahead, after)).toContain(`${before} (estimate; the airline decides).`);
  expect(refundNote(ahead, after)?.text).toBe(
    'Nothing comes back any more (estimate; the airline decides). Everything has departed, and the last refund rule is over.',
  );
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
