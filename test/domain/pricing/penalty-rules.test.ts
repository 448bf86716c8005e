import { describe, expect, test } from 'vitest';
import { keptBy } from '../../../src/domain/pricing/penalty-rules.ts';
import { bookingOf } from '../../ota/support/wire.ts';
import { rule, sar } from '../../support/bookings.ts';

describe('what the airline keeps under a rule', () => {
  test('keeps the total, which contains the tax once', () => {
    const published = rule({ base: sar(4000), tax: sar(600), total: sar(4600), vatHundredths: 1500 });
    expect(keptBy(published)).toEqual({ total: sar(4600), tax: sar(600), disagrees: false });
  });

  test('adds the tax if the airline states a percentage, no tax, and a total without it', () => {
    const net = rule({ base: sar(4000), tax: sar(0), total: sar(4000), vatHundredths: 1500 });
    expect(keptBy(net)).toEqual({ total: sar(4600), tax: sar(600), disagrees: false });
    const inTotal = rule({ base: sar(4000), tax: sar(0), total: sar(4600), vatHundredths: 1500 });
    expect(keptBy(inTotal)).toEqual({ total: sar(4600), tax: sar(600), disagrees: false });
  });

  test('keeps the greater of two different figures', () => {
    const more = rule({ base: sar(4000), tax: sar(600), total: sar(5000) });
    expect(keptBy(more)).toEqual({ total: sar(5000), tax: sar(600), disagrees: true });
    const less = rule({ base: sar(4000), tax: sar(600), total: sar(4000) });
    expect(keptBy(less)).toEqual({ total: sar(4600), tax: sar(600), disagrees: true });
  });

  test('keeps the total if its parts are missing', () => {
    const bare = rule({ base: sar(0), tax: sar(0), total: sar(4600), vatHundredths: 1500, totalAlone: true });
    expect(keptBy(bare)).toEqual({ total: sar(4600), tax: sar(0), disagrees: false });
  });

  test('reports a difference if parts are sent as zero beside a total', () => {
    const zeros = rule({ base: sar(0), tax: sar(0), total: sar(10000) });
    expect(keptBy(zeros)).toEqual({ total: sar(10000), tax: sar(0), disagrees: true });
    const free = rule({ base: sar(0), tax: sar(0), total: sar(0) });
    expect(keptBy(free)).toEqual({ total: sar(0), tax: sar(0), disagrees: false });
  });

  test.each<[string, object, boolean]>([
    ['sends base and tax of zero beside a total', { base: 0, tax: 0, total: 100 }, true],
    ['sends a base of zero beside a total', { base: 0, total: 100 }, true],
    ['sends the total alone', { total: 100 }, false],
  ])('keeps the total if the airline %s', (_what, amounts, disagrees) => {
    const penaltyRules = [{ passengerTypeCode: 'ADT', rules: [{ currency: 'SAR', refundable: true, ...amounts }] }];
    const chargesRules = { voluntaryRefunds: { TPA_Extensions: { penaltyRules } } };
    const fareInfos = { fareInfo: [{ ruleInfo: { chargesRules } }] };
    const total = { currencyCode: 'SAR', amount: 100 };
    const { pricing } = bookingOf({ priceInfo: { itinTotalFare: [{ totalFare: total }], fareInfos } });
    expect(keptBy(rule(pricing?.fares[0]?.refundRules[0]))).toEqual({ total: sar(10000), tax: sar(0), disagrees });
  });

  test('keeps the base if there is no tax', () => {
    const untaxed = rule({ base: sar(4000), vatHundredths: 0 });
    expect(keptBy(untaxed)).toEqual({ total: sar(4000), tax: sar(0), disagrees: false });
  });

  test('keeps an unknown amount if the airline sends a negative or too large one', () => {
    expect(keptBy(rule({ base: sar(-4000) }))).toBeUndefined();
    const huge = sar(Number.MAX_SAFE_INTEGER);
    expect(keptBy({ ...rule(), base: huge, tax: huge, total: huge })).toBeUndefined();
  });
});
