import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMoney,
  addUpTo,
  formatMoney,
  minorDigits,
  multiplyMoney,
  parseMoney,
  percentOf,
  sameMoney,
  showMoney,
  subtractMoney,
  zero,
} from '../../../src/core/money.ts';
import { sar } from '../../support/bookings.ts';

describe('money', () => {
  test.each([
    ['172.50', 'SAR', 17250],
    ['172.5', 'SAR', 17250],
    ['172', 'SAR', 17200],
    [172.5, 'SAR', 17250],
    ['172.49999999999997', 'SAR', 17250],
    ['0.005', 'SAR', 1],
    ['0.004', 'SAR', 0],
    ['-0.001', 'SAR', 0],
    ['-1.25', 'SAR', -125],
    ['400', 'JPY', 400],
    ['400.4', 'JPY', 400],
    ['0.125', 'KWD', 125],
    ['5.684341886080802e-14', 'SAR', 0],
    [5e-14, 'SAR', 0],
    ['-5.684341886080802e-14', 'SAR', 0],
    ['5e-3', 'SAR', 1],
    ['4.99E-3', 'SAR', 0],
    ['1.7249999999999997e2', 'SAR', 17250],
    ['-1.25e+1', 'SAR', -1250],
    ['1e3', 'SAR', 100000],
    ['12345e-3', 'KWD', 12345],
    ['1e-999', 'SAR', 0],
  ])('parses %s %s as %i of the smallest unit', (text, currency, minor) =>
    expect(parseMoney(text, currency)).toEqual({ minor, currency }),
  );

  test.each([
    '',
    'x',
    '1,000',
    '1e',
    '1e15',
    '1e999',
    '1e1.5',
    '.5',
    '1.',
    'NaN',
    '9999999999999999',
    '99999999999999.99',
  ])('rejects %j as an amount', (text) => expect(parseMoney(text, 'SAR')).toBeUndefined());

  test('uses the decimal digits of each currency', () => {
    expect([minorDigits('SAR'), minorDigits('JPY'), minorDigits('BHD'), minorDigits('ZZZ')]).toEqual([2, 0, 3, 2]);
    expect(formatMoney(sar(5))).toBe('0.05');
    expect(formatMoney({ minor: -125, currency: 'KWD' })).toBe('-0.125');
    expect(showMoney(sar(123456789))).toBe('SAR 1,234,567.89');
    expect(showMoney({ minor: 4000, currency: 'JPY' })).toBe('JPY 4,000');
  });

  test('parses every amount that it formats', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom('SAR', 'JPY', 'KWD'), (minor, currency) => {
        expect(parseMoney(formatMoney({ minor, currency }), currency)).toEqual({ minor, currency });
      }),
    );
  });

  test('refuses to add two currencies or to return an inexact sum', () => {
    expect(addMoney(sar(1), sar(2), sar(3))).toEqual(sar(6));
    expect(subtractMoney(sar(1), sar(2))).toEqual(sar(-1));
    expect(() => addMoney(sar(1), zero('EUR'))).toThrow(RangeError);
    expect(() => addMoney(sar(Number.MAX_SAFE_INTEGER), sar(1))).toThrow(RangeError);
    expect(() => multiplyMoney(sar(Number.MAX_SAFE_INTEGER), 2)).toThrow(RangeError);
    expect(sameMoney(sar(1), { minor: 1, currency: 'EUR' })).toBe(false);
    expect(sameMoney(undefined, undefined)).toBe(true);
  });

  test('rounds a percentage half away from zero', () => {
    expect(percentOf(sar(150000), 1500)).toEqual(sar(22500));
    expect(percentOf(sar(1), 5000)).toEqual(sar(1));
    expect(percentOf(sar(-1), 5000)).toEqual(sar(-1));
    expect(percentOf(sar(3), 1500)).toEqual(sar(0));
    expect(percentOf(sar(900_000_000_000_000), 1500)).toEqual(sar(135_000_000_000_000));
  });
});

test('amounts add up to a total that is one minor unit off for each; nothing to zero; two currencies to nothing', () => {
  expect([addUpTo([sar(10), sar(20)], sar(32)), addUpTo([sar(10), sar(20)], sar(33))]).toEqual([true, false]);
  expect([addUpTo([], sar(0)), addUpTo([], sar(1)), addUpTo([], undefined)]).toEqual([true, false, false]);
  expect(addUpTo([sar(1), { minor: 1, currency: 'USD' }], sar(0))).toBe(false);
});
