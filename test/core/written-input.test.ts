/** Amounts and dates as people write them: one spelling of what can mean one thing, nothing where it can mean two. */
import { expect, test } from 'vitest';
import { formatMoney, moneyIn, typedAmount } from '../../src/core/money.ts';
import { writtenDate } from '../../src/core/times.ts';
import { amount as amountField } from '../../src/tools/definition/input-fields.ts';

const amountOf = (text: string) => amountField().parse(text);

test.each([
  ['109.71', '109.71'],
  ['438.8', '438.80'],
  ['690', '690.00'],
  ['0172.50', '172.50'],
  ['12.3450', '12.345'],
  ['SAR 438.84', 'SAR 438.84'],
  ['438.84 sar', 'SAR 438.84'],
  ['SAR438.84', 'SAR 438.84'],
  ['SAR 1,725.00', 'SAR 1725.00'],
  ['1,725,000.00', '1725000.00'],
  ['SAR 5 EUR', undefined],
  ['438,84', undefined],
  ['1,725,000', undefined],
  ['1.725,00', undefined],
  ['1 725.00', undefined],
  ['1,725', undefined],
  ['1,72,500.00', undefined],
  ['1.725.000', undefined],
  ['12,3456', undefined],
  ['-5', undefined],
  ['$5', undefined],
  ['1e3', undefined],
  ['5 or 6 SAR', undefined],
  ['', undefined],
])('the amount %j is %j, however often it is read', (given, amount) => {
  const written = (text: string) => {
    const { currency, decimal } = typedAmount(text) ?? {};
    return currency === undefined ? decimal : `${currency} ${decimal}`;
  };
  expect(written(given)).toBe(amount);
  if (amount !== undefined) expect(written(amount)).toBe(amount);
});

test.each([
  ['172.5', 'SAR', '172.50'],
  ['SAR 1,725.00', 'SAR', '1725.00'],
  ['400', 'JPY', '400'],
  ['0.125 KWD', 'KWD', '0.125'],
  ['EUR 172.50', 'SAR', undefined],
  ['172.505', 'SAR', undefined],
  ['400.5', 'JPY', undefined],
])('the amount %j is money of %s: %j', (given, currency, amount) => {
  const money = moneyIn(amountOf(given), currency);
  expect(money && [formatMoney(money), money.currency]).toEqual(amount && [amount, currency]);
});

test('an argument that is an amount has its currency apart', () => {
  expect(amountOf(' sar 172.5 ')).toEqual({ decimal: '172.50', currency: 'SAR' });
  expect(amountOf('172.5')).toEqual({ decimal: '172.50' });
  expect(() => amountOf('1,725')).toThrow('expected an amount such as');
});

test.each([
  ['2026-1-5', '2026-01-05'],
  [' 2026/01/05 ', '2026-01-05'],
  ['2026-01-05T14:30', '2026-01-05'],
  ['2026-01-05T00:00:00.000Z', '2026-01-05'],
  ['25/12/2026', '2026-12-25'],
  ['12/25/2026', '2026-12-25'],
  ['05.05.2026', '2026-05-05'],
  ['2026-01-05T22:00:00Z', undefined],
  ['2026-01-05T22:00:00+03:00', undefined],
  ['03/04/2026', undefined],
  ['03.04.2026', undefined],
  ['2026-02-30', undefined],
  ['30/02/2026', undefined],
  ['5/1/26', undefined],
  ['next Monday', undefined],
])('the date %j is %j', (given, date) => expect(writtenDate(given)).toBe(date));
