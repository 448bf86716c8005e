/**
 * Money as the airline sends it, from messages written by hand (docs/wire/notes.md, money and rules; replies: what else they
 * hold).
 */
import { describe, expect, test } from 'vitest';
import { bookingOf, flight, itinerary, money, option } from '../support/wire.ts';

const eur = (minor: number) => ({ minor, currency: 'EUR' });

const read = (priceInfo: unknown, more: object = {}) =>
  bookingOf({
    airItinerary: itinerary(option('1', flight({ rph: '1' }))),
    ...(priceInfo !== undefined && { priceInfo }),
    ...more,
  });

const total = (fareWire: object) => read({ itinTotalFare: [fareWire] }).pricing?.total;
const BASE = { baseFare: money(80, 'EUR'), totalFare: money(100, 'EUR') };

describe('taxes and fees', () => {
  test('reads taxes and fees from a bare list', () => {
    const found = total({
      ...BASE,
      taxes: [
        { taxCode: 'XA', amount: 12 },
        { taxCode: 'XB', amount: 3 },
      ],
      fees: [{ feeCode: 'S', amount: 5 }],
    });
    expect(found).toMatchObject({ taxes: eur(1500), fees: eur(500), total: eur(10000) });
    expect(found?.lines.map(({ code }) => code)).toEqual(['XA', 'XB', 'S']);
  });

  test('prefers the sum of the taxes to its items', () => {
    expect(total({ ...BASE, taxes: { tax: [{ taxCode: 'XA', amount: 12 }], amount: 20 } })?.taxes).toEqual(eur(2000));
  });

  test('never adds amounts in two currencies', () => {
    const tax = ['EUR', 'USD', 'EUR'].map((currency) => ({ taxCode: 'XA', ...money(1, currency) }));
    expect(total({ ...BASE, taxes: { tax } })?.taxes).toEqual(eur(200));
  });
});

describe('the total', () => {
  test('reads an amount in its own currency, and none without a number or a currency', () => {
    expect(total({ ...BASE, totalFare: money('1.125', 'KWD') })?.total).toEqual({ minor: 1125, currency: 'KWD' });
    expect(total({ totalFare: money('much', 'EUR') })).toBeUndefined();
    expect(total({ totalFare: { amount: 172.5 } })).toBeUndefined();
  });

  test('does not guess a total that it cannot read from its parts', () => {
    const parts = { baseFare: money(80, 'EUR'), taxes: { tax: [{ taxCode: 'XA', amount: 20 }] } };
    for (const unreadable of ['1,438.84', '1.438,84', 'about 100', '1e400', 9e15, true, {}, '']) {
      const { total: price, hasUnreadableTotal } =
        read({ itinTotalFare: [{ ...parts, totalFare: money(unreadable, 'EUR') }] }).pricing ?? {};
      expect([unreadable, price, hasUnreadableTotal]).toEqual([unreadable, undefined, true]);
    }
    // None sent: the parts are the total, if all of them can be read.
    expect(total({ ...parts, totalFare: { currencyCode: 'EUR' } })?.total).toEqual(eur(10000));
    expect(total({ ...parts, taxes: { amount: '1,438.84', currencyCode: 'EUR' } })).toBeUndefined();
    expect(total({ ...parts, ...BASE, taxes: { amount: '1,438.84', currencyCode: 'EUR' } })?.total).toEqual(eur(10000));
  });

  test('prefers the total to its parts', () => {
    const found = total({ ...BASE, taxes: { tax: [], amount: 19.99 }, fees: { fee: [], amount: 0 } });
    expect(found).toMatchObject({ base: eur(8000), taxes: eur(1999), total: eur(10000) });
  });

  test('takes the first entry without usage as the total, and no other', () => {
    const other = { baseFare: money(1, 'EUR'), totalFare: money(1, 'EUR') };
    const refund = { usage: 'refund', totalFare: money(0, 'EUR') };
    expect(read({ itinTotalFare: [refund, BASE, other] }).pricing).toMatchObject({
      total: { total: eur(10000) },
      refunds: [{ amount: eur(0) }],
    });
    expect(read({ itinTotalFare: [{ totalFare: {} }, other] }).pricing?.total).toBeUndefined();
    expect(read({ itinTotalFare: [{ usage: 'exchange', ...other }] }).pricing?.total).toBeUndefined();
  });
});

describe('a refund', () => {
  test('reads a refund from its totalFare, not from the sum of its fees', () => {
    const fee = [
      { feeCode: 'REFUND_PENALTY', feeTransactionType: 'charge', currencyCode: 'EUR', amount: 40 },
      { feeCode: 'REFUND_PENALTY_VAT', feeTransactionType: 'charge', currencyCode: 'EUR', amount: 6 },
    ];
    const entry = {
      usage: 'refund',
      baseFare: money(0, 'EUR'),
      fees: { fee, currencyCode: 'EUR', amount: 0 },
      totalFare: money(54, 'EUR'),
    };
    expect(read({ itinTotalFare: [BASE, entry] }).pricing?.refunds).toEqual([
      { amount: eur(5400), penalty: eur(4000), vat: eur(600) },
    ]);
    const twice = { ...entry, fees: { fee: [...fee, ...fee], amount: 0 } };
    expect(read({ itinTotalFare: [BASE, twice] }).pricing?.refunds).toEqual([
      { amount: eur(5400), penalty: eur(8000), vat: eur(1200) },
    ]);
  });

  test('reads float noise in a refund as a refund of 0', () => {
    const entry = { usage: 'refund', totalFare: money(5e-14, 'EUR') };
    expect(read({ itinTotalFare: [BASE, entry] }).pricing?.refunds).toEqual([{ amount: eur(0) }]);
  });
});

describe('a penalty rule', () => {
  const ruleOf = (rule: object) => {
    const penaltyRules = [{ passengerTypeCode: 'ADT', rules: [{ currency: 'EUR', refundable: true, ...rule }] }];
    const chargesRules = { voluntaryRefunds: { TPA_Extensions: { penaltyRules } } };
    const fareInfo = [{ rph: '1', ruleInfo: { chargesRules } }];
    return read({ itinTotalFare: [BASE], fareInfos: { fareInfo } }).pricing?.fares[0]?.refundRules;
  };

  test('reads the amounts of a penalty rule as sent, whatever its percentage', () => {
    expect(ruleOf({ base: 40, tax: 6, total: 46, vat: 15 })).toMatchObject([
      { base: eur(4000), tax: eur(600), total: eur(4600), vatHundredths: 1500 },
    ]);
  });

  test('reads a percentage in hundredths, and zero from null', () => {
    expect(ruleOf({ total: 46, vat: '7.25' })).toMatchObject([{ vatHundredths: 725 }]);
    expect(ruleOf({ total: 46, vat: null })).toMatchObject([{ vatHundredths: 0 }]);
  });

  test('computes the missing part of a penalty rule from the two others', () => {
    expect(ruleOf({ tax: 6, total: 46 })).toMatchObject([{ base: eur(4000), tax: eur(600), total: eur(4600) }]);
    expect(ruleOf({ base: 40, tax: 6 })).toMatchObject([{ total: eur(4600) }]);
  });

  test('reads no penalty of zero from a rule without amounts', () => {
    expect(ruleOf({})).toEqual([{ passengerType: 'ADT', refundable: true, texts: [] }]);
    expect(ruleOf({ refundable: false })).toMatchObject([{ refundable: false, total: eur(0) }]);
  });
});
