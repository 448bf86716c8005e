import { describe, expect, test } from 'vitest';
import { keptBy } from '../../src/domain/penalties.ts';
import { rule, sar } from './bookings.ts';

describe('what the airline keeps under a rule', () => {
  test('is its total, in which the tax is counted once', () => {
    const published = rule({ base: sar(4000), tax: sar(600), total: sar(4600), vatHundredths: 1500 });
    expect(keptBy(published)).toEqual({ total: sar(4600), tax: sar(600), disagrees: false });
  });

  test('has the tax added where the airline gives a percentage, no tax, and a total without it', () => {
    const net = rule({ base: sar(4000), tax: sar(0), total: sar(4000), vatHundredths: 1500 });
    expect(keptBy(net)).toEqual({ total: sar(4600), tax: sar(600), disagrees: false });
    const inTotal = rule({ base: sar(4000), tax: sar(0), total: sar(4600), vatHundredths: 1500 });
    expect(keptBy(inTotal)).toEqual({ total: sar(4600), tax: sar(600), disagrees: false });
  });

  test('is the greater of two figures that differ', () => {
    const more = rule({ base: sar(4000), tax: sar(600), total: sar(5000) });
    expect(keptBy(more)).toEqual({ total: sar(5000), tax: sar(600), disagrees: true });
    const less = rule({ base: sar(4000), tax: sar(600), total: sar(4000) });
    expect(keptBy(less)).toEqual({ total: sar(4600), tax: sar(600), disagrees: true });
  });

  test('is the total alone where its parts are missing', () => {
    const bare = rule({ base: sar(0), tax: sar(0), total: sar(4600), vatHundredths: 1500 });
    expect(keptBy(bare)).toEqual({ total: sar(4600), tax: sar(0), disagrees: false });
  });

  test('without tax is the base', () => {
    const untaxed = rule({ base: sar(4000), vatHundredths: 0 });
    expect(keptBy(untaxed)).toEqual({ total: sar(4000), tax: sar(0), disagrees: false });
  });

  test('is not known where an amount is negative or too large', () => {
    expect(keptBy(rule({ base: sar(-4000) }))).toBeUndefined();
    const huge = sar(Number.MAX_SAFE_INTEGER);
    expect(keptBy({ ...rule(), base: huge, tax: huge, total: huge })).toBeUndefined();
  });
});
